"""Chunks as a caller cuts and calls them: any id, their own text, overlapping or far apart."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from made_documents import prepared, renamed

from wekadocs_corpus.model import Area, Filters, Prepared
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.ids import id_key
from wekadocs_corpus.store.writing.packing import unpack_text

ANY = Filters()
BODIES = ("one two three. ", "four five six. ", "seven eight nine. ")


def cut(made: Prepared, *spans: tuple[int, int], texts: tuple[str | None, ...] = ()) -> Prepared:
    """With its chunks at these places."""
    told = (*texts, *[None] * (len(spans) - len(texts)))
    chunks = tuple(
        chunk._replace(start=start, end=end, text=text)
        for chunk, (start, end), text in zip(made.document.parsed.chunks, spans, told, strict=True)
    )
    return replace(made, document=replace(made.document, parsed=replace(made.document.parsed, chunks=chunks)))


def test_a_chunk_is_found_by_its_id_whatever_it_looks_like(truth: SqliteTruth) -> None:
    made = renamed(prepared(bodies=BODIES))
    truth.write(made)
    ids = [chunk.id for chunk in made.document.parsed.chunks]
    assert [each.id for each in truth.chunks(ids)] == ids
    assert [each.id for each in truth.chunks_of(made.document.id)] == ids
    assert truth.documents_of(ids, Area("p", "prod"), ANY).keys() == set(ids)
    graph = truth.embedded_graph()
    nodes = asyncio.run(graph.describe(ids, Area("p", "prod")))
    assert [(node.id, node.label) for node in nodes] == [(each, "Chunk") for each in ids]
    truth.write(made)
    assert truth.counts().chunks == 3, "written again they are the same chunks"


def test_no_id_can_be_chosen_that_is_taken_for_another(truth: SqliteTruth) -> None:
    """Not even the digest of another id."""
    first = prepared("a.md", bodies=("a",))
    named = replace_id(first, "mine")
    truth.write(named)
    forged = replace_id(prepared("b.md", bodies=("b",)), id_key("mine")[1:].hex())
    assert truth.write(forged).documents == 1
    assert [each.path for each in truth.chunks(["mine", id_key("mine")[1:].hex()])] == ["a.md", "b.md"]


def test_an_id_that_another_document_has_is_refused_and_nothing_else_is(truth: SqliteTruth) -> None:
    taken, other = (
        replace_id(prepared("a.md", bodies=("a",)), "mine"),
        replace_id(prepared("b.md", bodies=("b",)), "mine"),
    )
    truth.write(taken)
    written = truth.write_many([other, prepared("c.md")])
    assert (written.documents, list(written.refused)) == (1, [other.document.id])
    assert [each.path for each in truth.chunks(["mine"])] == ["a.md"]


@pytest.mark.parametrize("name", ["", "x" * 513, "ü" * 257])
def test_an_id_has_a_sensible_length(truth: SqliteTruth, name: str) -> None:
    with pytest.raises(ValueError, match="1 to 512 bytes"):
        truth.write(replace_id(prepared(bodies=("a",)), name))


def test_a_chunk_may_bring_its_own_text(truth: SqliteTruth) -> None:
    made = cut(
        prepared(bodies=BODIES), (0, 0), (0, 15), (30, 48), texts=("A text that the document does not have.", None)
    )
    truth.write(made)
    found = truth.chunks_of(made.document.id)
    assert [each.text for each in found] == ["A text that the document does not have.", BODIES[0], BODIES[2]]
    assert truth.read_on(found, []) == found, "nothing follows without a gap"


def test_chunks_that_overlap_are_read_as_they_were_cut(truth: SqliteTruth) -> None:
    made = cut(prepared(bodies=BODIES), (0, 20), (10, 30), (30, 48))
    truth.write(made)
    text = "".join(BODIES)
    found = truth.chunks_of(made.document.id)
    assert [each.text for each in found] == [text[0:20], text[10:30], text[30:48]]
    assert [each.text for each in truth.read_on(found, [])] == [text[0:20], text[10:48], text[30:48]]
    for each in truth.read_on(found, [other.id for other in found]):
        assert each.text == text[each.start : each.end], "still what the document says there"


def replace_id(made: Prepared, name: str) -> Prepared:
    chunks = tuple(chunk._replace(id=name) for chunk in made.document.parsed.chunks)
    return replace(made, document=replace(made.document, parsed=replace(made.document.parsed, chunks=chunks)))


class GoneThrough(str):
    """Counts what is gone through of it."""

    letters = 0

    def count(self, part: str, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        GoneThrough.letters += (len(self) if end is None else end) - start
        return super().count(part, start, end)


def test_chunks_know_their_lines_and_a_long_document_is_gone_through_once_for_them(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = tuple(f"line {n} of\nmany\n\nlines. " for n in range(200))
    made, other = prepared("long.md", bodies=bodies), prepared("other.md", bodies=BODIES)
    truth.write_many([made, other])
    ids = [chunk.id for each in (made, other) for chunk in each.document.parsed.chunks]
    documents = "wekadocs_corpus.store.sql.reading.documents"
    monkeypatch.setattr(f"{documents}.unpack_text", lambda packed: GoneThrough(unpack_text(packed)))
    GoneThrough.letters = 0
    found = truth.chunks(ids[::-1])
    assert GoneThrough.letters <= len(made.document.parsed.text) + len(other.document.parsed.text)
    texts = {each.document.id: each.document.parsed.text for each in (made, other)}
    assert [each.line for each in found] == [texts[each.document_id][: each.start].count("\n") for each in found]
    assert found[0].line < max(each.line for each in found)
