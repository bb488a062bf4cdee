"""Which document a fetched page is: `page#x`, `page`, what redirected and what calls itself canonical are one."""

from __future__ import annotations

from urllib.parse import urlsplit

from wekadocs_fetch import Fetched, FetchFailed, WebUrl


def document_name(page: Fetched, canonical: str | None = None) -> str:
    """Its URL. `canonical`: as its own text says it, which counts over the header Link.

    A page is believed about its own site only: else one site could put its words into another's mouth. The home page
    as canonical of every page is a mistake of many sites, and would make one document of them all.
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
    return str(there) if _site(there) == _site(here) and not is_home else str(here)


def every_name(page: Fetched, canonical: str | None = None) -> tuple[str, ...]:
    """All URLs that lead to it, the document's own first; for `Book.record`."""
    return tuple(dict.fromkeys((document_name(page, canonical), *page.names)))


def _site(url: WebUrl) -> tuple[str, int | None]:
    """http and https, with and without www, are one site."""
    usual = urlsplit(str(url)).port
    return url.host.removeprefix("www."), usual
