"""Passages that answers pointed at, readable for a while: by tools through `passage_id`, by clients as resources.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from wekadocs_mcp import Finding, Interceptor, Resource, hookimpl

from .scratch import StoredScratch, read_passage
from .shared.queue import written_before_the_answer
from .shared.sessions import sessions_in_valkey
from .shared.tasks import tasks_in_valkey
from .stores import opened

if TYPE_CHECKING:
    from wekadocs_mcp import Context, HealthCheck, SharedSessions, SharedTasks

URI = "wekadocs://scratch/{session_id}/{passage_id}"


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[StoredScratch]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[StoredScratch]:
    from wekadocs_corpus import Corpus

    async with opened(context.settings) as store:
        yield StoredScratch(store, await context.use("corpus", Corpus))


@hookimpl
def register_resources() -> Sequence[Resource]:
    return [
        Resource(
            URI,
            "passage",
            read_passage,
            title="A passage found before",
            description="The whole text of a passage that a search returned; the excerpt tools give less of it.",
            mime_type="text/plain",
            annotations={"audience": ["assistant"], "priority": 0.1},
        )
    ]


@hookimpl
def register_health_checks() -> Mapping[str, HealthCheck]:
    return {"memory": _memory, "shared": _shared}


@hookimpl
def register_interceptors() -> Sequence[Interceptor]:
    return [written_before_the_answer]


@hookimpl
def shared_sessions(context: Context) -> AbstractAsyncContextManager[SharedSessions] | None:
    return sessions_in_valkey(context.settings["valkey"]) if context.settings["valkey"].get("url") else None


@hookimpl
def shared_tasks(context: Context) -> AbstractAsyncContextManager[SharedTasks] | None:
    return tasks_in_valkey(context.settings["valkey"]) if context.settings["valkey"].get("url") else None


@hookimpl
def register_metrics() -> Mapping[str, tuple[str, Callable[[StoredScratch], float]]]:
    return {
        "bytes": ("Memory that passages, cursors and sessions take.", lambda scratch: scratch.store.used_bytes),
        "passages_total": ("Passages kept.", lambda scratch: scratch.store.counters.passages),
        "evicted_total": ("What was dropped for want of memory.", lambda scratch: scratch.store.counters.evicted),
        "expired_total": ("Passages whose time was over.", lambda scratch: scratch.store.counters.expired),
        "restored_total": ("Dropped texts read again.", lambda scratch: scratch.store.counters.restored),
    }


async def _shared(scratch: StoredScratch) -> list[Finding]:
    return await scratch.store.check()


def _memory(scratch: StoredScratch) -> str:
    counters = scratch.store.counters
    return f"{scratch.store.used_bytes:,} bytes in use; {counters.passages:,} kept, {counters.evicted:,} evicted"
