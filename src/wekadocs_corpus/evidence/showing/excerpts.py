"""How far an excerpt goes: by tokens and bytes as shown, to the end of a sentence where there is one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from wekadocs_corpus import tokens

_PER_TOKEN = 40  # characters a token never has more of, rulers and blanks aside
_BLANKS, _AHEAD = 16, 200
_MARKER = re.compile(r"(?:[-*+•‣◦]|\d{1,9}[.)])\s+")
_FENCE = ("```", "~~~")


@dataclass(frozen=True)
class ExcerptRoom:
    """What an excerpt may cost in the form it is shown in."""

    tokens: int
    bytes: int
    form: Callable[[str], str]
    in_answer: int  # bytes as JSON, where a tab has two and a control character six
    size_in_answer: Callable[[str], int]

    def fits(self, text: str) -> bool:
        return tokens.count(self.form(text)) <= self.tokens and self.holds(text)

    def holds(self, text: str) -> bool:
        shown = self.form(text)
        return (
            len(shown.encode("utf-8", "surrogatepass")) <= self.bytes and self.size_in_answer(shown) <= self.in_answer
        )


def end_of_excerpt(text: str, start: int, room: ExcerptRoom) -> int:
    """As far as the room goes, back to the last whole sentence if that is more than half of it; always further on."""
    from wekadocs_corpus.evidence.sentences import sentences

    end = cut(text, start, len(text), room)
    if end >= len(text):
        return end
    ahead = text[start : end + _AHEAD]  # what the cut fell into must not look like a sentence of its own
    last = max((stop for _, stop in sentences(ahead) if stop <= end - start), default=0)
    if last > (end - start) // 2:
        end = start + last
    for _ in range(_BLANKS):  # the blanks after a sentence belong to it, while they fit
        if not text[end : end + 1].isspace() or not room.fits(text[start : end + 1]):
            break
        end += 1
    return max(end, start + 1)


def cut(text: str, start: int, end: int, room: ExcerptRoom) -> int:
    """Where text[start:end] must end so that there is room for it."""
    end = min(end, start + _PER_TOKEN * room.tokens)
    allowed = room.tokens
    while end > start and not room.fits(text[start:end]):
        nearer = start + tokens.truncate(text[start:end], allowed)
        nearer = bisect_left(range(nearer), True, start, key=lambda at: not room.holds(text[start : at + 1]))
        end = nearer if nearer < end else end - 1
        allowed = allowed * 9 // 10
    return end


def bullets(text: str) -> str:
    """One line a sentence; code stays as it is."""
    from wekadocs_corpus.evidence.sentences import sentences

    return "\n".join(_bullet(text[start:end]) for start, end in sentences(text, all_lines=True))


def _bullet(span: str) -> str:
    return span if span.startswith(_FENCE) else f"- {_unmarked(' '.join(span.split()))}"


def _unmarked(line: str) -> str:
    marker = _MARKER.match(line)
    return line[marker.end() :] if marker else line
