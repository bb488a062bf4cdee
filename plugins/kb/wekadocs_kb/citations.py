"""Quotes and citations as answers carry them: verbatim, with all that is needed to check them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_kit import Kept, uri_of

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote, Source
    from wekadocs_corpus.store.truth.rows import Passage


def sources_of(passages: Sequence[Passage | Kept]) -> list[Source]:
    """Passages of the corpus, or those kept of an earlier answer, as something to quote from."""
    from wekadocs_corpus.evidence.quotes import Source

    return [Source(each.text or "", each.heading, each.opening, each.document_id, each.start) for each in passages]


def quoted(entry: Kept, quote: Quote) -> dict[str, Any]:
    """A quote as answers carry it: verbatim, with all that is needed to check it."""
    from wekadocs_corpus.evidence.confidence import confidence
    from wekadocs_corpus.model import fingerprint

    start, end = quote.span
    text = entry.full_text[start:end]
    return {
        "quote": text,
        "passage_id": entry.passage_id,
        "section_id": entry.section_id,
        "title": entry.title,
        "uri": uri_of(entry),
        "confidence": confidence(quote),
        "path": entry.path,
        "anchor": entry.anchor_at(quote.core[0]),
        "start": entry.start + start,
        "end": entry.start + end,
        "hash": fingerprint(text),
        **lines_of(entry.source_lines, entry.full_text, start, end),
    }


def lines_of(encoded: str | None, text: str, start: int, end: int) -> dict[str, list[int]]:
    """Where `text[start:end]` stands in the file, for those whose lines are known."""
    from wekadocs_corpus.source_lines import source_lines

    return {} if encoded is None else {"source_lines": list(source_lines(encoded, text, start, end))}
