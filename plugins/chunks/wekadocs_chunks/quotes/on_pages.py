"""On which pages of its chunks a quotation stands, and what the document calls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..rendering import part
from .folding import holds

if TYPE_CHECKING:
    from wekadocs_corpus import StoredChunk

_Piece = tuple[str, int]  # a text, and its page


def pages_of(chunks: Sequence[StoredChunk], quote: str) -> tuple[int, int] | None:
    """The shortest run of pages that holds it; None where the chunks do not tell."""
    pieces = [piece for each in chunks for piece in _pieces(each)]
    if not pieces:
        return None
    for length in range(1, len(pieces) + 1):
        for first in range(len(pieces) - length + 1):
            run = pieces[first : first + length]
            if holds("\n".join([text for text, _ in run]), quote):
                return min(page for _, page in run), max(page for _, page in run)
    return None


def _pieces(chunk: StoredChunk) -> list[_Piece]:
    doc = part(chunk.payload, "doc")
    starts, span = doc.get("page_starts"), doc.get("page_span")
    if not starts:
        return [(chunk.text, span[0])] if span and span[0] == span[1] else []
    ends = [*(start for start, _ in starts[1:]), len(chunk.text)]
    return [(chunk.text[start:end], page) for (start, page), end in zip(starts, ends, strict=True)]


def labels_of(chunks: Sequence[StoredChunk], pages: tuple[int, int] | None) -> tuple[str, str] | None:
    """What the document calls these pages, where its chunks tell."""
    if pages is None:
        return None
    names: dict[int, str] = {}
    for each in chunks:
        doc = part(each.payload, "doc")
        names |= dict(zip(doc.get("page_span") or [], doc.get("page_labels") or [], strict=False))
    first, last = (names.get(page, _counted(names, page)) for page in pages)
    return (first, last) if first and last else None


def _counted(names: dict[int, str], page: int) -> str:
    """Of a page in the middle of a chunk: from the nearest before it that has a number."""
    before = max((each for each in names if each <= page), default=None)
    name = names[before] if before is not None else ""
    return str(int(name) + page - before) if before is not None and name.isdecimal() else ""
