"""Bibliographies: CSL-JSON, BibTeX and RIS, matched by citekey, DOI and title; never an error."""

import json

import pytest
from citing import done

CSL = [
    {
        "id": "evans2003",
        "type": "book",
        "title": "Domain-Driven Design: Tackling Complexity in the Heart of Software",
        "DOI": "10.5555/861502",
        "URL": "https://example.org/ddd",
        "issued": {"date-parts": [[2003, 8]]},
        "author": [{"family": "Evans", "given": "Eric"}],
    },
    {"id": "knuth1968", "type": "book", "title": "The Art of Computer Programming", "issued": {"raw": "1968"}},
]
BIB = """
@book{evans2003,
  title = {{Domain-Driven} Design: Tackling Complexity in the Heart of Software},
  author = {Evans, Eric}, year = {2003}, doi = {10.5555/861502}, url = {https://example.org/ddd}
}
@article{muller2001, title = {\\"Uber Schichten}, author = {M{\\"u}ller, Jos{\\'e} and Ada Lovelace}, year = 2001}
"""
RIS = """TY  - BOOK
ID  - evans2003
TI  - Domain-Driven Design: Tackling Complexity in the Heart of Software
AU  - Evans, Eric
PY  - 2003
DO  - 10.5555/861502
UR  - https://example.org/ddd
ER  -
"""
FILES = {"refs.json": json.dumps(CSL), "refs.bib": BIB, "refs.ris": RIS, "refs.txt": BIB}
TITLE = "Domain-Driven Design: Tackling Complexity in the Heart of Software"
HAS_ALL = {
    "citekey": "evans2003",
    "doi": "10.5555/861502",
    "url": "https://example.org/ddd",
    "year": 2003,
    "authors": ["Evans, Eric"],
}


@pytest.fixture
def stored(opened, tmp_path):
    """Store chunks in a project with this bibliography; what was answered, and the payloads."""

    def store(name, content, *metadata):
        if content is not None:
            (tmp_path / name).write_text(content, "utf-8")
        client = opened({"a/b": {"min_batch": 1, "references": str(tmp_path / name)}})
        items = [{"id": str(n), "text": f"Text {n}.", "metadata": each} for n, each in enumerate(metadata)]
        answer = done(client.call("store_chunks", project="a/b", items=items))
        return answer, done(client.call("inspect_collection", project="a/b", sample=5))["sample"]

    return store


@pytest.mark.parametrize("name", list(FILES))
@pytest.mark.parametrize(
    "metadata",
    [
        {"zotero": {"citekey": "evans2003"}},
        {"zotero": {"doi": "https://doi.org/10.5555/861502"}},
        {"zotero": {"doi": "DOI:10.5555/861502"}},
        {"source": {"title": TITLE.lower().replace(":", " -")}},
        {"source": {"title": TITLE + " Evans"}},
        {"zotero": {"citekey": "unknown", "doi": "10.5555/861502"}},
    ],
)
def test_a_reference_is_found_by_citekey_then_doi_then_title(stored, name, metadata):
    answer, payloads = stored(name, FILES[name], metadata)
    assert answer["warnings"] == []
    assert payloads[0]["zotero"] == {**HAS_ALL, **metadata.get("zotero", {})}


def test_what_the_caller_says_wins_over_the_reference(stored):
    _, payloads = stored(
        "refs.json", FILES["refs.json"], {"zotero": {"citekey": "evans2003", "year": 2004, "doi": None, "tags": ["x"]}}
    )
    assert payloads[0]["zotero"] == {**HAS_ALL, "year": 2004, "tags": ["x"]}


def test_no_match_is_one_warning_for_a_document(stored):
    nobody = {"source": {"title": "Another book altogether"}, "doc": {"id": "other"}}
    found = {"zotero": {"citekey": "knuth1968"}}
    answer, payloads = stored("refs.json", FILES["refs.json"], found, nobody, nobody)
    assert len(answer["warnings"]) == 1 and "Another book altogether" in answer["warnings"][0]
    assert answer["chunks_written"] == 3
    assert (payloads[0]["zotero"]["year"], "zotero" in payloads[1]) == (1968, False)


def test_items_that_name_no_work_are_one_warning(stored):
    answer, _ = stored("refs.json", FILES["refs.json"], {}, {"doc": {"id": "d"}}, {"zotero": {"citekey": "knuth1968"}})
    (warning,) = answer["warnings"]
    assert warning.startswith("2 items have neither citekey nor DOI nor title")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.json", None, "no file gone.json"),
        ("bad.json", "{", "bad.json"),
        ("bad.json", "7", "no list"),
        ("odd.json", '[7, {"id": 3, "author": "x", "issued": []}]', "no reference matches"),
        ("bad.ris", "no RIS at all", ""),
        ("bad.bib", "@book{", ""),
    ],
)
def test_a_missing_or_broken_file_is_a_warning_and_never_an_error(stored, name, content, said):
    answer, _ = stored(name, content, {"zotero": {"citekey": "evans2003"}})
    assert answer["chunks_written"] == 1 and len(answer["warnings"]) == 1 and said in answer["warnings"][0]


def test_bibtex_is_read_with_its_letters(stored):
    _, payloads = stored("refs.bib", BIB, {"source": {"title": "Über Schichten"}})
    assert payloads[0]["zotero"]["authors"] == ["Müller, José", "Lovelace, Ada"]


def test_bibtex_tells_people_from_organisations(stored):
    people = r"{World Health Organization} and {Barnes and Noble} and Ludwig van Beethoven and Plato and others"
    entry = "@techreport{who2020, title={Salt}, institution={WHO}, year={in press}, date={2020-05}, author={%s}}"
    _, payloads = stored("refs.bib", entry % people, {"zotero": {"citekey": "who2020"}})
    told = payloads[0]["zotero"]
    assert told["authors"] == ["World Health Organization", "Barnes and Noble", "van Beethoven, Ludwig", "Plato"]
    assert told["year"] == 2020


def test_an_address_in_bibtex_is_taken_as_it_is(stored):
    entry = r"@misc{m, title={M}, url={http://example.org/a%20b\_c}, doi={https://doi.org/10.1000/A\_b}}"
    _, payloads = stored("refs.bib", entry, {"zotero": {"citekey": "m"}})
    assert payloads[0]["zotero"]["url"] == "http://example.org/a%20b_c"
    assert payloads[0]["zotero"]["doi"] == "10.1000/A_b"


KEYWORDS = {
    "refs.json": json.dumps([{"id": "m", "title": "M", "keyword": "salt, sea ice"}]),
    "refs.bib": "@misc{m, title={M}, keywords={salt, sea ice}}",
    "refs.ris": "TY  - BOOK\nID  - m\nTI  - M\nKW  - salt\nKW  - sea ice\nER  -\n",
}


@pytest.mark.parametrize("name", list(KEYWORDS))
def test_keywords_are_tags(stored, name):
    _, payloads = stored(name, KEYWORDS[name], {"zotero": {"citekey": "m"}})
    assert payloads[0]["zotero"]["tags"] == ["salt", "sea ice"]


def test_a_file_that_changed_is_read_again(opened, tmp_path):
    path = tmp_path / "refs.json"
    path.write_text("[]")
    client = opened({"a/b": {"min_batch": 1, "references": str(path)}})
    item = {"text": "Text.", "metadata": {"zotero": {"citekey": "evans2003"}}}
    assert done(client.call("store_chunks", project="a/b", items=[item]))["warnings"]
    path.write_text(FILES["refs.json"])
    assert done(client.call("store_chunks", project="a/b", items=[item]))["warnings"] == []
