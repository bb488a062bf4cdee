"""The sparse vectors of a document's passages as bytes: term ids in order, then their weights."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .analyser import CACHED_WORDS, COMPOUND, LONGEST_WHOLE, analyse, runs
from .bm25 import AVERAGE_LENGTH, HEADING, K1, TITLE, B, other_headings, term_id

Passage = tuple[str, Sequence[str], str]  # title, headings, body
Numbers = NDArray[np.uint64]

# An occurrence of a term is one number, so that a plain sort brings those of a passage's term together. From its lowest
# bit: the weight in halves (3 bits), whether it begins a word of the body, the term's id (33 bits), the passage.
_BEGINS, _TERM, _PASSAGE = 1 << 3, 4, 37
_WEIGHT = _BEGINS - 1
_NOTHING = 1 << 32  # what a word without terms has for an id: it counts for the length

_AT_ONCE = 500  # passages: memory stays small for a book


class _Known(dict[str, bytes]):
    """Run of characters → its terms as in a body; found by C code alone once it is known: indexing waits for this."""

    def __missing__(self, run: str) -> bytes:
        words = [analyse(word) for word in COMPOUND.findall(run)]
        ids = [list(map(term_id, word)) or [_NOTHING] for word in words]
        numbers = [each << _TERM | 2 | (place == 0) * _BEGINS for word in ids for place, each in enumerate(word)]
        found = struct.pack(f"={len(numbers)}Q", *numbers)
        if len(run) <= LONGEST_WHOLE:
            if len(self) >= CACHED_WORDS:
                self.clear()
            self[run] = found
        return found


_known = _Known()


def document_vectors(passages: Sequence[Passage]) -> list[bytes]:
    """One for each passage; a blank body has no terms, whatever stands above it."""
    some = (passages[start : start + _AT_ONCE] for start in range(0, len(passages), _AT_ONCE))
    return [vector for each in some for vector in _some_vectors(each)]


def _some_vectors(passages: Sequence[Passage]) -> list[bytes]:
    fields = [_fields(passage) for passage in passages]
    sizes = [sum(map(len, each)) // 8 for each in fields]
    passage: Numbers = np.arange(len(fields) + 1, dtype=np.uint64) << np.uint64(_PASSAGE)
    numbers = np.frombuffer(b"".join([each for field in fields for each in field]), np.uint64)
    numbers = np.sort(numbers | np.repeat(passage[:-1], sizes))
    return _vectors(numbers, passage) if len(numbers) else [b""] * len(fields)


def _fields(passage: Passage) -> list[bytes]:
    title, headings, body = passage
    if not body.strip():
        return []
    above = [_line(heading, HEADING) for heading in other_headings(title, headings)]
    return [b"".join(map(_known.__getitem__, runs(body))), _line(title, TITLE), *above]


@lru_cache(maxsize=1024)
def _line(text: str, weight: float) -> bytes:
    body = np.frombuffer(b"".join(map(_known.__getitem__, runs(text))), np.uint64)
    return (body >> _TERM << _TERM | int(2 * weight)).tobytes()


def _vectors(numbers: Numbers, passage: Numbers) -> list[bytes]:
    terms = numbers >> _TERM
    first = np.flatnonzero(np.concatenate(([True], terms[1:] != terms[:-1])))
    times = np.add.reduceat(numbers & _WEIGHT, first) / 2
    owners = (numbers >> _PASSAGE).view(np.int64)
    lengths = np.bincount(owners, numbers & _BEGINS, len(passage)) / _BEGINS
    norms = K1 * (1.0 - B + B * lengths / AVERAGE_LENGTH)
    weights = (times * (K1 + 1.0) / (times + norms[owners[first]])).astype("<f4")
    terms = terms[first]
    starts, ends = (np.searchsorted(terms, passage >> _TERM | after).tolist() for after in (0, _NOTHING))
    ids = terms.astype("<u4")
    return [ids[a:b].tobytes() + weights[a:b].tobytes() for a, b in zip(starts[:-1], ends[:-1], strict=True)]


def unpack(data: bytes) -> dict[int, float]:
    count = len(data) // 8
    values = struct.unpack(f"<{count}I{count}f", data)
    return dict(zip(values[:count], values[count:], strict=True))
