"""Search without an index folder: SQLite's full text and exact vectors. Slower than arrays on disk, and never wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Filters, Leg, Scope
from wekadocs_corpus.store.interface import IndexState, SparseVector
from wekadocs_corpus.store.ranking import DECIMALS, ranked
from wekadocs_corpus.store.sql.connection import Connection, Database
from wekadocs_corpus.store.sql.reading import documents as reading
from wekadocs_corpus.store.sql.reading.filtering import chunk_flags
from wekadocs_corpus.store.writing.term_vectors import idf, products

from .catalogue import Catalogue

if TYPE_CHECKING:
    import numpy as np

Result = TypeVar("Result")

_CANDIDATES = 1000  # chunks scored exactly per question: those whose terms tell most
_MOST_CANDIDATES = 20_000  # of a question whose only words are everywhere, some of the best may be missed
_PATIENCE = 0.5  # seconds that a question waits for vectors that are being read
_READING = "vectors are still being read, words alone answer"
_SCOPES = 8  # remembered
_BLOCK = 8192  # vectors widened to float32 at a time


class FullText:
    """A SearchIndex that is never behind: it reads the truth itself. Vectors come as soon as they have been read."""

    instead = ""

    def __init__(self, truth: Database, project: str, profile: Profile, note: str = "", kind: str = "sqlite") -> None:
        self._truth, self._project, self._profile = truth, project, profile
        self.note, self._kind = note, kind
        self._catalogue: Catalogue | None = None
        self._seen: tuple[int, dict[object, np.ndarray]] = (-1, {})
        self._loading: Future[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="wekadocs-sqlite")
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="wekadocs-vectors")

    async def search_words(self, query: SparseVector, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        return await self._in_thread(lambda: self._words(dict(query), scope, filters, limit))

    async def search_vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        if not await self._loaded(_PATIENCE):
            return []
        return await self._in_thread(lambda: self._vectors(query, scope, filters, limit))

    async def catch_up(self, seconds: float) -> IndexState:
        state = await self.state()
        if await self._loaded(seconds):
            return state
        return replace(state, note="; ".join(filter(None, (state.note, _READING))))

    async def state(self) -> IndexState:
        return IndexState(self._kind, await self._in_thread(self._sequence), 0, self.note)

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._loader.shutdown(wait=False, cancel_futures=True)
        self.forget()

    def forget(self) -> None:
        """Give the memory back: another index answers now."""
        self._catalogue = self._loading = None

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _loaded(self, seconds: float) -> bool:
        """Whether vectors are there, or will be within this time; reading very many takes longer than an answer may."""
        if self._loading is None:
            self._loading = self._loader.submit(self._load)
        if not self._loading.done():
            await asyncio.wait([asyncio.wrap_future(self._loading)], timeout=seconds)
        done, loading = self._loading.done(), self._loading
        if done and loading.exception() is not None:
            self._loading = None
            loading.result()
        return done

    def _sequence(self) -> int:
        with self._truth.reading() as connection:
            return reading.sequence(connection)

    def _load(self) -> None:
        catalogue = Catalogue(self._project, self._profile.id, self._profile.dimension)
        with self._truth.reading() as connection:
            catalogue.refresh(connection)
        self._catalogue = catalogue

    def _words(self, query: dict[int, float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        if scope.project_id != self._project or limit <= 0:
            return []
        with self._truth.reading() as connection:
            seen = self._visible(connection, scope, filters)
            weights, promise = self._promise(connection, len(seen), query)
            promise *= seen
            numbers = _candidates(promise, max(_CANDIDATES, 10 * limit))
            return _best(connection, numbers, _score(connection, numbers, weights), limit)

    def _visible(self, connection: Connection, scope: Scope, filters: Filters) -> np.ndarray:
        """By chunk number: may this question see it. Remembered until something changes."""
        latest, key = reading.sequence(connection), (scope.environment, scope.doc_tags, scope.repositories, filters)
        at, known = self._seen
        if at != latest or (key not in known and len(known) >= _SCOPES):
            known = {}
            self._seen = (latest, known)
        if key not in known:
            known[key] = chunk_flags(connection, scope, filters)
        return known[key]

    def _promise(
        self, connection: Connection, count: int, query: Mapping[int, float]
    ) -> tuple[dict[int, float], np.ndarray]:
        """The query with IDF, and per chunk the sum over the terms it has: what it could be worth."""
        import numpy as np

        promise, weights = np.zeros(count), dict[int, float]()
        project = connection.execute("SELECT number, chunks FROM projects WHERE name = ?", (self._project,)).fetchone()
        for term, weight in query.items() if project else ():
            having = connection.words.having(connection, project[0], term)
            if len(having):
                weights[term] = weight * idf(project[1], len(having))
                promise[having] += weights[term]
        return weights, promise

    def _vectors(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        import numpy as np

        rows = self._catalogue
        if rows is None or scope.project_id != self._project or limit <= 0:
            return []
        with self._truth.reading() as connection:
            rows.refresh(connection)
            seen = np.flatnonzero(rows.mask(connection, scope, filters) & rows.has_vector)
            scores = _products(rows.vectors, np.asarray(query, np.float32), seen)
            return _best(connection, rows.numbers[seen], scores, limit)


def _candidates(promise: np.ndarray, count: int) -> np.ndarray:
    """Where the most promising chunks stand, with all that promise as much as the last of them, up to a limit."""
    import numpy as np

    places: np.ndarray = np.flatnonzero(promise)
    if len(places) > count:
        worth = promise[places]
        places = places[worth >= np.partition(worth, len(worth) - count)[len(worth) - count]][:_MOST_CANDIDATES]
    return places


def _products(vectors: np.ndarray, query: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The query times each row that may be seen, in float32."""
    import numpy as np

    whole = len(seen) == len(vectors)
    scores = np.empty(len(seen), np.float32)
    for start in range(0, len(seen), _BLOCK):
        block = vectors[start : start + _BLOCK] if whole else vectors[seen[start : start + _BLOCK]]
        # Not `@`: the threads of BLAS wait for each other in busy loops, twenty times slower when the cores are taken.
        scores[start : start + _BLOCK] = np.einsum("ij,j->i", block.astype(np.float32, copy=False), query)
    return scores


def _score(connection: Connection, numbers: np.ndarray, query: Mapping[int, float]) -> np.ndarray:
    """The exact product of the query with each chunk's terms; numbers must ascend."""
    ask = "SELECT terms FROM chunks WHERE number IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) ORDER BY number"
    return products([row[0] for row in connection.execute(ask, (json.dumps(numbers.tolist()),))], query)


def _best(connection: Connection, numbers: np.ndarray, scores: np.ndarray, limit: int) -> list[Leg]:
    import numpy as np

    scores = np.round(scores.astype(np.float64), DECIMALS)
    if len(scores) > limit:
        at_the_cut = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = np.flatnonzero(scores >= at_the_cut)  # all that are equal there: the chunk id decides
        numbers, scores = numbers[kept], scores[kept]
    known = dict(zip(numbers.tolist(), scores.tolist(), strict=True))
    ask = (
        "SELECT c.number, c.id, d.id FROM chunks AS c JOIN documents AS d ON d.number = c.document "
        "WHERE c.number IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
    )
    rows = connection.execute(ask, (json.dumps(list(known)),))
    return ranked((Leg(chunk, document, known[number]) for number, chunk, document in rows), limit)
