"""ECMA-262 patterns as trees; whatever is not understood exactly is refused, never guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from . import charsets
from .charsets import CharSet

MAX_LENGTH = 2_000
MAX_DEPTH = 40
MAX_REPEAT = 1_000
MAX_FOLDED = 2_000


class Undecided(Exception):
    """The question is outside what is decided exactly, or larger than allowed."""


@dataclass(frozen=True)
class Chars:
    chars: CharSet


@dataclass(frozen=True)
class Seq:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Alt:
    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    body: Node
    least: int
    most: int | None


@dataclass(frozen=True)
class Edge:
    kind: Literal["^", "$", "b", "B"]


@dataclass(frozen=True)
class Look:
    ahead: Node
    positive: bool


Node = Chars | Seq | Alt | Repeat | Edge | Look

_CLASS_ESCAPES = {
    "d": charsets.DIGIT,
    "D": charsets.complement(charsets.DIGIT),
    "w": charsets.WORD,
    "W": charsets.complement(charsets.WORD),
    "s": charsets.SPACE,
    "S": charsets.complement(charsets.SPACE),
}
_CONTROL_ESCAPES = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_SYNTAX = set("^$\\.*+?()[]{}|/-")
_HEX = set("0123456789abcdefABCDEF")


def parse(pattern: str) -> Node:
    if len(pattern) > MAX_LENGTH:
        raise Undecided("pattern too long")
    reader = _Reader(pattern)
    node = reader.alternatives(0)
    if reader.at < len(pattern):
        raise Undecided("unbalanced )")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.flags = ""

    def peek(self, length: int = 1) -> str:
        return self.text[self.at : self.at + length]

    def take(self, length: int = 1) -> str:
        taken = self.peek(length)
        if len(taken) < length:
            raise Undecided("pattern ends too early")
        self.at += length
        return taken

    def skip(self, text: str) -> bool:
        found = self.text.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def alternatives(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Undecided("pattern nested too deeply")
        options = [self.sequence(depth)]
        while self.skip("|"):
            options.append(self.sequence(depth))
        return options[0] if len(options) == 1 else Alt(tuple(options))

    def sequence(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.quantified(self.atom(depth)))
        return parts[0] if len(parts) == 1 else Seq(tuple(parts))

    def quantified(self, atom: Node) -> Node:
        bounds = self.quantifier()
        if bounds is None:
            return atom
        if isinstance(atom, Edge | Look):
            raise Undecided("quantified assertion")
        self.skip("?")  # lazy or greedy: the same strings match
        if self.peek() in ("*", "+", "?", "{"):
            raise Undecided("quantifier on a quantifier")
        return Repeat(atom, *bounds)

    def quantifier(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.skip(sign):
                return bounds
        if not self.skip("{"):
            return None
        least = self.number()
        most: int | None = least
        if self.skip(","):
            most = None if self.peek() == "}" else self.number()
        if not self.skip("}") or (most is not None and most < least):
            raise Undecided("odd braces")
        return least, most

    def number(self) -> int:
        digits = ""
        while self.peek().isascii() and self.peek().isdigit():
            digits += self.take()
        if not digits or len(digits) > 6 or int(digits) > MAX_REPEAT:
            raise Undecided("repeat count")
        return int(digits)

    def atom(self, depth: int) -> Node:
        char = self.take()
        if char == "(":
            return self.group(depth + 1)
        if char == "[":
            return Chars(self.char_class())
        if char == "\\":
            return self.escape()
        if char == ".":
            return Chars(charsets.ANY if "s" in self.flags else charsets.DOT)
        if char in ("^", "$"):
            if "m" in self.flags:
                raise Undecided("edges of lines")
            return Edge("^" if char == "^" else "$")
        if char in "*+?{}]":
            raise Undecided(f"stray {char}")
        return Chars(self.folded(charsets.literal(char)))

    def folded(self, chars: CharSet) -> CharSet:
        """With the other case of every letter, where case does not count."""
        if "i" not in self.flags:
            return chars
        if sum(high - low + 1 for low, high in chars) > MAX_FOLDED:
            raise Undecided("many letters without case")
        return charsets.either_case(chars)

    def flag_group(self) -> bool:
        """`(?i)` holds until its group ends, `(?i:` inside itself; whether it was one of the first kind."""
        start = self.at
        while self.peek() not in ("", ":", ")"):
            self.at += 1
        on, _, off = self.text[start + 1 : self.at].partition("-")
        if self.peek() == "" or not set(on + off) <= set("ismu") or not on + off:
            raise Undecided("an unknown group")
        self.flags = "".join(sorted((set(self.flags) | set(on)) - set(off)))
        return self.take() == ")"

    def group(self, depth: int) -> Node:
        look: bool | None = None
        outside = self.flags
        if self.skip("?="):
            look = True
        elif self.skip("?!"):
            look = False
        elif self.skip("?<"):
            self.group_name()
        elif not self.skip("?:") and self.peek() == "?" and self.flag_group():
            return Seq(())
        body = self.alternatives(depth)
        self.flags = outside
        if not self.skip(")"):
            raise Undecided("unbalanced (")
        return body if look is None else Look(body, look)

    def group_name(self) -> None:
        start = self.at
        while self.peek() not in ("", ">"):
            self.at += 1
        if not self.text[start : self.at].isidentifier() or not self.skip(">"):
            raise Undecided("lookbehind or an odd group name")

    def escape(self) -> Node:
        if self.peek() in ("b", "B"):
            return Edge("b" if self.take() == "b" else "B")
        if self.peek() in _CLASS_ESCAPES:
            return Chars(_CLASS_ESCAPES[self.take()])
        if self.peek() in ("p", "P"):
            return Chars(self.category())
        point = self.escaped_point()
        return Chars(self.folded(((point, point),)))

    def escaped_point(self) -> int:
        char = self.take()
        if char in _CONTROL_ESCAPES:
            return _CONTROL_ESCAPES[char]
        if char == "0" and not self.peek().isdigit():
            return 0
        if char == "x":
            return self.hexadecimal(2)
        if char == "u":
            return self.unicode()
        if char in _SYNTAX:
            return ord(char)
        raise Undecided(f"escape \\{char}")

    def hexadecimal(self, length: int) -> int:
        digits = self.take(length)
        if not set(digits) <= _HEX:
            raise Undecided("odd hexadecimal escape")
        return int(digits, 16)

    def unicode(self) -> int:
        if self.peek() == "{":
            raise Undecided("\\u{}: engines differ")
        point = self.hexadecimal(4)
        if charsets.has(charsets.SURROGATES, point):
            raise Undecided("surrogate escape")
        return point

    def char_class(self) -> CharSet:
        negated = self.skip("^")
        if self.skip("]"):  # ECMA-262: nothing, and with ^ anything
            return charsets.ANY if negated else ()
        ranges: list[tuple[int, int]] = []
        while not self.skip("]"):
            if self.peek() == "[" or self.peek(2) in ("&&", "--", "~~"):
                raise Undecided("engines differ on sets in classes")
            ranges += self.class_item()
        chars = self.folded(charsets.of(ranges))
        return charsets.complement(chars) if negated else chars

    def class_item(self) -> CharSet:
        low = self.class_point()
        if isinstance(low, tuple):
            if self.peek() == "-" and self.peek(2) != "-]":
                raise Undecided("range from a class")
            return low
        if self.peek() != "-" or self.peek(2) == "-]":
            return ((low, low),)
        self.take()
        high = self.class_point()
        if isinstance(high, tuple) or high < low:
            raise Undecided("odd range")
        return ((low, high),)

    def class_point(self) -> int | CharSet:
        char = self.take()
        if char != "\\":
            return ord(char)
        if self.peek() in _CLASS_ESCAPES:
            return _CLASS_ESCAPES[self.take()]
        if self.peek() in ("p", "P"):
            return self.category()
        if self.peek() == "b":
            self.take()
            return 8
        return self.escaped_point()

    def category(self) -> CharSet:
        """`\\p{L}`, `\\p{Lu}`, `\\P{N}`: general categories only."""
        negated = self.take() == "P"
        name = ""
        if self.skip("{"):
            while self.peek() not in ("", "}"):
                name += self.take()
        chars = charsets.category(name)
        if not self.skip("}") or chars is None:
            raise Undecided(f"\\p{{{name}}}")
        return charsets.complement(chars) if negated else chars
