"""Which part of a page is being read: the page proper, what every page of its site has, an admonition."""

from __future__ import annotations

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
_ELSEWHERE = frozenset(("navigation", "search"))
_ALONE = "p"  # a paragraph may be a pager, never an admonition
_TITLES = frozenset(("admonition-title", "admonition-heading", "title"))


class Regions:
    """The open ones, innermost last, each with the depth of its tag."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def inside(self, kind: str) -> bool:
        return bool(self._open) and any(each[1] == kind for each in self._open)

    def opened(self, depth: int, tag: str, attributes: Mapping[str, str]) -> str:
        """Takes note of a tag; tells what begins with it, if anything."""
        kind = _kind(tag, attributes)
        if kind and len(self._open) < MOST:
            self._open.append((depth, kind))
        return kind

    def closed(self, depth: int) -> str:
        """Takes note that a tag ends; tells what ends with it, if anything."""
        return self._open.pop()[1] if self._open and self._open[-1][0] == depth else ""


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


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Whether a tag's attributes say that nobody sees it, or that it only leads elsewhere."""
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").lower() == "true"
        or attributes.get("role", "").lower() in _ELSEWHERE
    )


def is_title(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether it is what an admonition calls itself: Note, Warning."""
    if tag == "th" or (len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()):
        return True
    return tag in ("p", "div", "summary") and not _TITLES.isdisjoint(attributes.get("class", "").lower().split())
