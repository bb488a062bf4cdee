"""What answers hand out and callers bring back: opaque ids, bound to who asked; old texts go first."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from wekadocs_kit import Kept, Owner

from ..limits import Counters, Limits, new_id, spelt

_PAGE_BYTES, _SESSION_BYTES = 450, 450


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
class _Texts:
    """Of one session, least recently used first."""

    of: OrderedDict[str, None]
    bytes: int = 0


class ScratchStore:
    """Safe from any thread or task; every method is short and never waits for anything but the lock."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl = limits.ttl_seconds
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Kept] = OrderedDict()  # least recently used first
        self._texts: OrderedDict[str, None] = OrderedDict()  # those of them that have their text, in the same order
        self._texts_of: dict[str, _Texts] = {}  # the same by session
        self._ends: OrderedDict[str, float] = OrderedDict()  # all live equally long: first come, first gone
        self._pages: OrderedDict[str, _Page] = OrderedDict()  # oldest first
        self._sessions: OrderedDict[str, _Session] = OrderedDict()  # the one that ends first first
        self._session_of: dict[Owner, str] = {}
        self._bytes = 0
        self._secret = secrets.token_bytes(32)  # cursors cannot be made up
        self.counters = Counters(clock=clock)

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
        session_id = new_id()
        self._sessions[session_id] = _Session(owner, now + self._ttl)
        self._bytes += _SESSION_BYTES
        if owner.session is not None:
            self._session_of[owner] = session_id
        self._make_room(sparing=session_id)
        return session_id

    def put(self, entries: Sequence[Kept]) -> list[Kept]:
        """Keep these; each gets its id."""
        now, moment = self._clock(), time.time()
        kept = [replace(each, passage_id=new_id(), created_at=moment) for each in entries]
        with self._lock:
            self._forget_expired(now)
            for entry in kept:
                self._kept[entry.passage_id] = entry
                self._add_text(entry)
                self._ends[entry.passage_id] = now + self._ttl
                self._bytes += entry.cost
                self._make_room_in(entry.session_id)
            self.counters.passages += len(kept)
            self._make_room()
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
                self._texts_of[entry.session_id].of.move_to_end(passage_id)
            return entry

    def restore(self, entry: Kept, text: str) -> Kept:
        """A dropped text, read again."""
        whole = replace(entry, text=text)
        with self._lock:
            present = self._kept.get(entry.passage_id)
            if present is not None and present.text is None:
                self._bytes += whole.cost - present.cost
                self._kept[entry.passage_id] = whole
                self._add_text(whole)
                self.counters.restored += 1
                self._make_room_in(entry.session_id, sparing=entry.passage_id)
                self._make_room(sparing=entry.passage_id)
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
            self._make_room(sparing=cursor)
        return cursor

    def _cursor(self, page: _Page) -> str:
        said = repr((page.owner, page.binding)).encode("utf-8", "surrogatepass") + page.rest
        return spelt(int.from_bytes(blake2b(said, key=self._secret).digest()))

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

    def private_name(self, said: str) -> str:
        """Always the same in this process, and nobody can make it up."""
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16, key=self._secret).hexdigest()

    def _make_room_in(self, session_id: str, sparing: str = "") -> None:
        """One session's texts do not push out everybody else's."""
        texts = self._texts_of.get(session_id)
        while texts and texts.bytes > self._limits.max_session_bytes:
            oldest = next((key for key in texts.of if key != sparing), None)
            if oldest is None:
                return
            self._drop_text(oldest)
            self.counters.note_eviction()

    def _make_room(self, sparing: str = "") -> None:
        """Texts go first: they can be read again. Ids and cursors go only when they alone are too much, and never
        because little memory is given to texts."""
        steps: list[tuple[int, OrderedDict[str, Any], Callable[[str], None]]] = [
            (self._limits.max_bytes, self._texts, self._drop_text),
            (self._limits.most, self._pages, self._drop_page),
            (self._limits.most, self._kept, self._drop_entry),
            (self._limits.most, self._sessions, self._drop_session),
        ]
        for most, held, drop in steps:
            while self._bytes > most and (oldest := next((key for key in held if key != sparing), None)):
                drop(oldest)
                self.counters.note_eviction()

    def _add_text(self, entry: Kept) -> None:
        self._texts[entry.passage_id] = None
        texts = self._texts_of.setdefault(entry.session_id, _Texts(OrderedDict()))
        texts.of[entry.passage_id] = None
        texts.bytes += entry.text_cost

    def _drop_text(self, passage_id: str) -> None:
        entry = self._kept[passage_id]
        self._forget_text(entry)
        self._bytes -= entry.text_cost
        self._kept[passage_id] = replace(entry, text=None)

    def _forget_text(self, entry: Kept) -> None:
        if entry.text is None:
            return
        del self._texts[entry.passage_id]
        texts = self._texts_of[entry.session_id]
        del texts.of[entry.passage_id]
        texts.bytes -= entry.text_cost
        if not texts.of:
            del self._texts_of[entry.session_id]

    def _drop_entry(self, passage_id: str) -> None:
        entry = self._kept.pop(passage_id)
        self._forget_text(entry)
        self._bytes -= entry.cost
        del self._ends[passage_id]

    def _drop_page(self, cursor: str) -> None:
        self._bytes -= _PAGE_BYTES + len(self._pages.pop(cursor).rest)

    def _drop_session(self, session_id: str) -> None:
        session = self._sessions.pop(session_id)
        self._bytes -= _SESSION_BYTES
        if self._session_of.get(session.owner) == session_id:
            del self._session_of[session.owner]
