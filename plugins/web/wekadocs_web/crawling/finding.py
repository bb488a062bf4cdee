"""Where a section's pages are: what the site lists, then what its pages link to."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wekadocs_fetch import FetchFailed, WebUrl, media_types

from .section import Section
from .sitemaps import KINDS, is_llms_txt, is_sitemap, read_llms_txt, read_sitemap, unpacked

if TYPE_CHECKING:
    from wekadocs_fetch import Fetched, Fetcher

_MOST_LISTS = 20  # of an index


@dataclass
class ListedPages:
    """Pages of a section, and who told of them."""

    urls: list[str] = field(default_factory=list)
    by: list[str] = field(default_factory=list)


async def listed(fetcher: Fetcher, seed: WebUrl, section: Section, deadline: float) -> ListedPages:
    """By llms.txt and by the site's sitemaps; a site that has neither says nothing."""
    found = ListedPages()
    for path in (f"{section.folder}llms.txt", "/llms.txt"):
        page = await _had(fetcher, seed.join(path), deadline)
        if page is not None and page.media_type.startswith("text/") and page.media_type != "text/html":
            _take(found, "llms.txt", section, page, list(read_llms_txt(page.text)))
            break
    try:
        rules = await fetcher.site_rules(str(seed))
        places = list(rules.sitemaps) or [str(seed.join("/sitemap.xml"))]
    except FetchFailed:
        places = []
    for place in places[:_MOST_LISTS]:
        await _sitemap(fetcher, seed.join(place), section, deadline, found)
    return found


async def in_list(fetcher: Fetcher, page: Fetched, deadline: float) -> ListedPages | None:
    """The pages that this one lists, if it is a list and no page: whatever they are called, on its own host."""
    here = WebUrl.of(page.final_url)
    everything = Section(here.host.removeprefix("www."), here.port, "/")
    if is_llms_txt(here.path):
        found = ListedPages()
        _take(found, "llms.txt", everything, page, list(read_llms_txt(page.text)))
        return found
    if is_sitemap(_text(page)):
        found = ListedPages()
        await _sitemap(fetcher, here, everything, deadline, found)
        return found
    return None


async def _sitemap(fetcher: Fetcher, place: WebUrl, section: Section, deadline: float, found: ListedPages) -> None:
    waiting, seen = [str(place)], set[str]()
    while waiting and len(seen) < _MOST_LISTS:
        url = waiting.pop(0)
        seen.add(url)
        page = await _had(fetcher, WebUrl.of(url), deadline)
        text = _text(page) if page is not None else ""
        if page is None or not is_sitemap(text):
            continue
        content = await asyncio.to_thread(read_sitemap, text)
        if content.of_lists:
            waiting += [each for each in _joined(page, content.urls) if each not in seen]
        else:
            _take(found, "sitemap", section, page, content.urls)


def _joined(page: Fetched, urls: tuple[str, ...]) -> list[str]:
    here, joined = WebUrl.of(page.final_url), []
    for each in urls:
        try:
            joined.append(str(here.join(each)))
        except FetchFailed:
            continue
    return joined


def _take(found: ListedPages, by: str, section: Section, page: Fetched, urls: list[str] | tuple[str, ...]) -> None:
    taken = [url for each in urls if (url := section.takes(page.final_url, each))]
    known = set(found.urls)
    found.urls += [url for url in dict.fromkeys(taken) if url not in known]
    if taken and by not in found.by:
        found.by.append(by)


def _text(page: Fetched) -> str:
    return unpacked(page.body).decode(page.charset or "utf-8", "replace")


async def _had(fetcher: Fetcher, url: WebUrl, deadline: float) -> Fetched | None:
    try:
        return await fetcher.fetch(str(url), deadline=deadline, accept=KINDS | media_types.READ)
    except FetchFailed:
        return None
