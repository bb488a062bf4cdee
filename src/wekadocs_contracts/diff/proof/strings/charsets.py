"""Sets of code points as sorted, disjoint ranges."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

CharSet = tuple[tuple[int, int], ...]

TOP = 0x10FFFF
# Surrogates are no characters: a JSON text holding one cannot be encoded.
SURROGATES: CharSet = ((0xD800, 0xDFFF),)


def of(ranges: Iterable[tuple[int, int]]) -> CharSet:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(chars: CharSet) -> CharSet:
    out: list[tuple[int, int]] = []
    start = 0
    for low, high in chars:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= TOP:
        out.append((start, TOP))
    return tuple(out)


def has(chars: CharSet, point: int) -> bool:
    at = bisect_right(chars, (point, TOP + 1)) - 1
    return at >= 0 and chars[at][0] <= point <= chars[at][1]


def literal(text: str) -> CharSet:
    return of((ord(char), ord(char)) for char in text)


def either_case(chars: CharSet) -> CharSet:
    """With the other case of each letter, as Unicode folds single letters."""
    points = {point for low, high in chars for point in range(low, high + 1)}
    others = {ord(each) for point in points for each in (chr(point).lower(), chr(point).upper()) if len(each) == 1}
    odd = {0x212A} if {0x4B, 0x6B} & points else set()  # the Kelvin sign is a k, the long s an s
    odd |= {0x17F} if {0x53, 0x73} & points else set()
    return of((point, point) for point in points | others | odd)


ANY: CharSet = ((0, TOP),)
DIGIT: CharSet = ((0x30, 0x39),)
WORD: CharSet = of([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
SPACE: CharSet = of(
    [
        *((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)),
        *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF)),
    ]
)
LINE_ENDS: CharSet = literal("\n\r\u2028\u2029")
DOT: CharSet = complement(LINE_ENDS)

_LONG_NAMES = {
    "Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Mark": "M", "Number": "N",
    "Decimal_Number": "Nd", "Punctuation": "P", "Symbol": "S", "Separator": "Z", "Space_Separator": "Zs",
}  # fmt: skip


def category(name: str) -> CharSet | None:
    """The code points of a general category of Unicode; None where the name is none that is known here."""
    short = _LONG_NAMES.get(name, name)
    found = _categories()
    if short in found:
        return found[short]
    members = [chars for key, chars in found.items() if len(short) == 1 and key.startswith(short)]
    return of(span for chars in members for span in chars) or None


@lru_cache(maxsize=1)
def _categories() -> dict[str, CharSet]:
    spans: dict[str, list[tuple[int, int]]] = {}
    start, last = 0, unicodedata.category("\0")
    for point in range(1, TOP + 2):
        current = unicodedata.category(chr(point)) if point <= TOP else ""
        if current != last:
            spans.setdefault(last, []).append((start, point - 1))
            start, last = point, current
    return {name: tuple(each) for name, each in spans.items()}


# Letters and digits first, so that a counterexample reads like something a person would type.
_FAVOURITES = [ord(char) for char in "abcxyzABCXYZ0123456789_- .,:;/@#+!?=()[]{}<>|&%$*'\"~^`\\"]


@lru_cache(maxsize=1024)
def classes(sets: frozenset[CharSet]) -> tuple[int, ...]:
    """One readable member of every class of code points that the sets cannot tell apart."""
    wanted = list(sets)
    cuts = sorted({0, *(low for chars in wanted for low, _ in chars), *(h + 1 for c in wanted for _, h in c)})
    seen: dict[tuple[bool, ...], int] = {}
    for point in [*_FAVOURITES, *range(0xE9, 0xEB), *cuts]:
        if point <= TOP and not has(SURROGATES, point):
            seen.setdefault(tuple([has(chars, point) for chars in wanted]), point)
    return tuple(seen.values())
