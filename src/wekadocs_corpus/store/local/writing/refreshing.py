"""Writing a generation that is due: at the end of an ingest, or in a process beside one that serves."""

from __future__ import annotations

import time

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.errors import NoRoom
from wekadocs_corpus.store.filesystem import refuse_full
from wekadocs_corpus.store.local.generations import Generations
from wekadocs_corpus.store.truth.interface import Truth

from .building import Progress, build
from .due import due

PATIENCE = 600.0  # seconds for another process that builds
BUSY = "another process is building the index"
_BYTES = 1200  # of words and the rest, per chunk


def refresh(
    truth: Truth, project: str, profile: Profile, progress: Progress = lambda *_: None, patience: float = PATIENCE
) -> str:
    """Write a new generation if one is due; why it could not be done, "" when all is well."""
    generations = Generations(truth.data_dir, project, profile)
    end = time.monotonic() + patience
    try:
        while not _refreshed(generations, truth, project, profile, progress):
            if time.monotonic() > end:
                return BUSY
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
    return truth.chunk_count(project) * (4 * dimension + _BYTES)


def _why(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)
