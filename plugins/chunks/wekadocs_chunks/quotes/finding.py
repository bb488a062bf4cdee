"""Where a quotation stands among candidate chunks: in one, across two that follow each other, or nearly so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from .folding import holds
from .on_pages import pages_of

if TYPE_CHECKING:
    from wekadocs_corpus import StoredChunk

_COMPARED = 5  # candidates that are compared word by word where none holds the quotation


@dataclass(frozen=True)
class Place:
    """A quotation as it stands: `verbatim`, or with what stands there instead."""

    chunks: tuple[StoredChunk, ...]
    verbatim: bool
    similarity: float
    found: str | None = None
    on: tuple[int, int] | None = None  # the pages that it stands on, where its chunks tell where each begins

    @property
    def pages(self) -> tuple[int, int] | None:
        if self.on is not None:
            return self.on
        spans = [span for each in self.chunks if (span := (each.payload.get("doc") or {}).get("page_span"))]
        return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def places(candidates: Sequence[StoredChunk], around: Sequence[StoredChunk], quote: str) -> list[Place]:
    """Verbatim ones, best candidate first; `around` are all chunks of the best candidates' documents, in order."""
    found = [Place((each,), True, 1.0, on=pages_of([each], quote)) for each in candidates if holds(each.text, quote)]
    if found:
        return found
    likely = {each.id for each in candidates}
    both = [pair for pair in _following(around) if likely & {each.id for each in pair} and holds(_both(pair), quote)]
    across = [Place(pair, True, 1.0, on=pages_of(pair, quote)) for pair in both]
    return across or _nearly(candidates, quote)


def _following(chunks: Sequence[StoredChunk]) -> Iterator[tuple[StoredChunk, StoredChunk]]:
    for first, second in pairwise(chunks):
        if first.doc == second.doc:
            yield first, second


def _both(pair: tuple[StoredChunk, StoredChunk]) -> str:
    return f"{pair[0].text}\n{pair[1].text}"


def _nearly(candidates: Sequence[StoredChunk], quote: str) -> list[Place]:
    """The one that is most like it, if any is."""
    from wekadocs_corpus import verify

    best: Place | None = None
    for chunk in candidates[:_COMPARED]:
        verdict = verify(chunk.text, quote, None, None)
        if verdict.span is not None and (best is None or verdict.similarity > best.similarity):
            best = Place((chunk,), False, round(verdict.similarity, 3), chunk.text[slice(*verdict.span)])
    return [best] if best else []
