"""Which site a file belongs to: the nearest configuration above it whose pages it is among."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from .configuration import text_of
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
from .site import Page, Site, absolute

Read = Callable[[Path, str, str], Site | None]
_ABOVE = 3  # folders above what was named, outside of a checkout

# In this order: a folder may have the files of several, and the last ones are the weakest signs.
_READERS: list[tuple[tuple[str, ...], Read]] = [
    (mkdocs.FILES, mkdocs.read),
    (docusaurus.FILES, docusaurus.read),
    (antora.FILES, antora.read),
    (mdbook.FILES, mdbook.read),
    (hugo.FILES, hugo.read),
    (docs_builder.FILES, docs_builder.read),
    (sphinx.FILES, sphinx.read),
    (starlight.FILES, starlight.read),
    (gitbook.FILES, gitbook.read),
    (jekyll.FILES, jekyll.read),
]
_NAMES = frozenset(name for names, _ in _READERS for name in names)


class SiteUrls(NamedTuple):
    """What settings say: one address for all, and one for each repository or folder, which goes before."""

    url: str = ""
    each: Mapping[str, str] = {}  # never written to

    def of(self, repository: str, root: str) -> str:
        return self.each.get(root) or self.each.get(repository) or self.url


class Sites:
    """Those of one source, each configuration read once. `stated` is the address that a setting gives."""

    def __init__(self, folder: Path, checkout: Path | None = None, stated: str = "") -> None:
        self._folder = folder
        self._checkout = checkout
        self._stated = absolute(stated)
        self._found: dict[Path, Site] = {}
        self._configured: dict[Path, list[Site]] = {}

    @cached_property
    def _top(self) -> Path:
        """The last folder that is looked into."""
        above = (self._folder, *self._folder.parents)
        return self._checkout or above[min(_ABOVE, len(above) - 1)]

    def of_all(self, files: Sequence[Path]) -> list[Page]:
        """Where some files belong to a site, its address is not that of the others, such as a README beside it."""
        pages = [self.of(file) for file in files]
        built = {page.site.generator: page.site for page in pages if page.site.generator}
        return [_beside(page, built) if built and not page.site.generator else page for page in pages]

    def of(self, file: Path) -> Page:
        folder = file.parent
        if folder not in self._found:
            self._found[folder] = self._nearest(folder)
        site = self._found[folder]
        return Page(site, file.as_posix().removeprefix(f"{site.folder}/"))

    def _nearest(self, folder: Path) -> Site:
        inside = f"{folder.as_posix()}/"
        for above in (folder, *folder.parents):
            for site in self._at(above):
                if inside.startswith(f"{site.folder}/"):
                    return replace(site, url=self._stated) if self._stated else site
            if above == self._top:
                break
        return Site(folder=self._folder.as_posix(), url=self._stated)

    def _at(self, folder: Path) -> list[Site]:
        if folder not in self._configured:
            self._configured[folder] = configured(folder)
        return self._configured[folder]


def _beside(page: Page, built: Mapping[str, Site]) -> Page:
    """AsciiDoc beside Antora's modules is copied into them when the site is built: headings are named as there."""
    antora_site = built.get("antora") if page.path.lower().endswith((".adoc", ".asciidoc", ".asc")) else None
    return Page(replace(antora_site or page.site, folder=page.site.folder, url=""), page.path)


def configured(folder: Path) -> list[Site]:
    """The sites whose configuration stands in this folder."""
    try:
        names = set(os.listdir(folder))  # noqa: PTH208 (names alone are wanted)
    except OSError:
        return []
    found = [site for own in docusaurus.BESIDE if own in names for site in _beside_its_docs(folder, own)]
    found += [_read(read, folder, name) for files, read in _READERS for name in files if name in names & _NAMES]
    if vitepress.FOLDER in names:
        found += _inside(folder / vitepress.FOLDER, vitepress.FILES, vitepress.read)
    if "config" in names and "content" in names:
        found += _inside(folder / hugo.FOLDER, hugo.FILES, hugo.read)
    return [site for site in found if site is not None]


def _beside_its_docs(folder: Path, own: str) -> list[Site | None]:
    """A site in a folder of its own, of pages outside of that folder."""
    found = _inside(folder / own, docusaurus.FILES, docusaurus.read)
    return [site for site in found if site and site.folder == folder.as_posix()]


def _inside(folder: Path, names: Sequence[str], read: Read) -> list[Site | None]:
    return [_read(read, folder, name) for name in names if (folder / name).is_file()][:1]


def _read(read: Read, folder: Path, name: str) -> Site | None:
    text = text_of(folder / name)
    return read(folder, name, text) if text else None
