"""What generators put into pages and never publish by itself: templates, partials, files that are only included."""

from __future__ import annotations

import re
from pathlib import Path

from wekadocs_corpus.documents.formats.plain import has_text_pages
from wekadocs_corpus.sites import is_never_rendered

_FOLDERS = frozenset(
    {"_templates", ".templates", "_layouts", "_includes", "_partials", "_snippets", "archetypes", "boilerplates"}
)
# Folders that may well hold pages, unless what stands beside them tells whose they are: Hugo's and Antora's.
_BESIDE = {"layouts": ("content", "hugo.toml", "hugo.yaml", "config.toml"), "partials": ("pages",)}
_PARTIAL = frozenset({".md", ".mdx", ".adoc"})  # of which a name that begins with _ is no page
_TEXT = frozenset({".txt", ".text"})
_BOOKS = ("book.toml", ".gitbook.yaml", "book.json")
_NAVIGATION = re.compile(r"nav[\w-]*\.adoc")
_SPHINX = re.compile(r"^(?:extensions|html_theme|source_suffix|project)\b", re.M)
_LARGEST = 500_000  # bytes of a conf.py


def is_fragment_folder(folder: Path) -> bool:
    beside = _BESIDE.get(folder.name, ())
    return (
        folder.name in _FOLDERS
        or any((folder.parent / name).exists() for name in beside)
        or is_never_rendered(folder / "_index.md")
    )


def is_fragment(file: Path, root: Path) -> bool:
    """A partial by its name, or plain text among the pages of Sphinx, which includes it and publishes none of it.

    What a generator makes its navigation of is no page either.
    """
    suffix = file.suffix.lower()
    if _is_navigation(file):
        return True
    if suffix in _PARTIAL and file.name.startswith("_"):
        return not file.name.startswith("_index")
    return suffix in _TEXT and _is_in_sphinx(file, root)


def _is_navigation(file: Path) -> bool:
    """SUMMARY.md of mdBook and GitBook, which stand in the folder of pages or above it; nav.adoc of Antora."""
    if file.name == "SUMMARY.md":
        return any((folder / name).is_file() for folder in (file.parent, file.parent.parent) for name in _BOOKS)
    return _NAVIGATION.fullmatch(file.name) is not None and (file.parent / "pages").is_dir()


def _is_in_sphinx(file: Path, root: Path) -> bool:
    for folder in file.parents:
        conf = _conf(folder / "conf.py")
        if conf:
            return bool(_SPHINX.search(conf)) and not has_text_pages(conf)
        if folder == root:
            break
    return False


def _conf(file: Path) -> str:
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as opened:
            return opened.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
