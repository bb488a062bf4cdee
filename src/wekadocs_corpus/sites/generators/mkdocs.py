"""MkDocs: mkdocs.yml beside a folder of pages."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of
from wekadocs_corpus.sites.site import Site, Written, absolute, quoted

FILES = ("mkdocs.yml", "mkdocs.yaml")
_PYMDOWN = re.compile(r"!!python/\S+pymdownx\.slugs\.(\w+)")
_CASES = {"slugify": "", "uslugify": "lower", "uslugify_cased": "", "gfm": "lower", "gfm_encoded": "lower"}


def read(folder: Path, name: str, text: str) -> Site:
    data = data_of(name, text)
    docs = data.get("docs_dir")
    pages = folder / docs if isinstance(docs, str) and docs else folder / "docs"
    options: dict[str, object] = {"directories": data.get("use_directory_urls") is not False, **_slugs(text)}
    if re.search(r"^\s*-\s+blog\b", text, re.M):
        options["blog"] = "blog"
    url = data.get("site_url")
    stated = url[-1] if isinstance(url, list) and url else url  # !ENV [NAME, otherwise]
    return Site("mkdocs", pages.as_posix(), absolute(stated), options)


def _slugs(text: str) -> dict[str, object]:
    """How headings are named: what `toc` is told; other extensions have slugs of their own."""
    toc = re.search(r"^([ \t]*)-?[ \t]*toc:[ \t]*\n((?:\1[ \t]+\S.*\n?|[ \t]*\n)+)", text, re.M)
    if not toc:
        return {}
    found: dict[str, object] = {}
    separator = re.search(r"separator:\s*[\"']?([^\s\"'])", toc[2])
    if separator:
        found["separator"] = separator[1]
    python = _PYMDOWN.search(toc[2])
    if python:
        case = re.search(r"case:\s*[\"']?([\w-]+)", toc[2])
        found |= {"slugs": "pymdown", "case": case[1] if case else _CASES.get(python[1], "")}
    return found


def page(site: Site, path: str, written: Written) -> str | None:
    del written
    where = PurePosixPath(path)
    blog = site.option("blog")
    if blog and where.parts[:2] == (blog, "posts"):
        return None  # its address is made of its date and its title
    folder = "" if where.parent == PurePosixPath() else f"{where.parent.as_posix()}/"
    if where.stem in ("index", "README"):
        return quoted(folder if site.is_on("directories") else f"{folder}index.html")
    return quoted(f"{folder}{where.stem}/" if site.is_on("directories") else f"{folder}{where.stem}.html")
