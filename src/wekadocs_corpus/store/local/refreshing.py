"""When a new generation is due, and writing it: the end of an ingest does it, or a process beside one that serves."""

from __future__ import annotations

import time

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.chunk_rows import chunk_count, chunks_after
from wekadocs_corpus.store.errors import NoRoom
from wekadocs_corpus.store.filesystem import refuse_full
from wekadocs_corpus.store.truth import Truth

from .building import Progress, build
from .generations import Generation, Generations

SMALL = 2048  # chunks that changed which every process reads by itself, in some 50 ms
_SHARE = 32  # of a larger index, one part in so many
_PATIENCE = 600.0  # seconds for another process that builds
_BYTES = 1200  # of words and the rest, per chunk


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
    with truth.reading() as connection:
        return chunks_after(connection, sequence, project, most + 1) > most


def refresh(
    truth: Truth, project: str, profile: Profile, progress: Progress = lambda *_: None, patience: float = _PATIENCE
) -> str:
    """Write a new generation if one is due; why it could not be done, "" when all is well."""
    generations = Generations(truth.data_dir, project, profile)
    end = time.monotonic() + patience
    try:
        while not _refreshed(generations, truth, project, profile, progress):
            if time.monotonic() > end:
                return "another process is building the index"
            time.sleep(0.2)
    except (OSError, NoRoom) as problem:
        return f"the index folder cannot be written ({_why(problem)})"
    return ""


def _refreshed(generations: Generations, truth: Truth, project: str, profile: Profile, progress: Progress) -> bool:
    """False while another process builds."""
    if not due(truth, project, generations.newest(truth.id, truth.sequence())):
        return True
    with generations.building() as folder:
        if folder is None:
            return False
        if due(truth, project, generations.newest(truth.id, truth.sequence())):
            refuse_full(generations.folder, _needed(truth, project, profile.dimension))
            generations.publish(folder, build(truth, folder, project, profile, progress))
    return True


def _needed(truth: Truth, project: str, dimension: int) -> int:
    with truth.reading() as connection:
        return chunk_count(connection, project) * (4 * dimension + _BYTES)


def _why(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)
