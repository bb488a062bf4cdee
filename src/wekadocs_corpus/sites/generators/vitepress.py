"""VitePress: .vitepress/config in the folder of pages; only literals of it are read."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import Block, blocks, text_of
from wekadocs_corpus.sites.site import Site, Written, absolute, joined, quoted

FOLDER = ".vitepress"
_ENDINGS = ("js", "ts", "mjs", "mts", "cjs")
FILES = tuple(f"{name}.{ending}" for name in ("config", "config/index") for ending in _ENDINGS)
_EXCLUDED = re.compile(r"\bsrcExclude\s*:\s*\[([^\]]{0,5000})\]")
_LITERAL = re.compile(r"(['\"])([^'\"\n]{1,200})\1")
_MOST_PARTS = 50  # of a configuration: one for each language, usually


def read(folder: Path, name: str, text: str) -> Site:
    text = "\n".join([text, *_parts(folder / name)])
    found = blocks(text)
    pages = folder.parent / joined(_said(found, "srcDir").removeprefix("./"))
    url = absolute(_said(found, "hostname"))
    base = joined(_said(found, "base"))
    if base and not url.endswith(f"/{base}/"):
        url = f"{url}{base}/" if url else ""
    clean = any(each.values.get("cleanUrls") is True for each in found)
    return Site("vitepress", pages.as_posix(), url, {"clean": clean, "excluded": _excluded(text)})


def others(site: Site) -> tuple[str, ...]:
    """What its configuration says to be no pages, as lines of an ignore file."""
    said = site.options.get("excluded")
    excluded = [each for each in said if isinstance(each, str)] if isinstance(said, list) else []
    return tuple(each if "/" in each else f"/{each}" for each in excluded)


def _excluded(text: str) -> list[str]:
    found = _EXCLUDED.search(text)
    return [literal for _, literal in _LITERAL.findall(found[1])][:50] if found else []


def _parts(file: Path) -> list[str]:
    """Of a configuration that is a folder, what its index imports."""
    if file.parent.name != "config":
        return []
    beside = sorted(each for each in file.parent.iterdir() if each != file and each.suffix[1:] in _ENDINGS)
    return [text_of(each) for each in beside[:_MOST_PARTS]]


def _said(found: list[Block], name: str) -> str:
    said = next((each.values[name] for each in found if name in each.values), "")
    return said if isinstance(said, str) else ""


def page(site: Site, path: str, written: Written) -> str | None:
    del written
    where = PurePosixPath(path).with_suffix("")
    if where.name == "index":
        return quoted("" if where.parent == PurePosixPath() else f"{where.parent.as_posix()}/")
    return quoted(where.as_posix() + ("" if site.is_on("clean") else ".html"))
