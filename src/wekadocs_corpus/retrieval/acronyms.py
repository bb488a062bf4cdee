"""What an acronym stands for, as the documents themselves say it: "Snap-To-Object (STO)"."""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST = 3  # of one question
_ACRONYM = re.compile(r"(?<![\w./:@`-])[A-Z]{2,8}(?![\w/:@`-]|\.\w|\(\))")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset({"a", "an", "and", "for", "in", "of", "on", "or", "the", "to", "with"})


def acronyms(question: str) -> list[str]:
    """Capitals that stand alone; none in a question that is all capitals, where they mean nothing."""
    found = list(dict.fromkeys(_ACRONYM.findall(question)))
    return found[:MOST] if any(letter.islower() for letter in question) else []


def spelled_out(acronym: str, texts: Iterable[str]) -> str | None:
    """The first definition among the texts."""
    mark = f"({acronym})"
    for text in texts:
        at = text.find(mark)
        while at >= 0:
            words = _initials(acronym, _WORD.findall(text[max(0, at - 120) : at]))
            if words:
                return " ".join(words)
            at = text.find(mark, at + 1)
    return None


def _initials(acronym: str, before: list[str]) -> list[str]:
    """The last words before the brackets whose initials are the acronym, with or without the small ones."""
    for count in range(len(acronym), min(len(before), len(acronym) + 3) + 1):
        words = before[-count:]
        telling = [word for word in words if word.lower() not in _SMALL]
        if acronym.lower() in (_first(words), _first(telling)):
            return words
    return []


def _first(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words).lower()
