"""What keeps passages, cursors and what was sent; the sibling in memory, and how one is chosen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol

from wekadocs_kit import Kept, Owner
from wekadocs_mcp import Finding

from .limits import Counters, Limits
from .memory.sent import SentBefore
from .memory.store import ScratchStore

Key = tuple[str, str]  # principal, session_id


class PassageStore(Protocol):
    """What is written may wait until the call ends; what is read is awaited."""

    counters: Counters

    @property
    def used_bytes(self) -> int: ...

    async def session_for(self, owner: Owner, asked: str | None = None) -> str | None:
        """The session an answer belongs to; None if the one that was asked for is not theirs."""

    def put(self, entries: Sequence[Kept]) -> list[Kept]:
        """Keep these; each gets its id."""

    async def get(self, passage_id: str, owner: Owner) -> Kept | None:
        """The passage, if it is theirs and not over; unknown, foreign and expired look the same."""

    async def restore(self, entry: Kept, text: str) -> Kept:
        """A dropped text, read again."""

    def add_page(self, owner: Owner, binding: str, rest: object) -> str:
        """A cursor for the rest of an answer; the same rest of the same answer has the same cursor."""

    async def page(self, cursor: str, owner: Owner, binding: str) -> Any:
        """What the cursor stands for; None if it is unknown, over, another's or another question's."""

    async def sent_before(self, key: Key, names: Sequence[str]) -> list[bool]: ...

    def note_sent(self, key: Key, names: Sequence[str]) -> None: ...

    def private_name(self, said: str) -> str: ...

    async def check(self) -> list[Finding]:
        """What doctor and /readyz say of it."""


class MemoryStore:
    """In this process; nothing waits."""

    def __init__(self, limits: Limits) -> None:
        self.own = ScratchStore(limits)
        self._sent = SentBefore()
        self.counters = self.own.counters
        self.put, self.add_page = self.own.put, self.own.add_page
        self.note_sent, self.private_name = self._sent.keep, self.own.private_name

    @property
    def used_bytes(self) -> int:
        return self.own.used_bytes

    async def session_for(self, owner: Owner, asked: str | None = None) -> str | None:
        return self.own.session_for(owner, asked)

    async def get(self, passage_id: str, owner: Owner) -> Kept | None:
        return self.own.get(passage_id, owner)

    async def restore(self, entry: Kept, text: str) -> Kept:
        return self.own.restore(entry, text)

    async def page(self, cursor: str, owner: Owner, binding: str) -> Any:
        return self.own.page(cursor, owner, binding)

    async def sent_before(self, key: Key, names: Sequence[str]) -> list[bool]:
        return self._sent.known(key, names)

    async def check(self) -> list[Finding]:
        note = "passages, cursors and sessions are this process's own: another server behind a balancer knows none"
        return [Finding("ok", "", f"{note}; keep each client on one server, or set VALKEY_URL")]


@asynccontextmanager
async def opened(settings: Mapping[str, Any]) -> AsyncIterator[PassageStore]:
    """In Valkey where one is named, else in memory."""
    limits = Limits(settings["ttl_seconds"], settings["max_bytes"], settings["max_session_bytes"])
    if not settings["valkey"].get("url"):
        yield MemoryStore(limits)
        return
    from .shared.store import opened as opened_in_valkey

    async with opened_in_valkey(settings["valkey"], limits) as store:
        yield store
