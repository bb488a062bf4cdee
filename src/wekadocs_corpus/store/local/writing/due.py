"""When a new generation is due."""

from __future__ import annotations

from wekadocs_corpus.store.local.generations import Generation
from wekadocs_corpus.store.truth.interface import Truth

SMALL = 2048  # chunks that changed which every process reads by itself, in some 40 ms
_SHARE = 32  # of a larger index, one part in so many


def most_changes(rows: int) -> int:
    """So many chunks may have changed before a new generation is due."""
    return max(SMALL, rows // _SHARE)


def is_small(truth: Truth, project: str) -> bool:
    """So small that every process reads all of it from the truth."""
    return not _more(truth, project, 0, most_changes(0))


def due(truth: Truth, project: str, newest: Generation | None) -> bool:
    rows, sequence = (len(newest.segment), newest.about.sequence) if newest else (0, 0)
    return _more(truth, project, sequence, most_changes(rows))


def _more(truth: Truth, project: str, sequence: int, most: int) -> bool:
    """Whether more chunks than this have changed."""
    return truth.chunks_after(sequence, project, most + 1) > most
