"""The documentation in a repository: what builds it, where its pages are, what of it is no documentation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .finding import configured
from .site import Site

_DEEPEST = 2  # folders below the one that is named in which a configuration is looked for
_LOOKED_INTO = 400  # folders
_PAGES = ("docs", "doc", "documentation", "content", "pages")
# What generators write: pages made from the pages that are read.
_BUILT = {
    "antora": ("build/",),
    "docusaurus": ("build/", ".docusaurus/", "versioned_sidebars/"),
    "gitbook": ("_book/",),
    "hugo": ("public/", "resources/"),
    "jekyll": ("_site/",),
    "mdbook": ("book/",),
    "mkdocs": ("site/", "overrides/"),
    "sphinx": ("_build/", "_static/", "_templates/"),
    "vitepress": (".vitepress/dist/", ".vitepress/cache/"),
}


def site_in(folder: Path) -> Site:
    """The site that is built here, the outermost first; without one the folder where pages usually are."""
    found = next((site for each in _folders(folder) for site in configured(each) if Path(site.folder).is_dir()), None)
    if found is not None:
        return found
    pages = next((folder / name for name in _PAGES if (folder / name).is_dir()), folder)
    return Site(folder=pages.as_posix())


def built_folders(generator: str) -> tuple[str, ...]:
    """As lines of an ignore file."""
    return _BUILT.get(generator, ())


def _folders(folder: Path) -> Iterator[Path]:
    """This one and those below, level by level."""
    level, seen = [folder], 0
    for _ in range(_DEEPEST + 1):
        yield from level
        seen += len(level)
        level = [below for each in level for below in _inside(each)][: _LOOKED_INTO - seen]


def _inside(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as listing:
            names = [each.name for each in listing if each.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    usual = {name: place for place, name in enumerate(_PAGES)}
    kept = [name for name in names if not name.startswith(".") and name != "node_modules"]
    return [folder / name for name in sorted(kept, key=lambda name: (usual.get(name, len(usual)), name))]
