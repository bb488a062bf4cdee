"""One HTML page: its own text as Markdown, its title, where it leads, and whether it shows anything without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from wekadocs_corpus import without_deep_tags
from wekadocs_text import without_invisible
from wekadocs_web.pages.addresses import absolute, page_of
from wekadocs_web.pages.links import FRAME, INDEX, links_of
from wekadocs_web.pages.page import Page

from .blocks import PageBlocks
from .inline import Inline
from .main_content import heading_outside, main_of
from .nodes import SPACE, Node, attributes, every, holding_blocks, plain_text
from .scripted import needs_scripts
from .search_index import search_indexes

_LONGEST_TITLE = 300


def read_html(html: str, address: str) -> Page:
    """Never refuses a page: what a parser makes of it is what a browser would show."""
    tree = LexborHTMLParser(without_deep_tags(without_invisible(html)) or " ")
    base = _base(tree, address)
    text = _text(tree, base, address)
    return Page(
        title=_title(tree),
        text=text,
        language=_language(tree),
        links=links_of(text, address, _led_to(tree, base, address)),
        canonical=_canonical(tree, base),
        description=_meta(tree, "description") or _meta(tree, "og:description"),
        scripted=needs_scripts(tree, text),
    )


def _text(tree: LexborHTMLParser, base: str, address: str) -> str:
    main = main_of(tree)
    if main is None:
        return ""
    blocks = PageBlocks(Inline(base, page_of(address), holding_blocks(main)))
    above = heading_outside(tree, main)
    found = [*(blocks.block(above, 0) if above is not None else []), *blocks.of(main)]
    # What a character reference stands for is read only now.
    return without_invisible("\n\n".join(found) + "\n" if found else "")


def _led_to(tree: LexborHTMLParser, base: str, address: str) -> Iterator[tuple[str, str]]:
    yield from ((place, INDEX) for place in search_indexes(tree, address))
    if tree.root is not None:
        yield from _menu_links(tree.root, base)


def _menu_links(root: Node, base: str) -> Iterator[tuple[str, str]]:
    """All of the page, wherever they stand; frames last, of its own site only."""
    frames: list[tuple[str, str]] = []
    for node in every(root):
        its = attributes(node) if node.tag in ("a", "iframe", "frame") else {}
        target = page_of(absolute(base, its.get("href", "") or its.get("src", ""))) if its else ""
        if target and node.tag == "a":
            yield target, (plain_text(node, own=True) or its.get("title", ""))[:300]
        elif target and urlsplit(target).netloc == urlsplit(base).netloc:
            frames.append((target, FRAME))
    yield from frames


def _title(tree: LexborHTMLParser) -> str:
    found = tree.css_first("head > title") or tree.css_first("title")
    said = found.text() if found is not None else ""
    if not said.strip():
        heading = tree.css_first("h1")
        said = plain_text(heading) if heading is not None else _meta(tree, "og:title")
    return without_invisible(SPACE.sub(" ", said)).strip()[:_LONGEST_TITLE]


def _meta(tree: LexborHTMLParser, name: str) -> str:
    found = tree.css_first(f'meta[name="{name}"], meta[property="{name}"]')
    said = (found.attributes.get("content") or "") if found is not None else ""
    return without_invisible(SPACE.sub(" ", said)).strip()[:500]


def _base(tree: LexborHTMLParser, address: str) -> str:
    found = tree.css_first("base[href]")
    return (absolute(address, found.attributes.get("href") or "") if found is not None else "") or address


def _canonical(tree: LexborHTMLParser, base: str) -> str:
    found = tree.css_first('link[rel~="canonical"][href]')
    return page_of(absolute(base, found.attributes.get("href") or "")) if found is not None else ""


def _language(tree: LexborHTMLParser) -> str:
    stated = (tree.root.attributes.get("lang") or "")[:2].lower() if tree.root is not None else ""
    return stated if len(stated) == 2 and stated.isalpha() and stated.isascii() else ""
