"""An index on a Qdrant server, on a client that lives as long as one event loop."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from made_documents import DIMENSION, MODEL

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.qdrant.index import QdrantIndex
from wekadocs_corpus.store.sql.reading.chunk_rows import rows_of
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.truth.rows import IndexRow

PROFILE = Profile(MODEL, DIMENSION)

SCOPE = Area("p", "prod")

ANY = Filters()

PREFIX = f"test-{uuid.uuid4().hex[:8]}"


@dataclass
class Bench:
    """An index on a client that lives as long as one event loop."""

    truth: SqliteTruth
    settings: dict[str, Any]
    index: QdrantIndex
    client: Any

    def again(self, **changes: Any) -> QdrantIndex:
        """Another index on the same server, as after a restart."""
        chosen = {"truth": self.truth, "settings": self.settings, "project": "p", "profile": PROFILE, **changes}
        return QdrantIndex(**chosen, client=self.client)

    @property
    def name(self) -> str:
        return self.index._collection.name

    async def stored(self) -> dict[str, dict[str, Any]]:
        found, _ = await self.client.scroll(self.name, limit=1000, with_payload=True)
        return {point.payload["document_id"]: point.payload for point in found if "document_id" in point.payload}


OnServer = Callable[..., None]


async def worked(truth: SqliteTruth, settings: dict[str, Any], work: Callable[[Bench], Awaitable[None]]) -> None:
    index = QdrantIndex(truth, settings, "p", PROFILE)
    client = index._server.client
    try:
        await work(Bench(truth, settings, index, client))
    finally:
        for found in (await client.get_collections()).collections:
            if found.name.startswith(PREFIX):
                await client.delete_collection(found.name)
        await index.close()


# The oracle: every chunk, by arithmetic


def chunks(truth: SqliteTruth) -> list[IndexRow]:
    with truth.reading() as connection:
        names = [row[0] for row in connection.execute("SELECT id FROM documents WHERE project = 'p'")]
        return rows_of(connection, names, MODEL)
