"""An index as a server uses it: opened, waited for, asked, closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from made_documents import prepared
from oracle import PROFILE

from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.interface import IndexState
from wekadocs_corpus.store.local.generations import Generations
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.local.writing.building import build
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

AREA = Area("p", "prod")


def local(truth: SqliteTruth, project: str = "p") -> LocalIndex:
    return LocalIndex(truth, project, PROFILE)


def written(truth: SqliteTruth, project: str = "p") -> Path:
    """A new generation, whether or not one is due; its folder."""
    generations = Generations(truth.data_dir, project, PROFILE)
    with generations.building() as new:
        assert new is not None
        generations.publish(new, build(truth, new, project, PROFILE, lambda *_: None))
    return found(truth, project)[0]


def found(truth: SqliteTruth, project: str = "p") -> list[Path]:
    """All generations on disk, and what else lies beside them."""
    folder = Generations(truth.data_dir, project, PROFILE).folder
    return sorted(path for path in folder.glob("*") if path.name != "build.lock")


async def until_local(index: LocalIndex, seconds: float = 20) -> IndexState:
    end = time.monotonic() + seconds
    while (state := await index.catch_up(0.1)).kind != "local" or state.behind:
        assert time.monotonic() < end, state
        await asyncio.sleep(0.01)
    return state


def run(truth: SqliteTruth, work: Callable[[LocalIndex], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        index = local(truth)
        try:
            return await work(index)
        finally:
            await index.close()

    return asyncio.run(main())


async def texts(index: LocalIndex, truth: SqliteTruth) -> list[str]:
    legs = await index.search_words({1: 1.0}, AREA, Filters(), 100)
    return sorted(passage.text for passage in truth.chunks([leg.chunk_id for leg in legs]))


def filled(truth: SqliteTruth, count: int = 30) -> list[str]:
    truth.write_many(prepared(f"{i}.md", [f"text {i}"], [{1: 1.0}]) for i in range(count))
    return sorted(f"text {i}" for i in range(count))
