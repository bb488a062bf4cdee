"""AsciiDoc to an outline; the text is stored as it is."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.blocks import APART, WITH_NEXT, Block, Heading, Headings, Outline, split_lines
from wekadocs_corpus.documents.headings import heading_words
from wekadocs_corpus.model import Link

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ANCHOR = re.compile(r"\[\[([^\[\],]+)[^\[\]]*\]\]|\[#([^\[\],.]+)[^\[\]]*\]")
_ATTRIBUTES = re.compile(r"\[[^\[\]]*\]|\[\[[^\[\]]*\]\]|\.[^\s.].*")  # of the block that comes, or its title
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}|[|,:!]={3,})[\w,-]*")
_ITEM = re.compile(r"[ \t]*(?:[*.]{1,5}|-|\d+\.)[ \t]+\S|\S.*?(?:::|;;)(?:[ \t]|$)")
_LINK = re.compile(
    r"(?:link|xref):([^\s\[\]]{1,1000})\[([^\[\]]{0,300})\]|<<([^<>,]{1,300})(?:,([^<>]{1,300}))?>>|"
    r"(https?://[^\s\[\]<>]{1,1000})\[([^\[\]]{0,300})\]"
)


def read_asciidoc(text: str) -> Outline:
    """Headings, paragraphs, list items, tables, listings and links."""
    scan = _Scan(split_lines(text))
    links = [Link(*_target(found), found.start(), found.end()) for found in _LINK.finditer(text)]
    return Outline(text, scan.blocks(), scan.headings, links)


def _target(found: re.Match[str]) -> tuple[str, str]:
    target = found[1] or found[5] or f"#{found[3]}"
    return target, " ".join((found[2] or found[4] or found[6] or target).split())


class _Scan:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = self._offset = 0
        self._anchor = ""
        self.headings: list[Heading] = Headings()

    def blocks(self) -> list[Block]:
        """All, in order and without gap."""
        found: list[Block] = []
        while self._at < len(self._lines):
            start = self._offset
            self._blank()
            kind, joins = self._block(start) if self._at < len(self._lines) else ("prose", APART)
            self._blank()
            found.append(Block(kind, start, self._offset, joins))
        return found

    def _line(self) -> str:
        return self._lines[self._at].strip() if self._at < len(self._lines) else ""

    def _take(self) -> None:
        self._offset += len(self._lines[self._at])
        self._at += 1

    def _blank(self) -> None:
        while self._at < len(self._lines) and not self._line():
            self._take()

    def _block(self, start: int) -> tuple[str, int]:
        line = self._line()
        heading, delimiter = _HEADING.fullmatch(line), _DELIMITER.fullmatch(line)
        if heading:
            title, anchor = heading_words(heading[2])
            self.headings.append(Heading(len(heading[1]), title, anchor or self._anchor, start))
            self._anchor = ""
            self._take()
            return "heading", WITH_NEXT
        if delimiter:
            return self._delimited(delimiter[1])
        if _ATTRIBUTES.fullmatch(line):
            named = _ANCHOR.fullmatch(line)
            self._anchor = (named[1] or named[2]) if named else ""
            self._take()
            return "prose", WITH_NEXT
        return self._paragraph()

    def _delimited(self, mark: str) -> tuple[str, int]:
        """To where the same line stands again, or the end."""
        self._take()
        while self._at < len(self._lines) and self._line() != mark:
            self._take()
        if self._at < len(self._lines):
            self._take()
        return ("table" if mark.endswith("===") else "code"), APART

    def _paragraph(self) -> tuple[str, int]:
        kind = "list" if _ITEM.match(self._line()) else "prose"
        self._anchor = ""
        self._take()
        while (line := self._line()) and not (_DELIMITER.fullmatch(line) or _HEADING.fullmatch(line)):
            if _ITEM.match(line) and not (kind == "prose" and line.startswith("-")):
                break
            self._take()
        return kind, APART
