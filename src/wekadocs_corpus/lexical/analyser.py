"""Text to index words: folded, split where identifiers split, stemmed. The same for documents and questions."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Protocol

# Marks of scripts whose words Python's \w would cut in two (Indic, Thai, Lao) count as letters.
LETTER = r"[\w\u0900-\u0963\u0966-\u0dff\u0e00-\u0eff]"
# A separator never matches LETTER, so there is one way to read any text: linear time.
COMPOUND = re.compile(rf"{LETTER}+(?:[-./:'@+&~\\]{{1,2}}{LETTER}+)*(?:\+\+|#)?")
PIECE = re.compile(r"[^-./:'@+&~\\_#]+")
CONTRACTION = re.compile(r"([^\W\d_]+)'(?:[a-z]{1,2})", re.IGNORECASE)
CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\WA-Za-z0-9_]+")
VERSION = re.compile(r"v?\d+(?:\.\d+)+")
PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
# Written without spaces between words: Thai to Khmer, kana, Han, Hangul.
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+"
)
# Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, characters that show nothing.
INVISIBLE = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u00ad\u200b-\u200f\u2060\ufeff]+")

# What no word has in it; most texts are ASCII when it is gone.
SIGN = re.compile(r"[^\x00-\x7f\w\u0900-\u0eff]+")
BETWEEN = "".join(sign if COMPOUND.match(sign) or sign in "-./:'@+&~\\#" else " " for sign in map(chr, range(128)))

LONGEST_WHOLE = 96  # a longer word is a blob: its parts can be asked for, or else so much of its beginning
CACHED_WORDS = 200_000


class Stem(Protocol):
    def __call__(self, word: str) -> str: ...


@cache
def stem() -> Stem:
    import Stemmer  # type: ignore[import-not-found, unused-ignore]

    english: Stem = Stemmer.Stemmer("english", 0).stemWord  # we remember words ourselves; its memory is slower
    return english


def fold(text: str) -> str:
    """Without accents and invisible characters, compatibility forms made plain; case is kept."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'").replace("\u2018", "'"))
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", plain))


_seen: dict[str, tuple[str, ...]] = {}


def surfaces(text: str) -> list[str]:
    """The words as written, compounds whole."""
    return COMPOUND.findall(fold(text))


def runs(text: str) -> list[str]:
    """Parts that hold all words of the text, mostly one each: found several times faster than the words themselves."""
    plain = fold(text)
    if not plain.isascii():
        plain = SIGN.sub(" ", plain)
    return plain.translate(BETWEEN).split() if plain.isascii() else COMPOUND.findall(plain)


def analyse(surface: str) -> tuple[str, ...]:
    """The index words of one written word, at least one: the first is the word as a whole, the others are its parts."""
    found = _seen.get(surface)
    if found is None:
        found = _analyse(surface)
        if len(surface) <= LONGEST_WHOLE:
            if len(_seen) >= CACHED_WORDS:
                _seen.clear()
            _seen[surface] = found
    return found


def _analyse(surface: str) -> tuple[str, ...]:
    if surface.isascii() and surface.isalpha() and not _is_camel(surface):  # most words; the rest asks the same, slowly
        return (stem()(surface[:LONGEST_WHOLE].lower()),)
    if UNSPACED.search(surface):
        return tuple(_unspaced(surface))
    surface = surface.removesuffix("'s").removesuffix("'S").strip("_") or surface
    low = surface.casefold()
    beginning = low[:LONGEST_WHOLE]
    if CONTRACTION.fullmatch(low):
        return (beginning.replace("'", ""),)
    if surface.isalpha() and not _is_camel(surface):
        return (stem()(beginning),)
    parts = _parts(surface, low)
    if len(low) > LONGEST_WHOLE:
        return tuple(parts) or (beginning,)
    whole = stem()(low) if low.isalpha() else low
    return (whole, *(part for part in parts if part != whole))


def _is_camel(word: str) -> bool:
    """Whether case marks a border inside the word: apiKey, HTTPServer; not Word, WORD or APIs."""
    return not (word[1:].islower() or word.islower() or word.isupper() or PLURAL_ACRONYM.fullmatch(word))


def _parts(surface: str, low: str) -> list[str]:
    if VERSION.fullmatch(low):
        numbers = low[:LONGEST_WHOLE].removeprefix("v").split(".")
        return [".".join(numbers[:n]) for n in range(len(numbers), 1, -1)]
    parts: list[str] = []
    for piece in PIECE.findall(surface):
        camel = CAMEL.findall(piece) if piece.isascii() and (not piece.isalpha() or _is_camel(piece)) else [piece]
        words = [*camel, piece] if len(camel) > 1 and piece != surface else camel
        # One letter or digit out of a longer word says nothing.
        parts += [stem()(word[:LONGEST_WHOLE].casefold()) for word in words if len(word) > 1 or not word.isascii()]
    return parts


def _unspaced(surface: str) -> list[str]:
    found: list[str] = []
    at = 0
    for run in UNSPACED.finditer(surface):
        found += _rest(surface[at : run.start()])
        text = run.group()
        found += [text[i : i + 2] for i in range(len(text) - 1)] or [text]
        at = run.end()
    return found + _rest(surface[at:])


def _rest(text: str) -> list[str]:
    return [word for surface in COMPOUND.findall(text) for word in _analyse(surface)]
