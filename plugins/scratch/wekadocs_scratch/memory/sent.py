"""What each session was sent before."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

SENT_SECONDS = 900.0
MAX_SESSIONS, MAX_SENT = 256, 4096  # some 60 MB at the very most
Key = tuple[str, str]  # principal, session_id


def short(name: str) -> bytes:
    """What is remembered of a name: it need not be told again, only known."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()


@dataclass
class _Memory:
    expires: float
    sent: set[bytes] = field(default_factory=set)


class SentBefore:
    """Who was sent what; forgotten a quarter of an hour after the last use, and bounded."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._memories: OrderedDict[Key, _Memory] = OrderedDict()  # the one that ends first first

    def known(self, key: Key, names: Sequence[str]) -> list[bool]:
        with self._lock:
            sent = self._memory(key).sent
            return [short(name) in sent for name in names]

    def keep(self, key: Key, names: Sequence[str]) -> None:
        with self._lock:
            memory = self._memory(key)
            memory.sent.update(map(short, names))
            if len(memory.sent) > MAX_SENT:  # a session this long starts over rather than fill the memory
                memory.sent.clear()

    def _memory(self, key: Key) -> _Memory:
        now = self._clock()
        room = MAX_SESSIONS if key in self._memories else MAX_SESSIONS - 1
        while self._memories and (next(iter(self._memories.values())).expires <= now or len(self._memories) > room):
            self._memories.popitem(last=False)
        memory = self._memories.setdefault(key, _Memory(0.0))
        memory.expires = now + SENT_SECONDS
        self._memories.move_to_end(key)
        return memory
