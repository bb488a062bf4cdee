"""Where the page proper stands: by what it says itself, else by the names that generators use, else all of it."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from .aside import is_aside
from .nodes import TEXT, Node, plain_text, seen_children

# The first that has enough of the page's words.
_PLACES = (
    "main", "[role=main]", "#mw-content-text", "article.markdown-body", ".markdown-body", "div.body", ".rst-content",
    ".md-content", ".theme-doc-markdown", "article", "#main-content", "#content", "#main", ".main-content",
    ".post-content", ".entry-content", ".article-content", ".document", ".content",
)  # fmt: skip
_ENOUGH = 0.3  # of the words outside of menus
_LOOKED_AT = 20  # elements of one name
_A_FEW = 600  # letters: with so many it is taken, however much stands around


def main_of(tree: LexborHTMLParser) -> Node | None:
    body = tree.body
    if body is None:
        return tree.root
    whole = _size(body)
    for place in _PLACES:
        found = tree.css(place)
        if not found or (place == "article" and len(found) > 1):
            continue
        size, best = max(((_size(each), each) for each in found[:_LOOKED_AT]), key=lambda pair: pair[0])
        if size and (size >= _A_FEW or size >= _ENOUGH * whole):
            return best
    return body


def heading_outside(tree: LexborHTMLParser, main: Node) -> Node | None:
    """The page's own heading where it stands above the page proper."""
    if main.css_first("h1") is not None:
        return None
    found = [each for each in tree.css("h1") if plain_text(each)]
    return found[0] if len(found) == 1 else None


def _size(node: Node) -> int:
    """Letters that a reader sees there, menus aside; counted without going in circles or deeper than calls."""
    total = 0
    waiting = [node]
    while waiting:
        at = waiting.pop()
        for child in seen_children(at):
            if child.tag == TEXT:
                total += len((child.text_content or "").strip())
            elif not is_aside(child):
                waiting.append(child)
    return total
