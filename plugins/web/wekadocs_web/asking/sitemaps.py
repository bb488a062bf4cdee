"""What a site lists of itself: the pages of its sitemap that stand near a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wekadocs_fetch import FetchFailed

if TYPE_CHECKING:
    from wekadocs_fetch import Fetcher

_LOCATION = re.compile(r"<loc>\s*(?:<!\[CDATA\[)?\s*(https?://[^\s<\]]{1,2000})", re.I)
_MOST_SITEMAPS, _MOST_PAGES = 3, 2000
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
    return _LOCATION.findall(fetched.text)
