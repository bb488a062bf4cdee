"""The tree of a page, as far as its readers ask: what is dropped, what hides, what is a block, what it says plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from selectolax.lexbor import LexborNode

Node = LexborNode
TEXT = "-text"
SPACE = re.compile(r"\s+")
# fmt: off
DROPPED = frozenset({
    "script", "style", "template", "noscript", "svg", "iframe", "frame", "frameset", "object", "embed", "applet",
    "canvas", "audio", "video", "map", "head", "select", "datalist", "button", "textarea", "progress", "meter", "meta",
    "link", "base", "title", "-comment", "!doctype", "-document", "noembed", "noframes", "source", "track", "param",
    "dialog", "menu", "menuitem", "portal", "annotation-xml", "xml", "xmp", "plaintext",
})
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "html", "legend", "li", "listing", "main", "nav", "ol", "p", "pre", "search", "section", "summary", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})
# fmt: on
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNSEEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:^|[;\s])opacity\s*:\s*0(?:\.0*)?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0*(?:\.0*)?(?:px|em|rem|pt|%)?\s*(?:;|!|$)|(?:left|top|text-indent)\s*:\s*-\d{4}"
    r"|clip\s*:\s*rect\(\s*0|clip-path\s*:\s*inset\(\s*(?:50|100)%",
    re.I,
)
# fmt: off
_HIDING = frozenset({
    "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screenreader-only", "a11y-hidden",
    "katex-html", "mathjax_preview", "mjx-assistive-mml", "copybtn", "linenos", "lineno", "linenodiv", "gutter",
    "rouge-gutter", "line-numbers-rows", "headerlink", "hash-link", "anchorjs-link", "mw-editsection", "noprint",
    "lnt", "ln",
})
# fmt: on
Attributes = Mapping[str, str]


def attributes(node: Node) -> Attributes:
    found = node.attributes
    if None in found.values():  # a name without a value
        return {name: value or "" for name, value in found.items()}
    return cast("Attributes", found)


def classes(its: Attributes) -> frozenset[str]:
    return frozenset(its.get("class", "")[:2000].lower().split())


def is_hidden(node: Node, its: Attributes) -> bool:
    """Whether nobody who looks at the page sees it."""
    if not its:
        return False
    if its.get("role", "").lower() == "tabpanel":  # its tab shows it
        return False
    hidden = its.get("hidden", "until-found").lower() != "until-found"
    if hidden or (its.get("aria-hidden", "").lower() == "true" and node.tag != "math"):
        return True
    style = its.get("style", "")
    return bool(style and _UNSEEN.search(style[:1000])) or not _HIDING.isdisjoint(classes(its))


def children(node: Node) -> Iterator[Node]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def seen_children(node: Node) -> Iterator[Node]:
    """Those that a reader sees."""
    for child in children(node):
        tag = child.tag or ""
        if tag == TEXT or (tag not in DROPPED and not is_hidden(child, attributes(child))):
            yield child


def plain_text(node: Node, *, verbatim: bool = False, own: bool = False) -> str:
    """All that a reader sees of it as words, whatever its depth; verbatim: with its line ends, as code has them;
    own: without what stands in elements of the same name within it, so that all of them together cost one reading."""
    said: list[str] = []
    waiting: list[Node | str] = [node]
    while waiting:
        at = waiting.pop()
        if isinstance(at, str):
            said.append(at)
        elif at.tag == TEXT:
            said.append(at.text_content or "")
        elif at.tag == "br":
            said.append("\n")
        elif not own or at.tag != node.tag or at is node:
            inner: list[Node | str] = list(seen_children(at))
            if at.tag in BLOCKS and at is not node:
                inner = ["\n" if verbatim else " ", *inner, "" if verbatim else " "]
            waiting.extend(reversed(inner))
    text = "".join(said)
    return text if verbatim else SPACE.sub(" ", text).strip()


def holding_blocks(root: Node) -> set[int]:
    """Ids of the inline elements that have a block somewhere inside, as a link around a card has."""
    found: set[int] = set()
    node: Node | None = root
    while node is not None:
        if node.tag in BLOCKS and node.tag != "br":
            above = node.parent
            while above is not None and above.mem_id not in found:
                found.add(above.mem_id)
                above = above.parent
        node = _following(node, root)
    return found


def _following(node: Node, root: Node) -> Node | None:
    """The next one of the tree, in its order."""
    if node.child is not None:
        return node.child
    while node.next is None:
        if node.parent is None or node.mem_id == root.mem_id:
            return None
        node = node.parent
    return None if node.mem_id == root.mem_id else node.next


def every(root: Node) -> Iterator[Node]:
    """All of the tree, in its order."""
    node: Node | None = root
    while node is not None:
        yield node
        node = _following(node, root)
