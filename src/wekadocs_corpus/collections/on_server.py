"""Collections on a Qdrant server: it says which chunks may be near, the truth says what they are and what they score.

An answer is taken only if nothing changed between the moment the server was up to date and the moment it had answered:
so no half of a batch shows, and the same question gets the same answer as without a server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wekadocs_corpus import stopping
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.model import digest
from wekadocs_corpus.store.truth.collections import ChangedChunk, CollectionRow, CollectionTables

from .changes import Filled, some_changes
from .fused import DEPTH
from .memory import Memory
from .rarity import Rarity
from .searching import FoundChunk, Query, Rebound, search

if TYPE_CHECKING:
    from wekadocs_corpus.store.qdrant.chunk_points import ChunkPoints
    from wekadocs_corpus.store.truth.interface import Truth

_AT_ONCE = 256  # chunks read from the truth and sent
_A_MOMENT = 0.05  # seconds until another process may have brought it up to date
_TRIES = 3  # for an answer that no writer disturbs


class OnServer:
    """Used in one event loop."""

    def __init__(self, truth: Truth, tables: CollectionTables, settings: Mapping[str, Any]) -> None:
        from wekadocs_corpus.store.qdrant.wire import Server

        self._truth, self._tables, self._settings = truth, tables, settings
        self._server = Server(settings)
        self._places: dict[str, ChunkPoints] = {}  # by their names on the server
        self._prepared: set[str] = set()
        self._served: dict[str, str] = {}  # by project, the name of the place that answered last
        self._ahead: dict[str, int] = {}  # by that name, which collection is filled in before it serves
        self._turns: dict[str, asyncio.Lock] = {}
        self._rarities: dict[str, Rarity] = {}

    async def close(self) -> None:
        await self._server.close()

    async def bring(self, project: str) -> tuple[CollectionRow, ChunkPoints] | None:
        """The server has all that the truth has at this moment; None where nothing is stored."""
        async with self._turns.setdefault(project, asyncio.Lock()):
            while True:
                row, fields = await stopping.in_thread(self._row, project)
                if row is None:
                    return None
                place = self._place(row, fields)
                if place.name in self._prepared and await self._reached(place) >= row.sequence:
                    if self._served.get(project) != place.name:
                        await self._drop_former(row)
                    self._served[project] = place.name
                    return row, place
                await self._sync(row, place)

    async def fill_ahead(self, row: CollectionRow, fields: list[tuple[str, str]]) -> None:
        """What is being built, under the name that it will have, so that nobody waits for it afterwards."""
        place = self._place(row, fields)
        if self._ahead.get(place.name) != row.number:  # what another attempt left is not of these chunks
            await self._delete(place.name)
            await stopping.in_thread(self._truth.set_reached, place.replica, 0)
            self._ahead[place.name] = row.number
        await self._sync(row, place)

    def _row(self, project: str) -> tuple[CollectionRow | None, list[tuple[str, str]]]:
        with self._tables.view() as view:
            row = view.collection(project)
            return row, view.fields(row.number) if row else []

    def _place(self, row: CollectionRow, fields: list[tuple[str, str]]) -> ChunkPoints:
        from wekadocs_corpus.store.qdrant.chunk_points import ChunkPoints, name_of

        name = name_of(row.name, row.generation)
        if name not in self._places:
            self._places[name] = ChunkPoints(self._server, self._settings, row, self._truth.id, fields)
        return self._places[name]

    async def _reached(self, place: ChunkPoints) -> int:
        return await stopping.in_thread(self._truth.reached, place.replica)

    async def _sync(self, row: CollectionRow, place: ChunkPoints) -> None:
        turn = await stopping.in_thread(self._truth.turn, f"collection-{digest(place.name)[:16]}")
        if turn is None:
            await asyncio.sleep(_A_MOMENT)  # another process brings it up to date
            return
        try:
            reached = await place.prepare()
            behind = 0
            while some := await stopping.in_thread(self._next, row, reached, behind):
                await place.put([each for each in some if not each[0].deleted])
                await place.remove([each[0].number for each in some if each[0].deleted])
                behind = some[-1][0].number
            await place.set_mark(row.sequence)
            await stopping.in_thread(self._truth.set_reached, place.replica, row.sequence)
            self._prepared.add(place.name)
        finally:
            turn.release()

    def _next(self, row: CollectionRow, reached: int, behind: int) -> list[Filled]:
        with self._tables.view() as view:
            return some_changes(view, row.number, reached, behind, _AT_ONCE)

    async def _drop_former(self, row: CollectionRow) -> None:
        """What a migration left behind, once all of the new one is there."""
        from wekadocs_corpus.store.qdrant.chunk_points import name_of

        if row.generation > 1:
            await self._delete(name_of(row.name, row.generation - 1))

    async def _delete(self, name: str) -> None:
        if await self._server.ask(lambda client: client.collection_exists(name)):
            await self._server.ask(lambda client: client.delete_collection(name))
        self._prepared.discard(name)

    async def search(self, project: str, query: Query) -> list[FoundChunk] | None:
        """None where writers left no moment in which the answer was whole."""
        from wekadocs_corpus.store.qdrant.failures import CollectionMissing

        for _ in range(_TRIES):
            brought = await self.bring(project)
            if brought is None:
                return []
            row, place = brought
            try:
                numbers = await self._candidates(row, place, query)
            except CollectionMissing:  # the server lost it: it is made and filled again
                self._prepared.discard(place.name)
                continue
            found = await stopping.in_thread(self._exact, row, numbers, query)
            if found is not None:
                return found
        return None

    async def _candidates(self, row: CollectionRow, place: ChunkPoints, query: Query) -> list[int]:
        if row.model != query.model:
            raise Rebound
        if query.docs is not None:
            return []  # the truth has all that is compared
        depth, numbers = max(DEPTH, query.top_k), list[int]()
        if np.any(query.vector):
            numbers += await place.nearest(query.vector.tolist(), query.conditions, depth)
        if query.hybrid:
            words = await stopping.in_thread(self._weighted, row, query.text)
            numbers += await place.having_words(words, query.conditions, depth) if words else []
        return numbers

    def _weighted(self, row: CollectionRow, text: str) -> dict[int, float]:
        with self._tables.view() as view:
            return self._rarity(row).weighted(view, row, AskedWords(text).terms)

    def _rarity(self, row: CollectionRow) -> Rarity:
        return self._rarities.setdefault(row.project, Rarity())

    def _exact(self, row: CollectionRow, numbers: list[int], query: Query) -> list[FoundChunk] | None:
        """The candidates as the truth scores them, if it is still the same as when the server was asked."""
        with self._tables.view() as view:
            now = view.collection(row.project)
            if now is None or (now.generation, now.sequence) != (row.generation, row.sequence):
                return None
            chunks: list[ChangedChunk] = view.numbered(row.number, numbers)
            return search(view, row, Memory.of(chunks, row.dimension), self._rarity(row), query)

    async def indexes(self, project: str) -> list[tuple[str, str]]:
        brought = await self.bring(project)
        return await brought[1].indexes() if brought else []
