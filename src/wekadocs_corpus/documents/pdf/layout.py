"""What stands on a page: words at places, lines of words, what becomes paragraphs. Upwards is more, as in PDF."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

BULLETS, DASHES = "•◦▪▫‣∙●○■□\u2013\u2014·", "-\u2013\u2014"


class Word(NamedTuple):
    text: str
    left: float
    right: float


@dataclass(frozen=True)
class Line:
    """Words on one baseline, in the order they are read; `size` and `bold` are those of its first."""

    words: tuple[Word, ...]
    base: float
    size: float
    bold: bool = False
    broken: bool = False  # its last word goes on in the next line

    @cached_property
    def left(self) -> float:
        return min(word.left for word in self.words)

    @cached_property
    def right(self) -> float:
        return max(word.right for word in self.words)

    def settled(self) -> Line:
        """The same without the places of its words, which take most of the room: a file may have millions."""
        plain = replace(self, words=())
        vars(plain).update(left=self.left, right=self.right, text=self.text)
        return plain

    @property
    def first_word(self) -> str:
        return self.text.split(" ", 1)[0]

    @cached_property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])


@dataclass(frozen=True)
class Sheet:
    """A page as the library gives it; `width` and `height` are those of a reader's view."""

    lines: list[Line]
    width: float
    height: float
    asides: list[Line] = field(default_factory=list)  # written in another direction


@dataclass
class Paragraph:
    """Lines that belong together; `rows` where it is a table."""

    page: int  # of its first line, counted from 0
    lines: list[Line]
    kind: str = "prose"  # prose | list | table
    rows: list[list[str]] = field(default_factory=list)
    level: int = 0  # of a heading
    goes_on: list[tuple[int, list[Line]]] = field(default_factory=list)  # on later pages

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.goes_on[-1][1][-1] if self.goes_on else self.lines[-1]

    @property
    def size(self) -> float:
        return self.first.size

    @property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)
