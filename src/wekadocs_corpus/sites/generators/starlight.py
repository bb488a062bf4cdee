"""Starlight, the documentation of Astro: astro.config beside src/content/docs; only literals of it are read."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import blocks
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

FILES = tuple(f"astro.config.{ending}" for ending in ("mjs", "ts", "js", "mts"))
_PAGES = Path("src", "content", "docs")
_NO_SLUG = re.compile(r"[^\w\- ]")


def read(folder: Path, name: str, text: str) -> Site | None:
    del name
    if not (folder / _PAGES).is_dir():
        return None
    said = {key: value for block in reversed(blocks(text)) for key, value in block.values.items()}
    url, base = absolute(said.get("site")), joined(said.get("base"))
    url = f"{url}{base}/" if url and base else url
    return Site("starlight", (folder / _PAGES).as_posix(), url, {"bare": said.get("trailingSlash") == "never"})


def page(site: Site, path: str, written: Written) -> str | None:
    stated = written.get("slug")
    *folders, last = PurePosixPath(path).with_suffix("").parts
    parts = folders if last == "index" else [*folders, last]
    where = joined(stated) if isinstance(stated, str) else "/".join(map(_slug, parts))
    return quoted(where if site.is_on("bare") or not where else f"{where}/")


def _slug(part: str) -> str:
    return _NO_SLUG.sub("", part.lower()).replace(" ", "-")
