"""As long as a server serves, its Neo4j has what the truth has, whoever changed it."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.errors import CorpusError, Unavailable

from .session import Neo4jServer
from .sync import projects, sync

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth

_LONGEST_PAUSE = 30.0  # while the server cannot be asked


async def follow(truth: Truth, settings: Mapping[str, Any], warn: Callable[[str], None], every: float) -> None:
    """Until it is cancelled. Any number of servers may: one of them at a time sends."""
    server = Neo4jServer(settings)
    try:
        await asyncio.to_thread(importlib.import_module, "neo4j")  # it takes long; questions are answered meanwhile
        await _forever(truth, server, warn, every)
    finally:
        await server.close()


async def _forever(truth: Truth, server: Neo4jServer, warn: Callable[[str], None], every: float) -> None:
    followed, pause, told = -1, every, ""
    while True:
        await asyncio.sleep(pause)
        try:
            followed, pause, told = await _once(truth, server, followed), every, ""
        except (CorpusError, Unavailable) as problem:
            pause = min(pause * 2, _LONGEST_PAUSE)
            if str(problem) != told:
                told = str(problem)
                warn(f"the graph in Neo4j does not follow: {told}")


async def _once(truth: Truth, server: Neo4jServer, followed: int) -> int:
    """The change that it has reached."""
    last = await asyncio.to_thread(truth.sequence)
    if last != followed:
        stamps = await asyncio.to_thread(truth.stamps)
        for project in sorted({project for project, _ in stamps} | await projects(truth, server)):
            await sync(truth, server, project)
    return last
