"""find_quote and verify_quotes: whose words these are, on which page, however they were printed."""

import pytest
from citing import done, refused


def chunk(number, text, citekey="evans2003", pages=None, doc="ddd"):
    place = {"id": doc, "page_span": pages or [number, number + 1], "section_path": ["Part II"]}
    return {"id": f"{doc}-{number}", "text": text, "metadata": {"zotero": {"citekey": citekey}, "doc": place}}


CHUNKS = [
    chunk(10, "An object defined primarily by its identity is called an ENTITY. It has a thread of continuity."),
    chunk(20, "We care about what they are, not who or which they are: value ob-\njects describe the characteristic."),
    chunk(30, "The \ufb01rst rule of ef\ufb01cient design is \u201ckeep it small\u201d \u2013 nothing else."),
    chunk(40, "A sentence begins at the end of this page and"),
    chunk(41, "goes on at the beginning of the next page."),
    chunk(7, "Source code dependencies must point only inward.", "martin2017", [203, 203], "clean"),
    {"id": "loose", "text": "Nobody told the pages of this remark.", "metadata": {"zotero": {"citekey": "loose2001"}}},
]


@pytest.fixture
def stored(client, lab):
    done(client.call("store_chunks", project=lab, items=CHUNKS))
    return lab


@pytest.mark.parametrize(
    ("quote", "id", "pages"),
    [
        ("defined primarily by its identity is called an ENTITY", "ddd-10", [10, 11]),
        ("value objects describe the characteristic", "ddd-20", [20, 21]),
        ("value ob-jects describe", "ddd-20", [20, 21]),
        ("The first rule of efficient design", "ddd-30", [30, 31]),
        ('design is "keep it small" - nothing', "ddd-30", [30, 31]),
        ("at the end of this page and goes on at the beginning", "ddd-40", [40, 42]),
        ("An object defined … is called an ENTITY", "ddd-10", [10, 11]),
        ("dependencies   must\npoint only inward,", "clean-7", [203, 203]),
    ],
)
def test_a_quotation_is_found_however_it_was_printed(client, stored, quote, id, pages):
    answer = done(client.call("find_quote", project=stored, quote=quote))
    assert answer["verbatim"] is True
    first = answer["items"][0]
    assert (first["id"], first["page_span"], first["verbatim"], first["found"]) == (id, pages, True, None)


@pytest.mark.parametrize("quote", ["efined primarily by its identity", "called an ENTITY … defined primarily"])
def test_parts_of_words_and_another_order_are_no_quotation(client, stored, quote):
    assert done(client.call("find_quote", project=stored, quote=quote))["verbatim"] is False


def test_what_nearly_stands_there_is_told_as_it_stands(client, stored):
    answer = done(client.call("find_quote", project=stored, quote="Source code dependencies may point only inward"))
    assert answer["verbatim"] is False
    assert answer["items"][0]["found"].startswith("Source code dependencies must point only inward")
    assert 0.6 <= answer["items"][0]["similarity"] < 1


def test_what_stands_nowhere_is_not_found(client, stored, lab):
    answer = done(client.call("find_quote", project=stored, quote="Zebras graze upon the quiet moon at night"))
    assert answer == {"items": [], "count": 0, "verbatim": False}
    refused(client.call("find_quote", project=stored, quote=" "), "INVALID_ARGUMENT")
    refused(client.call("find_quote", project="no/such", quote="x"), "INVALID_PROJECT")


def test_a_quotation_is_found_without_the_projects_model(client, foreign):
    item = {"text": "Entities have identity.", "embedding": [1, 2, 3], "metadata": {"embed_model": "acme/other-3"}}
    done(client.call("store_chunks", project=foreign, items=[item]))
    assert done(client.call("find_quote", project=foreign, quote="entities have identity", top_k=1))["count"] == 1


