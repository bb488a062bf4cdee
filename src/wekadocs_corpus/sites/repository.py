"""The documentation in a repository: what builds it, where its pages are, what of it is no documentation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from .finding import configured
from .generators import antora, docusaurus, vitepress
from .site import Site

_DEEPEST = 2  # folders below the one that is named in which a configuration is looked for
_LOOKED_INTO = 400  # folders
_PAGES = ("docs", "doc", "documentation", "content", "pages")
# What generators write, pages made from the pages that are read; and what they make no page of.
_BUILT = {
    "antora": ("build/", "/*/*", "!/*/pages/"),  # of a module nothing else is published by itself
    # Earlier versions say most of it again: each is taken in by `ingest --version` where it is wanted.
    "docusaurus": ("build/", ".docusaurus/", "versioned_sidebars/", "versioned_docs/", "_*/"),
    "gitbook": ("_book/", "SUMMARY.md"),
    "hugo": ("public/", "resources/"),
    "jekyll": ("_site/",),
    "mdbook": ("book/", "SUMMARY.md"),
    "mkdocs": ("site/", "overrides/"),
    "sphinx": ("_build/", "_static/", "_templates/"),
    "vitepress": (".vitepress/dist/", ".vitepress/cache/"),
}

_OTHERS = {"docusaurus": docusaurus.others, "vitepress": vitepress.others}


def site_in(folder: Path) -> Site:
    """The site that is built here: of the outermost the largest; without one the folder where pages usually are."""
    for level in _levels(folder):
        found = [site for each in level for site in _configured(each) if Path(site.folder).is_dir()]
        if found:
            chosen = max(found, key=lambda site: _size(Path(site.folder))) if len(found) > 1 else found[0]
            pages = docusaurus.pages(chosen) if chosen.generator == "docusaurus" else Path(chosen.folder)
            return replace(chosen, folder=Path(os.path.normpath(pages)).as_posix())
    pages = next((folder / name for name in _PAGES if (folder / name).is_dir()), folder)
    return Site(folder=pages.as_posix())


def not_pages(site: Site) -> tuple[str, ...]:
    """What of its folder is no page of it, as lines of an ignore file."""
    others = _OTHERS[site.generator](site) if site.generator in _OTHERS else ()
    return (*_BUILT.get(site.generator, ()), *others)


def _configured(folder: Path) -> list[Site]:
    """Here, or where a project of Java keeps Antora's component."""
    return [site for each in (folder, *(folder / below for below in antora.BELOW)) for site in configured(each)]


def _levels(folder: Path) -> Iterator[list[Path]]:
    """This one, then those below, level by level."""
    level, seen = [folder], 0
    for _ in range(_DEEPEST + 1):
        yield level
        seen += len(level)
        level = [below for each in level for below in _inside(each)][: _LOOKED_INTO - seen]


def _size(folder: Path) -> int:
    """Files in it, as far as it takes to tell a site from a part of it."""
    walked = islice((len(files) for _, _, files in os.walk(folder)), _LOOKED_INTO)
    return sum(walked)


def _inside(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as listing:
            names = [each.name for each in listing if each.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    usual = {name: place for place, name in enumerate(_PAGES)}
    kept = [name for name in names if not name.startswith(".") and name != "node_modules"]
    return [folder / name for name in sorted(kept, key=lambda name: (usual.get(name, len(usual)), name))]
