"""The collections of one process: batches go in whole, questions see whole batches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from wekadocs_corpus import stopping
from wekadocs_corpus.embedding.interface import Embedder
from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.store.truth.collections import (
    CollectionRow,
    CollectionsView,
    CollectionTables,
    Conditions,
    NewChunk,
    Put,
    StoredChunk,
)

from .image import Images
from .memory import Memory
from .migrations import Migrations, Remaking
from .searching import FoundChunk, Query, search
from .writing import Claim, OtherModel, changing

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth

    from .on_server import OnServer

Result = TypeVar("Result")
__all__ = ["Collections", "Embedder"]
_LOOK = 0.1  # seconds between two looks whether anybody still waits


class Collections:
    """Methods that are no coroutines may wait: they are for threads, see `stopping.in_thread`."""

    def __init__(self, truth: Truth, settings: Mapping[str, Any]) -> None:
        """`settings`: the corpus plugin's; `qdrant: {url}` counts here."""
        self._tables: CollectionTables = truth.collection_tables()
        self._memories: dict[str, Memory] = {}
        self.images = Images(truth.data_dir, truth.id)
        self._server: OnServer | None = None
        if (settings.get("qdrant") or {}).get("url"):
            from .on_server import OnServer

            self._server = OnServer(truth, self._tables, settings["qdrant"])
        self.migrations = Migrations(self._tables, truth.turn, self._server, self.publish)

    async def close(self) -> None:
        await asyncio.to_thread(self.images.close)
        if self._server is not None:
            await self._server.close()

    async def ask(self, project: str, query: Query) -> list[FoundChunk]:
        """Best first; on the server where one is configured, and the same without."""
        if self._server is not None:
            found = await self._server.search(project, query)
            if found is not None:
                return found
        return await stopping.in_thread(self.search, project, query)

    async def publish(self, project: str, seconds: float) -> str:
        """To the server, if there is one, for at most so long; why that was not possible, in words."""
        if self._server is None:
            return ""
        try:
            async with asyncio.timeout(seconds):
                await self._server.bring(project)
        except TimeoutError:
            return "the Qdrant server is not up to date yet; it will be before it is asked"
        except Unavailable as error:
            return f"the Qdrant server is not up to date: {error}; it will be before it is asked"
        return ""

    async def indexes(self, project: str) -> list[tuple[str, str]]:
        """(payload field, kind) as the store that answers has them."""
        if self._server is not None:
            return await self._server.indexes(project)
        return await stopping.in_thread(self.look, lambda view: _fields(view, project))

    @contextmanager
    def view(self) -> Iterator[CollectionsView]:
        with self._tables.view() as view:
            yield view

    def rows(self) -> dict[str, CollectionRow]:
        with self._tables.view() as view:
            return {row.project: row for row in view.collections()}

    def store(self, claim: Claim, chunks: Sequence[NewChunk], until: float) -> Put:
        """All of them, or none; nothing is written after `until` (time.monotonic)."""
        with changing(self._tables, until) as change:
            row = change.claim(claim.project, claim.name, claim.model, claim.dimension, claim.fields)
            if (row.model, row.dimension) != (claim.model, claim.dimension):
                raise OtherModel(row.model)
            return change.put(row.number, chunks)

    def replace(self, claim: Claim, docs: Sequence[str], chunks: Sequence[NewChunk], until: float) -> None:
        """These are all chunks of these documents from now on; what there was before goes in the same moment."""
        with changing(self._tables, until) as change:
            row = change.claim(claim.project, claim.name, claim.model, claim.dimension, claim.fields)
            if (row.model, row.dimension) != (claim.model, claim.dimension):
                raise OtherModel(row.model)
            staying = {each.id for each in chunks}
            gone = [each.id for each in change.of_documents(row.number, docs) if each.id not in staying]
            change.delete(row.number, [], gone)
            change.put(row.number, chunks)

    def migrate(self, claim: Claim, embedder: Embedder, chunks: Sequence[NewChunk], until: float) -> None:
        """Everything in the collection embedded again with `claim`'s model, and these beside it."""
        self.migrations.at_once(claim, Remaking(embedder, lambda chunk: (chunk.id, chunk.payload)), chunks, until)

    def delete(self, project: str, docs: Sequence[str], ids: Sequence[str], until: float) -> tuple[int, list[str]]:
        with changing(self._tables, until) as change:
            row, rebuild = change.collection(project), change.rebuild(project)
            if row is None:
                return 0, list(dict.fromkeys([*docs, *ids]))
            count, absent = change.delete(row.number, docs, ids)
            if rebuild is None:
                return count, absent
            coming, absent_there = change.delete(rebuild.target, docs, ids)
            return max(count, coming), [each for each in absent if each in absent_there]

    def search(self, project: str, query: Query) -> list[FoundChunk]:
        with self._remembered(project) as (view, row, memory):
            return search(view, row, memory, memory.rarity, query) if row is not None else []

    def by_words(self, project: str, text: str, conditions: Conditions, limit: int) -> list[StoredChunk]:
        """Those that share the rarest words with a text, best first; needs no model."""
        with self._remembered(project) as (view, row, memory):
            if row is None:
                return []
            allowed = view.matching(row.number, conditions) if conditions else None
            terms = memory.rarity.weighted(view, row, AskedWords(text).terms)
            legs = memory.words(terms, allowed, limit)
            return view.chunks(row.number, [int(leg.chunk_id) for leg in legs])

    @contextmanager
    def _remembered(self, project: str) -> Iterator[tuple[CollectionsView, CollectionRow | None, Memory]]:
        """A collection's arrays as the view has it, for one thread at a time; who is late waits no more."""
        memory = self._memories.setdefault(project, Memory())
        while not memory.turn.acquire(timeout=_LOOK):
            stopping.check()
        try:
            with self._tables.view() as view:
                row = view.collection(project)
                if row is not None:
                    if memory.is_new and (image := self.images.load(row)):
                        memory.adopt(image, row)
                    memory.follow(view, row)
                yield view, row, memory
                if row is not None and memory.image_due:
                    self.images.write(project, memory.image)
        finally:
            memory.turn.release()

    def of_documents(self, project: str, docs: Sequence[str]) -> list[StoredChunk]:
        """All chunks of these documents, in the order they came in."""
        with self._tables.view() as view:
            row = view.collection(project)
            return view.of_documents(row.number, docs) if row else []

    def look(self, work: Callable[[CollectionsView], Result]) -> Result:
        with self._tables.view() as view:
            return work(view)


def _fields(view: CollectionsView, project: str) -> list[tuple[str, str]]:
    row = view.collection(project)
    return view.fields(row.number) if row else []
