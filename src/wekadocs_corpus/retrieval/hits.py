"""What a question has brought up so far: the value that every stage takes and returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from wekadocs_corpus.model import Leg
    from wekadocs_corpus.store.truth.rows import Passage

    from .question import Question

Mode = Literal["hybrid", "words", "vectors"]


class Hit(NamedTuple):
    """A chunk found, with where each leg had it (ranks count from 1) and what each leg gave it.

    A tuple: a hundred are made for every question.
    """

    chunk_id: str
    document_id: str
    score: float
    source: str  # "bm25", "vector" or "hybrid": which legs had it; "graph_expanded": a hop led to it
    words_rank: int | None = None
    vectors_rank: int | None = None
    words_score: float | None = None
    vectors_score: float | None = None


@dataclass(frozen=True)
class Candidate:
    """A hit with the passage it names."""

    hit: Hit
    passage: Passage


@dataclass(frozen=True)
class Hits:
    """Best first, and how honest the answer is. `degraded` says what could not be done, in words for the caller."""

    words: Sequence[Leg] = ()  # as the index had them
    vectors: Sequence[Leg] = ()
    ranked: Sequence[Hit] = ()
    read: Mapping[str, Passage] = field(default_factory=dict)  # by chunk: what was read of the truth so far
    candidates: Sequence[Candidate] = ()  # what can be shown and quoted
    left_out: int = 0  # because their document has its share already
    mode_used: Mode = "words"
    graph: bool = False  # it was followed, whether or not it led anywhere
    partial: bool = False  # changes made elsewhere are not in the index yet
    degraded: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    def timed(self, stage: str, began: float) -> Hits:
        """With the time since then added to that stage's."""
        spent = self.timings_ms.get(stage, 0.0) + (perf_counter() - began) * 1000
        return replace(self, timings_ms={**self.timings_ms, stage: spent})

    def without(self, *reasons: str) -> Hits:
        """With why less than the best was done, each reason once; an empty one is none."""
        return replace(self, degraded=tuple(dict.fromkeys(filter(None, (*self.degraded, *reasons)))))


class Stage(Protocol):
    """One step on a question's way."""

    async def __call__(self, question: Question, hits: Hits, /) -> Hits: ...


def in_order(hits: Sequence[Hit]) -> list[Hit]:
    """Best first; equal scores in order of ids."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
