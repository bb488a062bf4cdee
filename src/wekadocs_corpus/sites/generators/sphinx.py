"""Sphinx: conf.py in the folder of pages, of which only literals are read."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from wekadocs_corpus.documents.formats.plain import has_text_pages
from wekadocs_corpus.sites.configuration import assigned, text_of
from wekadocs_corpus.sites.site import Site, Written, absolute, quoted

FILES = ("conf.py",)
_SPHINX = re.compile(
    r"^(?:extensions|html_theme|master_doc|root_doc|source_suffix|project)\s*=|\bsphinx\b", re.M | re.I
)
_READ_THE_DOCS = (".readthedocs.yaml", ".readthedocs.yml", "readthedocs.yaml", "readthedocs.yml")
_DIRHTML = re.compile(r"\bbuilder:\s*[\"']?dirhtml\b|\s-b\s+dirhtml\b")
_ABOVE = 3  # folders in which what builds the pages is looked for
_ADDRESSES = ("html_baseurl", "html_use_opensearch", "canonical_url", "ogp_site_url")


def read(folder: Path, name: str, text: str) -> Site | None:
    del name
    if not _SPHINX.search(text):
        return None
    url = next((found for each in _ADDRESSES if (found := absolute(assigned(text, each)))), "")
    suffix = assigned(text, "html_link_suffix") or assigned(text, "html_file_suffix") or ".html"
    options = {"suffix": suffix, "folders": _are_folders(folder), "text": has_text_pages(text)}
    return Site("sphinx", folder.as_posix(), url, options)


def _are_folders(folder: Path) -> bool:
    """Whether Read the Docs is told to make a folder of every page."""
    above = (folder, *folder.parents[:_ABOVE])
    said = next((text for each in above for name in _READ_THE_DOCS if (text := text_of(each / name))), "")
    return bool(_DIRHTML.search(said))


def page(site: Site, path: str, written: Written) -> str | None:
    del written
    where = PurePosixPath(path).with_suffix("")
    if not site.is_on("folders"):
        return quoted(where.as_posix() + site.option("suffix", ".html"))
    found = (where.parent if where.name == "index" else where).as_posix()
    return quoted("" if found == "." else f"{found}/")
