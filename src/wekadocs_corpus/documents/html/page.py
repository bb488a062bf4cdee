"""HTML to Markdown-like text, which is what is stored and quoted, and its outline."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wekadocs_corpus.documents.blocks import Outline
from wekadocs_corpus.documents.headings import LONGEST

from .depth import without_deep_tags
from .leads import Leads
from .regions import ADMONITION, ASIDE, PROPER, Regions, is_hidden, is_title
from .tables import TAGS, Table
from .writer import LINK, Writer

# fmt: off
_DROPPED = frozenset({
    "script", "style", "nav", "template", "noscript", "svg", "iframe", "object", "head", "select", "canvas",
    "audio", "video", "button", "-comment", "!doctype",
})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "main", "p", "section",
    "summary", "li", "ul", "ol",
})
# fmt: on
_TEXT = "-text"
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_HEADING = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_PLAIN = frozenset(("b", "strong", "em", "i", "span", "small", "sup", "sub", "u", "tbody", "thead", "wbr"))
_SPACE = re.compile(r"\s+")
_PERMALINK = frozenset(("", "¶", "#", "🔗", "§", "\uf0c1"))
_SECTION = re.compile(r"(?:sect|chapter|appendix|preface|ref(?:entry|sect|name))\w*\b")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight)-([A-Za-z0-9+#_-]{1,20})")
_NO_LANGUAGE = frozenset(("default", "none", "notranslate", "plain", "plaintext", "source", "text", "txt"))
Attributes = Mapping[str, str]


def read_html(text: str) -> Outline:
    """The outline of a page: headings, paragraphs, lists, tables, code and links; no script, style or navigation."""
    tree = LexborHTMLParser(without_deep_tags(text))
    page = Page()
    page.outline.title = " ".join(_title(tree).split())[:LONGEST]
    if tree.root is not None:
        page.read(tree.root)
    outline = page.finish()
    return outline if outline.text.strip() or not text.strip() else _of_nothing_seen(tree)


def _title(tree: LexborHTMLParser) -> str:
    found = tree.css_first("head > title") or tree.css_first("title")
    return found.text() if found is not None else ""


def _of_nothing_seen(tree: LexborHTMLParser) -> Outline:
    """A page whose title or comment nobody closed shows nothing at all: what it says is kept."""
    page = Page()
    page.writer.put(_title(tree))
    node = tree.root.parent.child if tree.root is not None and tree.root.parent is not None else None
    while node is not None:
        if node.is_comment_node:
            page.writer.put(_SPACE.sub(" ", node.comment_content or ""))
        node = node.next
    return page.finish()


class Page:
    """Knows what is open as the tree is walked, and tells the writer."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.regions = Regions()
        self.outline = self.writer.outline
        self.depth = 0
        self.anchor = ""  # of the heading that is open or comes next
        self.linked = ""  # what a link in the open heading is called
        self.level = 0  # of the open heading
        self.table, self.leads = Table(self.writer), Leads(self.writer)
        self.pre = False
        self.language = ""  # of the code that comes next
        self.open_link: tuple[str, int, int] | None = None  # target, and where in the line it began

    def read(self, root: LexborNode) -> None:
        """The whole tree; without recursion, since documents may be nested deeper than calls."""
        node: LexborNode | None = root
        open_tags: list[str] = []
        while node is not None:
            tag = node.tag or ""
            inner = None
            if tag == _TEXT:
                self._text(node)
            elif tag not in _DROPPED and self._open(tag, node):
                inner = node.child
                if inner is None:
                    self._close(tag)
            if inner is not None:
                open_tags.append(tag)
                self.depth += 1
                node = inner
                continue
            while node is not None and (following := node.next) is None and open_tags:
                node = node.parent
                self.depth -= 1
                self._close(open_tags.pop())
            node = following if open_tags and node is not None else None

    def finish(self) -> Outline:
        """What the page became."""
        self._flush()
        return self.writer.finish()

    def _text(self, node: LexborNode) -> None:
        words = node.text_content or ""
        if self.pre:
            self.writer.put(words, verbatim=True)
        else:
            self.writer.put(_SPACE.sub(" ", words))

    def _open(self, tag: str, node: LexborNode) -> bool:
        """Whether what is inside shall be read."""
        if tag in _PLAIN:
            return tag != "span" or not is_hidden(_attributes(node))
        attributes = _attributes(node)
        if attributes and is_hidden(attributes):
            return False
        if tag in _HEADING and not (self.table.depth or self.writer.lists or self.pre or self._in_note()):
            self._flush()
            self.level = int(tag[1])
            self.anchor = attributes.get("id", "") or self.anchor
        elif tag in _BLOCKS or tag in _HEADING:
            self._open_block(tag, attributes)
        elif tag in TAGS:
            self._open_table(tag, attributes)
        elif tag == "pre" and not self.pre:
            self._flush()
            self.pre, self.language = True, _code_language(attributes) or self.language
        else:
            self._open_inline(tag, attributes)
        return True

    def _open_inline(self, tag: str, attributes: Attributes) -> None:
        if tag in _CODE and not self.pre:
            self.writer.put("`")
        elif tag in _CODE:
            self.language = _code_language(attributes) or self.language
        elif tag == "br":
            self.writer.put("\n" if self.pre or not (self.table.depth or self.level) else " ", verbatim=self.pre)
        elif tag == "img" and not self._in_note():
            self.writer.put(_SPACE.sub(" ", attributes.get("alt", ""))[:LONGEST])
        elif tag == "a":
            target = _SPACE.sub("%20", attributes.get("href", "").strip())
            self.open_link = (target, len(self.writer.line), self.writer.column)
            if self.level and not (self.linked and self.writer.column):  # of those before the words the nearest
                self.linked = attributes.get("id", "") or attributes.get("name", "") or self.linked

    def _open_block(self, tag: str, attributes: Attributes) -> None:
        lists = self.writer.lists
        self.leads.end_term()
        if not self.leads.goes_on(tag):
            self._flush()
        self.language = _code_language(attributes) or (self.language if tag == "div" else "")
        if tag in ("html", "body"):
            language = attributes.get("lang", "")[:2].lower()
            self.outline.language = self.outline.language or language * language.isalpha()
        else:
            self._enter(tag, attributes)
        if tag in ("section", "article") or (tag == "div" and _SECTION.match(attributes.get("class", ""))):
            self.anchor = attributes.get("id", "")
        elif tag in ("ul", "ol", "dl"):
            start = attributes.get("start", "1") if tag == "ol" else "0"
            lists.append(int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1)
        elif tag == "li" and not self.table.depth:
            self.writer.marker = f"{lists[-1]}. " if lists and lists[-1] else "- "
            if lists and lists[-1]:
                lists[-1] += 1
        elif tag in ("dt", "dd") and lists and not self.table.depth:
            self.leads.entry(tag)

    def _in_note(self) -> bool:
        return self.regions.inside(ADMONITION)

    def _enter(self, tag: str, attributes: Attributes) -> None:
        kind = self.regions.opened(self.depth, tag, attributes)
        if kind == PROPER:
            self.writer.mark()
        self.writer.aside = self.regions.inside(ASIDE)
        self.leads.label(not kind and self._in_note() and is_title(tag, attributes))

    def _open_table(self, tag: str, attributes: Attributes) -> None:
        if self._in_note() and not self.table.depth:  # it only puts a picture beside the words
            self._open_block(tag, attributes)
        elif tag == "table":
            self._flush()
            self._enter(tag, attributes)
            self.table.begin()
        else:
            self.table.open(tag, attributes)

    def _close(self, tag: str) -> None:
        if tag in _PLAIN:
            return
        if self.level and tag == f"h{self.level}":
            self._end_heading()
        elif tag in _BLOCKS or tag in _HEADING or (tag in TAGS and not self.table.depth):
            self._close_block(tag)
        elif tag == "tr" and self.table.depth == 1:
            self.table.end_row()
        elif tag == "table" and self.table.depth:
            if self.table.end():
                self._flush("table")
            self._leave()
        elif tag == "pre" and self.pre:
            self._end_pre()
        elif tag in _CODE and not self.pre:
            self.writer.put("`")
        elif tag == "a" and self.open_link:
            self._end_link(*self.open_link)

    def _close_block(self, tag: str) -> None:
        if tag == "dt":
            self.leads.end_term()
        if not self.leads.end_label() and not self.leads.goes_on(tag):
            self._flush()
        if tag in ("ul", "ol", "dl"):
            self.writer.end_list()
        self._leave()

    def _leave(self) -> None:
        if self.regions.closed(self.depth) == PROPER:
            self.writer.mark_end()
        self.writer.aside = self.regions.inside(ASIDE)

    def _end_link(self, target: str, index: int, column: int) -> None:
        self.open_link = None
        if index > len(self.writer.line):  # the line it began in is gone
            return
        words = "".join(self.writer.line[index:])
        if words.strip() in _PERMALINK:
            self.writer.take_back(index, column)
        elif self.level and target.startswith("#"):
            return  # a heading that links to itself; its words stay
        elif target and not self.pre:
            self.writer.take_back(index, column)
            self.writer.put(f"[{words.strip()}]({target})")
            self.writer.link(target, words, column)
            self.writer.put(" " if words.endswith(" ") else "")

    def _end_heading(self) -> None:
        title = "".join(self.writer.line).strip()
        if title:
            bare = LINK.sub(r"\1", title).replace("`", "")
            self.writer.heading(self.level, " ".join(bare.split()), self.anchor or self.linked)
        self.level, self.anchor, self.linked = 0, "", ""

    def _end_pre(self) -> None:
        self.pre = False
        if not self.table.depth:
            self.writer.code(self.language)
            self.language = ""

    def _flush(self, kind: str = "") -> None:
        """What was collected becomes a block; inside a table or code nothing ends, only words keep apart."""
        if self.pre or self.table.depth:
            self.writer.put("\n" if self.pre else " ", verbatim=self.pre)
            return
        self.open_link = None  # it cannot reach over a block's end
        self.leads.forget()
        if self.level:
            self._end_heading()
        else:
            self.writer.write(kind or "prose")


def _attributes(node: LexborNode) -> Attributes:
    found = node.attributes
    if None in found.values():  # a name without a value
        return {name: value or "" for name, value in found.items()}
    return cast("Attributes", found)


def _code_language(attributes: Attributes) -> str:
    """What the classes of a block or of its code say: `language-sh`, `highlight-python`."""
    found = _LANGUAGE.search(attributes.get("class", "")[:500])
    name = found[1].lower() if found else ""
    return "" if name in _NO_LANGUAGE else name