TEXT = """Evans says an entity is \u201cdefined primarily by its identity\u201d [@evans2003, p. 10].
And "value objects describe the characteristic" (evans2003, pp. 35-36), which is on another page.

Martin: "dependencies must point only inward." [@evans2003, p. 203] is another's.
"dependencies may point only inward" \\cite[203]{martin2017}
is not what stands there. "zebras graze upon the moon" [@evans2003] stands nowhere.
"the first rule of efficient design" has wrong letters.
"Nobody told the pages" [@loose2001, p. 3]. A "term" is no quotation.

"thread of continuity."
"""


def test_every_quotation_of_a_text_is_checked_against_its_citation(client, stored):
    answer = done(client.call("verify_quotes", project=stored, text=TEXT))
    told = [(each["quote"].split()[0], each["citekey"], each["pages"], each["status"]) for each in answer["quotes"]]
    assert told == [
        ("defined", "evans2003", [10, 10], "verified"),
        ("value", "evans2003", [35, 36], "other_page"),
        ("dependencies", "evans2003", [203, 203], "other_item"),
        ("dependencies", "martin2017", [203, 203], "changed"),
        ("zebras", "evans2003", None, "not_found"),
        ("the", None, None, "changed"),
        ("Nobody", "loose2001", [3, 3], "page_unknown"),
        ("thread", None, None, "not_cited"),
    ]
    assert (answer["count"], answer["verified"]) == (8, 1)
    assert answer["quotes"][1]["stands"]["page_span"] == [20, 21]
    assert answer["quotes"][2]["stands"]["citekey"] == "martin2017"
    assert answer["quotes"][3]["stands"]["found"].startswith("dependencies must point")
    assert answer["quotes"][4]["stands"] is None
    assert TEXT[answer["quotes"][0]["start"]] == "\u201c"


@pytest.mark.parametrize(
    ("citation", "pages"),
    [
        ("[see @evans2003, p. 10; also @martin2017]", [10, 10]),
        ("@evans2003 [p. 10]", [10, 10]),
        ("[-@evans2003, pp. 10--11]", [10, 11]),
        ("\\parencite[10--11]{evans2003}", [10, 11]),
        ("\\cite[see][10]{evans2003}", [10, 10]),
    ],
)
def test_a_citation_is_read_as_pandoc_and_latex_write_it(client, stored, citation, pages):
    text = f'"defined primarily by its identity" {citation}.'
    (quote,) = done(client.call("verify_quotes", project=stored, text=text))["quotes"]
    assert (quote["citekey"], quote["pages"], quote["status"]) == ("evans2003", pages, "verified")


def test_a_page_with_a_roman_number_is_known_by_its_name(client, lab):
    doc = {"id": "preface", "page_span": [4, 4], "page_labels": ["iv", "iv"]}
    item = {"text": "Thanks are due to many friends.", "metadata": {"doc": doc, "zotero": {"citekey": "knuth1968"}}}
    done(client.call("store_chunks", project=lab, items=[item]))
    text = '"due to many friends" [@knuth1968, p. iv]. "due to many friends" [@knuth1968, p. vi].'
    quotes = done(client.call("verify_quotes", project=lab, text=text))["quotes"]
    assert [(each["page_labels"], each["status"]) for each in quotes] == [
        (["iv", "iv"], "verified"),
        (["vi", "vi"], "other_page"),
    ]


def test_quotations_may_be_given_one_by_one(client, stored):
    quotes = [{"quote": "thread of continuity", "citekey": "evans2003", "pages": [11]}, {"quote": "point only inward"}]
    answer = done(client.call("verify_quotes", project=stored, quotes=quotes))
    assert [each["status"] for each in answer["quotes"]] == ["verified", "not_cited"]


def test_how_much_is_checked_at_once_is_bounded(client, stored):
    refused(client.call("verify_quotes", project=stored), "INVALID_ARGUMENT")
    many = '"three words here" [@a, p. 1]. ' * 51
    error = refused(client.call("verify_quotes", project=stored, text=many), "INVALID_ARGUMENT")
    assert error["details"]["quotations"] == 51
    assert done(client.call("verify_quotes", project=stored, text="No quotation at all."))["count"] == 0
