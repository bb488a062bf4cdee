"""Questions to a collection on a Qdrant server: as exact as they can be asked, and through the ties at the cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.store.layout import DENSE, point_key
from wekadocs_corpus.store.ranking import MORE, MOST, Found, falls

from .failures import Refused
from .wire import WAITING, Server

if TYPE_CHECKING:
    from qdrant_client import models


class Questions:
    """Asked with ids and scores for an answer; what a chunk is, the truth knows."""

    def __init__(self, server: Server, collection: str, settings: Mapping[str, object]) -> None:
        self._server, self._collection = server, collection
        self._exact = bool(settings.get("exact", True))

    async def through_ties(
        self, query: models.SparseVector | list[float], using: str, narrowed: models.Filter, limit: int
    ) -> Found:
        """At least the best `limit` and all that equal the last of them: ask for more until the score falls."""
        asked = limit + MORE
        found = await self._nearest(query, using, narrowed, asked)
        while len(found) == asked < MOST and not falls(found, limit):
            asked *= 4
            try:
                found = await self._nearest(query, using, narrowed, asked)
            except Refused:  # by a limit of the collection's strict mode: then the server breaks this tie
                return found
        return found

    async def both(
        self, queries: Mapping[str, models.SparseVector | list[float]], narrowed: models.Filter, limit: int
    ) -> list[Found]:
        """Several at once, each as above; only what is not yet through its ties is asked for again."""
        from qdrant_client import models

        requests = [
            models.QueryRequest(
                query=query,
                using=using,
                filter=narrowed,
                params=self._params(using),
                limit=limit + MORE,
                with_payload=False,
            )
            for using, query in queries.items()
        ]
        # By what the client asks itself: before that it would copy every number, to see whether any is a text to embed.
        answers = await self._server.ask(
            lambda client: client._client.query_batch_points(self._collection, requests=requests), WAITING
        )
        found = [[(point_key(point.id), point.score) for point in answer.points] for answer in answers]
        return [
            each
            if len(each) < limit + MORE or falls(each, limit)
            else await self.through_ties(queries[using], using, narrowed, limit)
            for using, each in zip(queries, found, strict=True)
        ]

    async def _nearest(self, query: Any, using: str, narrowed: models.Filter, limit: int) -> Found:
        answer = await self._server.ask(
            lambda client: client.query_points(
                self._collection,
                query=query,
                using=using,
                query_filter=narrowed,
                search_params=self._params(using),
                limit=limit,
                with_payload=False,
            ),
            WAITING,
        )
        return [(point_key(point.id), point.score) for point in answer.points]

    def _params(self, using: str) -> models.SearchParams | None:
        from qdrant_client import models

        if self._exact:
            # For words too, though their search is always exact: of several shards the server would ask each for a
            # part of a large limit only, and accept that something is missed.
            return models.SearchParams(exact=True)
        if using == DENSE:  # where they are quantised: scores of the vectors, not of their shadows
            return models.SearchParams(quantization=models.QuantizationSearchParams(rescore=True))
        return None
