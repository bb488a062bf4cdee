"""Which chunks have a term, and with what weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

Having = tuple[np.ndarray, np.ndarray]  # places of chunks, each once; weights


class Postings(Protocol):
    """Of all chunks of a segment."""

    def of(self, term: int) -> Having: ...


@dataclass(frozen=True)
class Sorted:
    """Grouped by term, for what does not change."""

    terms: np.ndarray  # ascending
    ends: np.ndarray  # per term, where its entries end
    places: np.ndarray
    weights: np.ndarray

    def of(self, term: int) -> Having:
        at = int(np.searchsorted(self.terms, np.uint32(term)))
        if at == len(self.terms) or self.terms[at] != term:
            return self.places[:0], self.weights[:0]
        start, end = int(self.ends[at - 1]) if at else 0, int(self.ends[at])
        return self.places[start:end], self.weights[start:end]


@dataclass(frozen=True)
class Loose:
    """As they come, for what changes all the time: looking through a few thousand is quicker than sorting."""

    terms: np.ndarray  # per entry
    places: np.ndarray
    weights: np.ndarray

    def of(self, term: int) -> Having:
        at = np.flatnonzero(self.terms == np.uint32(term))
        return self.places[at], self.weights[at]
