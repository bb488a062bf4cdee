"""What is mostly in memory is read where it is asked, since another thread would cost more than the reading; an event
loop waits for no server, though, which may be silent for long."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeVar

from . import stopping

Result = TypeVar("Result")
_here: ContextVar[bool] = ContextVar("wekadocs_at_once", default=False)


class WouldWait(Exception):
    """A server has to be asked; who began it does so again, in a thread."""


def may_wait() -> bool:
    return not _here.get()


def not_at_once() -> None:
    """Before whatever waits for a server."""
    if not may_wait():
        raise WouldWait


async def at_once(work: Callable[..., Result], *arguments: Any) -> Result:
    """Here, or in a thread where a server must be asked. Of reading only: it may be begun twice."""
    token = _here.set(True)
    try:
        return work(*arguments)
    except WouldWait:
        pass
    finally:
        _here.reset(token)
    return await stopping.in_thread(work, *arguments)
