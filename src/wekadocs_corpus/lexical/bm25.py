"""BM25 as sparse vectors: documents carry saturated term weights, questions term weights, the store multiplies by IDF.

score(q, d) = Σ q[t] · idf(t) · d[t],  idf(t) = ln(1 + (N - n + ½) / (n + ½)): what Qdrant's `modifier: idf` computes.
"""

from __future__ import annotations

import re
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
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


_known: dict[str, tuple[int, ...]] = {}  # written word → term ids; a plain dict, since this is what indexing waits for


def _ids(surface: str) -> tuple[int, ...]:
    found = tuple(map(term_id, analyse(surface)))
    if len(surface) <= LONGEST_WHOLE:
        if len(_known) >= CACHED_WORDS:
            _known.clear()
        _known[surface] = found
    return found


def document_terms(title: str, headings: Sequence[str], body: str) -> dict[int, float]:
    """The sparse vector of a passage."""
    counts: dict[int, float] = {}
    length = _count(body, 1.0, counts)
    for field, weight in _context(title, headings):
        _count(field, weight, counts)
    norm = K1 * (1.0 - B + B * length / AVERAGE_LENGTH)
    return {term: tf * (K1 + 1.0) / (tf + norm) for term, tf in counts.items()}


def _count(text: str, weight: float, counts: dict[int, float]) -> int:
    """Add the text's terms to the counts; how many words it has as written."""
    found = surfaces(text)
    known, so_far = _known.get, counts.get
    for surface, times in Counter(found).items():
        for term in known(surface) or _ids(surface):
            counts[term] = so_far(term, 0.0) + weight * times
    return len(found)


def _context(title: str, headings: Sequence[str]) -> list[tuple[str, float]]:
    """Title and headings with their weights; a heading that repeats the title counts once."""
    return [(title, TITLE), *((heading, HEADING) for heading in _others(title, headings))]


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
    return struct.pack(f"<{len(ids)}I{len(ids)}f", *ids, *(terms[i] for i in ids))


def unpack(data: bytes) -> dict[int, float]:
    count = len(data) // 8
    values = struct.unpack(f"<{count}I{count}f", data)
    return dict(zip(values[:count], values[count:], strict=True))
