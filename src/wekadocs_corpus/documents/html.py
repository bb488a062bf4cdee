"""HTML to Markdown-like text, which is what is stored and quoted, and its outline."""

from __future__ import annotations

import re

from .blocks import Outline
from .headings import LONGEST
from .html_tokens import Token, tokens
from .html_writer import Writer

# fmt: off
_DROPPED = frozenset({
    "script", "style", "nav", "template", "noscript", "svg", "iframe", "object", "head", "select", "canvas",
    "audio", "video",
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
_HIDDEN = re.compile(
    r"""(?:^|\s)(?:hidden(?=[\s/]|$)|aria-hidden\s{0,9}=\s{0,9}["']?true|role\s{0,9}=\s{0,9}["']?(?:navigation|search)\b)""",
    re.I,
)
_PERMALINK = frozenset(("", "¶", "#", "🔗", "§", "\uf0c1"))
_LANGUAGE = re.compile(r"""[\s"'](?:language|lang|highlight-source|highlight)-([A-Za-z0-9+#_-]{1,20})""")
_NO_LANGUAGE = frozenset(("default", "none", "notranslate", "plain", "plaintext", "source", "text", "txt"))
_INLINE_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")


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
        self.outline = self.writer.outline
        self.dropped, self.dropped_depth = "", 0  # the element that is being left out, and how deep in its own kind
        self.anchor = ""
        self.level = 0  # of the open heading
        self.tables = self.cells = self.rows = 0
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
        self.tables = 0
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
        if name in _DROPPED or (name not in _VOID and token.inside and _HIDDEN.search(token.inside[:2000])):
            if not token.inside.endswith("/"):
                self.dropped, self.dropped_depth = name, 1
        elif name in _HEADING and not (self.tables or self.writer.lists or self.pre):
            self._flush()
            self.level = int(name[1])
            self.anchor = token.attributes().get("id", "") or self.anchor
        elif name in _BLOCKS or name in _HEADING:
            self._open_block(token)
        elif name in ("table", "tr", "td", "th"):
            self._open_table(name)
        elif name == "pre" and not self.pre:
            self._flush()
            self.pre, self.language = True, _language(token) or self.language
        else:
            self._open_inline(token)

    def _open_inline(self, token: Token) -> None:
        if token.name in _CODE and not self.pre:
            self.writer.put("`")
        elif token.name in _CODE:
            self.language = _language(token) or self.language
        elif token.name == "br":
            self.writer.put("\n" if self.pre or not (self.tables or self.level) else " ", verbatim=self.pre)
        elif token.name == "title":
            self.in_title = True
        elif token.name == "img":
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
        self._flush()
        name, lists = token.name, self.writer.lists
        self.language = _language(token) or (self.language if name == "div" else "")
        attributes = token.attributes() if token.inside else {}
        if name in ("html", "body"):
            language = attributes.get("lang", "")[:2].lower()
            self.outline.language = self.outline.language or (language if language.isalpha() else "")
        if name == "main" or attributes.get("role") == "main":
            self.writer.mark()
        if name in ("section", "article"):
            self.anchor = attributes.get("id", "")
        elif name in ("ul", "ol"):
            start = attributes.get("start", "1") if name == "ol" else "0"
            lists.append(int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1)
        elif name == "li" and not self.tables:
            self.writer.marker = f"{lists[-1]}. " if lists and lists[-1] else "- "
            if lists and lists[-1]:
                lists[-1] += 1

    def _open_table(self, name: str) -> None:
        if name == "table":
            self._flush()
            self.tables += 1
            self.rows = self.rows if self.tables > 1 else 0
        elif self.tables == 1 and name == "tr":
            self._end_row()
        elif self.tables == 1:
            self.writer.put(" | " if self.cells else "| ")
            self.cells += 1

    def _end_row(self) -> None:
        if self.cells:
            self.writer.put(" |\n")
            if not self.rows:
                self.writer.put("|" + " --- |" * min(self.cells, 200) + "\n")
            self.rows += 1
        self.cells = 0

    def _close(self, name: str) -> None:
        if self.level and name == f"h{self.level}":
            self._end_heading()
        elif name in _BLOCKS or name in _HEADING:
            self._flush()
            if name in ("ul", "ol"):
                self.writer.end_list()
        elif name == "tr" and self.tables == 1:
            self._end_row()
        elif name == "table" and self.tables:
            self.tables -= 1
            if not self.tables:
                self._end_row()
                self._flush("table")
        elif name == "pre" and self.pre:
            self._end_pre()
        elif name in _CODE and not self.pre:
            self.writer.put("`")
        elif name == "a" and self.open_link:
            self._end_link(*self.open_link)
        elif name == "title":
            self.in_title = False

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
            bare = _INLINE_LINK.sub(r"\1", title).replace("`", "")
            self.writer.heading(self.level, " ".join(bare.split()), self.anchor)
        self.level, self.anchor = 0, ""

    def _end_pre(self) -> None:
        self.pre = False
        if self.tables:
            return
        code = self.writer.take_back(0, 0).strip("\r\n")
        if code.strip():
            fence = "`" * (max((len(run) for run in re.findall(r"`{3,}", code)), default=2) + 1)
            self.writer.put(f"{fence}{self.language}\n{code}\n{fence}", verbatim=True)
        self.language = ""
        self.writer.write("code")

    def _flush(self, kind: str = "") -> None:
        """What was collected becomes a block; inside a table or code nothing ends, only words keep apart."""
        if self.pre or self.tables:
            self.writer.put("\n" if self.pre else " ", verbatim=self.pre)
            return
        self.open_link = None  # it cannot reach over a block's end
        if self.level:
            self._end_heading()
        else:
            self.writer.write(kind or "prose")


def _language(token: Token) -> str:
    """What the classes of a block or of its code say: `language-sh`, `highlight-python`."""
    found = _LANGUAGE.search(token.inside[:500])
    name = found[1].lower() if found else ""
    return "" if name in _NO_LANGUAGE else name
