"""Folders that are followed: read when the server starts, and again whenever something in them changes."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .run import Ingest, target_of

if TYPE_CHECKING:
    from ..projects import Project
    from ..state import ChunksState
    from .report import IngestReport

log = logging.getLogger("wekadocs.plugin.chunks")
_END_WITHIN = 0.5
_PUBLISH_WITHIN = 60.0
_EVER = 365 * 86_400.0


@asynccontextmanager
async def watching(state: ChunksState) -> AsyncIterator[None]:
    """As long as this is open; what is being read when it closes is left, what was written stays."""
    stop = threading.Event()
    followed = [each for each in state.configured.projects.values() if each.watch and each.folders]
    tasks = [asyncio.create_task(follow(state, each, stop, _logged)) for each in followed]
    try:
        yield
    finally:
        stop.set()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_END_WITHIN)


async def follow(
    state: ChunksState, project: Project, stop: threading.Event, tell: Callable[[Project, IngestReport], object]
) -> None:
    changed, loop = asyncio.Event(), asyncio.get_running_loop()
    changed.set()

    def touched() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(changed.set)

    threading.Thread(target=_look, args=(project, stop, touched), name="watching", daemon=True).start()
    while not stop.is_set():
        await changed.wait()
        changed.clear()
        report = await _taken_in(state, project)
        if report is not None and report.worth_telling:
            tell(project, report)


def _look(project: Project, stop: threading.Event, touched: Callable[[], None]) -> None:
    """A thread of its own: it may wait for ever."""
    from wekadocs_corpus import SUFFIXES, Root, changes

    where = [Root(Path(folder).resolve(), False, None) for folder in project.folders]
    for _ in changes(where, SUFFIXES, stop):
        touched()


async def _taken_in(state: ChunksState, project: Project) -> IngestReport | None:
    """None where it could not be done now; it is tried again at the next change."""
    from wekadocs_corpus import CorpusError, stopping
    from wekadocs_mcp import ToolError

    try:
        async with state.ingesting.setdefault(project.id, asyncio.Lock()):
            target = await target_of(state, project)
            report = await stopping.in_thread(Ingest(state, project, target, time.monotonic() + _EVER).run)
        await state.collections.publish(project.id, _PUBLISH_WITHIN)
    except (CorpusError, ToolError) as error:
        log.warning("chunks: %s: %s; tried again at the next change", project.id, error)
        return None
    return report


def _logged(project: Project, report: IngestReport) -> None:
    log.info("chunks: %s: %s", project.id, report.sentence())
    for each in report.files:
        if each.reason or each.unread:
            log.warning("chunks: %s: %s", project.id, each.sentence())
