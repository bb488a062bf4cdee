"""`[[wiki links]]` are edges of the graph: a page is called by its file, its title or the end of its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest

from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.documents import read_document
from wekadocs_corpus.embedding.profiles import STATIC
from wekadocs_corpus.graph.embedded.sql import ID
from wekadocs_corpus.ingest.reading.prepare import Ready, Task, prepare
from wekadocs_corpus.ingest.sources.origin import BytesOrigin
from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.nodes import TYPE

Write = Callable[..., None]


@pytest.fixture
def truth(tmp_path: Path) -> Iterator[SqliteTruth]:
    found = open_truth(tmp_path / "data")
    assert isinstance(found, SqliteTruth)
    yield found
    found.close()


@pytest.fixture
def write(truth: SqliteTruth) -> Write:
    def writing(path: str, text: str) -> None:
        origin = BytesOrigin(f"memory:/{path}", path, text.encode())
        task = Task(origin, Place("p", "e", "", path), "memory:", 0.0, "", True, 1 << 20)
        (ready,) = prepare([task], None, STATIC.id)
        assert isinstance(ready, Ready)
        rows = ready.rows._replace(vectors=dict.fromkeys(ready.rows.hashes, b"\0" * 2))
        assert not truth.write_rows([rows]).again

    return writing


def edges(truth: SqliteTruth) -> set[tuple[str, str]]:
    """(path of the page that links, path or path#anchor of what it means)."""
    ask = f"SELECT {ID.format('source')}, {ID.format('target')} FROM edges WHERE type = ?"
    with truth.reading() as connection:
        found = connection.execute(ask, (TYPE["REFERENCES"],)).fetchall()
        documents = dict(connection.execute("SELECT id, path FROM documents"))
        ask = "SELECT s.id, path, anchor FROM sections AS s JOIN documents AS d ON d.number = document"
        sections = {each: (path, anchor) for each, path, anchor in connection.execute(ask)}
    return {(sections[a][0], documents.get(b) or "#".join(sections[b])) for a, b in found}


TARGET = "# Quota Ledger\n\nWho has what.\n\n## How it counts\n\nBy bytes.\n"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("[[ledger]]", "deep/Ledger.md"),
        ("[[LEDGER.md]]", "deep/Ledger.md"),
        ("[[Deep/ledger|the book]]", "deep/Ledger.md"),
        ("[[quota  ledger]]", "deep/Ledger.md"),
        ("![[Ledger]]", "deep/Ledger.md"),
        ("[[ledger#How it counts]]", "deep/Ledger.md#how-it-counts"),
        ("[[ledger#Quota Ledger#How it counts|counting]]", "deep/Ledger.md#how-it-counts"),
        ("[[ledger#^block]]", "deep/Ledger.md"),
        ("| a | b |\n|---|---|\n| [[ledger\\|the book]] | c |", "deep/Ledger.md"),
        ("[[#Other things]]", "a.md#other-things"),
    ],
)
@pytest.mark.parametrize("first", ["a.md", "deep/Ledger.md"])
def test_a_page_is_found_by_each_of_its_names(
    truth: SqliteTruth, write: Write, written: str, meant: str, first: str
) -> None:
    pages = {"a.md": f"# A\n\nSee {written} now.\n\n## Other things\n\nMore.\n", "deep/Ledger.md": TARGET}
    for path in sorted(pages, key=lambda path: path != first):
        write(path, pages[path])
    assert edges(truth) == {("a.md", meant)}


@pytest.mark.parametrize(
    "written",
    ["`[[ledger]]`", "```\n[[ledger]]\n```", "    [[ledger]]", "[[nothing]]", "[[ledger]](https://example.org)"],
)
def test_code_and_names_that_nothing_has_are_no_edges(truth: SqliteTruth, write: Write, written: str) -> None:
    write("a.md", f"# A\n\nWords.\n\n{written}\n")
    write("deep/Ledger.md", TARGET)
    assert edges(truth) == set()


def test_a_name_that_nothing_has_waits_for_its_page(truth: SqliteTruth, write: Write) -> None:
    write("a.md", "# A\n\nSee [[Ledger]].\n")
    assert edges(truth) == set()
    write("Ledger.md", TARGET)
    assert edges(truth) == {("a.md", "Ledger.md")}
    (ledger,) = [each for each in truth.known_files("p", "e", "memory:") if truth.document(each).path == "Ledger.md"]  # type: ignore[union-attr]
    truth.delete([ledger])
    assert edges(truth) == set()
    write("Ledger.md", TARGET)
    assert edges(truth) == {("a.md", "Ledger.md")}


SEVERAL = {"x/a.md": "# A\n\nSee [[note]].\n", "x/note.md": "# One\n", "y/note.md": "# Two\n", "z/t.md": "# Note\n"}


@pytest.mark.parametrize("order", list(permutations(SEVERAL)))
def test_of_several_pages_of_one_name_the_nearest_is_meant_whichever_comes_first(
    truth: SqliteTruth, write: Write, order: tuple[str, ...]
) -> None:
    for path in order:
        write(path, SEVERAL[path])
    ids = {document.path: each for each in truth.known_files("p", "e", "memory:") if (document := truth.document(each))}
    assert edges(truth) == {("x/a.md", "x/note.md")}
    truth.delete([ids["x/note.md"]])
    assert edges(truth) == {("x/a.md", "y/note.md")}
    truth.delete([ids["y/note.md"]])
    assert edges(truth) == {("x/a.md", "z/t.md")}


def test_a_definition_of_markdown_comes_before_a_page_of_that_name() -> None:
    parsed = read_document("a.md", b"See [[ledger]].\n\n[ledger]: https://example.org/x\n", "d")
    assert {link.target for link in parsed.links} == {"https://example.org/x"}
