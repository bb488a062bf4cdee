"""Which document a fetched page is: `page#x`, `page`, what redirected and what calls itself canonical are one."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from wekadocs_fetch import Fetched, FetchFailed, WebUrl

_VERSION = re.compile(
    r"(?:v|version|r|release)?[-_.]?\d[0-9.x_-]{0,20}(?:(?:a|b|rc|alpha|beta|dev|pre|post|lts)[0-9._-]{0,6})?"
    r"|latest|stable|current|master|main|trunk"
    r"|head|dev(?:el(?:op(?:ment)?)?)?|next|nightly|unstable|edge|lts|rolling",
    re.I,
)


def document_name(page: Fetched, canonical: str | None = None) -> str:
    """Its URL. `canonical`: as its own text says it, which counts over the header Link.

    A page is believed about its own site only: else one site could put its words into another's mouth. The home page
    as canonical of every page is a mistake of many sites, and would make one document of them all. Manuals call the
    newest version canonical on every page of the older ones, which say something else.
    """
    here = WebUrl.of(page.final_url)
    said = canonical or page.canonical
    if not said:
        return str(here)
    try:
        there = here.join(said)
    except FetchFailed:
        return str(here)
    is_home = there.path == "/" and there.query is None and here.path != "/"
    another = is_home or _site(there) != _site(here) or _is_another_version(here.path, there.path)
    return str(here) if another else str(there)


def _is_another_version(here: str, there: str) -> bool:
    own, other = here.split("/"), there.split("/")
    bare = [[step for step in steps if not _VERSION.fullmatch(step)] for steps in (own, other)]
    return own != other and bare[0] == bare[1]


def every_name(page: Fetched, canonical: str | None = None) -> tuple[str, ...]:
    """All URLs that lead to it, the document's own first; for `Book.record`."""
    return tuple(dict.fromkeys((document_name(page, canonical), *page.names)))


def _site(url: WebUrl) -> tuple[str, int | None]:
    """http and https, with and without www, are one site."""
    usual = urlsplit(str(url)).port
    return url.host.removeprefix("www."), usual
