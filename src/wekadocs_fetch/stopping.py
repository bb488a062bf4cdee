"""Work that is cancelled once, however often its caller is.

Cancel scopes cancel again and again until a task has ended, and through `gather` that reaches what closes a connection:
it would stay open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
_ending: set[asyncio.Task[Any]] = set()


async def cancelled_once(work: Coroutine[object, object, Result]) -> Result:
    """Its result; cancelled, it ends at once and tidies up behind its caller."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if not task.done():
            _ending.add(task)
            task.add_done_callback(_ended)
            task.cancel()
        raise


def _ended(task: asyncio.Task[Any]) -> None:
    _ending.discard(task)
    if not task.cancelled():
        task.exception()  # looked at: nobody waits for it
