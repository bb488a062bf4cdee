"""Where a page's site keeps the index of its own search, as MkDocs, Sphinx and mdBook publish it beside the pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from wekadocs_web.pages.addresses import absolute

_MKDOCS, _SPHINX, _MDBOOK = "search/search_index.json", "searchindex.js", "searchindex.json"
_SAID = (
    (_MKDOCS, re.compile(r"""\bvar\s+base_url\s*=\s*["']([^"'<>\s]{0,200})["']""")),
    (_MDBOOK, re.compile(r"""\bpath_to_root\s*=\s*["']([^"'<>\s]{0,200})["']""")),
)
_OPTIONS = "_static/documentation_options.js"
_LOOKED_AT = 40  # scripts


def search_indexes(tree: LexborHTMLParser, address: str) -> Iterator[str]:
    """Of its own site only."""
    for root, name in _roots(tree):
        place = absolute(absolute(address, f"{root.rstrip('/')}/" if root else "./"), name)
        if place and urlsplit(place).netloc == urlsplit(address).netloc:
            yield place


def _roots(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    root = (tree.root.attributes.get("data-content_root") if tree.root is not None else None) or ""
    if root:
        yield root, _SPHINX
    for script in tree.css("script")[:_LOOKED_AT]:
        its = script.attributes
        source = (its.get("src") or "").partition("?")[0]
        if not root and source.endswith(_OPTIONS):
            yield its.get("data-url_root") or source.removesuffix(_OPTIONS), _SPHINX
        elif its.get("id") == "__config":
            yield from _of_material(script.text() or "")
        elif not source:
            said = (script.text() or "")[:4000]
            yield from ((found[1], name) for name, pattern in _SAID if (found := pattern.search(said)))


def _of_material(config: str) -> Iterator[tuple[str, str]]:
    try:
        said = json.loads(config)
    except (ValueError, RecursionError):
        return
    if isinstance(said, dict) and isinstance(said.get("base"), str) and "search" in said:
        yield said["base"], _MKDOCS
