"""What a site lists of itself: pages of its sitemap, the index of its search, menus in frames such as mdBook's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wekadocs_fetch import FetchFailed, media_types
from wekadocs_web.crawling.sitemaps import read_sitemap
from wekadocs_web.pages import Link, NotAPage, read_within

from .site_search import Hit, found_in

if TYPE_CHECKING:
    from wekadocs_fetch import Fetcher

    from .promising import Need

_MOST_SITEMAPS, _MOST_PAGES, _MOST_FRAMES = 3, 2000, 2
_FRAME_SECONDS = 5.0  # of CPU: a menu is small
_INDEXES = ("application/json", "text/javascript", "application/javascript", "application/x-javascript", "text/plain")
_KINDS = ("application/xml", "text/xml", "text/plain")


async def listed(fetcher: Fetcher, page: str) -> list[str]:
    """Of the page's own site, as many as anyone looks through; none where it has no sitemap."""
    site = urlsplit(page)
    origin = f"{site.scheme}://{site.netloc}/"
    found: dict[str, None] = {}
    waiting, read = await _sitemaps(fetcher, page, origin), 0
    while waiting and read < _MOST_SITEMAPS and len(found) < _MOST_PAGES:
        read += 1
        for url in await _locations(fetcher, waiting.pop(0)):
            if not url.startswith(origin):
                continue
            if urlsplit(url).path.endswith(".xml"):
                waiting.append(url)
            elif len(found) < _MOST_PAGES:
                found[url] = None
    return list(found)


async def _sitemaps(fetcher: Fetcher, page: str, origin: str) -> list[str]:
    try:
        stated = list((await fetcher.site_rules(page)).sitemaps)
    except FetchFailed:
        stated = []
    return stated or [f"{origin}sitemap.xml"]


async def _locations(fetcher: Fetcher, sitemap: str) -> list[str]:
    try:
        fetched = await fetcher.fetch(sitemap, accept=_KINDS)
    except FetchFailed:
        return []
    return list((await asyncio.to_thread(lambda: read_sitemap(fetched.text))).urls)


async def in_search(fetcher: Fetcher, index: str, own: Sequence[str], needs: Sequence[Need]) -> list[Hit]:
    """Pages that this index of a site's search names for what is looked for; none where it cannot be had."""
    try:
        fetched = await fetcher.fetch(index, accept=_INDEXES)
    except FetchFailed:
        return []

    def read() -> list[Hit]:
        return [hit for need in needs for hit in found_in(fetched.text, index, own, need.words, need.question)]

    return await asyncio.to_thread(read)


async def in_frames(fetcher: Fetcher, urls: Sequence[str]) -> list[Link]:
    """Links of these frames; none of one that cannot be had."""
    found = await asyncio.gather(*(_framed(fetcher, url) for url in urls[:_MOST_FRAMES]))
    return [link for links in found for link in links]


async def _framed(fetcher: Fetcher, url: str) -> Sequence[Link]:
    try:
        had = await fetcher.fetch(url, accept=media_types.HTML)
        page = await read_within(_FRAME_SECONDS, had.body, had.media_type, had.charset or "", had.final_url)
    except (FetchFailed, NotAPage):
        return ()
    return page.links
