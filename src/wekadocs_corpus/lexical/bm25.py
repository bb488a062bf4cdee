"""BM25 as sparse vectors: documents carry saturated term weights, questions term weights, the store multiplies by IDF.

score(q, d) = Σ q[t] · idf(t) · d[t],  idf(t) = ln(1 + (N - n + ½) / (n + ½)): what Qdrant's `modifier: idf` computes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, repeat
from zlib import crc32

from .analyser import CACHED_WORDS, LONGEST_WHOLE, UNSPACED, VERSION, analyse, surfaces
from .stop_words import STOP_WORDS, foreign_stop_words
from .worth import worth

# Changes when the same text would give other vectors: what is stored must then be made anew.
LEXICAL_VERSION = "2"

K1 = 1.0
B = 0.7
AVERAGE_LENGTH = 100.0  # fixed, or one new document would change the vectors of all others
TITLE = 2.5  # what one occurrence in a title counts for, in occurrences in the body
HEADING = 2.0
NAME = re.compile(r"[_/\\:.@#]|\d[^\W\d]|[^\W\d]\d")
FLAG = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*(?:\.[\w-]+)*")
IDENTIFIER = re.compile(r"_|[a-z][A-Z][a-z]|[A-Za-z]\.[A-Za-z]|[A-Za-z]-?\d{3}|\d{3}-?[A-Za-z]")
CODE = re.compile(r"`[^`]+`|\b\w+(?=\(\))")
EXACT = 1.5  # in a question: an identifier, flag, code or version as a whole, a word marked as code


@lru_cache(maxsize=200_000)
def term_id(word: str) -> int:
    """A stable 32-bit name: the same word has the same id in every process, store and release."""
    return crc32(word.encode("utf-8", "surrogatepass"))


class _Known(dict[str, tuple[int, ...]]):
    """Written word → term ids; found by C code alone once it is known, which is what quoting waits for."""

    def __missing__(self, surface: str) -> tuple[int, ...]:
        found = tuple(map(term_id, analyse(surface)))
        if len(surface) <= LONGEST_WHOLE:
            if len(self) >= CACHED_WORDS:
                self.clear()
            self[surface] = found
        return found


_known = _Known()


def terms_of(text: str) -> frozenset[int]:
    """Which terms a text has, whatever their weight."""
    return frozenset(chain.from_iterable(map(_known.__getitem__, surfaces(text))))


def other_headings(title: str, headings: Sequence[str]) -> list[str]:
    """A heading that repeats the title, or another one, says nothing more."""
    return [heading for heading in dict.fromkeys(headings) if heading != title]


def embedding_text(title: str, headings: Sequence[str], body: str) -> str:
    """What is embedded for a passage: where it stands, then what it says."""
    above = (title, *other_headings(title, headings))
    return "\n".join([*(line for line in above if line and not body.startswith((line, f"# {line}"))), body])


def query_terms(query: str, *, split: bool = True) -> dict[int, float]:
    """The sparse vector of a question: exact names weigh more, words that tell little anywhere weigh less.

    Stop words only count when nothing else is there. Without `split` a compound is asked for as a whole only, and so is
    every one where nothing but exact names is asked for.
    """
    weights: dict[int, float] = {}
    marked = frozenset(surface for code in CODE.findall(query) for surface in surfaces(code))
    told = _telling(query, marked)
    split = split and not _is_exact(query, told, marked)
    factors = worth(surface for surface, words in told if _is_plain(words) and surface not in marked)
    for surface, words in told:
        whole = factors.get(surface, EXACT)
        for word, weight in zip(words if split else words[:1], chain([whole], repeat(1.0)), strict=False):
            weights[term_id(word)] = weights.get(term_id(word), 0.0) + weight
    return weights


@lru_cache(maxsize=64)
def _telling(query: str, marked: frozenset[str] = frozenset()) -> Sequence[tuple[str, tuple[str, ...]]]:
    """The question's written words with their index words, without stop words unless nothing else is there.

    Legs, second look, hop and quotes all ask for those of the same question.
    """
    found = [(surface, _asked(analyse(surface))) for surface in surfaces(query)]
    foreign = foreign_stop_words([surface.lower() for surface, _ in found])
    stopped = (each for each in found if each[1][0] in STOP_WORDS or each[0].lower() in foreign)
    stops = {surface for surface, _ in stopped} - marked
    return [each for each in found if each[0] not in stops] or found


def _asked(words: tuple[str, ...]) -> tuple[str, ...]:
    """Of Japanese without the pairs that begin with a particle or an ending, which kana write."""
    return tuple(word for word in words if not "\u3041" <= word[0] <= "\u309f") or words


def tells(query: str) -> bool:
    """Whether it has any word beside stop words."""
    return any(analyse(surface)[0] not in STOP_WORDS for surface in surfaces(query))


def _is_exact(query: str, told: Sequence[tuple[str, tuple[str, ...]]], marked: frozenset[str]) -> bool:
    """Whether all of it are identifiers, codes, versions, flags or what is marked as code: their parts are others."""
    named = marked.union(surface for flag in FLAG.findall(query) for surface in surfaces(flag))
    return all(
        surface in named or IDENTIFIER.search(surface) or VERSION.fullmatch(surface.lower()) for surface, _ in told
    )


def _is_plain(words: tuple[str, ...]) -> bool:
    return len(words) == 1 and words[0].isalpha()


def exactness(query: str) -> float:
    """Which share of the question's words are names for one thing: identifiers, flags, paths, codes, versions."""
    told = [words for _, words in _telling(query)]
    flags = len(FLAG.findall(query))
    return min(1.0, (sum(map(_is_name, told)) + flags) / len(told)) if told else 0.0


def names(query: str) -> list[str]:
    """Options, configuration keys, codes and identifiers as written, flags without their dashes; not S3 or IPv4."""
    flags = (flag.lstrip("-") for flag in FLAG.findall(query))
    return list(dict.fromkeys((*flags, *(word for word in surfaces(query) if IDENTIFIER.search(word)))))


def _is_name(words: tuple[str, ...]) -> bool:
    """camelCase has parts but no separator; a hyphen alone makes an ordinary compound."""
    return NAME.search(words[0]) is not None or (
        len(words) > 1 and words[0].isalnum() and not UNSPACED.search(words[0])
    )
