"""What answers hand out and callers bring back: opaque ids, bound to who asked; old texts go first."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from wekadocs_kit import ID_LETTERS, Kept, Owner

log = logging.getLogger("wekadocs.scratch")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of one kind, so that every id costs an answer equally many tokens
_PAGE_BYTES, _SESSION_BYTES = 450, 450
IDS_BYTES = 16 << 20  # ids and cursors may always have: they live until their time is over
_PRESSURE, _PRESSURE_SECONDS = 100, 60.0


@dataclass(frozen=True, slots=True)
class _Page:
    owner: Owner
    binding: str  # digest of the question it belongs to
    rest: bytes
    expires: float


@dataclass(slots=True)
class _Session:
    owner: Owner
    expires: float


@dataclass
class Counters:
    passages: int = 0
    evicted: int = 0
    expired: int = 0
    restored: int = 0


class ScratchStore:
    """Safe from any thread or task; every method is short and never waits for anything but the lock."""

    def __init__(
        self,
        ttl_seconds: float,
        max_bytes: int,
        clock: Callable[[], float] = time.monotonic,
        ids_bytes: int = IDS_BYTES,
    ) -> None:
        self._ttl = ttl_seconds
        self._max = max_bytes
        self._most = max(max_bytes, ids_bytes)
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()  # least recently used first
        self._texts: OrderedDict[str, None] = OrderedDict()  # those of them that have their text, in the same order
        self._ends: OrderedDict[str, float] = OrderedDict()  # all live equally long: first come, first gone
        self._pages: OrderedDict[str, _Page] = OrderedDict()  # oldest first
        self._sessions: OrderedDict[str, _Session] = OrderedDict()  # the one that ends first first
        self._session_of: dict[Owner, str] = {}
        self._bytes = 0
        self._secret = secrets.token_bytes(32)  # cursors cannot be made up
        self._recent: deque[float] = deque(maxlen=_PRESSURE)
        self._warned = float("-inf")
        self.counters = Counters()

    @property
    def used_bytes(self) -> int:
        return self._bytes

    def session_for(self, owner: Owner, asked: str | None = None) -> str | None:
        """The session an answer belongs to: one per protocol session, a new one per answer where there is none.

        None: the one that was asked for is not theirs.
        """
        now = self._clock()
        with self._lock:
            self._forget_expired(now)
            session_id = asked if asked is not None else self._session_of.get(owner)
            if session_id is None:
                return self._new_session(owner, now)
            session = self._sessions.get(session_id)
            if session is None or session.owner != owner:
                return None
            session.expires = now + self._ttl
            self._sessions.move_to_end(session_id)
            return session_id

    def _new_session(self, owner: Owner, now: float) -> str:
        session_id = _new_id()
        self._sessions[session_id] = _Session(owner, now + self._ttl)
        self._bytes += _SESSION_BYTES
        if owner.session is not None:
            self._session_of[owner] = session_id
        self._make_room(now, sparing=session_id)
        return session_id

    def put(self, entries: Sequence[Kept]) -> list[Kept]:
        """Keep these; each gets its id."""
        now, moment = self._clock(), time.time()
        kept = [replace(each, passage_id=_new_id(), created_at=moment) for each in entries]
        with self._lock:
            self._forget_expired(now)
            for entry in kept:
                self._kept[entry.passage_id] = entry
                self._texts[entry.passage_id] = None
                self._ends[entry.passage_id] = now + self._ttl
                self._bytes += entry.cost
            self.counters.passages += len(kept)
            self._make_room(now)
        return kept

    def get(self, passage_id: str, owner: Owner) -> Kept | None:
        """The passage, if it is theirs and not over; unknown, foreign and expired look the same."""
        with self._lock:
            self._forget_expired(self._clock())
            entry = self._kept.get(passage_id)
            if entry is None or entry.owner != owner:
                return None
            self._kept.move_to_end(passage_id)
            if entry.text is not None:
                self._texts.move_to_end(passage_id)
            return entry

    def restore(self, entry: Kept, text: str) -> Kept:
        """A dropped text, read again."""
        whole = replace(entry, text=text)
        with self._lock:
            present = self._kept.get(entry.passage_id)
            if present is not None and present.text is None:
                self._bytes += whole.cost - present.cost
                self._kept[entry.passage_id] = whole
                self._texts[entry.passage_id] = None
                self.counters.restored += 1
                self._make_room(self._clock(), sparing=entry.passage_id)
        return whole

    def add_page(self, owner: Owner, binding: str, rest: object) -> str:
        """A cursor for the rest of an answer, which is kept as it is, whatever happens to the index.

        The same rest of the same answer has the same cursor: a repeated call is answered alike.
        """
        now = self._clock()
        page = _Page(
            owner, binding, json.dumps(rest, ensure_ascii=False).encode("utf-8", "surrogatepass"), now + self._ttl
        )
        cursor = self._cursor(page)
        with self._lock:
            self._forget_expired(now)
            if cursor in self._pages:
                self._drop_page(cursor)  # it comes again as the youngest
            self._pages[cursor] = page
            self._bytes += _PAGE_BYTES + len(page.rest)
            self._make_room(now, sparing=cursor)
        return cursor

    def _cursor(self, page: _Page) -> str:
        said = repr((page.owner, page.binding)).encode("utf-8", "surrogatepass") + page.rest
        return _spelt(int.from_bytes(blake2b(said, key=self._secret).digest()))

    def page(self, cursor: str, owner: Owner, binding: str) -> Any:
        """What the cursor stands for; None if it is unknown, over, another's or another question's."""
        with self._lock:
            self._forget_expired(self._clock())
            page = self._pages.get(cursor)
        if page is None or (page.owner, page.binding) != (owner, binding):
            return None
        return json.loads(page.rest.decode("utf-8", "surrogatepass"))

    def _forget_expired(self, now: float) -> None:
        while self._ends and next(iter(self._ends.values())) <= now:
            self._drop_entry(next(iter(self._ends)))
            self.counters.expired += 1
        while self._pages and next(iter(self._pages.values())).expires <= now:
            self._drop_page(next(iter(self._pages)))
        while self._sessions and next(iter(self._sessions.values())).expires <= now:
            self._drop_session(next(iter(self._sessions)))

    def _make_room(self, now: float, sparing: str = "") -> None:
        """Texts go first: they can be read again. Ids and cursors go only when they alone are too much, and never
        because little memory is given to texts."""
        steps: list[tuple[int, OrderedDict[str, Any], Callable[[str], None]]] = [
            (self._max, self._texts, self._drop_text),
            (self._most, self._pages, self._drop_page),
            (self._most, self._kept, self._drop_entry),
            (self._most, self._sessions, self._drop_session),
        ]
        for most, held, drop in steps:
            while self._bytes > most and (oldest := next((key for key in held if key != sparing), None)):
                drop(oldest)
                self._note_eviction(now)

    def _drop_text(self, passage_id: str) -> None:
        entry = self._kept[passage_id]
        bare = replace(entry, text=None)
        self._bytes += bare.cost - entry.cost
        self._kept[passage_id] = bare
        del self._texts[passage_id]

    def _drop_entry(self, passage_id: str) -> None:
        self._bytes -= self._kept.pop(passage_id).cost
        self._texts.pop(passage_id, None)
        del self._ends[passage_id]

    def _drop_page(self, cursor: str) -> None:
        self._bytes -= _PAGE_BYTES + len(self._pages.pop(cursor).rest)

    def _drop_session(self, session_id: str) -> None:
        session = self._sessions.pop(session_id)
        self._bytes -= _SESSION_BYTES
        if self._session_of.get(session.owner) == session_id:
            del self._session_of[session.owner]

    def _note_eviction(self, now: float) -> None:
        self.counters.evicted += 1
        self._recent.append(now)
        if len(self._recent) == _PRESSURE and now - self._recent[0] < _PRESSURE_SECONDS <= now - self._warned:
            log.warning("scratch is full: %d evictions within a minute; raise scratch.max_bytes", _PRESSURE)
            self._warned = now


def _new_id() -> str:
    return _spelt(secrets.randbelow(26**ID_LETTERS))


def _spelt(number: int) -> str:
    letters = []
    for _ in range(ID_LETTERS):
        number, letter = divmod(number, 26)
        letters.append(_LETTERS[letter])
    return "".join(letters)
