"""Hugo's folders of pages that are only put into others: their `_index.md` cascades `build: {render: never}`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_corpus.documents.front_matter import read_front_matter

from .configuration import part, text_of


def is_never_rendered(index: Path) -> bool:
    """Whether this `_index.md` says it of all pages in its folder."""
    try:
        cascade = read_front_matter(text_of(index)).values.get("cascade")
    except Unreadable:
        return False
    return any(
        isinstance(each, dict) and is_never(each) for each in (cascade if isinstance(cascade, list) else [cascade])
    )


def is_never(said: Mapping[str, object]) -> bool:
    build = part(said, "build") or part(said, "_build")
    return build.get("render") in ("never", False)
