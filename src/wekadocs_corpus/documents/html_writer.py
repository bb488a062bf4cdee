"""Writes the text that an HTML page becomes, block by block, keeping count of where everything stands."""

from __future__ import annotations

from wekadocs_corpus.model import Link

from .blocks import WITH_NEXT, Block, Heading, Outline
from .headings import LONGEST

_DEEPEST = 8  # lists in lists that are still indented


class Writer:
    """`line` is what has not yet become a block; blocks are written once and never changed."""

    def __init__(self) -> None:
        self.outline = Outline("")
        self.lists: list[int] = []  # per open list: the next number, 0 for bullets
        self.marker = ""  # of the list item that has nothing yet
        self.line: list[str] = []
        self.column = 0  # characters in `line`
        self._links: list[Link] = []  # of the line, offsets in it
        self._written: list[str] = []
        self._length = 0
        self._proper: tuple[int, int, int] | None = None  # blocks, headings, links before the page proper

    def put(self, words: str, *, verbatim: bool = False) -> None:
        """More of the line; a space after a space is left out."""
        if not verbatim and words[:1] == " " and (not self.column or self.line[-1][-1:] in " \n"):
            words = words[1:]
        if words:
            self.line.append(words)
            self.column += len(words)

    def take_back(self, index: int, column: int) -> str:
        """Removes what was put since `line` had `index` parts."""
        words = "".join(self.line[index:])
        del self.line[index:]
        self.column = column
        return words

    def link(self, target: str, words: str, start: int) -> None:
        """What stands in the line since `start` is a link."""
        self._links.append(Link(target, " ".join(words.split())[:LONGEST], start, self.column))

    def heading(self, level: int, title: str, anchor: str) -> None:
        """The line becomes a heading."""
        self.outline.headings.append(Heading(level, title[:LONGEST], anchor[:LONGEST], self._length))
        self.write("heading", "#" * level + " ")

    def write(self, kind: str, prefix: str = "") -> None:
        """The line becomes a block; in a list it is part of an item, indented."""
        words = "".join(self.line).rstrip()
        if words:
            depth, begins = min(len(self.lists), _DEEPEST), bool(self.marker)
            margin = "  " * depth
            if depth:
                prefix = (margin[2:] + self.marker if begins else margin) + prefix
                words = words.replace("\n", "\n" + margin)
            start = self._length
            self._written.append(prefix + words + ("\n" if depth and begins else "\n\n"))
            self._length += len(self._written[-1])
            self._place(Block("list" if depth else kind, start, self._length, WITH_NEXT if kind == "heading" else 0))
            self._move_links(start + len(prefix), self._length)
            self.marker = ""
        self.line, self._links, self.column = [], [], 0

    def _move_links(self, by: int, end: int) -> None:
        """Links of the line to their place in the text; line breaks in an indented line move them a little."""
        for link in self._links:
            moved = Link(link.target, link.text, min(link.start + by, end - 1), min(link.end + by, end))
            self.outline.links.append(moved)

    def _place(self, block: Block) -> None:
        """A nested item, or a later paragraph of an item, belongs to the outermost item."""
        blocks = self.outline.blocks
        nested = len(self.lists) > 1 or not self.marker
        if block.kind == "list" and nested and blocks and blocks[-1].kind == "list":
            blocks[-1] = blocks[-1]._replace(end=block.end)
        else:
            blocks.append(block)

    def mark(self) -> None:
        """The page proper begins here."""
        outline = self.outline
        self._proper = self._proper or (len(outline.blocks), len(outline.headings), len(outline.links))

    def end_list(self) -> None:
        """After the outermost list comes a blank line."""
        self.marker = ""
        if self.lists:
            self.lists.pop()
        if not self.lists and self._written and not self._written[-1].endswith("\n\n"):
            self._written.append("\n")
            self._length += 1
            self.outline.blocks[-1] = self.outline.blocks[-1]._replace(end=self._length)

    def finish(self) -> Outline:
        """The outline; what precedes the mark is left out if a heading of level 1 follows it."""
        outline = self.outline
        text = "".join(self._written)
        blocks, headings, links = self._proper or (0, 0, 0)
        if blocks < len(outline.blocks) and any(heading.level == 1 for heading in outline.headings[headings:]):
            off = outline.blocks[blocks].start
            outline.blocks = [Block(b.kind, b.start - off, b.end - off, b.joins) for b in outline.blocks[blocks:]]
            outline.headings = [each._replace(start=each.start - off) for each in outline.headings[headings:]]
            outline.links = [Link(k.target, k.text, k.start - off, k.end - off) for k in outline.links[links:]]
            text = text[off:]
        outline.text = text
        return outline
