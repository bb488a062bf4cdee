"""find_chunks and query_hybrid: every line of their contracts and of what was ruled on them."""

import unicodedata

import pytest
from citing import done, passage, refused

BOTH = ("find_chunks", "query_hybrid")
ENTITY = {
    "id": "entity",
    "text": "Entities and value objects are distinct in domain driven design.",
    "metadata": {
        "source": {"path": "docs/clean-arch.pdf", "title": "Clean Architecture"},
        "zotero": {
            "citekey": "cleanArchitecture2023",
            "doi": "10.1000/xyz123",
            "url": "https://example.org/clean",
            "year": 2023,
            "tags": ["architecture", "domain"],
            "authors": ["Martin, R."],
        },
        "doc": {"id": "book", "page_span": [45, 46], "section": "Entities", "section_path": ["Part I", "Chapter 3"]},
        "fulltext": "The whole page about entities and value objects.",
    },
}
LEDGER = {
    "id": "ledger",
    "text": "The ledger records every payment with its account.",
    "metadata": {
        "zotero": {"citekey": "ledgers", "year": "1999", "tags": ["architecture"]},
        "doc": {"id": "paper", "section_path": ["Part II", "Payments"]},
    },
}


def ids(reply):
    return [each["id"] for each in done(reply)["items"]]


@pytest.fixture
def stored(client, lab):
    done(client.call("store_chunks", project=lab, items=[ENTITY, LEDGER]))
    return lab


def test_an_item_has_everything_a_citation_needs(client, stored):
    answer = done(client.call("find_chunks", project=stored, query="entities and value objects"))
    assert answer["count"] == len(answer["items"]) == 2
    first = answer["items"][0]
    assert 0 < first.pop("score") <= 1
    assert first == {
        "id": "entity",
        "render_text": ENTITY["text"],
        "citekey": "cleanArchitecture2023",
        "section": "Entities",
        "page_span": [45, 46],
        "section_path": ["Part I", "Chapter 3"],
        "doi": "10.1000/xyz123",
        "url": "https://example.org/clean",
        "full_text": None,
    }


def test_without_a_section_it_is_the_last_of_the_path(client, stored):
    found = done(client.call("query_hybrid", project=stored, query="ledger payment"))["items"][0]
    assert (found["section"], found["section_path"]) == ("Payments", ["Part II", "Payments"])


@pytest.mark.parametrize("tool", BOTH)
def test_the_full_text_comes_only_when_it_is_asked_for(client, stored, tool):
    plain = done(client.call(tool, project=stored, query="entities"))["items"]
    assert not any(each.get("full_text") for each in plain)
    whole = done(client.call(tool, project=stored, query="entities ledger", include_full_text=True))["items"]
    assert {each["id"]: each["full_text"] for each in whole} == {
        "entity": ENTITY["metadata"]["fulltext"],
        "ledger": LEDGER["text"],
    }


def test_the_fulltext_is_shown_and_not_searched(client, stored):
    found = done(client.call("query_hybrid", project=stored, query="page", debug=True))["items"]
    assert [each["words_rank"] for each in found] == [None, None]


def test_a_hybrid_answer_says_that_it_is_one(client, stored):
    answer = done(client.call("query_hybrid", project=stored, query="entities", top_k=1))
    assert (answer["count"], answer["hybrid_enabled"]) == (1, True)
    assert "words_rank" not in answer["items"][0]


def test_debug_adds_both_ranks(client, stored):
    found = done(client.call("query_hybrid", project=stored, query="ledger", debug=True))["items"]
    assert [(each["id"], each["words_rank"], each["vector_rank"]) for each in found] == [
        ("ledger", 1, 1),
        ("entity", None, 2),
    ]


def test_hybrid_is_refused_where_it_is_not_enabled(client, ddd):
    details = refused(client.call("query_hybrid", project=ddd, query="x"), "HYBRID_NOT_SUPPORTED")["details"]
    assert details["project_id"] == ddd and details["reason"]
    assert done(client.call("find_chunks", project=ddd, query="x")) == {"items": [], "count": 0}


@pytest.mark.parametrize("tool", BOTH)
def test_an_unknown_project_is_refused(client, tool):
    assert (
        refused(client.call(tool, project="no/such", query="x"), "INVALID_PROJECT")["details"]["project_id"]
        == "no/such"
    )


