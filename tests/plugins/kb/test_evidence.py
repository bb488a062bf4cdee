"""kb.extract_evidence and kb.retrieve_evidence: verbatim, cited, few."""

from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from wekadocs_corpus import tokens
from wekadocs_corpus.documents import read_document
from wekadocs_corpus.evidence import confidence
from wekadocs_corpus.evidence.sentences import sentences
from wekadocs_corpus.model import fingerprint

SAMPLE = Path(__file__).parents[3] / "docs/sample"
DOCS = SAMPLE / "docs"
QUESTIONS = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))["questions"]
MOUNT = "How do I mount a filesystem?"
WIDE = {"top_k": 10, "page_size": 10, "options": {"max_per_doc": 3}}  # what kb.retrieve_evidence quotes from


@pytest.mark.parametrize("question", [each["question"] for each in QUESTIONS[::6]])
def test_quotes_come_only_from_the_ten_that_search_returns(kb, question):
    found = kb.ask("kb.search", {"query": question, **WIDE})["results"]
    answer = kb.ask("kb.retrieve_evidence", {"question": question, "max_quotes": 12})
    assert {row["section_id"] for row in answer["quotes"]} <= {row["section_id"] for row in found}
    assert answer["diagnostics"]["candidates"] == len(found) == 10


@pytest.mark.parametrize("question", [each["question"] for each in QUESTIONS[::6]])
def test_searching_and_extracting_is_retrieving(kb, question):
    found = kb.ask("kb.search", {"query": question, **WIDE})["results"]
    given = {"question": question, "passage_ids": [row["passage_id"] for row in found]}
    extracted = kb.ask("kb.extract_evidence", given)["quotes"]
    retrieved = kb.ask("kb.retrieve_evidence", {"question": question, "max_quote_tokens": 80})["quotes"]
    rest = iter((row["path"], row["start"], row["end"]) for row in extracted)
    for row in retrieved:  # the same in the same order, but for what was cut
        assert any(path == row["path"] and row["start"] < end and start < row["end"] for path, start, end in rest)
    assert len(retrieved) >= 2


def test_quotes_are_verbatim_and_cited(kb):
    corpus = kb.state("corpus")
    for row in kb.ask("kb.retrieve_evidence", {"question": MOUNT})["quotes"]:
        document_id = kb.ask("kb.read_excerpt", {"passage_id": row["passage_id"]})["citation"]["document_id"]
        assert corpus.truth.document(document_id).text[row["start"] : row["end"]] == row["quote"]
        assert row["hash"] == fingerprint(row["quote"])
        assert row["uri"].endswith(row["passage_id"])
        assert 0 <= row["confidence"] <= 1


def test_a_question_that_is_a_title_is_answered_by_how_that_page_begins(serve, ingested):
    limit = "---\ntitle: {0}\ndescription: About {0}.\n---\n\n{{/* Do not edit {0}. It is made. */}}\n\n{1}\n\n"
    usage = "## Usage\n\n" + "Set `{0}` in the file and restart the service that reads it, then look at the log. " * 30
    history = "\n\n## History\n\n| Version | Change |\n| --- | --- |\n| 2.1 | `{0}` added |\n"
    names = {"queueDepth": "How many requests wait at once.", "idleSeconds": "When a quiet connection is closed."}
    pages = {f"{name}.md": (limit + usage + history).format(name, told) for name, told in names.items()}
    service = serve(ingested({**pages, "log.md": "# Log\n\nThe log names queueDepth and idleSeconds in every line."}))
    for name, told in names.items():
        for question in (name, f"What does {name} mean?"):
            first = service.ask("kb.retrieve_evidence", {"question": question})["quotes"][0]
            assert (first["path"], told in first["quote"]) == (f"{name}.md", True)
            row = service.ask("kb.search", {"query": question})["results"][0]
            assert (row["path"], told in row["preview"]) == (f"{name}.md", True)


def test_every_answer_is_within_1200_tokens_as_it_is_read(kb):
    for each in QUESTIONS:
        for more in ({}, {"max_quotes": 12, "max_quote_tokens": 200, "include_context_tokens": 80}):
            outcome = kb.outcome("kb.retrieve_evidence", {"question": each["question"], **more})
            assert tokens.count(outcome.content[0]["text"]) <= 1200
            assert outcome.data["quotes"]


