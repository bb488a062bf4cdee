"""kb.read_excerpt beyond a passage to the end of its document, and from any id that an answer shows."""

import pytest

from wekadocs_corpus import tokens

STEPS = "\n\n".join(
    f"## Step {number}\n\nRun `strata step {number}` as root, then wait until the cluster has taken it over. "
    f"Number {number} may be repeated without harm; the log of the node tells how far it went and what is left to do."
    for number in range(1, 13)
)
PAGE = f"---\ntitle: A long procedure\n---\n# A long procedure\n\nRead all of it first.\n\n{STEPS}\n"
BODY = PAGE[PAGE.index("# A long") :]
OTHER = "# Elsewhere\n\nNothing of the procedure stands here.\n"


@pytest.fixture(scope="module")
def kb(serve, ingested):
    plugins = {name: {} for name in ("corpus", "scratch", "kb", "graph")}
    return serve(ingested({"guide/procedure.md": PAGE, "other/elsewhere.md": OTHER}), plugins=plugins)


@pytest.fixture(scope="module")
def row(kb):
    return kb.ask("kb.search", {"query": "strata step 5"})["results"][0]


@pytest.fixture(scope="module")
def cited(kb, row):
    return kb.ask("kb.read_excerpt", {"passage_id": row["passage_id"]})["citation"]


def read_to_the_end(kb, arguments):
    """As a caller would: on with whatever the answer says; the excerpts, and how many calls they took."""
    got = kb.ask("kb.read_excerpt", arguments)
    parts = [got]
    while (at := got["next_start_char"] or got["reads_on_at"]) is not None:
        more = {name: value for name, value in arguments.items() if name not in ("section_id", "start_char")}
        got = kb.ask("kb.read_excerpt", {**more, "passage_id": got["passage_id"], "start_char": at})
        parts.append(got)
    return parts


@pytest.mark.parametrize("size", [40, 300, 800])
def test_a_passage_is_read_on_to_the_end_of_its_document(kb, row, size):
    parts = read_to_the_end(kb, {"passage_id": row["passage_id"], "max_tokens": size})
    first, last = parts[0]["citation"]["start"], parts[-1]["citation"]["end"]
    assert "".join(part["excerpt"] for part in parts) == PAGE[first:last]
    assert last == len(PAGE)
    assert all(PAGE[part["citation"]["start"] : part["citation"]["end"]] == part["excerpt"] for part in parts)


def test_the_passages_end_is_still_told_from_the_documents(kb, row):
    parts = read_to_the_end(kb, {"passage_id": row["passage_id"], "max_tokens": 60})
    ends = [part for part in parts if part["next_start_char"] is None]
    assert [part["reads_on_at"] is None for part in ends] == [False, True]
    within = parts[: parts.index(ends[0]) + 1]
    assert len("".join(part["excerpt"] for part in within).encode()) == row["size_bytes"] == ends[0]["reads_on_at"]
    assert all(part["truncated"] is (part["next_start_char"] is not None) for part in parts)


def test_what_is_read_beyond_the_passage_is_cited_with_its_own_section(kb, row):
    beyond = read_to_the_end(kb, {"passage_id": row["passage_id"], "max_tokens": 60})[-1]
    heading = PAGE.rindex("## ", 0, beyond["citation"]["start"] + 1)
    assert beyond["citation"]["anchor"] == PAGE[heading + 3 :].splitlines()[0].lower().replace(" ", "-")


def test_a_page_is_read_whole_in_two_calls(kb, cited):
    assert 600 < tokens.count(BODY) <= 800
    parts = read_to_the_end(kb, {"section_id": cited["document_id"], "max_tokens": 400})
    assert "".join(part["excerpt"] for part in parts) == BODY
    assert len(parts) == 2
    assert len(read_to_the_end(kb, {"section_id": cited["document_id"], "max_tokens": 800})) == 1


