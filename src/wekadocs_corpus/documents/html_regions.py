"""Which part of a page is being read: the page proper, what every page of its site has, an admonition."""

from __future__ import annotations

import re
from collections.abc import Mapping

MOST = 50  # that are open at once
PROPER, ASIDE, ADMONITION = "proper", "aside", "admonition"

# Names of classes and ids, as the common generators give them, for what leads elsewhere and says nothing itself.
# fmt: off
_ASIDE = frozenset({
    "bottomlang", "bottomnav", "breadcrumb", "breadcrumbs", "copyright", "edit-page-link", "edit-this-page",
    "footer", "genindextable", "indextable", "list-of-examples", "list-of-figures", "list-of-tables", "mainmenu",
    "md-footer", "md-header", "md-sidebar", "md-tabs", "menu", "mobile-nav", "nav", "navbar", "navfooter",
    "navheader", "navigation", "navpath", "page-footer", "pager", "pagination", "prev-next", "rst-footer-buttons",
    "site-footer", "site-header", "skip-link", "skiplink", "sphinxsidebar", "submenu", "table-of-contents",
    "tableofcontents", "theme-edit-this-page", "toc", "toplang", "topnav", "wy-breadcrumbs",
})
_ADMONITIONS = frozenset({
    "admonition", "admonitionblock", "alert", "attention", "callout", "caution", "danger", "hint", "important", "note",
    "tip", "warning",
})
# fmt: on
_ROLES = {"main": PROPER, "contentinfo": ASIDE, "doc-toc": ASIDE, "doc-index": ASIDE}
_HOLDERS = frozenset(("article", "aside", "div", "dl", "footer", "form", "main", "ol", "section", "table", "ul"))
_HIDDEN = re.compile(
    r"""(?:^|\s)(?:hidden(?=[\s/]|$)|aria-hidden\s{0,9}=\s{0,9}["']?true|role\s{0,9}=\s{0,9}["']?(?:navigation|search)\b)""",
    re.I,
)
_ALONE = "p"  # ends with the next block, whether or not it is closed
_TITLES = frozenset(("admonition-title", "admonition-heading", "title"))


class Regions:
    """The open ones, innermost last; each ends where its own tag closes."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int, str]] = []  # tag, how deep in its own kind, what it is

    def inside(self, kind: str) -> bool:
        return any(each[2] == kind for each in self._open)

    def opened(self, tag: str, attributes: Mapping[str, str]) -> str:
        """Takes note of a tag; tells what begins with it, if anything."""
        still = (each for each in self._open if each[0] != _ALONE)
        self._open = [(name, depth + (name == tag), kind) for name, depth, kind in still]
        kind = _kind(tag, attributes)
        if kind and len(self._open) < MOST:
            self._open.append((tag, 1, kind))
        return kind

    def closed(self, tag: str) -> str:
        """Takes note of a closing tag; tells what ends with it, if anything."""
        if not self._open:
            return ""
        self._open = [(name, depth - (name == tag), kind) for name, depth, kind in self._open]
        ended = [kind for _, depth, kind in self._open if not depth]
        self._open = [each for each in self._open if each[1]]
        return ended[-1] if ended else ""


def _kind(tag: str, attributes: Mapping[str, str]) -> str:
    if tag == "main":
        return PROPER
    if tag == "footer":
        return ASIDE
    if not attributes or (tag not in _HOLDERS and tag != _ALONE):
        return ""
    names = {attributes.get("id", "").lower(), *attributes.get("class", "").lower().split()}
    if not names.isdisjoint(_ASIDE):
        return ASIDE
    if tag != _ALONE and not names.isdisjoint(_ADMONITIONS):
        return ADMONITION
    return _ROLES.get(attributes.get("role", ""), "")


def is_hidden(inside: str) -> bool:
    """Whether a tag's attributes say that nobody sees it, or that it only leads elsewhere."""
    return _HIDDEN.search(inside[:2000]) is not None


def is_title(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether it is what an admonition calls itself: Note, Warning."""
    if tag == "th" or (len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()):
        return True
    return tag in ("p", "div", "summary") and not _TITLES.isdisjoint(attributes.get("class", "").lower().split())
