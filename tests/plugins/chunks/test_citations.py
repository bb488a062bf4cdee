"""format_citation: references of a bibliography as a CSL style writes them."""

import json
import shutil
from pathlib import Path

import citeproc
import pytest
from citing import done, refused

CSL = [
    {
        "id": "evans2003",
        "type": "book",
        "title": "Domain-Driven Design",
        "issued": {"date-parts": [[2003, 8]]},
        "author": [{"family": "Evans", "given": "Eric"}],
        "publisher": "Addison-Wesley",
        "unknown-field": "x",
    },
    {"id": "Anon", "title": "Notes & <layers>"},
    {"id": "linked", "type": "article-journal", "title": "Salt", "DOI": "https://doi.org/10.1000/Salt"},
]
HARVARD = Path(citeproc.__file__).parent / "data" / "styles" / "harvard-cite-them-right.csl"


@pytest.fixture
def client(opened, tmp_path):
    (tmp_path / "refs.json").write_text(json.dumps(CSL))
    (tmp_path / "styles").mkdir()
    shutil.copy(HARVARD, tmp_path / "styles" / "our-own.csl")
    projects = {
        "a/b": {"references": str(tmp_path / "refs.json")},
        "a/none": {},
        "a/gone": {"references": "/no/such.json"},
    }
    return opened(projects, styles=str(tmp_path / "styles"))


@pytest.mark.parametrize("style", ["harvard-cite-them-right", "our-own"])
def test_a_citation_is_written_as_the_style_has_it(client, style):
    items = [{"citekey": "evans2003", "page": "45"}, {"citekey": "evans2003"}, {"citekey": "nobody"}]
    answer = done(client.call("format_citation", project="a/b", items=items, style=style))
    assert answer["not_found"] == ["nobody"] and answer["style"] == style
    first, second = answer["citations"]
    assert "Evans" in first["in_text"] and "2003" in first["in_text"] and "45" in first["in_text"]
    assert "45" not in second["in_text"]
    assert "Domain-Driven Design" in first["entry"] and "Addison-Wesley" in first["entry"]


def test_a_reference_with_little_in_it_is_written_all_the_same(client):
    answer = done(client.call("format_citation", project="a/b", items=[{"citekey": "Anon"}]))
    assert "Notes & <layers>" in answer["citations"][0]["entry"]


def test_a_doi_with_its_resolver_is_not_resolved_twice(client):
    (written,) = done(client.call("format_citation", project="a/b", items=[{"citekey": "linked"}]))["citations"]
    assert written["entry"].count("doi.org") == 1


def test_an_unknown_style_names_those_at_hand(client):
    items = [{"citekey": "evans2003"}]
    error = refused(client.call("format_citation", project="a/b", items=items, style="no-such"), "INVALID_ARGUMENT")
    assert "our-own" in error["message"]
    refused(client.call("format_citation", project="a/b", items=items, style="../x"), "INVALID_ARGUMENT")


def test_a_project_without_a_bibliography_is_told_so(client):
    for project in ("a/none", "a/gone"):
        refused(client.call("format_citation", project=project, items=[{"citekey": "x"}]), "INVALID_ARGUMENT")
