"""Reading what waits: some pages at a time, the next ones on their way while the last ones are taken in."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wekadocs_fetch import Fetched, FetchFailed, media_types

from ..library import Refused
from .finding import in_list
from .frontier import Frontier, Waiting
from .section import Section
from .sitemaps import KINDS

if TYPE_CHECKING:
    from ..book.pages import PageRow
    from ..state import WebState

_AT_ONCE = 16
_MARGIN, _SHARE = 5.0, 0.2  # seconds before a deadline, and at most this share of all the time
Tell = Callable[[str], Awaitable[None]]
Had = tuple[Waiting, "Fetched | FetchFailed"]


def time_to_stop(deadline: float, seconds: float) -> float:
    """What is read by then is taken in; the rest waits for the next call."""
    return deadline - min(_MARGIN, seconds * _SHARE)


@dataclass
class Crawled:
    """What a crawl has come to in this call."""

    indexed: list[PageRow] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    by: list[str] = field(default_factory=list)
    looked_at: int = 0


@dataclass
class Crawl:
    """Of one call: until so many pages were looked at, nothing waits any more, or time is up."""

    state: WebState
    frontier: Frontier
    section: Section | None  # None: links are not followed
    max_pages: int
    max_depth: int
    deadline: float  # time.monotonic
    tell: Tell
    crawled: Crawled = field(default_factory=Crawled)

    async def run(self) -> Crawled:
        coming = await self._begin()
        try:
            while coming is not None:
                had, coming = await coming, None
                if time.monotonic() < self.deadline:
                    coming = await self._begin([each.url for each, _ in had])
                await self._take_in(had)
                if coming is None and time.monotonic() < self.deadline:
                    coming = await self._begin()  # what the last ones linked to
        finally:
            if coming is not None:
                coming.cancel()
        return self.crawled

    async def _begin(self, under_way: Sequence[str] = ()) -> asyncio.Task[list[Had]] | None:
        room = min(_AT_ONCE, self.max_pages - self.crawled.looked_at)
        waiting = await self.state.corpus.in_thread(self.frontier.next, max(room, 0) + len(under_way))
        chosen = [each for each in waiting if each.url not in under_way][: max(room, 0)]
        self.crawled.looked_at += len(chosen)
        return asyncio.create_task(self._had(chosen)) if chosen else None

    async def _had(self, waiting: Sequence[Waiting]) -> list[Had]:
        return list(await asyncio.gather(*(self._one(each) for each in waiting)))

    async def _one(self, waiting: Waiting) -> Had:
        await self.tell(f"Scraping {waiting.url}...")
        try:
            kinds = media_types.READ if waiting.depth else KINDS | media_types.READ
            return waiting, await self.state.fetcher.fetch(waiting.url, deadline=self.deadline, accept=kinds)
        except FetchFailed as error:
            return waiting, error

    async def _take_in(self, had: Sequence[Had]) -> None:
        pages: list[tuple[Waiting, Fetched]] = []
        out_of_time = set()
        for waiting, page in had:
            if isinstance(page, FetchFailed):
                if page.code == "TIMEOUT" and time.monotonic() >= self.deadline:
                    out_of_time.add(waiting.url)  # it is its turn again next time
                else:
                    self.crawled.failed.append((waiting.url, page.reason))
            elif not await self._is_list(waiting, page):
                pages.append((waiting, page))
        rows = await self.state.library.take_in([page for _, page in pages])
        for (waiting, _), row in zip(pages, rows, strict=True):
            await self._taken(waiting, row)
        await self.state.corpus.in_thread(
            self.frontier.done, [each.url for each, _ in had if each.url not in out_of_time]
        )

    async def _is_list(self, waiting: Waiting, page: Fetched) -> bool:
        """A sitemap or llms.txt that was asked for by its own URL stands for what it lists."""
        if waiting.depth or page.media_type == "text/html":
            return False
        found = await in_list(self.state.fetcher, page, self.deadline)
        if found is None:
            return False
        self.crawled.looked_at -= 1  # no page of those that the caller asks for
        self.crawled.by += [each for each in found.by if each not in self.crawled.by]
        await self.state.corpus.in_thread(self.frontier.add, [(url, 1) for url in found.urls])
        return True

    async def _taken(self, waiting: Waiting, row: PageRow | Refused) -> None:
        if isinstance(row, Refused):
            self.crawled.failed.append((waiting.url, row.reason))
            return
        self.crawled.indexed.append(row)
        await self.state.corpus.in_thread(self.frontier.join, [row.url])
        await self.tell(f"Indexed {row.url} ({row.chunks} chunks, {row.tokens:,} tokens)")
        if self.section is not None and waiting.depth < self.max_depth:
            links = await self.state.corpus.in_thread(self.state.library.links.of, row.url)
            found = [url for each in links if (url := self.section.takes(row.url, each.target))]
            if found and "links" not in self.crawled.by:
                self.crawled.by.append("links")
            await self.state.corpus.in_thread(self.frontier.add, [(url, waiting.depth + 1) for url in found])
