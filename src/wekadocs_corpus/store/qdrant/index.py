"""The search index on a Qdrant server: the same vectors, filters and order as the one in the process."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from wekadocs_corpus.at_once import WouldWait, at_once, may_wait
from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.fields import BeginsWith, Between, FieldCondition, OneOf, fitting
from wekadocs_corpus.model import Filters, Leg, Scope
from wekadocs_corpus.store import checking
from wekadocs_corpus.store.interface import IndexState, IndexUnavailable, SparseVector
from wekadocs_corpus.store.layout import DENSE, KEYWORD, WORDS, Condition, conditions, declared_key
from wekadocs_corpus.store.ranking import Found, ranked
from wekadocs_corpus.store.truth.rows import Fault, IndexRow

from . import sync
from .collection import WAY_OUT, Collection, Mismatch, expected_mark, translated
from .failures import CollectionMissing
from .questions import Questions
from .wire import Server, key_in_the_open

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient, models

    from wekadocs_corpus.store.truth.interface import Truth


Answer = TypeVar("Answer")
_START = "start Qdrant, or correct plugins.corpus.qdrant in tools.yaml"
_TOLD_EVERY = 1.0  # seconds
_A_MOMENT = 0.2  # seconds: another process may just have looked for changes for the last time, and not seen ours


class QdrantIndex:
    """One project and one model on a server; a SearchIndex. Used in one event loop."""

    instead = ""

    def __init__(
        self,
        truth: Truth,
        settings: Mapping[str, object],
        project: str,
        profile: Profile,
        client: AsyncQdrantClient | None = None,
        *,
        filling: bool = False,
    ) -> None:
        self._truth = truth
        self._project = project
        self._profile = profile
        self._server = Server(settings, client)
        self._plain_key = key_in_the_open(settings)
        self._collection = Collection(self._server, settings, expected_mark(project, profile.id, truth.id), profile)
        self._questions = Questions(self._server, self._collection.name, settings)
        self._replica = f"qdrant:{self._collection.name}"
        self._counting = threading.Lock()
        self._filling = filling
        self._indexed: Mapping[str, str] = {}  # declared fields, by this process
        self._prepared = False  # by this process: made if need be, and filled once
        self._verified = False  # known to be ours, so that it may be asked
        self._syncing: asyncio.Task[None] | None = None
        self._note = ""

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        from qdrant_client import models

        weighted = await at_once(self._weighted, query)
        if not weighted:
            return []
        terms = sorted(weighted)
        asked = models.SparseVector(indices=terms, values=[weighted[term] for term in terms])
        return await self._search(asked, WORDS, scope, filters, limit, weighted)

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        return await self._search([float(number) for number in query], DENSE, scope, filters, limit)

    async def search_both(
        self, words: SparseVector, vector: Sequence[float], scope: Scope, filters: Filters, limit: int
    ) -> tuple[list[Leg], list[Leg]]:
        """Both at once: one way to the server, and one to the truth."""
        from qdrant_client import models

        weighted, must = await at_once(self._asked, words, scope, filters)
        if must is None or limit < 1:
            return [], []
        if not weighted:
            return [], await self.search_vectors(vector, scope, filters, limit)
        terms = sorted(weighted)
        sparse = models.SparseVector(indices=terms, values=[weighted[term] for term in terms])
        dense = [float(number) for number in vector]
        found = await self._known(self._questions.both({WORDS: sparse, DENSE: dense}, translated(must), limit))
        return await at_once(self._both_legs, found, scope, filters, limit, weighted)

    async def catch_up(self, seconds: float) -> IndexState:
        """Wait for the sync at most this long; it goes on by itself afterwards."""
        state = await self.state()
        self._retire()
        due = state.behind or not self._prepared or await at_once(self._declared) != self._indexed
        if self._syncing is None and due:
            self._syncing = asyncio.create_task(self._sync())
        if (task := self._syncing) is not None:
            done, _ = await asyncio.wait([task], timeout=seconds)
            if done:
                task.result()
        return await self.state()

    def _retire(self) -> None:
        """A sync that ended while nobody waited: its failure is the note until the next one succeeds."""
        if self._syncing is not None and self._syncing.done():
            if not self._syncing.cancelled() and (problem := self._syncing.exception()):
                self._note = (
                    problem.reason if isinstance(problem, IndexUnavailable) else "the index could not be filled"
                )
            self._syncing = None

    async def state(self) -> IndexState:
        sequence, missing = await at_once(self._progress)
        if self._filling and not self._prepared:
            missing = max(missing, 1)  # the server may have lost what we remember to have sent
        return IndexState("qdrant", sequence, missing, self._note)

    async def close(self) -> None:
        if self._syncing is not None:
            self._syncing.cancel()
            await asyncio.gather(self._syncing, return_exceptions=True)
        await self._server.close()

    async def check(self) -> list[Fault]:
        """What is broken, for `doctor`: reachable, layout, model, and as many points as the truth has chunks."""
        await checking.loaded("qdrant_client")
        try:
            async with asyncio.timeout(checking.WITHIN):
                await self._collection.verify()
                return await self._counted(await self._collection.count())
        except TimeoutError:
            return [Fault(f"Qdrant at {self._server.place} does not answer", _START)]
        except CollectionMissing as error:
            if not await asyncio.to_thread(self._chunks):
                return []  # made with the first documents
            return [Fault(error.reason, "run `wekadocs-mcp ingest`, or start the server: it is made and filled")]
        except Mismatch as error:
            return [Fault(error.reason, WAY_OUT)]
        except IndexUnavailable as error:
            at = "Qdrant at " if error.reason.startswith(f"{self._server.place}:") else ""
            return [Fault(f"{at}{error.reason}", _START)]

    async def advice(self) -> list[Fault]:
        """What is not broken but worth knowing, for `doctor`; asks the server nothing."""
        found, state = [], await self.state()
        if state.behind:
            found.append(Fault(f"Qdrant is {state.behind} changes behind", "run `wekadocs-mcp ingest`, or serve"))
        if self._plain_key:
            found.append(Fault("the API key for Qdrant travels unencrypted", "use an https:// URL"))
        return found

    async def _counted(self, held: int) -> list[Fault]:
        chunks = await asyncio.to_thread(self._chunks)
        if held == chunks or (await self.state()).behind:
            return []
        cure = "delete the collection on the server; it is filled again at the next start or ingest"
        return [Fault(f"{self._server.place}: {held} points for {chunks} chunks", cure)]

    def _chunks(self) -> int:
        return self._truth.counts(self._project).chunks

    async def _search(
        self,
        query: models.SparseVector | list[float],
        using: str,
        scope: Scope,
        filters: Filters,
        limit: int,
        words: SparseVector | None = None,
    ) -> list[Leg]:
        must = await at_once(self._conditions, scope, filters)
        if must is None or limit < 1:
            return []
        found = await self._known(self._questions.through_ties(query, using, translated(must), limit))
        return await asyncio.to_thread(self._legs, found, scope, filters, limit, words)

    async def _known(self, asking: Coroutine[None, None, Answer]) -> Answer:
        """Another's collection, or another model's, must never answer."""
        try:
            if not self._verified:
                await self._collection.verify()
                self._verified = True
            return await asking
        except CollectionMissing:
            self._prepared = self._verified = False  # the next catch_up makes it anew
            raise
        finally:
            asking.close()

    def _asked(
        self, words: SparseVector, scope: Scope, filters: Filters
    ) -> tuple[dict[int, float], tuple[Condition, ...] | None]:
        return self._weighted(words), self._conditions(scope, filters)

    def _both_legs(
        self, found: Sequence[Found], scope: Scope, filters: Filters, limit: int, words: SparseVector
    ) -> tuple[list[Leg], list[Leg]]:
        by_words, by_vectors = (dict(each) for each in found)
        documents, exact = self._truth.found([list(by_words), list(by_vectors)], list(by_words), words, scope, filters)
        if len(documents) < len(by_words | by_vectors):  # see _legs
            one, other = (
                self._legs(each, scope, filters, limit, of) for each, of in zip(found, (words, None), strict=True)
            )
            return one, other
        one, other = (
            ranked((Leg(chunk, documents[chunk], score) for chunk, score in each.items()), limit)
            for each in (by_words | exact, by_vectors)
        )
        return one, other

    def _legs(self, found: Found, scope: Scope, filters: Filters, limit: int, words: SparseVector | None) -> list[Leg]:
        """In the one order; without what the truth no longer has, or has moved out of this scope."""
        scores = dict(found)
        documents = self._truth.documents_of(list(scores), scope, filters)
        if len(documents) < len(scores):  # gone, or chunks with ids that others gave them
            named = self._truth.chunks_named([each for each in scores if each not in documents])
            scores |= {name: scores[key] for key, name in named.items()}
            documents |= self._truth.documents_of(list(named.values()), scope, filters)
        if words:  # each segment of a server adds up in an order of its own: of two equals one would be the better
            scores |= self._truth.exact_scores(list(documents), words)
        return ranked((Leg(chunk, document, scores[chunk]) for chunk, document in documents.items()), limit)

    def _weighted(self, query: SparseVector) -> dict[int, float]:
        if not self._counting.acquire(blocking=may_wait()):
            raise WouldWait
        try:
            return self._truth.weighted(self._project, query)
        finally:
            self._counting.release()

    def _conditions(self, scope: Scope, filters: Filters) -> tuple[Condition, ...] | None:
        if scope.project_id != self._project:
            return None
        return conditions(scope, filters, partial(self._truth.documents_under, scope), self._meeting)

    def _meeting(self, wanted: FieldCondition) -> OneOf | Between | None:
        """Only what its index can answer: a strict server refuses the rest. Beginnings are looked up in the truth."""
        kinds = {each.name: each.kind for each in self._truth.fields(self._project)}
        found = fitting(wanted, kinds.get(wanted.field))
        if not isinstance(found, BeginsWith):
            return found
        values = self._truth.values_beginning(self._project, found.field, found.prefix)
        return OneOf(found.field, tuple(values)) if values else None

    def _declared(self) -> dict[str, str]:
        """Declared fields as the payload has them; what may be asked for by its beginning is a keyword there."""
        fields = self._truth.fields(self._project)
        return {declared_key(each.name): KEYWORD if each.kind == "prefix" else each.kind for each in fields}

    def _progress(self) -> tuple[int, int]:
        sequence = self._truth.reached(self._replica)
        return sequence, self._truth.behind(sequence, self._project)

    async def _sync(self) -> None:
        turn = await asyncio.to_thread(self._truth.turn, self._collection.name)
        if turn is None and self._filling:
            await asyncio.sleep(_A_MOMENT)
            turn = await asyncio.to_thread(self._truth.turn, self._collection.name)
        if turn is None:
            self._note = "another process is bringing it up to date"
            return
        try:
            declared = await asyncio.to_thread(self._declared)
            sequence = await self._collection.prepare(declared)
            self._indexed = declared
            self._verified = True
            await asyncio.to_thread(self._record, sequence)
            await self._bring(sequence)
            self._prepared, self._note = True, ""
        finally:
            turn.release()

    async def _bring(self, sequence: int) -> None:
        """All that changed after that. Others are told now and then how far it is: they write meanwhile, too."""
        told, told_at = sequence, time.monotonic()
        try:
            while step := await asyncio.to_thread(self._next, sequence):
                documents, rows, after = step
                await self._put(documents, rows)
                await self._collection.set_mark(after)
                sequence = after
                if time.monotonic() - told_at > _TOLD_EVERY:
                    await asyncio.to_thread(self._record, sequence)
                    told, told_at = sequence, time.monotonic()
        except Exception:
            await asyncio.to_thread(self._record, sequence)
            raise
        if sequence != told:
            await asyncio.to_thread(self._record, sequence)

    def _next(self, sequence: int) -> tuple[list[str], list[IndexRow], int] | None:
        """The next documents that changed, with the chunks they have now, and the number of the last change."""
        changed = self._truth.changed_after(sequence, sync.DOCUMENTS_A_STEP, self._project, self._profile.id)
        return (list(changed.documents), changed.rows, changed.sequence) if changed.documents else None

    async def _put(self, documents: list[str], rows: list[IndexRow]) -> None:
        await sync.sent(rows, partial(self._server.upsert, self._collection.name))
        for gone in sync.stale(documents, rows):
            await self._server.delete(self._collection.name, gone)

    def _record(self, sequence: int) -> None:
        self._truth.set_reached(self._replica, sequence)
