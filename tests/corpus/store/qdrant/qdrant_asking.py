"""A Qdrant server as a server of ours uses it: opened, asked, closed, without sleeping."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from made_documents import DIMENSION, MODEL, prepared

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.qdrant.index import QdrantIndex
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

SCOPE, ANY = Area("p", "prod"), Filters()
SECRET = "qdrant-key-123"
Work = Callable[[QdrantIndex], Awaitable[None]]


def asked(truth: SqliteTruth, work: Work, settings: dict[str, Any]) -> list[float]:
    """The pauses it made, none of them slept."""
    pauses: list[float] = []

    async def main() -> None:
        index = QdrantIndex(truth, settings, "p", Profile(MODEL, DIMENSION))

        async def note(seconds: float) -> None:
            pauses.append(seconds)

        index._server._sleep = note
        try:
            await work(index)
        finally:
            await index.close()

    asyncio.run(main())
    return pauses


def write_two(truth: SqliteTruth) -> None:
    truth.write(prepared("a.md", ("one\n", "two\n"), [{1: 2.0}, {2: 1.0}]))


async def fill(index: QdrantIndex) -> None:
    assert (await index.catch_up(60)).behind == 0


async def finds(index: QdrantIndex) -> None:
    assert len(await index.search_words({1: 1.0}, SCOPE, ANY, 5)) == 1
