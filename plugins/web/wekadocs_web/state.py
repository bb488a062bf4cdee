"""What the tools of this plugin share, one per process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus
    from wekadocs_fetch import Fetcher

    from .book.pages import Book
    from .library import Library


@dataclass
class WebState:
    corpus: Corpus
    fetcher: Fetcher
    book: Book
    library: Library
    settings: Mapping[str, Any]  # this plugin's part of tools.yaml
    lists: dict[str, tuple[float, list[str]]] = field(default_factory=dict)  # of sites: when it was read, its pages
