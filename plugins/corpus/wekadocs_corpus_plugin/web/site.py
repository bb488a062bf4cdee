"""The pages of a site, by the guarded fetcher: within a number of pages, below the address that is named."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from wekadocs_corpus import BytesOrigin, CorpusError, Version
from wekadocs_fetch import Fetched, Fetcher, FetchFailed, Limits, Policy, media_types

from . import links

if TYPE_CHECKING:
    from wekadocs_corpus import Progress

_AT_ONCE, _SITEMAPS = 8, 50
_ENDINGS = {"application/pdf": ".pdf", "text/markdown": ".md", "text/x-markdown": ".md", "text/x-rst": ".rst"}
_ENDINGS |= {"text/asciidoc": ".adoc", "text/plain": ".txt", "text/html": ".html", "application/xhtml+xml": ".html"}


class NoSite(CorpusError):
    """Nothing came from the address; the message goes to whoever typed it."""


@dataclass
class Pages:
    """What was fetched of a site."""

    base: str
    found: dict[str, Fetched] = field(default_factory=dict)  # by the address that the page has
    failed: Counter[str] = field(default_factory=Counter)  # why, in words
    whole: bool = True  # whatever is not here is not there any more

    def origins(self) -> list[BytesOrigin]:
        return [_origin(url, page, self.base) for url, page in self.found.items() if page.media_type in _ENDINGS]


def fetch_site(url: str, settings: Mapping[str, Any], cache: Path, progress: Progress) -> Pages:
    """Where no event loop runs."""
    return asyncio.run(_fetch_site(url, settings, cache, progress))


async def _fetch_site(url: str, settings: Mapping[str, Any], cache: Path, progress: Progress) -> Pages:
    async with Fetcher(_limits(settings), Policy(settings["allow_hosts"]), cache_dir=cache) as fetcher:
        try:
            first = await fetcher.fetch(url)
        except FetchFailed as failure:
            raise NoSite(f"{url}: {failure.reason}{_way_out(failure)}") from None
        visit = Visit(fetcher, Pages(links.base_of(first.final_url)), settings["max_pages"], progress)
        return await visit.all(first)


class Visit:
    def __init__(self, fetcher: Fetcher, pages: Pages, most: int, progress: Progress) -> None:
        self._fetcher, self._pages, self._most, self._progress = fetcher, pages, most, progress
        self._asked: set[str] = set()
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def all(self, first: Fetched) -> Pages:
        """What lists pages is believed; without a list links are followed."""
        listed = await self._listed(first)
        waiting = listed or [first.final_url]
        while waiting:
            found = await self._several(waiting)
            waiting = [] if listed else self._further(found)
        if first.final_url not in self._pages.found and not listed:
            self._keep(first)
        return self._pages

    async def _listed(self, first: Fetched) -> list[str]:
        text, url = first.text if media_types.is_text(first.media_type) else "", first.final_url
        if links.is_sitemap(text):
            self._pages.base = _host(url)
            return await self._of_sitemaps([url])
        if urlsplit(url).path.endswith("/llms.txt"):
            self._pages.base = _host(url)
            return self._within(links.of_list(text, url))
        try:
            stated = (await self._fetcher.site_rules(url)).sitemaps
        except FetchFailed:
            stated = ()
        return await self._of_sitemaps([*stated, f"{_host(url)}/sitemap.xml"]) or await self._of_list()

    async def _of_list(self) -> list[str]:
        found = await self._asked_for(f"{self._pages.base}/llms.txt")
        return self._within(links.of_list(found.text, found.final_url)) if found else []

    async def _of_sitemaps(self, sitemaps: list[str]) -> list[str]:
        waiting, found, read = [*dict.fromkeys(sitemaps)], list[str](), 0
        while waiting and read < _SITEMAPS:
            url, read = waiting.pop(0), read + 1
            page = await self._asked_for(url)
            if page is not None and links.is_sitemap(page.text):
                listed = links.of_sitemap(page.text, page.final_url)
                (waiting if links.is_index(page.text) else found).extend(listed)
        return self._within(found)

    async def _asked_for(self, url: str) -> Fetched | None:
        """What need not be there."""
        try:
            return await self._fetcher.fetch(url)
        except FetchFailed:
            return None

    def _within(self, urls: list[str]) -> list[str]:
        return [each for each in dict.fromkeys(urls) if links.below(each, self._pages.base)]

    async def _several(self, urls: list[str]) -> list[Fetched]:
        new = [each for each in dict.fromkeys(urls) if each not in self._asked]
        room = self._most - len(self._asked)
        if len(new) > room:
            self._pages.whole = False
            self._pages.failed[f"pages beyond ingest.web.max_pages ({self._most:,})"] += len(new) - room
        self._asked.update(new[:room])
        found = await asyncio.gather(*(self._one(each) for each in new[:room]))
        return [each for each in found if each is not None]

    async def _one(self, url: str) -> Fetched | None:
        async with self._turns:
            try:
                page = await self._fetcher.fetch(url, revalidate=True)
            except FetchFailed as failure:
                self._failed(failure)
                return None
        if not links.below(page.final_url, self._pages.base):
            self._pages.failed["pages that lead elsewhere"] += 1
            return None
        self._keep(page)
        self._progress("pages", len(self._pages.found), max(len(self._asked), len(self._pages.found)), page.final_url)
        return page

    def _keep(self, page: Fetched) -> None:
        self._pages.found[page.final_url] = page

    def _failed(self, failure: FetchFailed) -> None:
        """A page that is only not there now is no reason to forget it."""
        self._pages.failed[f"pages: {failure.code.lower().replace('_', ' ')}"] += 1
        if failure.passing:
            self._pages.whole = False

    def _further(self, pages: list[Fetched]) -> list[str]:
        html = [page for page in pages if page.media_type in ("text/html", "application/xhtml+xml")]
        found = [each for page in html for each in self._within(links.of_page(page.text, page.final_url))]
        return [each for each in dict.fromkeys(found) if each not in self._asked]


def _way_out(failure: FetchFailed) -> str:
    return "" if "allow_hosts" not in failure.reason else " (plugins.corpus.ingest.web in tools.yaml)"


def _host(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _origin(url: str, page: Fetched, base: str) -> BytesOrigin:
    data = page.body if page.media_type == "application/pdf" else b"\xef\xbb\xbf" + page.text.encode("utf-8", "replace")
    uri = url if url.startswith(f"{base}/") else f"{url}/"
    version = Version.of_etag(sha256(data).hexdigest())
    return BytesOrigin(uri, _path(uri, base, _ENDINGS[page.media_type]), data, version=version)


def _path(url: str, base: str, ending: str) -> str:
    """Below the site, with the ending that tells how it is read."""
    parts = urlsplit(url)
    path = unquote(parts.path)[len(urlsplit(base).path) :].strip("/") or "index"
    path = "/".join(part for part in path.split("/") if part not in ("", ".", ".."))
    path = f"{path}-{sha256(parts.query.encode()).hexdigest()[:8]}" if parts.query else path
    return path if path.lower().endswith((ending, ".htm", ".md", ".txt")) else f"{path}{ending}"


def _limits(settings: Mapping[str, Any]) -> Limits:
    return Limits(
        timeout_seconds=settings["timeout_seconds"],
        connect_seconds=10,
        idle_seconds=15,
        max_redirects=5,
        max_bytes=16 << 20,
        max_decompressed_bytes=32 << 20,
        retries=2,
        connections_per_host=4,
        delay_seconds=settings["delay_seconds"],
        cache_bytes=256 << 20,
        robots=settings["robots"],
        user_agent=settings["user_agent"],
    )
