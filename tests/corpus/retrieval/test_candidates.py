"""From hits to candidates: front matter finds a page, its text tells it."""

from types import SimpleNamespace

from wekadocs_corpus.retrieval.candidates import Candidate, telling, wider
from wekadocs_corpus.retrieval.fusion import Hit


def found(*rows):
    """(document, chunk, kind) in the order of their rank."""
    return [
        Candidate(Hit(chunk, document, 10.0 - rank, "hybrid"), SimpleNamespace(id=chunk, kind=kind))
        for rank, (document, chunk, kind) in enumerate(rows)
    ]


def chosen(rows, k=5, per_document=1, chunks_of=lambda _: []):
    return [each.passage.id for each in telling(found(*rows), k, per_document, chunks_of)]


def test_without_front_matter_it_is_the_best_of_each_document():
    rows = [("a", "a1", "prose"), ("b", "b1", "code"), ("a", "a2", "prose"), ("c", "c1", "prose")]
    assert chosen(rows) == ["a1", "b1", "c1"]
    assert chosen(rows, k=2) == ["a1", "b1"]
    assert chosen(rows, per_document=2) == ["a1", "b1", "a2", "c1"]


def test_front_matter_gives_its_place_to_the_best_text_of_its_page():
    rows = [("a", "a0", "front_matter"), ("b", "b1", "prose"), ("a", "a2", "prose")]
    assert chosen(rows) == ["a2", "b1"]
    first = telling(found(*rows), 5, 1, lambda _: [])[0]
    assert first.hit.score == 10.0


def test_a_page_found_by_front_matter_alone_is_told_by_its_first_text():
    chunks = [SimpleNamespace(id="a0", kind="front_matter"), SimpleNamespace(id="a1", kind="prose")]
    assert chosen([("a", "a0", "front_matter")], chunks_of=lambda _: chunks) == ["a1"]


def test_a_page_of_nothing_but_front_matter_is_still_found():
    chunks = [SimpleNamespace(id="a0", kind="front_matter")]
    assert chosen([("a", "a0", "front_matter")], chunks_of=lambda _: chunks) == ["a0"]


def test_no_passage_comes_twice():
    rows = [("a", "a0", "front_matter"), ("a", "a1", "prose"), ("a", "a2", "prose")]
    assert chosen(rows, per_document=2) == ["a1", "a2"]


def test_enough_is_asked_for():
    assert wider(5, 1) == (10, 2)
