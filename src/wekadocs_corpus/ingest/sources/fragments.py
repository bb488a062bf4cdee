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
# Whose pages are Markdown alone, by what stands in a folder above them; of files it copies as they are, those folders.
_MARKDOWN_ONLY = {
    "docusaurus.config.js": "static", "docusaurus.config.ts": "static", "docusaurus.config.mjs": "static",
    "astro.config.mjs": "public", "astro.config.ts": "public", "astro.config.js": "public", ".vitepress": "public",
}  # fmt: skip
_NO_MARKDOWN = frozenset({".html", ".htm", ".txt", ".text"})
_BUILT = frozenset({"dist", "build", "public"})
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
    return (suffix in _TEXT and _is_in_sphinx(file, root)) or (
        (suffix in _NO_MARKDOWN or "static" in file.parts or "public" in file.parts) and _is_copied(file, suffix, root)
    )


def _is_navigation(file: Path) -> bool:
    """SUMMARY.md of mdBook and GitBook, which stand in the folder of pages or above it; nav.adoc of Antora."""
    if file.name == "SUMMARY.md":
        return any((folder / name).is_file() for folder in (file.parent, file.parent.parent) for name in _BOOKS)
    return _NAVIGATION.fullmatch(file.name) is not None and (file.parent / "pages").is_dir()


def _is_copied(file: Path, suffix: str, root: Path) -> bool:
    """Whether the generator makes no page of it: what is no Markdown, and all that it copies as it is.

    A folder that was named itself, such as the site as it was built, is none of the generator's.
    """
    for folder in file.parents:
        own = next((own for name, own in _MARKDOWN_ONLY.items() if (folder / name).exists()), None)
        if own:
            return suffix in _NO_MARKDOWN or file.is_relative_to(folder / own)
        if folder == root:
            return suffix in _NO_MARKDOWN and root.name not in _BUILT and (root.parent / ".vitepress").is_dir()
    return False


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