@pytest.mark.parametrize("tool", BOTH)
def test_how_many_is_six_and_at_most_twenty(client, lab, tool):
    done(client.call("store_chunks", project=lab, items=[passage(number) for number in range(30)]))
    assert done(client.call(tool, project=lab, query="passage"))["count"] == 6
    assert done(client.call(tool, project=lab, query="passage", top_k=20))["count"] == 20
    for top_k in (0, 21):
        refused(client.call(tool, project=lab, query="passage", top_k=top_k), "INVALID_ARGUMENT")


@pytest.mark.parametrize("tool", BOTH)
@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"tags": ["architecture"]}, {"entity", "ledger"}),
        ({"tags": ["architecture", "domain"]}, {"entity"}),
        ({"tags": ["architect"]}, set()),
        ({"tags": "domain"}, {"entity"}),
        ({"tags": []}, {"entity", "ledger"}),
        ({"year": 2023}, {"entity"}),
        ({"year": "1999"}, {"ledger"}),
        ({"year": 1999}, {"ledger"}),
        ({"citekey": "ledgers"}, {"ledger"}),
        ({"doi": "https://doi.org/10.1000/XYZ123"}, {"entity"}),
        ({"doc": "paper"}, {"ledger"}),
        ({"section_prefix": ["Part I"]}, {"entity"}),
        ({"section_prefix": ["Part I", "Chapter 3"]}, {"entity"}),
        ({"section_prefix": "Part II"}, {"ledger"}),
        ({"section_prefix": ["Chapter 3"]}, set()),
        ({"section_prefix": ["Part"]}, set()),
        ({"year": 2023, "citekey": "ledgers"}, set()),
        ({}, {"entity", "ledger"}),
    ],
)
def test_filters_hold_all_together(client, two_chunks, tool, filters, found):
    assert set(ids(client.call(tool, project=two_chunks, query="entities ledger", filters=filters))) == found


@pytest.fixture(scope="session")
def two_chunks(client):
    done(client.call("store_chunks", project="lab/p0", items=[ENTITY, LEDGER]))
    return "lab/p0"


@pytest.mark.parametrize("key", ["tag", "project", "zotero_item_key"])
def test_an_unknown_filter_is_an_error_that_names_the_known_ones(client, stored, key):
    error = refused(client.call("find_chunks", project=stored, query="x", filters={key: "x"}), "INVALID_ARGUMENT")
    for known in ("tags", "year", "citekey", "doi", "section_prefix", "doc"):
        assert known in error["message"]


@pytest.mark.parametrize("filters", [{"tags": 7}, {"tags": [7]}, {"year": [2023]}, {"citekey": 1}, {"doc": ["a"]}])
def test_a_filter_of_another_type_is_refused(client, stored, filters):
    refused(client.call("find_chunks", project=stored, query="x", filters=filters), "INVALID_ARGUMENT")


def test_a_tag_counts_once_and_not_too_many_are_asked_for(client, stored):
    assert ids(client.call("find_chunks", project=stored, query="entities", filters={"tags": ["domain"] * 5000})) == [
        "entity"
    ]
    many = {"tags": [str(n) for n in range(99)], "year": 2023.0}
    assert ids(client.call("find_chunks", project=stored, query="entities", filters=many)) == []
    many = {"tags": [str(n) for n in range(101)]}
    refused(client.call("find_chunks", project=stored, query="entities", filters=many), "INVALID_ARGUMENT")


def test_no_project_sees_anothers_chunks(client, stored, lab):
    other = "lab/p1"
    done(client.call("store_chunks", project=other, items=[{"id": "theirs", "text": "Entities of theirs."}]))
    for tool in BOTH:
        assert set(ids(client.call(tool, project=stored, query="entities of theirs"))) == {"entity", "ledger"}
        assert ids(client.call(tool, project=other, query="entities and value objects")) == ["theirs"]


@pytest.mark.parametrize("tool", BOTH)
def test_scores_are_between_0_and_1_fall_and_are_equal_for_equal_texts(client, lab, tool):
    texts = ["Layers of clean architecture.", "Layers of clean architecture.", "An entity.", "Cats sleep.", "!!! ???"]
    answer = done(client.call("store_chunks", project=lab, items=[{"text": text} for text in texts]))
    assert len(answer["warnings"]) == 1 and "items[4]" in answer["warnings"][0]
    found = done(client.call(tool, project=lab, query="architecture of layers"))["items"]
    scores = [each["score"] for each in found]
    assert all(0 <= score <= 1 for score in scores) and scores == sorted(scores, reverse=True)
    assert scores[0] == scores[1] > scores[2]