def test_what_is_left_can_be_asked_for_in_one_further_call(kb, cited):
    first = kb.outcome("kb.read_excerpt", {"section_id": cited["document_id"]})
    left = first.data["tokens_left"]
    assert f"Goes on at start_char {first.data['next_start_char']}, {left} tokens more." in first.content[0]["text"]
    assert first.data["tokens"] <= 300
    more = {"start_char": first.data["next_start_char"], "max_tokens": left}
    rest = kb.outcome("kb.read_excerpt", {"passage_id": first.data["passage_id"], **more})
    assert first.data["excerpt"] + rest.data["excerpt"] == BODY
    assert (rest.data["tokens_left"], "more" in rest.content[0]["text"].splitlines()[-1]) == (None, False)


def test_a_chunk_opens_where_it_begins(kb, row):
    parts = read_to_the_end(kb, {"section_id": row["section_id"]})
    assert parts[0]["citation"]["section_id"] == row["section_id"]
    assert "".join(part["excerpt"] for part in parts) == PAGE[parts[0]["citation"]["start"] :]


def test_every_id_that_the_graph_shows_can_be_read(kb, cited):
    below = kb.ask("graph.children", {"parent_id": cited["document_id"]})["children"]
    nodes = [node for node in below if node["title"] != "Front matter"]
    assert nodes
    for node in nodes:
        got = kb.ask("kb.read_excerpt", {"section_id": node["id"]})
        assert got["excerpt"].lstrip("# ").startswith(node["title"]), node
        assert got["citation"]["anchor"] == node["anchor"]


def test_what_was_opened_is_a_passage_like_any_other(kb, row):
    got = kb.ask("kb.read_excerpt", {"section_id": row["section_id"], "max_tokens": 30})
    assert kb.text(got["passage_id"]).startswith(got["excerpt"])
    quotes = kb.ask(
        "kb.extract_evidence", {"question": "which step runs as root?", "passage_ids": [got["passage_id"]]}
    )["quotes"]
    assert quotes[0]["passage_id"] == got["passage_id"]
    wider = kb.ask("kb.expand_excerpt", {"section_id": row["section_id"], "before_tokens": 0, "after_tokens": 20})
    assert wider["excerpt"].strip()
    assert got["excerpt"].startswith(wider["excerpt"])


def test_the_text_tells_where_the_document_goes_on(kb, row):
    outcome = kb.outcome("kb.read_excerpt", {"passage_id": row["passage_id"], "max_tokens": 800})
    assert f"its document goes on at start_char {outcome.data['reads_on_at']}, " in outcome.content[0]["text"]
    widened = kb.outcome("kb.expand_excerpt", {"passage_id": row["passage_id"]})
    at = widened.data["next_start_char"]
    assert f"Goes on at start_char {at}." in widened.content[0]["text"]
    further = kb.ask("kb.read_excerpt", {"passage_id": row["passage_id"], "start_char": at})
    assert further["citation"]["start"] == widened.data["citation"]["end"]


@pytest.mark.parametrize("tool", ["kb.read_excerpt", "kb.expand_excerpt"])
def test_an_id_out_of_scope_is_as_unknown_as_one_that_never_was(kb, cited, tool):
    unknown = kb.refused(tool, {"section_id": "0" * 32})
    assert unknown["code"] == "INVALID_ARGUMENT"
    assert unknown["details"] == {"path": "/section_id"}
    for each in (cited["section_id"], cited["document_id"]):
        assert kb.refused(tool, {"section_id": each, "scope": {"doc_tags": ["other"]}}) == unknown
        assert kb.ask(tool, {"section_id": each, "scope": {"doc_tags": ["guide"]}})["excerpt"]
    for odd in ("", "no hex", "g" * 32, "f" * 5000):
        assert kb.refused(tool, {"section_id": odd}) == unknown


@pytest.mark.parametrize("tool", ["kb.read_excerpt", "kb.expand_excerpt"])
def test_one_of_the_two_ids_is_needed(kb, row, tool):
    both = {"passage_id": row["passage_id"], "section_id": row["section_id"]}
    for given in ({}, both):
        assert "one of passage_id and section_id" in kb.refused(tool, given)["message"]


def test_nothing_is_read_behind_the_end_of_the_document(kb, row):
    refused = kb.refused("kb.read_excerpt", {"passage_id": row["passage_id"], "start_char": len(PAGE)})
    assert refused["code"] == "INVALID_ARGUMENT"
    assert "the document ends at" in refused["message"]
