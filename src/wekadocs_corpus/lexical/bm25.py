"""BM25 as sparse vectors: documents carry saturated term weights, questions term weights, the store multiplies by IDF.

score(q, d) = Σ q[t] · idf(t) · d[t],  idf(t) = ln(1 + (N - n + ½) / (n + ½)): what Qdrant's `modifier: idf` computes.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from zlib import crc32

from .analyser import CACHED_WORDS, LONGEST_WHOLE, UNSPACED, analyse, surfaces
from .stop_words import STOP_WORDS

# Changes when the same text would give other vectors: what is stored must then be made anew.
LEXICAL_VERSION = "1"

K1 = 1.0
B = 0.7
AVERAGE_LENGTH = 100.0  # fixed, or one new document would change the vectors of all others
TITLE = 2.5  # what one occurrence in a title counts for, in occurrences in the body
HEADING = 2.0
NAME = re.compile(r"[_/\\:.@#]|\d[^\W\d]|[^\W\d]\d")
FLAG = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*")
EXACT = 1.5  # in a question: an identifier, flag, code or version as a whole


@lru_cache(maxsize=200_000)
def term_id(word: str) -> int:
    """A stable 32-bit name: the same word has the same id in every process, store and release."""
    return crc32(word.encode("utf-8", "surrogatepass"))


class _Known(dict[str, tuple[int, ...]]):
    """Written word → term ids; found by C code alone once it is known, since this is what indexing waits for."""

    def __missing__(self, surface: str) -> tuple[int, ...]:
        found = tuple(map(term_id, analyse(surface)))
        if len(surface) <= LONGEST_WHOLE:
            if len(self) >= CACHED_WORDS:
                self.clear()
            self[surface] = found
        return found


_known = _Known()


def document_terms(title: str, headings: Sequence[str], body: str) -> dict[int, float]:
    """The sparse vector of a passage."""
    found = surfaces(body)
    counts: dict[int, float] = _counted(found)  # type: ignore[assignment]  # whole numbers until the context is added
    for term, weight in _context(title, tuple(headings)):
        counts[term] = counts.get(term, 0) + weight
    norm = K1 * (1.0 - B + B * len(found) / AVERAGE_LENGTH)
    return {term: tf * (K1 + 1.0) / (tf + norm) for term, tf in counts.items()}


def terms_of(text: str) -> frozenset[int]:
    """Which terms a text has, whatever their weight."""
    return frozenset(chain.from_iterable(map(_known.__getitem__, surfaces(text))))


def _counted(written: list[str]) -> dict[int, int]:
    return Counter(chain.from_iterable(map(_known.__getitem__, written)))


@lru_cache(maxsize=64)
def _context(title: str, headings: tuple[str, ...]) -> list[tuple[int, float]]:
    """The terms of title and headings with their weights; a heading that repeats the title counts once."""
    weights: dict[int, float] = {}
    for field, weight in [(title, TITLE), *((heading, HEADING) for heading in _others(title, headings))]:
        for term, times in _counted(surfaces(field)).items():
            weights[term] = weights.get(term, 0.0) + weight * times
    return list(weights.items())


def _others(title: str, headings: Sequence[str]) -> list[str]:
    return [heading for heading in dict.fromkeys(headings) if heading != title]


def embedding_text(title: str, headings: Sequence[str], body: str) -> str:
    """What is embedded for a passage: where it stands, then what it says."""
    context = [line for line in (title, *_others(title, headings)) if line and not body.startswith((line, f"# {line}"))]
    return "\n".join([*context, body])


def query_terms(query: str, *, split: bool = True) -> dict[int, float]:
    """The sparse vector of a question: exact names weigh more, stop words only count when nothing else is there.

    Without `split` a compound or identifier is asked for as a whole only.
    """
    weights: dict[int, float] = {}
    for word, weight in _weighted(query) if split else [next(iter(_token_weights(each))) for each in _telling(query)]:
        weights[term_id(word)] = weights.get(term_id(word), 0.0) + weight
    return weights


def _weighted(query: str) -> list[tuple[str, float]]:
    return [pair for words in _telling(query) for pair in _token_weights(words)]


def _telling(query: str) -> list[tuple[str, ...]]:
    """The question's written words without stop words, or all of them when nothing else is there."""
    found = [analyse(surface) for surface in surfaces(query)]
    return [words for words in found if words[0] not in STOP_WORDS] or found


def _token_weights(words: tuple[str, ...]) -> Iterable[tuple[str, float]]:
    yield words[0], EXACT if len(words) > 1 or not words[0].isalpha() else 1.0
    for part in words[1:]:
        yield part, 1.0


def exactness(query: str) -> float:
    """Which share of the question's words are names for one thing: identifiers, flags, paths, codes, versions."""
    told = _telling(query)
    flags = len(FLAG.findall(query))
    return min(1.0, (sum(map(_is_name, told)) + flags) / len(told)) if told else 0.0


def _is_name(words: tuple[str, ...]) -> bool:
    """camelCase has parts but no separator; a hyphen alone makes an ordinary compound."""
    return NAME.search(words[0]) is not None or (
        len(words) > 1 and words[0].isalnum() and not UNSPACED.search(words[0])
    )


def pack(terms: Mapping[int, float]) -> bytes:
    """A sparse vector as bytes: ids, then weights, ordered by id."""
    ids = sorted(terms)
    return struct.pack(f"<{len(ids)}I{len(ids)}f", *ids, *map(terms.__getitem__, ids))


def unpack(data: bytes) -> dict[int, float]:
    count = len(data) // 8
    values = struct.unpack(f"<{count}I{count}f", data)
    return dict(zip(values[:count], values[count:], strict=True))
