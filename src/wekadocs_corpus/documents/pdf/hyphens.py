"""Words that a line's end broke in two, whole again; a hyphen that is the word's own stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .layout import Line

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENS = "-\u2010\u2011"
_KEPT = frozenset(
    {"well", "self", "non", "all", "half", "cross", "ever", "quasi"}
)  # mostly written with one after them


class Hyphens:
    """Knows the words of the whole document, which tell how a broken one is written."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._known: set[str] = set()
        before = False
        for line in lines:
            words, broken = _WORD.findall(line.text.lower()), _is_broken(line)
            self._known.update(words[before : -1 if broken else None])
            before = broken

    def text(self, parts: Sequence[Sequence[Line]]) -> list[str]:
        """A paragraph's lines as one line for each page; a broken word stands on the page it begins on."""
        taken = 0  # characters of the next line that belong to a word before it
        lines = [(number, line) for number, part in enumerate(parts) for line in part]
        words = [""] * len(parts)
        for place, (number, line) in enumerate(lines):
            text, after = line.text[taken:].lstrip(), lines[place + 1][1].text if place + 1 < len(lines) else ""
            taken = 0
            if _is_broken(line) and after and after[0].isalnum():
                rest = after.split(" ", 1)[0]
                text, taken = self._whole(text.rstrip(_HYPHENS), rest), len(rest)
            words[number] = f"{words[number]} {text}".strip()
        return words

    def _whole(self, begun: str, rest: str) -> str:
        first, last = _last_word(begun), _first_word(rest)
        if not rest[0].islower() or not first:
            return f"{begun}-{rest}"
        together, apart = f"{first}{last}".lower(), f"{first}-{last}".lower()
        words = first.lower() in _KEPT or {first.lower(), last.lower()} <= self._known
        keeps = together not in self._known and (apart in self._known or words)
        return f"{begun}-{rest}" if keeps else f"{begun}{rest}"


def _is_broken(line: Line) -> bool:
    return line.broken or (len(line.text) > 2 and line.text[-1] in _HYPHENS and line.text[-2].isalpha())


def _last_word(text: str) -> str:
    found = _WORD.findall(text)
    return found[-1] if found and text.endswith(found[-1]) else ""


def _first_word(text: str) -> str:
    found = _WORD.match(text)
    return found[0] if found else ""
