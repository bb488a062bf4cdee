"""A collection rebuilt for another model while the old one serves: chunks are embedded again and copied, step by step.

Every step is a transaction of its own, so that another process can go on where one was killed. What nobody was promised
goes with the process that began it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wekadocs_corpus import stopping
from wekadocs_corpus.embedding.interface import Embedder
from wekadocs_corpus.store.errors import Busy
from wekadocs_corpus.store.truth.collections import (
    Carried,
    CollectionRow,
    CollectionsChange,
    CollectionsView,
    CollectionTables,
    NewChunk,
    Rebuild,
    StoredChunk,
)

from .changes import Filled, numbered, some_changes
from .preparing import embedded

Named = tuple[str, Mapping[str, Any]]  # id and payload of a chunk under the new model
Naming = Callable[[StoredChunk], Named]
_AT_ONCE = 512  # chunks embedded and copied in one step
_LAST = 64  # changes that are copied while writers wait, at the very end
_SWEPT = 2000  # rows that go in one step
_PATIENCE = 60.0  # seconds that a step waits for other writers


@dataclass(frozen=True)
class Standing:
    """How far a rebuild has come."""

    rebuild: Rebuild
    total: int


def standing(view: CollectionsView, project: str) -> Standing | None:
    rebuild = view.rebuild(project)
    return None if rebuild is None else Standing(rebuild, view.size(rebuild.source))


class Rebuilding:
    """Of one project, by one process at a time: whoever holds the lock. For threads."""

    def __init__(self, tables: CollectionTables, project: str, model: str, embedder: Embedder, naming: Naming) -> None:
        self._tables, self._project, self._model = tables, project, model
        self._embedder, self._naming = embedder, naming

    def _mine(self, view: CollectionsView) -> Rebuild | None:
        """None once it is done, or given up for another model."""
        rebuild = view.rebuild(self._project)
        return rebuild if rebuild and rebuild.model == self._model else None

    def copy_all(self) -> CollectionRow | None:
        """Until nothing is left to copy; the collection as it will serve, None where it does already."""
        while True:
            stopping.check()
            with self._tables.view() as view:
                rebuild = self._mine(view)
                if rebuild is None:
                    return None
                some = some_changes(view, rebuild.source, rebuild.reached, rebuild.behind, _AT_ONCE)
                source, target = view.by_number(rebuild.source), view.by_number(rebuild.target)
            if some:
                self._copy(rebuild, self._carried(some))
            elif source and target and source.sequence > rebuild.passing:
                self._pass_on(rebuild, source.sequence)
            else:
                assert source and target
                return replace(target, project=source.project, name=source.name, generation=source.generation + 1)

    def swap(self) -> bool:
        """If few changes came since; they are copied while writers wait."""
        with self._tables.change(_PATIENCE) as change:
            rebuild = self._mine(change)
            if rebuild is None:
                return True
            some = some_changes(change, rebuild.source, rebuild.passing, 0, _LAST + 1)
            if len(some) > _LAST:
                return False
            if some:
                change.copy(rebuild, self._carried(some))
            stopping.check()
            change.swap(rebuild)
        return True

    def _copy(self, rebuild: Rebuild, chunks: Sequence[Carried]) -> None:
        with self._tables.change(_PATIENCE) as change:
            stopping.check()
            if _same(change, rebuild):
                change.copy(rebuild, chunks)

    def _pass_on(self, rebuild: Rebuild, sequence: int) -> None:
        with self._tables.change(_PATIENCE) as change:
            if _same(change, rebuild):
                change.next_pass(rebuild, sequence)

    def _carried(self, some: Sequence[Filled]) -> list[Carried]:
        made = iter(carried([each for each in some if not each[0].deleted], self._embedder, self._naming))
        return [
            Carried(changed.number, changed.sequence, None if changed.deleted else next(made)) for changed, _, _ in some
        ]


def _same(change: CollectionsChange, rebuild: Rebuild) -> bool:
    """Nobody gave it up or began another meanwhile."""
    now = change.rebuild(rebuild.project)
    return now is not None and now.target == rebuild.target


def carried(some: Sequence[Filled], embedder: Embedder, naming: Naming) -> list[NewChunk]:
    """Chunks as they are under another model."""
    vectors = embedded(embedder, [stored.text for _, stored, _ in some]) if some else []
    made: list[NewChunk] = []
    for (changed, stored, keywords), vector in zip(some, vectors, strict=True):
        id, payload = naming(stored)
        text = (stored.doc, stored.text, stored.fulltext)
        made.append(NewChunk(id, *text, payload, tuple(keywords), vector, changed.terms))
    return made


def given_before(view: CollectionsView, rebuild: Rebuild) -> list[Filled]:
    """What batches brought into a rebuild."""
    return numbered(view, rebuild.target, view.given(rebuild.target))


def sweep(tables: CollectionTables) -> None:
    """Rows that nobody asks for any more go, some at a time, so that no writer waits for long."""
    with tables.view() as view:
        left = view.has_leavings()
    while left:
        stopping.check()
        began = time.monotonic()
        try:
            with tables.change(_PATIENCE) as change:
                left = change.sweep(_SWEPT)
        except Busy:
            return  # the next process that looks sweeps
        time.sleep(min(0.05, time.monotonic() - began))  # others write too
