"""A chunk as it is shown: trimmed at a word's end, never inside a character, with what a citation needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_kit import truncated
from wekadocs_mcp import json_size

if TYPE_CHECKING:
    from wekadocs_corpus import FoundChunk, StoredChunk

_DOTS = "..."
_NAME = 100


def trimmed(text: str, limit: int) -> str:
    """At most `limit` code points, its three dots included."""
    return truncated(text, limit, _DOTS, at_word=True)


def named(name: str) -> str:
    """For a warning, which many names must fit into."""
    return repr(trimmed(name, _NAME))


def part(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return payload.get(name) or {}


def shown(found: FoundChunk, limit: int, *, full_bytes: int, debug: bool) -> dict[str, Any]:
    """`full_bytes`: how much of its full text may be shown; 0: none of it."""
    row = cited(found.chunk, limit, found.scored.score)
    if full_bytes:
        whole = found.chunk.text if found.chunk.fulltext is None else found.chunk.fulltext
        row["full_text"] = within_bytes(whole, full_bytes)
        row |= {"full_text_cut": True} if row["full_text"] != whole else {}
    if debug:
        row |= {"words_rank": found.scored.words_rank, "vector_rank": found.scored.vector_rank}
    return row


def within_bytes(text: str, most: int) -> str:
    """So much of a text that an answer has room for it."""
    kept = text
    while (size := json_size(kept)) > most:
        kept = truncated(text, len(kept) * most // size - len(_DOTS), _DOTS, at_word=True)
    return kept


def cited(chunk: StoredChunk, limit: int, score: float) -> dict[str, Any]:
    zotero, doc = part(chunk.payload, "zotero"), part(chunk.payload, "doc")
    path = list(doc.get("section_path") or [])
    named_pages = {"page_labels": doc["page_labels"]} if doc.get("page_labels") else {}
    return {
        "render_text": trimmed(chunk.text, limit),
        "score": score,
        "citekey": zotero.get("citekey"),
        "section": doc.get("section") or (path[-1] if path else None),
        "page_span": doc.get("page_span"),
        **named_pages,
        "section_path": path,
        "doi": zotero.get("doi"),
        "url": zotero.get("url"),
        "full_text": None,
        "id": chunk.id,
    }
