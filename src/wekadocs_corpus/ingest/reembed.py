"""New vectors for what is stored, with another model: no file is read again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wekadocs_corpus.store.truth.rows import Binding

from .reading.prepare import embedded, texts_to_embed
from .report import Progress, Report

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.store.truth.interface import Truth

_AT_ONCE = 32  # documents


def reembed(truth: Truth, project: str, embedder: Embedder, progress: Progress) -> Report:
    """Of one project: the vectors of others stay.

    Resumable: vectors are kept under their model's name, and only those that miss are made.
    """
    began = time.monotonic()
    ids = truth.document_ids(project)
    report = Report(seen=len(ids))
    try:
        for done, batch in _batches(ids):
            report.changed += _batch(truth, project, embedder, batch)
            progress("vectors", done, len(ids))
        truth.bind(project, Binding(embedder.profile.id, embedder.profile.dimension))
        truth.tidy(project)
    except KeyboardInterrupt:
        report.interrupted = True
    report.unchanged = report.seen - report.changed
    report.seconds = time.monotonic() - began
    return report


def _batch(truth: Truth, project: str, embedder: Embedder, ids: list[str]) -> int:
    texts: dict[str, str] = {}
    changed = 0
    for each in ids:
        own = texts_to_embed(truth, each)
        missing = truth.missing_vectors(embedder.profile.id, list(own))
        texts.update({key: own[key] for key in missing})
        changed += bool(missing)
    if texts:
        truth.add_vectors(project, embedder.profile.id, embedded(embedder, texts))
    return changed


def _batches(ids: list[str]) -> Iterator[tuple[int, list[str]]]:
    for start in range(0, len(ids), _AT_ONCE):
        yield min(start + _AT_ONCE, len(ids)), ids[start : start + _AT_ONCE]
