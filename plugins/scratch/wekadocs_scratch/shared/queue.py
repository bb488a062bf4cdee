"""What a call hands out is written before its answer leaves: all of it at once, in one round trip."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from wekadocs_mcp import Call, Proceed, Returned


class Writer(Protocol):
    async def write(self, rows: Sequence[Any]) -> None: ...


_waiting: ContextVar[dict[Writer, list[Any]]] = ContextVar("wekadocs_scratch_writes")


def waiting_for(writer: Writer) -> list[Any]:
    """What this call has to write; a store is told when the handler is done."""
    return _waiting.get().setdefault(writer, [])


async def written_before_the_answer(call: Call[object], proceed: Proceed) -> Returned:
    """Around every tool: an id that somebody is given can be used at any server at once."""
    writes: dict[Writer, list[Any]] = {}
    token = _waiting.set(writes)
    try:
        answer = await proceed(call)
    finally:
        _waiting.reset(token)
    for writer, rows in writes.items():
        await writer.write(rows)
    return answer
