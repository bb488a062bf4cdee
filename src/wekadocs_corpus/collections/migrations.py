"""From one model to another: a batch of the new one begins a rebuild of all that is there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from wekadocs_corpus import stopping
from wekadocs_corpus.embedding.interface import Embedder
from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.model import digest
from wekadocs_corpus.store.truth.collections import (
    CollectionRow,
    CollectionsChange,
    CollectionTables,
    NewChunk,
    Put,
    Rebuild,
)

from .rebuilding import Naming, Rebuilding, Standing, carried, given_before, standing, sweep
from .writing import Claim, OtherModel, changing, check

if TYPE_CHECKING:
    from .on_server import OnServer

_PUBLISHED_WITHIN = 60.0  # seconds


@dataclass(frozen=True)
class Remaking:
    """What chunks are made anew with under another model; no embedder: they cannot be."""

    embedder: Embedder | None
    naming: Naming


@dataclass(frozen=True)
class Taken:
    """What became of a batch of another model than the collection's."""

    put: Put
    dropped: int  # chunks that could not be embedded again
    rebuilding: bool  # it shows once the collection is rebuilt


class Changed(Exception):
    """The collection changed while it was being rebuilt: begin again."""


class Released(Protocol):
    def release(self) -> None: ...


class Migrations:
    """Of one process. Methods that are no coroutines are for threads."""

    def __init__(
        self,
        tables: CollectionTables,
        turn: Callable[[str], Released | None],
        server: OnServer | None,
        publish: Callable[[str, float], Awaitable[str]],
    ) -> None:
        self._tables, self._turn, self._server, self._publish = tables, turn, server, publish

    def give(
        self, claim: Claim, to: Remaking, chunks: Sequence[NewChunk], until: float, *, promised: bool = False
    ) -> Taken:
        """A batch of `claim`'s model into the collection, which is rebuilt for it if it has another; see `rebuild`.

        Everybody sees the old one until all of the new one is there.
        """
        while True:
            try:
                return self._give(claim, to, chunks, until, promised)
            except Changed:
                check(until)

    def _give(self, claim: Claim, to: Remaking, chunks: Sequence[NewChunk], until: float, promised: bool) -> Taken:
        with self._tables.view() as view:
            other = view.rebuild(claim.project)
            other = other if other and other.model != claim.model else None
            given = given_before(view, other) if other else []
        earlier = carried(given, to.embedder, to.naming) if to.embedder else []
        with changing(self._tables, until) as change:
            row = change.claim(claim.project, claim.name, claim.model, claim.dimension, claim.fields)
            if other and (change.rebuild(claim.project) != other or len(change.given(other.target)) != len(given)):
                raise Changed
            if other:
                change.drop_rebuild(other)
            taken = _into(change, row, claim, to, [*earlier, *chunks], promised)
            return replace(taken, dropped=taken.dropped + len(given) - len(earlier))

    def at_once(self, claim: Claim, to: Remaking, chunks: Sequence[NewChunk], until: float) -> None:
        """All of it while the caller waits, in a thread; whoever is killed meanwhile finds it again where it was."""
        if not self.give(claim, to, chunks, until, promised=True).rebuilding or to.embedder is None:
            return
        work = Rebuilding(self._tables, claim.project, claim.model, to.embedder, to.naming)
        while work.copy_all() and not work.swap():
            pass
        self.sweep()

    async def rebuild(self, project: str, model: str, to: Remaking, lock: Released) -> None:
        """Until the collection is all of this model; for whoever has the lock, which is released at the end."""
        try:
            assert to.embedder is not None
            work = Rebuilding(self._tables, project, model, to.embedder, to.naming)
            while row := await stopping.in_thread(work.copy_all):
                await self._fill_ahead(row)
                if await stopping.in_thread(work.swap):
                    break
        finally:
            lock.release()
        await self._publish(project, _PUBLISHED_WITHIN)

    async def _fill_ahead(self, row: CollectionRow) -> None:
        if self._server is not None:
            fields = await stopping.in_thread(self._fields, row.number)
            with suppress(Unavailable):  # it is filled before it is asked, at the latest
                await self._server.fill_ahead(row, fields)

    def _fields(self, collection: int) -> list[tuple[str, str]]:
        with self._tables.view() as view:
            return view.fields(collection)

    def lock(self, project: str) -> Released | None:
        """The right to rebuild; None while another has it. It dies with its process."""
        return self._turn(f"rebuild-{digest(project)[:16]}")

    def promise(self, project: str, until: float) -> bool:
        """From now on the rebuild outlives this process; False where there is none any more."""
        with changing(self._tables, until) as change:
            rebuild = change.rebuild(project)
            if rebuild is not None:
                change.promise(rebuild)
            return rebuild is not None

    def give_up(self, project: str, until: float) -> None:
        """A rebuild that nobody was promised goes."""
        with changing(self._tables, until) as change:
            rebuild = change.rebuild(project)
            if rebuild is not None and not rebuild.promised:
                change.drop_rebuild(rebuild)

    def rebuilds(self) -> list[Rebuild]:
        with self._tables.view() as view:
            return view.rebuilds()

    def standing(self, project: str) -> Standing | None:
        with self._tables.view() as view:
            return standing(view, project)

    def sweep(self) -> None:
        """What migrations left behind goes, some at a time."""
        sweep(self._tables)


def _into(
    change: CollectionsChange,
    row: CollectionRow,
    claim: Claim,
    to: Remaking,
    chunks: Sequence[NewChunk],
    promised: bool,
) -> Taken:
    rebuild = change.rebuild(claim.project)
    if rebuild is None and row.model == claim.model:
        if row.dimension != claim.dimension:
            raise OtherModel(row.model)
        return Taken(change.put(row.number, chunks), 0, False)
    rebuild = rebuild or change.begin_rebuild(claim.project, claim.model, claim.dimension, claim.fields)
    put = change.give(rebuild, chunks)
    if to.embedder is None:
        dropped = change.size(row.number)
        change.swap(rebuild)
        return Taken(put, dropped, False)
    if promised:
        change.promise(rebuild)
    return Taken(put, 0, True)
