"""Writes the text that an HTML page becomes, block by block, keeping count of where everything stands."""

from __future__ import annotations

import re
from bisect import bisect_right

from wekadocs_corpus.documents.blocks import WITH_NEXT, Block, Heading, Outline
from wekadocs_corpus.documents.headings import LONGEST
from wekadocs_corpus.model import Link

_DEEPEST = 8  # lists in lists that are still indented
_TO_THE_TOP = re.compile(r"\[[^\[\]]{1,20}\]\(#[^()\s]*\)")  # and nothing else
LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_WORD = re.compile(r"\w+")
_FEW = 8  # words outside of links: a line above the title that says no more is the site's


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
        self.aside = False  # what is written now is no part of the page proper
        self._asides: list[bool] = []  # for each block
        self._proper: tuple[int, int] | None = None  # blocks, headings before the page proper
        self._proper_end = 0  # blocks before its end

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

    def is_blank_after(self, column: int) -> bool:
        """Whether nothing but white space was put since the line had so many characters."""
        return column <= self.column and not "".join(self.line)[column:].strip()

    def trim(self) -> None:
        """Without white space at the end of the line."""
        while self.line and self.line[-1] != (bare := self.line[-1].rstrip()):
            self.column -= len(self.line[-1]) - len(bare)
            self.line[-1:] = [bare] if bare else []

    def link(self, target: str, words: str, start: int) -> None:
        """What stands in the line since `start` is a link."""
        self._links.append(Link(target, " ".join(words.split())[:LONGEST], start, self.column))

    def heading(self, level: int, title: str, anchor: str) -> None:
        """The line becomes a heading."""
        self.outline.headings.append(Heading(level, title[:LONGEST], anchor[:LONGEST], self._length))
        self.write("heading", "#" * level + " ")

    def code(self, language: str) -> None:
        """The line becomes a block of code."""
        code = self.take_back(0, 0).strip("\r\n")
        if code.strip():
            fence = "`" * (max((len(run) for run in re.findall(r"`{3,}", code)), default=2) + 1)
            self.put(f"{fence}{language}\n{code}\n{fence}", verbatim=True)
        self.write("code")

    def write(self, kind: str, prefix: str = "") -> None:
        """The line becomes a block; in a list it is part of an item, indented."""
        words = "".join(self.line).rstrip()
        if words and (self.lists or not _TO_THE_TOP.fullmatch(words)):
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
        if block.kind == "list" and nested and blocks and blocks[-1].kind == "list" and self._asides[-1] == self.aside:
            blocks[-1] = blocks[-1]._replace(end=block.end)
        else:
            blocks.append(block)
            self._asides.append(self.aside)

    def mark(self) -> None:
        """The page proper begins here."""
        self._proper = self._proper or (len(self.outline.blocks), len(self.outline.headings))

    def mark_end(self) -> None:
        """The page proper ends here."""
        self._proper_end = self._proper_end or len(self.outline.blocks)

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
        """The outline of the page proper, without what stands aside; of all when nothing else has words."""
        text = "".join(self._written)
        first, last = self._borders()
        proper = list(zip(self.outline.blocks, self._asides, strict=True))[first:last]
        title, few = self._title()
        kept = [
            block for block, aside in proper if not aside and not (block.end <= title and _is_short(text, block, few))
        ]
        if not any(block.kind != "heading" and _WORD.search(text, block.start, block.end) for block in kept):
            kept = [block for block, _ in proper]
        return _only(self.outline, text, kept)

    def _title(self) -> tuple[int, int]:
        """Where it stands, and how many words beside links may stand above it as the site's, not the page's."""
        headings = self.outline.headings
        first = next((heading.start for heading in headings if heading.level == 1), None)
        return (headings[0].start if headings else 0, 0) if first is None else (first, _FEW)

    def _borders(self) -> tuple[int, int]:
        """Its first block, if a heading of level 1 comes after it, and its last, if little comes after that."""
        blocks, (first, headings) = self.outline.blocks, self._proper or (0, 0)
        if not any(heading.level == 1 for heading in self.outline.headings[headings:]):
            first = 0
        last = self._proper_end
        if last <= first or 4 * (blocks[-1].end - blocks[last - 1].end) > blocks[last - 1].end - blocks[first].start:
            last = len(blocks)
        return first, last


def _is_short(text: str, block: Block, few: int) -> bool:
    """Whether it has no more than so many words outside of links; a heading is none."""
    return block.kind != "heading" and len(_WORD.findall(LINK.sub("", text[block.start : block.end]))) <= few


def _only(outline: Outline, text: str, kept: list[Block]) -> Outline:
    """The outline with these blocks and what stands in them."""
    starts, moved = [block.start for block in kept], list[Block]()
    for block in kept:
        at = moved[-1].end if moved else 0
        moved.append(block._replace(start=at, end=at + block.end - block.start))

    def by(place: int) -> int | None:
        number = bisect_right(starts, place) - 1
        return moved[number].start - starts[number] if number >= 0 and place < kept[number].end else None

    headings = [(each, by(each.start)) for each in outline.headings]
    links = [(each, by(each.start)) for each in outline.links]
    outline.headings = [each._replace(start=each.start + to) for each, to in headings if to is not None]
    outline.links = [Link(k.target, k.text, k.start + to, k.end + to) for k, to in links if to is not None]
    outline.blocks, outline.text = moved, "".join([text[block.start : block.end] for block in kept])
    return outline