def test_more_than_fits_is_cut_and_told(kb):
    (question,) = (each["question"] for each in QUESTIONS if each["id"] == "noisy-machine")
    given = {"question": question, "max_quotes": 12, "max_quote_tokens": 200, "include_context_tokens": 80}
    outcome = kb.outcome("kb.retrieve_evidence", given)
    assert (outcome.data["partial"], outcome.data["limit_reason"]) == (True, "token_cap")
    assert len(outcome.data["quotes"]) < 12
    assert 900 < tokens.count(outcome.content[0]["text"]) <= 1200


def test_no_more_quotes_than_asked_for_and_all_together_no_longer(kb):
    for most in (1, 2, 4):
        given = {"question": MOUNT, "max_quotes": most, "max_quote_tokens": 12, "include_context_tokens": 0}
        rows = kb.ask("kb.retrieve_evidence", given)["quotes"]
        assert 1 <= len(rows) <= most
        assert sum(tokens.count(row["quote"]) for row in rows) <= most * 12


def test_the_same_passage_found_twice_is_quoted_once(kb):
    ids = [kb.ask("kb.search", {"query": MOUNT})["results"][0]["passage_id"] for _ in range(2)]
    assert ids[0] != ids[1]
    rows = kb.ask("kb.extract_evidence", {"question": MOUNT, "passage_ids": ids})["quotes"]
    assert len({(row["start"], row["end"]) for row in rows}) == len(rows)
    assert {row["passage_id"] for row in rows} == {ids[0]}


def test_the_same_question_gets_the_same_quotes(kb):
    answers = [kb.ask("kb.retrieve_evidence", {"question": MOUNT})["quotes"] for _ in range(2)]
    strip = [[{k: v for k, v in row.items() if k not in ("passage_id", "uri")} for row in rows] for rows in answers]
    assert strip[0] == strip[1]


@pytest.mark.parametrize("question", ["Stripe width", "mount a filesystem read-only", "token expiry and renewal"])
def test_no_text_is_sent_twice(kb, question):
    given = {"question": question, "max_quotes": 12, "max_quote_tokens": 30, "include_context_tokens": 80}
    found = kb.ask("kb.search", {"query": question, "top_k": 10, "page_size": 10, "options": {"max_per_doc": 5}})
    ids = [row["passage_id"] for row in found["results"]]
    for rows in (
        kb.ask("kb.retrieve_evidence", given)["quotes"],
        kb.ask("kb.extract_evidence", {**given, "passage_ids": ids})["quotes"],
    ):
        places = sorted((row["path"], row["start"], row["end"]) for row in rows)
        assert len(places) > 3
        assert all(one[0] != two[0] or one[2] <= two[1] for one, two in pairwise(places)), places


def test_the_text_is_the_quotes_with_their_citation(kb):
    outcome = kb.outcome("kb.retrieve_evidence", {"question": MOUNT, "max_quotes": 1})
    first, second = outcome.content[0]["text"].split('\n\n"')[0], outcome.data["quotes"][0]
    assert first.startswith(f'"{second["quote"]}"\n— {second["title"]}, {second["path"]}')
    assert first.endswith(f"[{second['passage_id']}]")
    assert "\n\n\n" not in outcome.content[0]["text"]


def test_nothing_in_the_filters_is_no_answer_and_says_why(kb):
    answer = kb.ask("kb.retrieve_evidence", {"question": MOUNT, "filters": {"doc_tag": ["filesystem"]}})
    assert (answer["quotes"], answer["answerable"], answer["answer_confidence"]) == ([], False, 0.0)
    assert "did you mean 'filesystems'" in answer["hint"]


@pytest.mark.parametrize("question", ["a", "how do I", "what does --no-such-option do"])
def test_a_question_of_nothing_the_documents_have_is_not_answerable(kb, question):
    assert kb.ask("kb.retrieve_evidence", {"question": question})["answerable"] is False


