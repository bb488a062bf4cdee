"""Elastic's docs-builder: docset.yml in the folder of pages. Where a set is published no file of it says."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import data_of
from wekadocs_corpus.sites.site import Site, Written, quoted

FILES = ("docset.yml",)


def read(folder: Path, name: str, text: str) -> Site | None:
    said = data_of(name, text)
    return Site("docs-builder", folder.as_posix()) if "toc" in said else None


def page(site: Site, path: str, written: Written) -> str | None:
    del site, written
    where = PurePosixPath(path).with_suffix("")
    found = (where.parent if where.name == "index" else where).as_posix()
    return quoted("" if found == "." else found)
