"""The address of a page on its site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from wekadocs_corpus.model import NO_PAGES

from .generators import (
    antora,
    docs_builder,
    docusaurus,
    gitbook,
    hugo,
    jekyll,
    mdbook,
    mkdocs,
    sphinx,
    starlight,
    vitepress,
)
from .site import Page, Site, Written, quoted

Address = Callable[[Site, str, Written], str | None]

_PAGES: dict[str, Address] = {
    "antora": antora.page,
    "docs-builder": docs_builder.page,
    "docusaurus": docusaurus.page,
    "gitbook": gitbook.page,
    "gitbook_legacy": gitbook.page,
    "hugo": hugo.page,
    "jekyll": jekyll.page,
    "kramdown": jekyll.page,
    "mdbook": mdbook.page,
    "mkdocs": mkdocs.page,
    "sphinx": sphinx.page,
    "starlight": starlight.page,
    "vitepress": vitepress.page,
}
_COPYING = ("", "jekyll", "kramdown", "mdbook", "mkdocs")  # files that are no pages; others take them from elsewhere


def is_copied(page: Page) -> bool:
    return page.path.lower().endswith(NO_PAGES)


def page_url(page: Page, written: Written) -> str:
    """Its address; "" where nobody knows the site's, or the file becomes no page. `written` is its front matter."""
    site = page.site
    if not site.url or not page.path:
        return site.url
    suffix = PurePosixPath(page.path).suffix.lower()
    if site.generator and suffix in (".txt", ".text") and not site.is_on("text"):
        return ""  # something that pages include
    if is_copied(page):
        return f"{site.url}{quoted(page.path)}" if site.generator in _COPYING else ""
    built = suffix in (".html", ".htm") and site.generator != "hugo"
    found = quoted(page.path) if built else _PAGES.get(site.generator, _as_it_is)(site, page.path, written)
    return "" if found is None else f"{site.url}{found.lstrip('/')}"


def _as_it_is(site: Site, path: str, written: Written) -> str:
    """A tree that is shown as it is, as a repository's files are."""
    del site, written
    return quoted(path)
