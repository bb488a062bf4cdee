"""Names that a text gives to concepts, packed: most of them no document ever defines, so one row a document has all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from wekadocs_corpus.model import Edge

from .packing import Spans, pack_spans, put_number, take_numbers

_ID = 16  # bytes


class Name(NamedTuple):
    """A concept that a section names; the section by its place in the document."""

    section: int
    concept: str
    weight: float
    evidence: Spans


def packed(edges: Sequence[Edge], sections: Mapping[str, int]) -> bytes:
    """Each concept's id and how many sections name it; of each section its place, the weight and the spans."""
    by_concept: defaultdict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        by_concept[edge.target].append(edge)
    made = bytearray()
    for concept, named in by_concept.items():
        made += bytes.fromhex(concept)
        put_number(made, len(named))
        for edge in named:
            for number in (sections[edge.source], int(edge.weight), len(edge.evidence)):
                put_number(made, number)
            made += pack_spans(edge.evidence)
    return bytes(made)


def unpacked(data: bytes) -> Iterator[Name]:
    left = iter(data)
    numbers = take_numbers(left)
    while concept := bytes(islice(left, _ID)).hex():
        for _ in range(next(numbers)):
            section, weight, count = islice(numbers, 3)
            spans = [(start, start + length) for start, length in (islice(numbers, 2) for _ in range(count))]
            yield Name(section, concept, float(weight), spans)


def named(data: bytes, concept: str) -> list[Name]:
    """Where a document names one concept: what is packed before it is leapt over, what stands behind is not read."""
    place = data.find(bytes.fromhex(concept))
    if place < 0:
        return []
    return list(takewhile(lambda name: name.concept == concept, unpacked(data[place:])))


def short(concept: str) -> int:
    """Enough of an id to find it, in four bytes; two ids that share them do no harm."""
    return int(concept[:8], 16) >> 1
