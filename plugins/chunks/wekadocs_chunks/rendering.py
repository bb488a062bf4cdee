"""A chunk as it is shown: trimmed at a word's end, never inside a character, with what a citation needs."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekadocs_corpus import FoundChunk, StoredChunk

_DOTS = "..."
_NAME = 100
_JOINER = "\u200d"
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")  # part of a character by rule, not by category
_PREPENDED = frozenset([*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD])
_VIRAMA = 9  # its combining class: the consonant behind it is written into the one before
_SPACELESS = (
    *((0xE00, 0xFFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3040, 0x30FF)),
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
)


def trimmed(text: str, limit: int) -> str:
    """At most `limit` code points, its three dots included."""
    if len(text) <= limit:
        return text
    end = _before(text, limit - len(_DOTS))
    word = end
    while word > 0 and not _ends_word(text, word):
        word -= 1
    return (text[:word].rstrip() or text[:end].rstrip()) + _DOTS


def named(name: str) -> str:
    """For a warning, which many names must fit into."""
    return repr(trimmed(name, _NAME))


def _ends_word(text: str, place: int) -> bool:
    """Before a space; in scripts that write none, between any two characters."""
    if text[place].isspace():
        return not _goes_on(text, place)
    return (_spaceless(text[place - 1]) or _spaceless(text[place])) and not _goes_on(text, place)


def _spaceless(letter: str) -> bool:
    """Kana, Han, Thai, Lao, Khmer, Burmese, Tibetan."""
    code = ord(letter)
    return any(low <= code <= high for low, high in _SPACELESS)


def _before(text: str, place: int) -> int:
    """The nearest place at or before this one where no character of more than one code point would be cut."""
    while 0 < place < len(text) and _goes_on(text, place):
        place -= 1
    return place


def _goes_on(text: str, place: int) -> bool:
    """Whether what stands here belongs to the character before it."""
    before, here = text[place - 1], text[place]
    if (before, here) == ("\r", "\n"):
        return True
    if unicodedata.category(here) in ("Mn", "Me", "Mc") or here in _EXTENDING or 0x1F3FB <= ord(here) <= 0x1F3FF:
        return True
    if before == _JOINER or 0xE0020 <= ord(here) <= 0xE007F or ord(before) in _PREPENDED:
        return True
    conjunct = unicodedata.combining(before) == _VIRAMA and unicodedata.category(here) == "Lo"
    return conjunct or _is_flag(text, place) or _is_syllable(before, here)


def _is_flag(text: str, place: int) -> bool:
    """Two regional indicators make a flag: an odd number of them before this one."""
    if not 0x1F1E6 <= ord(text[place]) <= 0x1F1FF:
        return False
    first = place
    while first > 0 and 0x1F1E6 <= ord(text[first - 1]) <= 0x1F1FF:
        first -= 1
    return (place - first) % 2 == 1


def _is_syllable(before: str, here: str) -> bool:
    """Hangul: a leading consonant and its vowel, a vowel or syllable and its final consonant."""
    first, second = _hangul(before), _hangul(here)
    return second in ("L", "V", "S") if first == "L" else first in ("V", "S", "T") and second in ("V", "T")


def _hangul(letter: str) -> str:
    code = ord(letter)
    ranges = {"L": (0x1100, 0x115F), "V": (0x1160, 0x11A7), "T": (0x11A8, 0x11FF), "S": (0xAC00, 0xD7A3)}
    return next((name for name, (low, high) in ranges.items() if low <= code <= high), "")


def part(payload: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return payload.get(name) or {}


def shown(found: FoundChunk, limit: int, *, full: bool, debug: bool) -> dict[str, Any]:
    row = cited(found.chunk, limit, found.scored.score)
    if full:
        row["full_text"] = found.chunk.text if found.chunk.fulltext is None else found.chunk.fulltext
    if debug:
        row |= {"words_rank": found.scored.words_rank, "vector_rank": found.scored.vector_rank}
    return row


def cited(chunk: StoredChunk, limit: int, score: float) -> dict[str, Any]:
    zotero, doc = part(chunk.payload, "zotero"), part(chunk.payload, "doc")
    path = list(doc.get("section_path") or [])
    return {
        "render_text": trimmed(chunk.text, limit),
        "score": score,
        "citekey": zotero.get("citekey"),
        "section": doc.get("section") or (path[-1] if path else None),
        "page_span": doc.get("page_span"),
        "section_path": path,
        "doi": zotero.get("doi"),
        "url": zotero.get("url"),
        "full_text": None,
        "id": chunk.id,
    }
