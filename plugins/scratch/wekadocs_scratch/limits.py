"""How much is kept and for how long, what was dropped, and how ids are spelt."""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypedDict

from wekadocs_kit import ID_LETTERS

log = logging.getLogger("wekadocs.scratch")
IDS_BYTES = 16 << 20  # ids and cursors may always have: they live until their time is over
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of one kind, so that every id costs an answer equally many tokens
_PRESSURE, _PRESSURE_SECONDS = 100, 60.0


class ValkeySettings(TypedDict, total=False):
    """The plugin's settings under `valkey`; the schema fills in what is not said."""

    url: str
    secret: str
    prefix: str
    timeout_seconds: float
    connections: int
    ca_file: str


@dataclass(frozen=True)
class Limits:
    """Texts may have `max_bytes` in all, `max_session_bytes` of one session; ids and cursors at least theirs."""

    ttl_seconds: float
    max_bytes: int
    max_session_bytes: int = 1 << 62
    ids_bytes: int = IDS_BYTES

    @property
    def most(self) -> int:
        return max(self.max_bytes, self.ids_bytes)


@dataclass
class Counters:
    passages: int = 0
    evicted: int = 0
    expired: int = 0
    restored: int = 0
    clock: Callable[[], float] = time.monotonic
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=_PRESSURE))
    _warned: float = float("-inf")

    def note_eviction(self) -> None:
        now = self.clock()
        self.evicted += 1
        self._recent.append(now)
        if len(self._recent) == _PRESSURE and now - self._recent[0] < _PRESSURE_SECONDS <= now - self._warned:
            log.warning("scratch is full: %d evictions within a minute; raise scratch.max_bytes", _PRESSURE)
            self._warned = now


def new_id() -> str:
    return spelt(secrets.randbelow(26**ID_LETTERS))


def spelt(number: int) -> str:
    letters = []
    for _ in range(ID_LETTERS):
        number, letter = divmod(number, 26)
        letters.append(_LETTERS[letter])
    return "".join(letters)


def is_spelt_so(name: str) -> bool:
    return len(name) == ID_LETTERS and name.isascii() and name.isalpha() and name.islower()
