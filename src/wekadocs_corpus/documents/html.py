"""HTML to Markdown-like text, which is what is stored and quoted, and its outline."""

from __future__ import annotations

import re

from .blocks import Outline
from .headings import LONGEST
from .html_leads import Leads
from .html_regions import ADMONITION, ASIDE, PROPER, Regions, is_hidden, is_title
from .html_tables import TAGS, Table
from .html_tokens import Token, tokens
from .html_writer import LINK, Writer

# fmt: off
_DROPPED = frozenset({
    "script", "style", "nav", "template", "noscript", "svg", "iframe", "object", "head", "select", "canvas",
    "audio", "video", "button",
})
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "main", "p", "section",
    "summary", "li", "ul", "ol",
})
# fmt: on
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_HEADING = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SPACE = re.compile(r"\s+")
_PERMALINK = frozenset(("", "¶", "#", "🔗", "§", "\uf0c1"))
_SECTION = re.compile(r"(?:sect|chapter|appendix|preface|ref(?:entry|sect|name))\w*\b")


def read_html(text: str) -> Outline:
    """The outline of a page: headings, paragraphs, lists, tables, code and links; no script, style or navigation."""
    page = Page()
    for token in tokens(text):
        page.take(token)
    return page.finish()


class Page:
    """Knows which tags are open as they go by, and tells the writer."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.regions = Regions()
        self.outline = self.writer.outline
        self.dropped, self.dropped_depth = "", 0  # the element that is being left out, and how deep in its own kind
        self.anchor = ""
        self.level = 0  # of the open heading
        self.table, self.leads = Table(self.writer), Leads(self.writer)
        self.pre = self.in_title = False
        self.language = ""  # of the code that comes next
        self.open_link: tuple[str, int, int] | None = None  # target, and where in the line it began

    def take(self, token: Token) -> None:
        """The next tag or text."""
        if token.kind == "text":
            self._text(token.name)
        elif self.dropped:
            self._skip(token)
        elif token.kind == "open":
            self._open(token)
        else:
            self._close(token.name)

    def finish(self) -> Outline:
        """What the page became."""
        if self.pre:
            self._end_pre()
        self.table.depth = 0
        self._flush()
        return self.writer.finish()

    def _skip(self, token: Token) -> None:
        if self.dropped == "head" and token.name == "title":
            self.in_title = token.kind == "open"
        if self.dropped == "head" and token.name == "body":
            self.dropped = ""  # a head that nobody closed
        elif token.name == self.dropped and not token.inside.endswith("/"):
            self.dropped_depth += 1 if token.kind == "open" else -1
            if self.dropped_depth <= 0:
                self.dropped = ""

    def _text(self, data: str) -> None:
        data = data.replace("\0", "�")
        if self.in_title:
            self.outline.title = self.outline.title or _SPACE.sub(" ", data).strip()[:LONGEST]
        elif not self.dropped and data:
            self.writer.put(data if self.pre else _SPACE.sub(" ", data), verbatim=self.pre)

    def _open(self, token: Token) -> None:
        name = token.name
        if name in _DROPPED or (name not in _VOID and token.inside and is_hidden(token.inside)):
            if not token.inside.endswith("/"):
                self.dropped, self.dropped_depth = name, 1
        elif name in _HEADING and not (self.table.depth or self.writer.lists or self.pre or self._in_note()):
            self._flush()
            self.level = int(name[1])
            self.anchor = token.attributes().get("id", "") or self.anchor
        elif name in _BLOCKS or name in _HEADING:
            self._open_block(token)
        elif name in TAGS:
            self._open_table(token)
        elif name == "pre" and not self.pre:
            self._flush()
            self.pre, self.language = True, token.code_language() or self.language
        else:
            self._open_inline(token)

    def _open_inline(self, token: Token) -> None:
        if token.name in _CODE and not self.pre:
            self.writer.put("`")
        elif token.name in _CODE:
            self.language = token.code_language() or self.language
        elif token.name == "br":
            self.writer.put("\n" if self.pre or not (self.table.depth or self.level) else " ", verbatim=self.pre)
        elif token.name == "title":
            self.in_title = True
        elif token.name == "img" and not self._in_note():
            self.writer.put(_SPACE.sub(" ", token.attributes().get("alt", ""))[:LONGEST])
        elif token.name == "a":
            attributes = token.attributes()
            self.open_link = (
                _SPACE.sub("%20", attributes.get("href", "").strip()),
                len(self.writer.line),
                self.writer.column,
            )
            if self.level:
                self.anchor = self.anchor or attributes.get("id", "") or attributes.get("name", "")

    def _open_block(self, token: Token) -> None:
        name, lists = token.name, self.writer.lists
        self.leads.end_term()
        if not self.leads.goes_on(name):
            self._flush()
        self.language = token.code_language() or (self.language if name == "div" else "")
        attributes = token.attributes() if token.inside else {}
        if name in ("html", "body"):
            language = attributes.get("lang", "")[:2].lower()
            self.outline.language = self.outline.language or language * language.isalpha()
        else:
            self._enter(name, attributes)
        if name in ("section", "article") or (name == "div" and _SECTION.match(attributes.get("class", ""))):
            self.anchor = attributes.get("id", "")
        elif name in ("ul", "ol", "dl"):
            start = attributes.get("start", "1") if name == "ol" else "0"
            lists.append(int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1)
        elif name == "li" and not self.table.depth:
            self.writer.marker = f"{lists[-1]}. " if lists and lists[-1] else "- "
            if lists and lists[-1]:
                lists[-1] += 1
        elif name in ("dt", "dd") and lists and not self.table.depth:
            self.leads.entry(name)

    def _in_note(self) -> bool:
        return self.regions.inside(ADMONITION)

    def _enter(self, name: str, attributes: dict[str, str]) -> None:
        kind = self.regions.opened(name, attributes)
        if kind == PROPER:
            self.writer.mark()
        self.writer.aside = self.regions.inside(ASIDE)
        self.leads.label(not kind and self._in_note() and is_title(name, attributes))

    def _open_table(self, token: Token) -> None:
        if self._in_note() and not self.table.depth:  # it only puts a picture beside the words
            self._open_block(token)
        elif token.name == "table":
            self._flush()
            self._enter(token.name, token.attributes() if token.inside else {})
            self.table.begin()
        else:
            self.table.open(token.name)

    def _close(self, name: str) -> None:
        if self.level and name == f"h{self.level}":
            self._end_heading()
        elif name in _BLOCKS or name in _HEADING or (name in TAGS and not self.table.depth):
            self._close_block(name)
        elif name == "tr" and self.table.depth == 1:
            self.table.end_row()
        elif name == "table" and self.table.depth:
            if self.table.end():
                self._flush("table")
            self._leave(name)
        elif name == "pre" and self.pre:
            self._end_pre()
        elif name in _CODE and not self.pre:
            self.writer.put("`")
        elif name == "a" and self.open_link:
            self._end_link(*self.open_link)
        elif name == "title":
            self.in_title = False

    def _close_block(self, name: str) -> None:
        if name == "dt":
            self.leads.end_term()
        if not self.leads.end_label() and not self.leads.goes_on(name):
            self._flush()
        if name in ("ul", "ol", "dl"):
            self.writer.end_list()
        self._leave(name)

    def _leave(self, name: str) -> None:
        if self.regions.closed(name) == PROPER:
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
            self.writer.heading(self.level, " ".join(bare.split()), self.anchor)
        self.level, self.anchor = 0, ""

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
