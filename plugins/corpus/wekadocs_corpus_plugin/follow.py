"""`serve --docs DIR`: a child process ingests and watches, so that answers never wait for parsing."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from wekadocs_text import one_line

if TYPE_CHECKING:
    import logging

    from wekadocs_corpus import Corpus
    from wekadocs_mcp import Context

_FIRST_WITHIN = 4.0  # a first answer waits this long for a first ingest; a longer one is told
_END_WITHIN = 0.4


@asynccontextmanager
async def following(context: Context, corpus: Corpus) -> AsyncIterator[None]:
    """As long as this is open the folder is followed; the child ends when its stdin does, however we end."""
    folder = context.settings.get("docs")
    if not folder:
        yield
        return
    child = await _start(context, folder)
    corpus.filling = True
    watch = asyncio.create_task(_tell(child, corpus, context.log))
    try:
        await _first(corpus, watch)
        yield
    finally:
        watch.cancel()
        await _end(child)


async def _start(context: Context, folder: str) -> asyncio.subprocess.Process:
    task = {
        "docs": folder,
        "data_dir": str(context.data_dir),
        "settings": context.settings,
        "project_id": context.scope.project_id,
        "environment": context.scope.environment,
        "repository": context.scope.repositories[0] if len(context.scope.repositories) == 1 else None,
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "wekadocs_corpus_plugin.follower",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert child.stdin is not None
    # Secrets in the settings travel by pipe: a command line can be read by others.
    child.stdin.write(json.dumps(task).encode() + b"\n")
    await child.stdin.drain()
    return child


async def _first(corpus: Corpus, watch: asyncio.Task[None]) -> None:
    late = asyncio.get_running_loop().time() + _FIRST_WITHIN
    while corpus.filling and not watch.done() and asyncio.get_running_loop().time() < late:
        await asyncio.wait([watch], timeout=0.05)


async def _tell(child: asyncio.subprocess.Process, corpus: Corpus, log: logging.Logger) -> None:
    """Whoever started the server sees what was taken in; no line carries text of a document."""
    assert child.stdout is not None
    try:
        async for line in child.stdout:
            corpus.filling = False  # a line comes when an ingest is done
            with suppress(ValueError):
                sys.stderr.write(one_line(f"docs: {json.loads(line).get('message', '')}") + "\n")
                sys.stderr.flush()
    finally:
        corpus.filling = False
    log.warning("docs: the process that follows the folder ended with %s", await child.wait())


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.stdin is not None:
        child.stdin.close()
    with suppress(ProcessLookupError):
        try:
            await asyncio.wait_for(child.wait(), _END_WITHIN)
        except TimeoutError:
            child.kill()
            await child.wait()
