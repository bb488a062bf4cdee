"""An index as a server uses it: opened, waited for, asked, closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from made_documents import MODEL, prepared
from oracle import PROFILE

from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.choose import LocalIndex
from wekadocs_corpus.store.interface import IndexState
from wekadocs_corpus.store.slots import slots_folder
from wekadocs_corpus.store.truth import Truth

AREA = Area("p", "prod")


def local(truth: Truth) -> LocalIndex:
    return LocalIndex(truth, truth.data_dir, "p", PROFILE)


async def until_edge(index: LocalIndex, seconds: float = 20) -> IndexState:
    end = time.monotonic() + seconds
    while (state := await index.catch_up(0.1)).kind != "edge":
        assert time.monotonic() < end, state
        await asyncio.sleep(0.01)
    return state


def run(truth: Truth, work: Callable[[LocalIndex], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        index = local(truth)
        try:
            return await work(index)
        finally:
            await index.close()

    return asyncio.run(main())


async def texts(index: LocalIndex, truth: Truth) -> list[str]:
    legs = await index.search_words({1: 1.0}, AREA, Filters(), 100)
    return sorted(passage.text for passage in truth.chunks([leg.chunk_id for leg in legs]))


def filled(truth: Truth, count: int = 30) -> list[str]:
    truth.write_many(prepared(f"{i}.md", [f"text {i}"], [{1: 1.0}]) for i in range(count))
    return sorted(f"text {i}" for i in range(count))


def folder(truth: Truth) -> Path:
    return slots_folder(truth.data_dir, "p", MODEL)
