"""Blocks of Markdown, line by line in linear time.

markdown-it-py is several times slower at blocks alone and knows none of the flavours; the tests hold this against it.
"""

from __future__ import annotations

from itertools import accumulate

from wekadocs_corpus.documents.blocks import APART, WITH_NEXT, WITH_PREVIOUS, Block, Heading, Headings, split_lines
from wekadocs_corpus.documents.headings import heading_words

from . import markdown_lines as opens

_DATA_LINES = 4  # of a component: more is no tag but a table written as data


class Scan:
    """Reads blocks off a run of lines; `base` columns of indentation belong to what contains them."""

    def __init__(self, text: str, offset: int = 0, base: int = 0) -> None:
        self.lines = split_lines(text)
        self.stripped = [line.strip(" \t\r\n") for line in self.lines]
        self.at = 0
        self.base = base
        self.headings: list[Heading] = Headings()
        self._found: list[Block] = []
        self._offsets = list(accumulate(map(len, self.lines), initial=offset))  # of each line
        self._first = 0  # line of the block that is being read
        self._unclosed: list[tuple[str, int]] = []  # fences that nothing further down closes: signs, indentation

    def blocks(self) -> list[Block]:
        """All blocks, in order and without gap."""
        while self.at < len(self.lines):
            first = self._first = self.at
            self._pass_blank_lines()  # only the very first block has some before it
            kind, joins = self._block() if self.at < len(self.lines) else ("prose", APART)
            self._pass_blank_lines()
            self._found.append(Block(kind, self._offsets[first], self._offsets[min(self.at, len(self.lines))], joins))
        return self._found

    def _pass_blank_lines(self) -> None:
        while self.at < len(self.lines) and not self.stripped[self.at]:
            self.at += 1

    def _block(self) -> tuple[str, int]:
        """Moves past one block and says what it is."""
        stripped = self.stripped[self.at]
        indent = self._indent(self.at)
        if indent >= 4:
            return self._indented_code()
        return self._opened(stripped, indent) if stripped[0] in opens.STARTERS else self._module_or_paragraph(stripped)

    def _opened(self, stripped: str, indent: int) -> tuple[str, int]:
        """A block that begins with a sign; a paragraph when the sign means nothing after all."""
        first = stripped[0]
        if first == "#" and (atx := opens.ATX.match(stripped)):
            return self._heading(len(atx[1]), opens.atx_words(stripped, len(atx[1])), 1)
        if first in "`~" and opens.FENCE.match(stripped):
            self.at = self._after_fence(self.at, indent)
            return "code", APART
        if first in "-*_" and opens.RULE.match(stripped):
            self.at += 1
            return "prose", WITH_PREVIOUS
        if (first in "-*+" or first.isdigit()) and opens.ITEM.match(stripped):
            return self._item(indent)
        if first == ">":
            return self._quote()
        if first == "<":
            return self._html(stripped)
        if first in "{:" and opens.MARKER.match(stripped):
            self.at += 1
            return "prose", WITH_PREVIOUS if opens.CLOSING_MARKER.match(stripped) else WITH_NEXT
        if first in "!?=" and opens.CONTAINER.match(stripped):
            self.at = self._after_indented(self.at + 1, indent)
            return "list", APART  # like a list item it holds what is indented below it
        return self._paragraph()

    def _indent(self, number: int) -> int:
        line = self.lines[number]
        return opens.indentation(line) - self.base if line[0] in " \t" else 0

    def _heading(self, level: int, written: str, lines: int) -> tuple[str, int]:
        title, anchor = heading_words(written)
        self.headings.append(Heading(level, title, anchor, self._offsets[self._first]))
        self.at += lines
        return "heading", WITH_NEXT

    def _after_fence(self, number: int, indent: int) -> int:
        """The line after a fence's end, which may be indented less, as sloppy lists have it, but not much more.

        A fence that never closes ends with what contains it, or the text.
        """
        mark = self.stripped[number]
        length = min(len(mark) - len(mark.lstrip(mark[0])), 60)
        indent = max(0, min(indent, 60))
        after = self._closing_fence(number + 1, mark[0] * length, indent)
        if after or not indent:
            return after or len(self.lines)
        after = number + 1
        while after < len(self.lines) and (not self.stripped[after] or self._indent(after) >= indent):
            after += 1
        return after

    def _closing_fence(self, number: int, signs: str, indent: int) -> int:
        """The line after the one that closes, or 0; what was once not found is not looked for again."""
        if any(signs.startswith(longer) and indent <= deeper for longer, deeper in self._unclosed):
            return 0
        for after in range(number, len(self.lines)):
            line = self.stripped[after]
            if line.startswith(signs) and not line.strip(signs[0]) and self._indent(after) <= indent + 3:
                return after + 1
        self._unclosed.append((signs, indent))
        return 0

    def _item(self, indent: int) -> tuple[str, int]:
        stripped = self.stripped[self.at]
        marker = opens.ITEM.match(stripped)
        content = stripped[marker.end() :] if marker else ""
        if content[:1] in ("`", "~") and opens.FENCE.match(content):
            self.stripped[self.at] = content
            self.at = self._after_fence(self.at, indent + 1)
        else:
            self.at += 1
        self.at = self._after_indented(self.at, indent, indent + (marker.end() if marker else 0))
        return "list", APART

    def _after_indented(self, number: int, indent: int, content: int = 0) -> int:
        """The line after all that is indented deeper; in a list item, which has a content column, also lazy text."""
        blank = False
        while number < len(self.lines):
            stripped = self.stripped[number]
            if not stripped:
                blank = True
                number += 1
                continue
            deeper = self._indent(number)
            if deeper <= indent and (blank or not content or opens.interrupts(stripped) or opens.ITEM.match(stripped)):
                break
            if deeper < content and opens.ATX.match(stripped):
                break
            blank = False
            fence = stripped[0] in "`~" and opens.FENCE.match(stripped)
            number = self._after_fence(number, deeper) if fence else number + 1
        return number

    def _quote(self) -> tuple[str, int]:
        self.at += 1
        while self.at < len(self.lines) and (stripped := self.stripped[self.at]):
            if stripped[0] != ">" and opens.interrupts(stripped):
                break
            self.at += 1
        return "prose", APART

    def _indented_code(self) -> tuple[str, int]:
        while self.at < len(self.lines) and (not self.stripped[self.at] or self._indent(self.at) >= 4):
            self.at += 1
        return "code", APART

    def _html(self, stripped: str) -> tuple[str, int]:
        title = opens.HTML_HEADING.match(stripped)
        if title and (heading := self._html_heading(int(title[1]))):
            return heading
        until = opens.html_ends_with(stripped)
        if until:
            while self.at < len(self.lines) and until not in self.stripped[self.at].lower():
                self.at += 1
            self.at += 1
            return "code" if until == "</pre>" else "prose", APART
        if opens.COMPONENT.match(stripped):
            return self._component(stripped)
        if not opens.HTML.match(stripped):
            return self._paragraph()
        self.at += 1
        while self.at < len(self.lines) and self.stripped[self.at]:
            if opens.HTML_HEADING.match(self.stripped[self.at]):
                break
            self.at += 1
        return "table" if stripped.lower().startswith("<table") else "prose", APART

    def _html_heading(self, level: int) -> tuple[str, int] | None:
        written = ""
        for count, line in enumerate(self.stripped[self.at : self.at + 10], 1):
            written += line + " "
            closing = written.lower().find(f"</h{level}>")
            if closing >= 0:
                name = written[: written.find(">") + 1].replace("<h", "<a", 1).replace("<H", "<a", 1)
                return self._heading(level, name + written[written.find(">") + 1 : closing], count)
            if not line:
                break
        return None

    def _component(self, stripped: str) -> tuple[str, int]:
        """A JSX tag of its own; what it holds is Markdown again. It does not end inside the data it is given."""
        depth, first = 0, self.at
        while self.at < len(self.lines) and (line := self.stripped[self.at]):
            self.at += 1
            depth += line.count("{") - line.count("}")
            if ">" in line and depth <= 0:
                break
        if self.at - first > _DATA_LINES:
            return "table", APART
        closed = stripped.startswith("</")
        return "prose", WITH_PREVIOUS if closed else APART if stripped.endswith("/>") else WITH_NEXT

    def _module_or_paragraph(self, stripped: str) -> tuple[str, int]:
        if stripped[0] in "ie" and opens.MODULE.match(stripped) and not self.base:
            while self.at < len(self.lines) and self.stripped[self.at]:
                self.at += 1
            return "prose", WITH_NEXT
        return self._paragraph()

    def _paragraph(self) -> tuple[str, int]:
        first = self.at
        self.at += 1
        while self.at < len(self.lines) and (stripped := self.stripped[self.at]):
            if stripped[0] in "=-" and opens.SETEXT.match(stripped) and self._can_be_heading(first):
                return self._underlined(first, 1 if stripped[0] == "=" else 2)
            if stripped[0] in "|:-" and opens.is_delimiter(stripped) and "|" in self.stripped[self.at - 1]:
                return self._table()
            if opens.interrupts(stripped) and self._indent(self.at) < 4:
                break
            self.at += 1
        return "prose", APART

    def _can_be_heading(self, first: int) -> bool:
        return self._indent(self.at) < 4 and not opens.DEFINITION.match(self.stripped[first])

    def _underlined(self, first: int, level: int) -> tuple[str, int]:
        written = " ".join(self.stripped[first : self.at])
        lines = self.at + 1 - first
        self.at = first
        return self._heading(level, written, lines)

    def _table(self) -> tuple[str, int]:
        """At the row of dashes; a paragraph that runs into the table stays with it."""
        self.at += 1
        while self.at < len(self.lines) and (stripped := self.stripped[self.at]):
            if stripped[0] != "|" and opens.interrupts(stripped):
                break
            self.at += 1
        return "table", APART
