"""Passages kept between calls: opaque ids, bound to who asked, least recently used texts dropped first."""

from __future__ import annotations

import logging
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

log = logging.getLogger("wekadocs.scratch")
# What an entry costs beside its text: ids, titles, offsets, the place in the dict.
_ENTRY_BYTES = 1024
_ID_BYTES = 24  # 192 random bits
_PRESSURE, _PRESSURE_SECONDS = 100, 60.0


@dataclass(frozen=True)
class Owner:
    """Who may use a passage: whoever got it, in the protocol session they got it in, for the same project."""

    principal: str
    session: str | None
    project_id: str


@dataclass(frozen=True)
class Kept:
    """A passage as it was handed out. `text` is None once it was dropped to save memory."""

    passage_id: str
    session_id: str
    owner: Owner
    section_id: str
    document_id: str
    doc_tag: str
    title: str
    anchor: str | None
    source_uri: str
    start: int  # of the passage in its document
    span: tuple[int, int]  # what matched, in the passage
    created_at: float
    expires: float
    size_bytes: int
    text: str | None


@dataclass(frozen=True)
class Page:
    """What a cursor stands for."""

    owner: Owner
    binding: str  # digest of the question it belongs to
    rows: Any
    offset: int
    expires: float


@dataclass
class Counters:
    passages: int = 0
    evicted: int = 0
    expired: int = 0
    restored: int = 0


class ScratchStore:
    """Thread-safe; every method is short and never waits for anything but the lock."""

    def __init__(self, ttl_seconds: float, max_bytes: int, clock: Callable[[], float] = time.time) -> None:
        self._ttl = ttl_seconds
        self._max = max_bytes
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()  # least recently used first
        self._sessions: dict[tuple[str, str], str] = {}
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._bytes = 0
        self._recent: list[float] = []
        self.counters = Counters()

    @property
    def used_bytes(self) -> int:
        return self._bytes

    def session_for(self, owner: Owner, asked: str | None) -> str | None:
        """The session an answer belongs to: one per protocol session, a fresh one where there is none.

        None: the asked one is not theirs.
        """
        with self._lock:
            if asked is not None:
                known = any(kept.session_id == asked and kept.owner == owner for kept in self._kept.values())
                return asked if known or asked in self._sessions.values() and self._is_theirs(owner, asked) else None
            if owner.session is None:
                return secrets.token_urlsafe(_ID_BYTES)
            key = (owner.principal, owner.session)
            return self._sessions.setdefault(key, secrets.token_urlsafe(_ID_BYTES))

    def _is_theirs(self, owner: Owner, asked: str) -> bool:
        return owner.session is not None and self._sessions.get((owner.principal, owner.session)) == asked

    def put(self, entries: Sequence[Kept]) -> list[Kept]:
        """Keep these; each gets its id and its end."""
        now = self._clock()
        kept = [
            replace(entry, passage_id=secrets.token_urlsafe(_ID_BYTES), created_at=now, expires=now + self._ttl)
            for entry in entries
        ]
        with self._lock:
            self._forget_expired(now)
            for entry in kept:
                self._kept[entry.passage_id] = entry
                self._bytes += _cost(entry)
            self.counters.passages += len(kept)
            self._make_room(now)
        return kept

    def get(self, passage_id: str, owner: Owner, session_id: str | None = None) -> Kept | None:
        """The passage, if it is theirs and not over; unknown, foreign and expired look the same."""
        with self._lock:
            self._forget_expired(self._clock())
            entry = self._kept.get(passage_id)
            if entry is None or entry.owner != owner or session_id not in (None, entry.session_id):
                return None
            self._kept.move_to_end(passage_id)
            return entry

    def restore(self, entry: Kept, text: str) -> Kept:
        """A dropped text, read again."""
        whole = replace(entry, text=text)
        with self._lock:
            if entry.passage_id in self._kept:
                self._bytes += _cost(whole) - _cost(self._kept[entry.passage_id])
                self._kept[entry.passage_id] = whole
                self.counters.restored += 1
                self._make_room(self._clock(), sparing=entry.passage_id)
        return whole

    def add_page(self, owner: Owner, binding: str, rows: Any, offset: int) -> str:
        """A cursor for the rest of an answer."""
        now = self._clock()
        cursor = secrets.token_urlsafe(_ID_BYTES)
        with self._lock:
            self._forget_expired(now)
            self._pages[cursor] = Page(owner, binding, rows, offset, now + self._ttl)
        return cursor

    def page(self, cursor: str, owner: Owner, binding: str) -> Page | None:
        with self._lock:
            self._forget_expired(self._clock())
            page = self._pages.get(cursor)
        return page if page is not None and (page.owner, page.binding) == (owner, binding) else None

    def _forget_expired(self, now: float) -> None:
        # Ends come in the order of creation, uses do not: look at all, but only when the oldest may be over.
        for passage_id in [key for key, entry in self._kept.items() if entry.expires <= now]:
            self._bytes -= _cost(self._kept.pop(passage_id))
            self.counters.expired += 1
        for cursor in [key for key, page in self._pages.items() if page.expires <= now]:
            del self._pages[cursor]

    def _make_room(self, now: float, sparing: str = "") -> None:
        """Texts go first: an id must work until its end. Whole entries go only when ids alone are too much."""
        for drop in (self._drop_text, self._drop_entry):
            for passage_id in list(self._kept):
                if self._bytes <= self._max:
                    return
                if passage_id != sparing:
                    drop(passage_id, now)

    def _drop_text(self, passage_id: str, now: float) -> None:
        entry = self._kept[passage_id]
        if entry.text is not None:
            bare = replace(entry, text=None)
            self._bytes += _cost(bare) - _cost(entry)
            self._kept[passage_id] = bare
            self._note_eviction(now)

    def _drop_entry(self, passage_id: str, now: float) -> None:
        self._bytes -= _cost(self._kept.pop(passage_id))
        self._note_eviction(now)

    def _note_eviction(self, now: float) -> None:
        self.counters.evicted += 1
        self._recent.append(now)
        if len(self._recent) >= _PRESSURE:
            if now - self._recent[0] < _PRESSURE_SECONDS:
                log.warning("scratch is full: %d evictions within a minute; raise scratch.max_bytes", len(self._recent))
            self._recent.clear()


def _cost(entry: Kept) -> int:
    return _ENTRY_BYTES + (sys.getsizeof(entry.text) if entry.text is not None else 0)
