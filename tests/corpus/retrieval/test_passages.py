"""From hits to candidates: front matter finds a page, its text tells it."""

import asyncio
from types import SimpleNamespace

from wekadocs_corpus.retrieval.hits import Hit, Hits
from wekadocs_corpus.retrieval.passages import TakePassages


def told(rows, k=5, per_document=1, chunks_of=lambda _: []):
    """Rows are (document, chunk, kind) in the order of their rank."""
    ranked = [Hit(chunk, document, 10.0 - rank, "hybrid") for rank, (document, chunk, _) in enumerate(rows)]
    passages = [SimpleNamespace(id=chunk, kind=kind) for _, chunk, kind in rows]
    truth = SimpleNamespace(chunks=lambda ids: [each for each in passages if each.id in ids], chunks_of=chunks_of)
    return asyncio.run(TakePassages(truth, k, per_document)(None, Hits(ranked=ranked)))


def chosen(*arguments, **options):
    return [each.passage.id for each in told(*arguments, **options).candidates]


def test_without_front_matter_it_is_the_best_of_each_document():
    rows = [("a", "a1", "prose"), ("b", "b1", "code"), ("a", "a2", "prose"), ("c", "c1", "prose")]
    assert chosen(rows) == ["a1", "b1", "c1"]
    assert chosen(rows, k=2) == ["a1", "b1"]
    assert chosen(rows, per_document=2) == ["a1", "b1", "a2", "c1"]


def test_front_matter_gives_its_place_to_the_best_text_of_its_page():
    rows = [("a", "a0", "front_matter"), ("b", "b1", "prose"), ("a", "a2", "prose")]
    assert chosen(rows) == ["a2", "b1"]
    assert told(rows).candidates[0].hit.score == 10.0


def test_a_page_found_by_front_matter_alone_is_told_by_its_first_text():
    chunks = [SimpleNamespace(id="a0", kind="front_matter"), SimpleNamespace(id="a1", kind="prose")]
    assert chosen([("a", "a0", "front_matter")], chunks_of=lambda _: chunks) == ["a1"]


def test_a_page_of_nothing_but_front_matter_is_still_found():
    chunks = [SimpleNamespace(id="a0", kind="front_matter")]
    assert chosen([("a", "a0", "front_matter")], chunks_of=lambda _: chunks) == ["a0"]


def test_no_passage_comes_twice():
    rows = [("a", "a0", "front_matter"), ("a", "a1", "prose"), ("a", "a2", "prose")]
    assert chosen(rows, per_document=2) == ["a1", "a2"]


def test_what_is_left_out_for_another_of_its_document_is_counted():
    rows = [("a", "a1", "prose"), ("b", "b1", "code"), ("a", "a2", "prose"), ("c", "c1", "prose")]
    assert told(rows).left_out == 1
    assert told(rows, per_document=2).left_out == 0
