"""HTML to Markdown-like text, which is what is stored and quoted, and its outline."""

from __future__ import annotations

import re

from ..model import Link
from .blocks import WITH_NEXT, Block, Heading, Outline
from .headings import LONGEST
from .html_tokens import Token, tokens

_DROPPED = frozenset("script style nav template noscript svg iframe object head select canvas audio video".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer "
    "form header hr html main p section summary ul ol".split()
)
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_SPACE = re.compile(r"\s+")
_HIDDEN = re.compile(r"""(?:^|\s)(?:hidden(?=[\s/]|$)|aria-hidden\s*=\s*["']?true|role\s*=\s*["']?(?:navigation|search)\b)""", re.I)
_PERMALINK = frozenset(("", "¶", "#", "🔗", "§", "\uf0c1"))
_DEEPEST = 8  # lists in lists that are still indented


def read_html(text: str) -> Outline:
    """The outline of a page: headings, paragraphs, lists, tables, code and links; no script, style or navigation."""
    page = Page()
    for token in tokens(text):
        page.take(token)
    return page.finish()


class Page:
    """Writes the text as the tags go by; `line` is what has not yet become a block."""

    def __init__(self) -> None:
        self.outline = Outline("")
        self.written: list[str] = []
        self.length = 0
        self.line: list[str] = []
        self.column = 0  # characters in `line`
        self.dropped = ["", 0]  # the element that is being left out, and how deep in its own kind
        self.lists: list[int] = []  # per open list: the next number, 0 for bullets
        self.marker = ""  # of the list item that has nothing yet
        self.anchor = ""
        self.level = 0  # of the open heading
        self.pre = self.tables = self.cells = self.rows = 0
        self.links: list[tuple[str, int, int]] = []  # open: target, index in line, column
        self.pending: list[Link] = []  # offsets still relative to the line
        self.in_title = False

    def take(self, token: Token) -> None:
        if token.kind == "text":
            self._text(token.name)
        elif self.dropped[0]:
            self._skip(token)
        elif token.kind == "open":
            self._open(token)
        else:
            self._close(token.name)

    def finish(self) -> Outline:
        self._flush()
        self.outline.text = "".join(self.written)
        return self.outline

    def _skip(self, token: Token) -> None:
        if token.name == "title" and self.dropped[0] == "head":
            self.in_title = token.kind == "open"
        if token.name == "body" and token.kind == "open" and self.dropped[0] == "head":
            self.dropped = ["", 0]  # a head that nobody closed
        if token.name == self.dropped[0] and not token.inside.endswith("/"):
            depth = int(self.dropped[1]) + (1 if token.kind == "open" else -1)
            self.dropped = [token.name, depth] if depth > 0 else ["", 0]

    def _text(self, data: str) -> None:
        if self.in_title:
            self.outline.title = self.outline.title or _SPACE.sub(" ", data).strip()[:LONGEST]
        elif not self.dropped[0] and data:
            self._put(data if self.pre else _SPACE.sub(" ", data))

    def _put(self, words: str) -> None:
        words = words.replace("\0", "�")
        if not self.pre and words[:1] == " " and (not self.column or self.line[-1][-1:] in " \n"):
            words = words[1:]
        if words:
            self.line.append(words)
            self.column += len(words)

    def _open(self, token: Token) -> None:
        name = token.name
        if name == "html" or name == "body":
            language = token.attributes().get("lang", "")[:2].lower()
            self.outline.language = self.outline.language or (language if language.isalpha() else "")
        if name in _DROPPED or (name not in _VOID and token.inside and _HIDDEN.search(token.inside[:2000])):
            if not token.inside.endswith("/"):
                self.dropped = [name, 1]
        elif name[0] == "h" and name[1:].isdigit() and "1" <= name[1:] <= "6" and not (self.tables or self.lists):
            self._flush()
            self.level = int(name[1])
            self.anchor = token.attributes().get("id", "") or self.anchor
        elif name in _BLOCKS or name == "li":
            self._open_block(token)
        elif name in ("table", "tr", "td", "th"):
            self._open_table(name)
        elif name == "pre" and not self.pre:
            self._flush()
            self.pre = 1
        elif name in _CODE and not self.pre:
            self._put("`")
        elif name == "br":
            self._put("\n" if not self.tables or self.pre else " ")
        elif name == "img":
            self._put(token.attributes().get("alt", "")[:LONGEST])
        elif name == "a":
            self._open_link(token)

    def _open_link(self, token: Token) -> None:
        attributes = token.attributes()
        self.links = [(attributes.get("href", ""), len(self.line), self.column)]
        if self.level:
            self.anchor = self.anchor or attributes.get("id", "") or attributes.get("name", "")

    def _open_block(self, token: Token) -> None:
        name = token.name
        self._flush()
        if name == "section" or name == "article":
            self.anchor = token.attributes().get("id", "")
        if name in ("ul", "ol"):
            start = token.attributes().get("start", "1") if name == "ol" else "0"
            self.lists.append(int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1)
        elif name == "li":
            number = self.lists[-1] if self.lists else 0
            self.marker = f"{number}. " if number else "- "
            if number:
                self.lists[-1] += 1

    def _open_table(self, name: str) -> None:
        if name == "table":
            if not self.tables:
                self._flush()
                self.rows = 0
            self.tables += 1
        elif self.tables == 1 and name == "tr":
            self._end_row()
        elif self.tables == 1:
            self._put("| " if not self.cells else " | ")
            self.cells += 1

    def _end_row(self) -> None:
        if self.cells:
            self._put(" |\n")
            if not self.rows:
                self._put("| " + " | ".join(["---"] * min(self.cells, 200)) + " |\n")
            self.rows += 1
        self.cells = 0

    def _close(self, name: str) -> None:
        if self.level and name == f"h{self.level}":
            self._end_heading()
        elif name in _BLOCKS or name == "li":
            self._flush()
            if name in ("ul", "ol") and self.lists:
                self.lists.pop()
                self.marker = ""
        elif name == "tr" and self.tables == 1:
            self._end_row()
        elif name == "table" and self.tables:
            if self.tables == 1:
                self._end_row()
                self.tables = 0
                self._flush("table")
            else:
                self.tables -= 1
        elif name == "pre" and self.pre:
            self._end_pre()
        elif name in _CODE and not self.pre:
            self._put("`")
        elif name == "a" and self.links:
            self._end_link(*self.links.pop())

    def _end_link(self, target: str, index: int, column: int) -> None:
        words = "".join(self.line[index:])
        if words.strip() in _PERMALINK or not target:
            if words.strip() in _PERMALINK:
                del self.line[index:]
                self.column = column
            return
        if not self.pre:
            del self.line[index:]
            self.column = column
            self._put(f"[{words.strip()}]({target}){' ' * words.endswith(' ')}")
        self.pending.append(Link(target, " ".join(words.split())[:LONGEST], column, self.column))

    def _end_heading(self) -> None:
        title = " ".join("".join(self.line).split())
        if title:
            bare = re.sub(r"\[([^\[\]]*)\]\([^()\s]*\)", r"\1", title).replace("`", "")[:LONGEST]
            self.outline.headings.append(Heading(self.level, bare, self.anchor[:LONGEST], self.length))
            self.line, self.pending = [title], [link for link in self.pending if link.end <= len(title)]
            self._write("heading", "#" * self.level + " ")
        self.level, self.anchor = 0, ""

    def _end_pre(self) -> None:
        if self.tables:
            self.pre = 0
            return
        code = "".join(self.line).strip("\r\n")
        self.pre = 0
        runs = [len(run) for run in re.findall(r"`{3,}", code)]
        fence = "`" * (max(runs, default=2) + 1)
        self.line, self.pending = [f"{fence}\n{code}\n{fence}"], []
        self._write("code", "") if code.strip() else self._clear()

    def _flush(self, kind: str = "") -> None:
        """What was collected becomes a block. Inside a table nothing ends, only words keep apart."""
        if self.pre:
            return
        if self.tables:
            self._put(" ")
            return
        if self.level:
            self._end_heading()
            return
        self._write(kind or ("list" if self.lists else "prose"), "")

    def _clear(self) -> None:
        self.line, self.pending, self.column = [], [], 0
        self.links = []

    def _write(self, kind: str, prefix: str) -> None:
        words = "".join(self.line).rstrip()
        if not words:
            self._clear()
            return
        depth = min(len(self.lists), _DEEPEST)
        begins = bool(self.marker)
        indent = "  " * max(0, depth - 1)
        if depth:
            margin = indent + ("" if begins else "  ")
            prefix = margin + self.marker + prefix
            words = words.replace("\n", "\n" + indent + "  ")
        start = self.length
        piece = prefix + words + ("\n" if depth and begins else "\n\n")
        self._place(Block("list" if depth else kind, start, start + len(piece), WITH_NEXT * (kind == "heading")), begins)
        shifted = start + len(prefix)
        self.outline.links += [_moved(link, shifted) for link in self.pending]
        self.written.append(piece)
        self.length += len(piece)
        self.marker = ""
        self._clear()

    def _place(self, block: Block, begins: bool) -> None:
        """A nested item, or a later paragraph of an item, belongs to the outermost item."""
        blocks = self.outline.blocks
        if block.kind == "list" and blocks and blocks[-1].kind == "list" and (len(self.lists) > 1 or not begins):
            blocks[-1] = blocks[-1]._replace(end=block.end)
        else:
            blocks.append(block)


def _moved(link: Link, by: int) -> Link:
    return Link(link.target, link.text, link.start + by, link.end + by)
