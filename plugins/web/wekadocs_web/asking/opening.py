"""Pages of a call: those that are indexed and fresh are taken as they are, the others are fetched and taken in."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wekadocs_fetch import FetchFailed, WebUrl, document_url, shown_url
from wekadocs_web.library import Refused

if TYPE_CHECKING:
    from wekadocs_web.book.pages import PageRow
    from wekadocs_web.state import WebState

Told = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Opened:
    """What became of one address."""

    asked: str  # as the caller wrote it
    page: PageRow | None = None
    reason: str = ""  # why it could not be read, or not be read again
    code: str = ""
    new: bool = False  # it was taken in by this call
    ms: float = 0.0

    @property
    def name(self) -> str:
        """For messages."""
        return shown_url(self.asked)


@dataclass
class Opening:
    """Of one call."""

    state: WebState
    told: Told
    fresh_seconds: float
    seen: dict[str, str] = field(default_factory=dict)  # every name of a page of this call → its address

    async def one(self, url: str) -> Opened:
        began = time.perf_counter()
        opened = await self._opened(url)
        if opened.page is not None:
            self.seen.update({plain(url): opened.page.url, opened.page.url: opened.page.url})
        return Opened(
            opened.asked, opened.page, opened.reason, opened.code, opened.new, (time.perf_counter() - began) * 1000
        )

    async def _opened(self, url: str) -> Opened:
        await self.told(f"Checking if {shown_url(url)} is indexed...")
        known = await self.state.corpus.in_thread(self.state.book.find, url)
        if known is not None and time.time() - known.fetched_at < self.fresh_seconds:
            return Opened(url, known)
        await self.told(f"Scraping {shown_url(url)}...")
        try:
            fetched = await self.state.fetcher.fetch(url)
        except FetchFailed as error:
            return Opened(url, known, _why(url, error), error.code)
        (row,) = await self.state.library.take_in([fetched])
        if isinstance(row, Refused):
            return Opened(url, None, row.reason, "NOT_READABLE")
        await self.told(f"Indexed {row.url} ({row.chunks} chunks, {row.tokens} tokens)")
        return Opened(url, row, new=True)


def _why(url: str, error: FetchFailed) -> str:
    """With the address that it is about, where that is another site's."""
    try:
        site = WebUrl.of(url).origin
    except FetchFailed:
        return error.reason
    own = error.url == site or error.url.startswith(f"{site}/")
    return error.reason if own else f"it leads to {error.url}: {error.reason}"


def plain(url: str) -> str:
    """As pages are called; as it is written where it is no address of ours."""
    try:
        return document_url(url)
    except FetchFailed:
        return url
