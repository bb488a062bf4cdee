"""Sphinx: conf.py in the folder of pages, of which only literals are read."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from wekadocs_corpus.sites.configuration import assigned
from wekadocs_corpus.sites.site import Site, Written, absolute, quoted

FILES = ("conf.py",)
_SPHINX = re.compile(
    r"^(?:extensions|html_theme|master_doc|root_doc|source_suffix|project)\s*=|\bsphinx\b", re.M | re.I
)
_ADDRESSES = ("html_baseurl", "html_use_opensearch", "canonical_url", "ogp_site_url")


def read(folder: Path, name: str, text: str) -> Site | None:
    del name
    if not _SPHINX.search(text):
        return None
    url = next((found for each in _ADDRESSES if (found := absolute(assigned(text, each)))), "")
    suffix = assigned(text, "html_link_suffix") or assigned(text, "html_file_suffix") or ".html"
    return Site("sphinx", folder.as_posix(), url, {"suffix": suffix})


def page(site: Site, path: str, written: Written) -> str | None:
    del written
    return quoted(PurePosixPath(path).with_suffix("").as_posix() + site.option("suffix", ".html"))
