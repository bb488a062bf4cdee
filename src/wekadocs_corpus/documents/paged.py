"""What readers of files with pages hand over: an outline, the page of each line, pages that could not be read."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wekadocs_corpus.model import UnreadPage

from .blocks import Outline
from .decoding import Unreadable

__all__ = ["Allowance", "Paged", "UnreadPage"]


@dataclass(frozen=True)
class Allowance:
    """Until when pages are read, by the CPU (time.process_time) and by the clock (time.monotonic); the rest is told."""

    until: float = float("inf")
    by_the_clock: float = float("inf")

    def check(self) -> None:
        if time.process_time() > self.until or time.monotonic() > self.by_the_clock:
            raise Unreadable("the pages before it took all the time that one file may take (ingest.max_file_seconds)")


@dataclass(frozen=True)
class Paged:
    outline: Outline
    numbers: Sequence[int] | None  # for each line of the text its page, counted from 0; None: there are no pages
    pages: int = 0
    labels: Mapping[int, str] = field(default_factory=dict)  # what pages are called, where it is not their number
    unread: tuple[UnreadPage, ...] = ()
