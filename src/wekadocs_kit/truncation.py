"""A text cut to a length, its suffix included, and never inside what a reader sees as one character."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_JOINER = "\u200d"
# What extends a character though it is no mark: joiners, skin tones, tags, half-width voicing, two vowels.
_EXTENDING = frozenset("\u200c\u200d\uff9e\uff9f\u0e33\u0eb3")
_RANGES = ((0x1F3FB, 0x1F3FF), (0xE0020, 0xE007F))
# Letters that wait for the next one.
_PREPENDED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
    "\U0001193f\U00011941\U00011a3a\U00011a84\U00011a85\U00011a86\U00011a87\U00011a88\U00011a89\U00011d46\U00011f02"
)
_VIRAMA = 9  # its combining class: the consonant behind it is written into the one before
_LONGEST_WORD = 200  # code points; what is longer is no word, and may be cut
_SPACELESS = (
    *((0xE00, 0xFFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3040, 0x30FF)),
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),
)


def truncated(text: str, limit: int, suffix: str, *, at_word: bool = False) -> str:
    """At most `limit` code points, with `suffix` among them where something was cut; `at_word`: at a word's end."""
    if len(text) <= limit:
        return text
    end = _before(text, limit - len(suffix))
    return text[: _word_end(text, end) if at_word else end] + suffix


def _word_end(text: str, end: int) -> int:
    word = end
    while word > 0 and not _ends_word(text, word):
        word -= 1
    if end - word > _LONGEST_WORD:
        word = end
    return len(text[:word].rstrip()) or len(text[:end].rstrip())


def _ends_word(text: str, place: int) -> bool:
    """Before a space; in scripts that write none, between any two characters."""
    if not text[place].isspace() and not _is_spaceless(text[place - 1]) and not _is_spaceless(text[place]):
        return False
    return not _goes_on(text, place)


def _is_spaceless(letter: str) -> bool:
    """Kana, Han, Thai, Lao, Khmer, Burmese, Tibetan."""
    code = ord(letter)
    return any(low <= code <= high for low, high in _SPACELESS)


def _before(text: str, place: int) -> int:
    """The nearest place at or before this one where no character of more than one code point would be cut."""
    place = max(place, 0)
    while 0 < place < len(text) and _goes_on(text, place):
        place -= 1
    return place


def _goes_on(text: str, place: int) -> bool:
    """Whether what stands here belongs to the character before it."""
    before, here = text[place - 1], text[place]
    if (before, here) == ("\r", "\n"):
        return True
    if _is_control(before) or _is_control(here):
        return False
    if _extends(here) or before == _JOINER or before in _PREPENDED:
        return True
    return _is_flag(text, place) or _is_syllable(before, here) or _is_conjunct(text, place)


@lru_cache(maxsize=4096)
def _extends(letter: str) -> bool:
    code = ord(letter)
    in_ranges = any(low <= code <= high for low, high in _RANGES)
    return in_ranges or letter in _EXTENDING or unicodedata.category(letter) in ("Mn", "Me", "Mc")


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Zl", "Zp")


def _is_conjunct(text: str, place: int) -> bool:
    """A consonant tied to the one before it."""
    at = place - 1
    tied = False
    while at > 0 and _extends(text[at]):
        tied = tied or unicodedata.combining(text[at]) == _VIRAMA
        at -= 1
    return tied and unicodedata.category(text[place]) == unicodedata.category(text[at]) == "Lo"


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
