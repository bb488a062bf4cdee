"""Transactions that are too late after a moment, and what a project's collection is to be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from wekadocs_corpus import stopping
from wekadocs_corpus.store.errors import Busy
from wekadocs_corpus.store.truth.collections import CollectionsChange, CollectionTables


@dataclass(frozen=True)
class Claim:
    """What a project's collection is to be, where it is not there yet."""

    project: str
    name: str
    model: str
    dimension: int
    fields: tuple[tuple[str, str], ...]  # (payload field, kind of index)


class OtherModel(Exception):
    """Another process bound the collection to another model meanwhile."""

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self.model = model


@contextmanager
def changing(tables: CollectionTables, until: float) -> Iterator[CollectionsChange]:
    """A transaction that is too late if others write until then (time.monotonic)."""
    try:
        with tables.change(max(0.0, until - time.monotonic())) as change:
            yield change
            check(until)
    except Busy as problem:
        raise TimeoutError(str(problem)) from problem


def check(until: float) -> None:
    """The last look before a commit: whoever waited is told that nothing was written, so nothing may be."""
    stopping.check()
    if time.monotonic() > until:
        raise TimeoutError("too late to write")
