"""A new generation from the truth: one look at all documents of a project, in little memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.local.documents import KEYWORDS, Documents, Facts
from wekadocs_corpus.store.local.fields import FIELDS, Columns, field_arrays, joined
from wekadocs_corpus.store.local.files import Writer
from wekadocs_corpus.store.local.names import Names
from wekadocs_corpus.store.truth.interface import Truth
from wekadocs_corpus.store.truth.rows import Snapshot

from .batch import Batch, batch
from .runs import Runs

Progress = Callable[[int, int], None]  # documents done, of


def build(truth: Truth, folder: Path, project: str, profile: Profile, progress: Progress) -> int:
    """Write it into this new folder; the sequence that it holds. The caller publishes it or throws it away."""
    began, writer = time.monotonic(), Writer(folder)
    runs = Runs(folder)
    try:
        with truth.snapshot(project, profile.id) as snapshot:
            sequence = snapshot.sequence
            batches = _batches(snapshot, profile.dimension, progress)
            documents, names = _chunks(writer, runs, batches, profile.dimension)
        _documents(writer, documents)
        _postings(writer, runs)
        runs.remove()
        values = {**documents.values, FIELDS: names}
        writer.finish(truth.id, profile.dimension, sequence, time.monotonic() - began, values)
    finally:
        writer.close()
    return sequence


def _batches(snapshot: Snapshot, dimension: int, progress: Progress) -> Iterator[Batch]:
    for number, rows in enumerate(snapshot.rows, 1):
        yield batch(rows, dimension)
        progress(min(number * snapshot.at_once, snapshot.documents), snapshot.documents)


def _chunks(writer: Writer, runs: Runs, batches: Iterator[Batch], dimension: int) -> tuple[Documents, list[str]]:
    """Also the names of the fields that chunks have."""
    facts: dict[str, Facts] = {}
    others: dict[int, str] = {}
    fields: list[tuple[int, Columns]] = []
    count = 0
    _append(writer, batch([], dimension), np.empty(0, "<i4"))
    for part in batches:
        facts.update(part.facts)
        numbers = dict(zip(part.facts, range(len(facts) - len(part.facts), len(facts)), strict=True))
        _append(writer, part, np.array([numbers[owner] for owner in part.owners], "<i4"))
        runs.add(part.terms, part.places + np.int32(count), part.weights)
        fields += [(count, part.fields)] if part.fields else []
        others.update((count + place, name) for place, name in part.names.others.items())
        count += len(part.owners)
    for name, array in Names(np.empty((0, 2)), others).written().items():
        writer.append(name, array)
    return Documents.of(facts.values()), _fields(writer, joined(fields))


def _fields(writer: Writer, own: Columns) -> list[str]:
    for number, column in enumerate(own.values()):
        for name, array in zip(field_arrays(number), (column.places, column.codes, column.spelled), strict=True):
            writer.append(name, array)
    return list(own)


def _append(writer: Writer, part: Batch, owners: np.ndarray) -> None:
    writer.append("vectors", part.vectors)
    writer.append("has_vector", part.has_vector)
    writer.append("chunks", part.names.numbers)
    writer.append("owners", owners)


def _documents(writer: Writer, documents: Documents) -> None:
    writer.append("documents", documents.ids)
    for field in KEYWORDS:
        writer.append(field, documents.keywords[field])
    writer.append("updated_at", documents.updated_at)
    writer.append("paths", documents.paths)
    writer.append("path_ends", documents.path_ends)
    writer.append("other_tags", documents.other_tags)


def _postings(writer: Writer, runs: Runs) -> None:
    before = 0
    for name, kind in (("terms", "<u4"), ("ends", "<i8"), ("places", "<i4"), ("weights", "<f4")):
        writer.append(name, np.empty(0, kind))
    for terms, counts, places, weights in runs.merged():
        writer.append("terms", terms)
        writer.append("ends", before + np.cumsum(counts, dtype="<i8"))
        writer.append("places", places)
        writer.append("weights", weights.astype("<f4", copy=False))
        before += len(places)
