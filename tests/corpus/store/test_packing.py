"""What is packed comes back as it was, to the last bit."""

from __future__ import annotations

import struct

from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.model import Edge, digest
from wekadocs_corpus.store.writing import names
from wekadocs_corpus.store.writing.nodes import rank
from wekadocs_corpus.store.writing.packing import (
    pack_spans,
    pack_terms,
    pack_text,
    term_ids,
    unpack_many,
    unpack_spans,
    unpack_terms,
    unpack_text,
)

UNHURRIED = settings(deadline=None)  # the first one loads numpy
NUMBERS = st.integers(0, 2**32 - 1)
TERMS = st.dictionaries(NUMBERS, st.sampled_from((0.5, 1.0, 1.75)) | st.floats(width=32, allow_nan=False), max_size=300)
SPANS = st.lists(st.tuples(NUMBERS, NUMBERS).map(lambda each: (each[0], each[0] + each[1])), max_size=9).map(tuple)


def raw(terms: dict[int, float]) -> bytes:
    ids = sorted(terms)
    return struct.pack(f"<{len(ids)}I{len(ids)}f", *ids, *(terms[each] for each in ids))


@UNHURRIED
@given(st.lists(TERMS, min_size=1, max_size=4))
def test_term_vectors(vectors: list[dict[int, float]]) -> None:
    packed = [pack_terms(raw(each)) for each in vectors]
    assert [unpack_terms(each) for each in packed] == [raw(each) for each in vectors]
    assert [set(term_ids(each)) for each in packed] == [set(each) for each in vectors]
    ids, weights, counts = unpack_many(packed)
    assert counts.tolist() == [len(each) for each in vectors]
    found = list(zip(ids.tolist(), weights.tolist(), strict=True))
    assert sorted(found) == sorted(pair for each in vectors for pair in each.items())


def test_more_terms_of_one_weight_than_a_group_can_count() -> None:
    vector = raw(dict.fromkeys(range(70_000), 1.0))
    assert unpack_terms(pack_terms(vector)) == vector


@UNHURRIED
@given(st.text(), SPANS)
def test_texts_and_spans(text: str, spans: tuple[tuple[int, int], ...]) -> None:
    assert unpack_text(pack_text(text)) == text
    assert unpack_spans(pack_spans(spans)) == spans


@UNHURRIED
@given(st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 5)), st.tuples(st.integers(1, 500), SPANS)))
def test_names(stated: dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]]) -> None:
    sections = {digest("section", str(number)): number for number in range(6)}
    edges = [
        Edge(digest("section", str(section)), "MENTIONS", digest("concept", str(concept)), float(weight), spans)
        for (section, concept), (weight, spans) in stated.items()
    ]
    found = [
        (each.section, each.concept, each.weight, tuple(each.evidence))
        for each in names.unpacked(names.packed(edges, sections))
    ]
    assert sorted(found) == sorted((sections[each.source], each.target, each.weight, each.evidence) for each in edges)


@UNHURRIED
@given(st.lists(st.integers(0, 2**128 - 1).map(lambda number: f"{number:032x}"), min_size=2))
def test_ranks_order_as_ids_do(ids: list[str]) -> None:
    assert sorted(ids, key=lambda each: (rank(each), each)) == sorted(ids)