def test_no_hit_by_parts_of_words(client, lab):
    items = [{"id": "part", "text": "Every part departs."}, {"id": "art", "text": "Museums collect art."}]
    done(client.call("store_chunks", project=lab, items=items))
    found = done(client.call("query_hybrid", project=lab, query="art", debug=True))["items"]
    assert {each["id"]: each["words_rank"] for each in found} == {"art": 1, "part": None}
    assert found[0]["id"] == "art"


def test_an_exact_rare_term_ranks_first_in_hybrid(client, lab):
    items = [passage(number) for number in range(60)]
    items += [
        {"id": "rare", "text": "A remark aside mentions zyglotaxis once, among many other things of no interest."}
    ]
    done(client.call("store_chunks", project=lab, items=items))
    for query in ("zyglotaxis", "what does the paper on layers say of zyglotaxis"):
        assert ids(client.call("query_hybrid", project=lab, query=query))[0] == "rare"


@pytest.mark.parametrize("tool", BOTH)
@pytest.mark.parametrize("query", ["", "  ", "x" * 2001])
def test_a_question_has_words_within_bounds(client, stored, tool, query):
    refused(client.call(tool, project=stored, query=query), "INVALID_ARGUMENT")


def render(client, project, text):
    done(client.call("store_chunks", project=project, items=[{"id": "it", "text": text}]))
    return done(client.call("find_chunks", project=project, query=text[:200]))["items"][0]["render_text"]


def test_exactly_the_limit_stays_and_one_more_is_cut_at_a_words_end(client, lab):
    exact = ("word " * 360)[:1800]
    assert len(exact) == 1800 and render(client, lab, exact) == exact
    cut = render(client, lab, exact + "s")
    assert len(cut) <= 1800 and cut.endswith("word...") and not cut.endswith("....")


@pytest.mark.parametrize(
    "letter",
    [
        *("e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "한", "\u1112\u1161\u11ab", "👍🏽", "字"),
        *("क्षि", "กำ", "ﾊﾞ", "\u0601\u0661", "❤\ufe0f"),
    ],
)
def test_no_character_is_split(client, lab, letter):
    for padding in ("", "a", "ab", "abc"):
        text = unicodedata.normalize("NFD", padding + letter * 2000) if letter == "한" else padding + letter * 2000
        whole = unicodedata.normalize("NFD", letter) if letter == "한" else letter
        cut = render(client, lab, "architecture" + text).removeprefix("architecture" + padding)
        assert cut.endswith("...") and cut.removesuffix("...").replace(whole, "") == ""


def test_a_script_without_spaces_is_cut_between_its_characters(client, lab):
    cut = render(client, lab, "architecture " + "建築" * 1000)
    assert len(cut) == 1800 and cut.endswith("建築...")


def test_how_much_is_shown_is_the_projects_setting(opened):
    client = opened({"a/b": {"min_batch": 1, "max_chars_per_chunk": 20}})
    assert render(client, "a/b", "Entities and value objects are distinct.") == "Entities and..."


def test_the_text_is_enough_to_cite_from(client, stored):
    text = client.call("query_hybrid", project=stored, query="entities", top_k=1).text
    for told in ("cleanArchitecture2023", "p. 45", "Part I > Chapter 3", ENTITY["text"]):
        assert told in text


def test_an_answer_that_has_no_room_says_so(client, lab):
    items = [{"id": str(n), "text": f"Layers {n}", "metadata": {"fulltext": "x" * 60_000}} for n in range(4)]
    done(client.call("store_chunks", project=lab, items=items))
    answer = done(client.call("find_chunks", project=lab, query="layers", include_full_text=True))
    assert answer["partial"] is True and 0 < answer["count"] == len(answer["items"]) < 4


@pytest.mark.parametrize("tool", BOTH)
def test_a_full_text_that_no_answer_holds_is_cut_and_said_to_be(client, lab, tool):
    items = [
        {"id": str(n), "text": f"Layers {n}", "metadata": {"fulltext": "größer \u0001" * 60_000}} for n in range(2)
    ]
    done(client.call("store_chunks", project=lab, items=items))
    first = done(client.call(tool, project=lab, query="layers", include_full_text=True))
    rest = done(client.call(tool, project=lab, query="layers", include_full_text=True, cursor=first["next_cursor"]))
    for (row,) in (first["items"], rest["items"]):
        assert row["full_text_cut"] is True and row["full_text"].endswith("...") and len(row["full_text"]) > 40_000
