"""Which elements lead elsewhere and say nothing themselves: menus, footers, tables of contents, pagers, banners."""

from __future__ import annotations

from .nodes import Node, attributes, classes

# Names of classes and ids, as the common generators give them.
# fmt: off
_NAMES = frozenset({
    "bottomnav", "breadcrumb", "breadcrumbs", "catlinks", "cookie-banner", "cookie-consent", "copyright",
    "edit-page-link", "edit-this-page", "footer", "genindextable", "indextable", "md-footer", "md-header", "md-sidebar",
    "md-tabs", "mobile-nav", "mw-navigation", "nav", "navbar", "navbox", "navfooter", "navheader", "navigation",
    "on-this-page", "page-footer", "pager", "pagination", "prev-next", "prev-next-area", "related", "reflist-nav",
    "rst-footer-buttons", "share-buttons", "sidebar", "site-footer", "site-header", "skip-link", "skiplink",
    "social-share", "sphinxsidebar", "table-of-contents", "tableofcontents", "theme-edit-this-page", "toc",
    "toctree-l1-nav", "topbar", "topnav", "vector-toc", "wy-breadcrumbs", "wy-nav-side",
})
# fmt: on
_TAGS = frozenset(("nav", "footer", "search"))
_ROLES = frozenset(("navigation", "search", "contentinfo", "doc-toc", "doc-index", "banner", "menu", "menubar"))
_HOLDERS = frozenset(("div", "section", "aside", "ul", "ol", "p", "table", "header", "form", "span"))


def is_aside(node: Node) -> bool:
    tag = node.tag or ""
    if tag in _TAGS:
        return True
    if tag not in _HOLDERS:
        return False
    its = attributes(node)
    if not its:
        return False
    if its.get("role", "").lower() in _ROLES:
        return True
    return its.get("id", "").lower() in _NAMES or not _NAMES.isdisjoint(classes(its))