def test_where_a_quote_covers_the_question_it_is_never_headed_as_no_answer(kb, monkeypatch):
    monkeypatch.setattr(confidence, "ANSWERABLE", 2.0)  # whatever the signs say
    covered = kb.outcome("kb.retrieve_evidence", {"question": MOUNT})
    assert covered.data["answerable"] is True
    assert "does not seem to answer" not in covered.content[0]["text"]
    near = kb.outcome("kb.retrieve_evidence", {"question": "mount a filesystem over fastcgi from a tape library"})
    assert near.data["answerable"] is False
    assert near.content[0]["text"].startswith("The documentation does not seem to answer this.")


def test_the_word_that_is_not_there_is_named(kb):
    asked = kb.ask("kb.retrieve_evidence", {"question": "How do I mount a filesystem with kerberos?"})
    assert "does not mention 'kerberos'" in asked["hint"]
    assert "hint" not in kb.ask("kb.retrieve_evidence", {"question": MOUNT})


def test_a_passage_alone_is_not_sure_of_itself(kb):
    (found,) = kb.ask("kb.search", {"query": MOUNT, "top_k": 1})["results"]
    asked = {"question": "mount a tape library", "passage_ids": [found["passage_id"]]}
    assert all(row["confidence"] < 0.5 for row in kb.ask("kb.extract_evidence", asked)["quotes"])


def test_each_passage_is_cited_once_in_the_text_with_its_quotes_in_order(kb):
    outcome = kb.outcome("kb.retrieve_evidence", {"question": MOUNT, "max_quote_tokens": 30})
    quotes, text = outcome.data["quotes"], outcome.content[0]["text"]
    ids = {row["passage_id"] for row in quotes}
    assert len(ids) < len(quotes)
    assert all(text.count(f"[{each}]") == 1 for each in ids)
    for each in ids:
        places = [(row["start"], text.index(f'{row["quote"]}"')) for row in quotes if row["passage_id"] == each]
        assert [place for _, place in sorted(places)] == sorted(place for _, place in places)


def text_of(path):
    """What is stored of a page of the sample, which quotes are cut from."""
    return read_document(path, (DOCS / path).read_bytes(), "d").text


@pytest.mark.parametrize("question", [each["question"] for each in QUESTIONS[::5]])
def test_what_stands_around_a_quote_is_whole_sentences(kb, question):
    asked = {"question": question, "max_quote_tokens": 200}
    for row in kb.ask("kb.retrieve_evidence", asked)["quotes"]:
        page = text_of(row["path"])
        spans = sentences(page)
        assert row["start"] in {start for start, _ in spans}, row["quote"]
        assert row["end"] in {end for _, end in spans} or tokens.count(row["quote"]) > 180, row["quote"]


def test_quotes_that_adjoin_are_one(kb):
    rows = kb.ask("kb.retrieve_evidence", {"question": MOUNT, "include_context_tokens": 0})["quotes"]
    places = sorted((row["path"], row["start"], row["end"]) for row in rows)
    for one, two in pairwise(places):
        page = text_of(one[0])
        assert one[0] != two[0] or page[one[2] : two[1]].strip() or page.startswith("#", two[1])


@pytest.mark.parametrize("parts", [25, 80])  # a row that one passage can hold, and one that none can
def test_a_long_row_is_quoted_where_it_matches_or_the_cut_is_told(serve, ingested, parts):
    settings = ", ".join(f"setting {n} of this machine is kept as it is" for n in range(parts))
    page = f"# Limits\n\n| Name | Meaning |\n|---|---|\n| limits | {settings}, but quorumDepth is seven |\n"
    data = ingested({"limits.md": page, "other.md": "# Other\n\nNothing of it.\n"})
    for way in ("weighted", "plain"):
        service = serve(data, kb={"evidence": way})
        (found, *_) = service.ask("kb.search", {"query": "quorumDepth"})["results"]
        for tool, more in (
            ("kb.retrieve_evidence", {}),
            ("kb.extract_evidence", {"passage_ids": [found["passage_id"]]}),
        ):
            asked = {"question": "quorumDepth", "max_quote_tokens": 80, **more}
            few, whole = (service.ask(tool, {**asked, "max_quotes": most}) for most in (2, 6))
            for answer in (few, whole):
                said = any("quorumDepth is seven" in quote["quote"] for quote in answer["quotes"])
                assert said or way == "plain"
                assert said or (answer["partial"], answer["limit_reason"]) == (True, "token_cap")
            assert (few["partial"], few["limit_reason"]) == (True, "token_cap")


