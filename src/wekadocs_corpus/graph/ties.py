"""From the entities of a section to other sections: what a second hop of retrieval crosses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wekadocs_corpus.graph.extraction.names import CONCEPT


@dataclass(frozen=True)
class End:
    """A section or document on the other side of an entity."""

    id: str
    document_id: str
    weight: float


@dataclass(frozen=True)
class Tie:
    """A seed's entity with those that define and those that name it, both cut one above what is still telling."""

    seed_id: str
    document_id: str  # the seed's
    entity_id: str
    label: str
    type: str  # how the seed states it: MENTIONS or DEFINES
    weight: float
    definers: tuple[End, ...]
    mentioners: tuple[End, ...]


@dataclass(frozen=True)
class Crossing:
    """A Related before its node is known."""

    seed_id: str
    other_id: str
    via: str
    type: str
    weight: float
    spread: int


def crossings(ties: Iterable[Tie], max_spread: int) -> list[Crossing]:
    """For each seed the ends outside its own document; the more telling first."""
    found = {crossing for tie in ties for crossing in _of(tie, max_spread)}
    return sorted(found, key=lambda each: (each.seed_id, each.spread, -each.weight, each.type, each.other_id, each.via))


def _of(tie: Tie, max_spread: int) -> Iterator[Crossing]:
    if tie.label == CONCEPT and not tie.definers:
        return  # nobody in scope defines it: for this scope it does not exist
    mentioned = "MENTIONS" if tie.type == "DEFINES" else "SHARES"
    sides = [(mentioned, tie.mentioners)]
    if tie.type == "MENTIONS":
        sides.append(("DEFINES", tie.definers))
    for kind, ends in sides:
        if len(ends) <= max_spread:
            for end in ends:
                if end.document_id != tie.document_id:
                    yield Crossing(tie.seed_id, end.id, tie.entity_id, kind, min(tie.weight, end.weight), len(ends))
