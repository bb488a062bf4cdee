"""Sessions as old clients know them, and what each was sent before."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import LegacyState

_TTL = 900.0
MAX_SESSIONS, MAX_SENT = 256, 4096  # some 60 MB at the very most
_SECRET = secrets.token_bytes(16)
Key = tuple[str, str]  # principal, session_id
T = TypeVar("T")


def session_of(call: Call[LegacyState], asked: str | None = None) -> str:
    """The caller's own, else one per protocol session, else a new one."""
    if asked:
        return asked
    if call.session is None:
        return f"server-{secrets.token_hex(16)}"
    named = hashlib.blake2b(f"{call.principal}\0{call.session}".encode(), digest_size=16, key=_SECRET)
    return f"server-{named.hexdigest()}"


@dataclass
class _Memory:
    expires: float
    sent: set[int] = field(default_factory=set)  # hashes: what they stand for need not be kept


class SentBefore:
    """Who was sent what; forgotten a quarter of an hour after the last use, and bounded."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._memories: OrderedDict[Key, _Memory] = OrderedDict()  # the one that ends first first

    def new(self, key: Key, items: Iterable[T], identity: Callable[[T], Hashable]) -> list[T]:
        """The items this session was not sent yet; `keep` remembers them once they are really sent."""
        with self._lock:
            known = self._memory(key).sent
            return [item for item in items if hash(identity(item)) not in known]

    def keep(self, key: Key, identities: Iterable[Hashable]) -> None:
        with self._lock:
            memory = self._memory(key)
            memory.sent.update(map(hash, identities))
            if len(memory.sent) > MAX_SENT:  # a session this long starts over rather than fill the memory
                memory.sent.clear()

    def _memory(self, key: Key) -> _Memory:
        now = self._clock()
        room = MAX_SESSIONS if key in self._memories else MAX_SESSIONS - 1
        while self._memories and (next(iter(self._memories.values())).expires <= now or len(self._memories) > room):
            self._memories.popitem(last=False)
        memory = self._memories.setdefault(key, _Memory(0.0))
        memory.expires = now + _TTL
        self._memories.move_to_end(key)
        return memory
