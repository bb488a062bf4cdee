"""A passage that nobody searched for: where an id says, read on as far as one excerpt may reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Passage


def open_at(truth: Truth, node_id: str, most: int) -> Passage | None:
    """From the chunk, section or document of this id on: whole chunks while they have so many tokens, one at least."""
    where = _place(truth, node_id)
    if where is None:
        return None
    document_id, place = where
    chunks = [each for each in truth.chunks_of(document_id) if each.end > place]
    return _joined(_first(chunks, most), place) if chunks else None


def anchor_at(truth: Truth, document_id: str, place: int) -> str:
    """Of the section that this character of the document is in; "" before the first heading."""
    begun = [each.anchor for each in truth.sections_of(document_id) if each.start <= place]
    return begun[-1] if begun else ""


def _place(truth: Truth, node_id: str) -> tuple[str, int] | None:
    """Document and first character of what has this id."""
    for chunk in truth.chunks([node_id]):
        return chunk.document_id, chunk.start
    section = truth.section(node_id)
    if section is not None:
        return section.document_id, section.start
    first = truth.opening(node_id)
    return None if first is None else (node_id, first.start)


def _first(chunks: Sequence[Passage], most: int) -> Sequence[Passage]:
    tokens = 0
    for count, chunk in enumerate(chunks):
        tokens += chunk.tokens
        if count and tokens > most:
            return chunks[:count]
    return chunks


def _joined(chunks: Sequence[Passage], place: int) -> Passage:
    """As one; the first chunk may have begun before the place."""
    first = chunks[0]
    start = max(first.start, place)
    text = "".join(each.text for each in chunks)
    return replace(
        first,
        start=start,
        end=chunks[-1].end,
        text=text[start - first.start :],
        tokens=sum(each.tokens for each in chunks),
        parts=tuple((max(0, each.start - start), each.anchor) for each in chunks),
        line=first.line + text.count("\n", 0, start - first.start),
    )
