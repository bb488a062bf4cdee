"""BM25 as sparse vectors: documents carry saturated term weights, questions term weights, the store multiplies by IDF.

score(q, d) = Σ q[t] · idf(t) · d[t],  idf(t) = ln(1 + (N - n + ½) / (n + ½)): what Qdrant's `modifier: idf` computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from zlib import crc32

from .analyser import CACHED_WORDS, LONGEST_WHOLE, analyse, surfaces

# Changes when the same text would give other vectors: what is stored must then be made anew.
LEXICAL_VERSION = "2"

K1 = 1.0
B = 0.7
AVERAGE_LENGTH = 100.0  # fixed, or one new document would change the vectors of all others
TITLE = 2.5  # what one occurrence in a title counts for, in occurrences in the body
HEADING = 2.0


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
