"""One ingest at a time, beside the calls that are answered; how far it is can be asked at any moment."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import ToolError

if TYPE_CHECKING:
    import logging

    from wekadocs_corpus import Corpus


class Ingesting:
    """What is under way, or was last."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None
        self._state: dict[str, Any] = {"state": "idle"}

    def state(self) -> dict[str, Any]:
        return dict(self._state)

    def start(self, corpus: Corpus, folder: str, log: logging.Logger) -> None:
        if self._task is not None and not self._task.done():
            raise ToolError("BUDGET_EXCEEDED", "An ingest is under way; wait for its end, or stop it.", retryable=True)
        self._state = {"state": "running", "folder": folder, "stage": "looking", "done": 0, "total": 0, "item": ""}
        self._task = asyncio.create_task(self._run(corpus, folder, log))

    async def _run(self, corpus: Corpus, folder: str, log: logging.Logger) -> None:
        from wekadocs_corpus import CorpusError, Stamp, roots

        home = corpus.home
        stamp = Stamp(home.project_id, home.environment, home.repositories[0] if len(home.repositories) == 1 else None)
        try:
            done = await corpus.ingest(roots([folder]), stamp, progress=self._told)
            self._state = {"state": "done", "folder": folder, "report": done.event()}
        except asyncio.CancelledError:
            self._state = {"state": "stopped", "folder": folder, "message": "Stopped; what was read is kept."}
            raise
        except CorpusError as error:
            self._state = {"state": "failed", "folder": folder, "message": str(error)}
        except Exception as error:
            log.error("the ingest of the console failed: %s", type(error).__name__)
            message = "It failed for a reason that only `wekadocs-mcp ingest` on the server can show."
            self._state = {"state": "failed", "folder": folder, "message": message}

    def _told(self, stage: str, done: int, total: int, item: str = "") -> None:
        self._state |= {"stage": stage, "done": done, "total": total, "item": item}

    async def stop(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