def test_plain_quotes_that_adjoin_stay_apart_and_the_shorter_comes_first(serve, ingested):
    page = "# Disks\n\nA disk is never small. A disk fails. One more disk is found.\n"
    kb = serve(ingested({"disks.md": page}), kb={"evidence": "plain"})
    asked = {"question": "disk", "include_context_tokens": 0, "max_quotes": 4}
    rows = [row["quote"] for row in kb.ask("kb.retrieve_evidence", asked)["quotes"]]
    assert rows == ["# Disks", "A disk fails.", "A disk is never small.", "One more disk is found."]


def test_the_plain_algorithm_by_setting(serve):
    kb = serve(kb={"evidence": "plain"})
    rows = kb.ask("kb.retrieve_evidence", {"question": MOUNT, "include_context_tokens": 0})["quotes"]
    best = [sum(word in row["quote"].lower() for word in ("how", "mount", "filesystem")) for row in rows]
    assert best == sorted(best, reverse=True)
    assert len(rows) >= 1


@pytest.mark.parametrize("mode", ["auto", "vector_only", "hybrid_local"])
def test_the_mode_that_ran_is_told(kb, mode):
    told = kb.ask("kb.retrieve_evidence", {"question": MOUNT, "mode": mode})["diagnostics"]
    assert told["mode_used"] == ("vector_only" if mode == "vector_only" else "hybrid_local")
    assert "degraded" not in told


@pytest.mark.parametrize("question", ["", "  \n", "x" * 2001])
def test_no_question_is_refused(kb, question):
    assert kb.refused("kb.retrieve_evidence", {"question": question})["code"] == "INVALID_ARGUMENT"


def test_a_small_section_is_read_on_and_each_quote_names_its_own_section(serve, take_in, tmp_path):
    parts = ["# Zebra crossing\n\nAbout the zebra crossing.\n\n", "## Lights\n\nThe lamps of the zebra blink.\n\n"]
    page = "".join([*parts, "## Paint\n\nThe zebra paint is white.\n"])
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "zebra.md").write_text(page, "utf-8")
    take_in(tmp_path / "data", tmp_path / "docs")
    kb = serve(tmp_path / "data")
    asked = {"question": "zebra paint lamps", "include_context_tokens": 0, "max_quote_tokens": 20}
    quotes = kb.ask("kb.retrieve_evidence", asked)["quotes"]
    for row in quotes:
        assert page[row["start"] : row["end"]] == row["quote"]
        lights, paint = page.index("## Lights"), page.index("## Paint")
        begins = row["start"]
        expected = "zebra-crossing" if begins < lights else "lights" if begins < paint else "paint"
        assert row["anchor"] == expected
    said = " ".join(row["quote"] for row in quotes)
    assert "lamps" in said
    assert "white" in said
    (found,) = kb.ask("kb.search", {"query": "zebra paint"})["results"]
    text = kb.text(found["passage_id"])
    assert text == page[page.index(text) :]
    assert "white" in text


def test_a_quote_that_says_all_that_is_asked_is_never_called_no_answer(serve, ingested):
    """Though every page says it, so that none leads."""
    pages = {f"{n}.md": f"# Page {n}\n\nZone kept idle quorum {n}.\n" for n in range(30)}
    answer = serve(ingested(pages)).ask("kb.retrieve_evidence", {"question": "quorum kept zone"})
    assert answer["answerable"]


@pytest.mark.parametrize("question", [each["question"] for each in QUESTIONS[::5]])
def test_a_larger_setting_returns_all_that_a_smaller_one_does(kb, question):
    def said(**asked):
        rows = kb.ask("kb.retrieve_evidence", {"question": question, **asked})["quotes"]
        return {(row["path"], at) for row in rows for at in range(row["start"], row["end"])}

    for name, settings in (("max_quotes", range(1, 13)), ("max_quote_tokens", (20, 40, 80, 140, 200))):
        answers = [said(**{name: value}) for value in settings]
        assert all(less <= more for less, more in pairwise(answers)), name
