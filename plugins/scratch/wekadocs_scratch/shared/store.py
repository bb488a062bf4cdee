"""Passages, cursors and what was sent, in Valkey: any server that shares the store can read what another handed out."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from wekadocs_kit import Kept, Owner
from wekadocs_mcp import Finding

from ..limits import Counters, Limits, ValkeySettings, is_spelt_so, new_id, spelt
from ..memory.sent import MAX_SENT, SENT_SECONDS, short
from .checks import findings
from .encoding import decoded, encoded
from .link import Argument, Arguments, Link, linked
from .queue import waiting_for
from .sealing import Seal

_MOST_FIELD = 8 << 20  # bytes: what is larger is not ours
# What the store needs beside contents: names, places in its indexes. Measured on a Redis 7.
_PASSAGE_BYTES, _PAGE_BYTES, _SESSION_BYTES, _SENT_BYTES = 900, 500, 500, 400
_Row = tuple[Argument, ...]  # kind, id, owner, session, body, text, bytes
Row = Callable[[Seal], _Row]
Key = tuple[str, str]


class ValkeyStore:
    """Writes wait for the end of the call; `now` is the store's, so that servers' clocks may differ."""

    def __init__(self, link: Link, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._link = link
        self._limits = limits
        self.counters = Counters(clock=clock)
        self.used_bytes = 0

    async def session_for(self, owner: Owner, asked: str | None = None) -> str | None:
        if asked is not None:
            return asked if await self._read("s", asked, owner, renewed=True) else None
        session_id = new_id()
        if owner.session is not None:  # one per protocol session, whichever server is asked
            session_id = _spelt(self._link.seal, b"session", owner)
        self._add(lambda seal: ("s", session_id, seal.owner(owner), "", b"-", "", _SESSION_BYTES))
        return session_id

    def put(self, entries: Sequence[Kept]) -> list[Kept]:
        moment = time.time()
        kept = [replace(each, passage_id=new_id(), created_at=moment) for each in entries]
        for each in kept:
            self._add(_passage_row(each))
        self.counters.passages += len(kept)
        return kept

    async def get(self, passage_id: str, owner: Owner) -> Kept | None:
        found = await self._read("p", passage_id, owner)
        if found is None:
            return None
        body, text = found
        entry = decoded(body, passage_id, owner, _text(text))
        if entry is not None and entry.text is not None and _fingerprint(entry.text) != entry.fingerprint:
            return replace(entry, text=None)
        return entry

    async def restore(self, entry: Kept, text: str) -> Kept:
        raw = text.encode("utf-8", "surrogatepass")

        def row(seal: Seal) -> _Row:
            return ("t", entry.passage_id, seal.owner(entry.owner), entry.session_id, "", raw, 0)

        await self.write([row])
        self.counters.restored += 1
        return replace(entry, text=text)

    def add_page(self, owner: Owner, binding: str, rest: object) -> str:
        body = json.dumps([binding, rest], ensure_ascii=False).encode("utf-8", "surrogatepass")
        cursor = _spelt(self._link.seal, body, owner)
        self._add(lambda seal: _page_row(seal, cursor, owner, body))
        return cursor

    async def page(self, cursor: str, owner: Owner, binding: str) -> Any:
        found = await self._read("c", cursor, owner)
        if found is None:
            return None
        bound, rest = json.loads(found[0].decode("utf-8", "surrogatepass"))
        return rest if bound == binding else None

    async def sent_before(self, key: Key, names: Sequence[str]) -> list[bool]:
        known = b"".join(map(short, names))
        life = int(SENT_SECONDS * 1000)
        (row,) = await self._link.run("sent", lambda seal: (seal.name("sent", *key), life, known))
        return [each == ord("1") for each in row]

    def note_sent(self, key: Key, names: Sequence[str]) -> None:
        known = b"".join(map(short, names))
        self._add(lambda seal: ("n", seal.name("sent", *key), "", "", known, "", _SENT_BYTES))

    def private_name(self, said: str) -> str:
        return self._link.seal.name("private", said)

    async def check(self) -> list[Finding]:
        return await findings(self._link)

    async def _read(
        self, kind: str, id: str, owner: Owner, *, renewed: bool = False
    ) -> tuple[bytes, bytes | None] | None:
        if not is_spelt_so(id):
            return None
        life = self._life if renewed else 0
        found = await self._link.run("read", lambda seal: (kind, id, seal.owner(owner), _MOST_FIELD, life))
        if not found:
            return None
        body = found[0] if kind == "s" else self._link.seal.opened((kind, id, self._link.seal.owner(owner)), found[0])
        return None if body is None else (body, found[1] if len(found) > 1 else None)

    def _add(self, row: Row) -> None:
        waiting_for(self).append(row)

    async def write(self, rows: Sequence[Row]) -> None:
        """All of it in one round trip."""
        found = await self._link.run("keep", self._arguments(rows))
        self.used_bytes, evicted, expired = found
        self.counters.expired += expired
        for _ in range(evicted):
            self.counters.note_eviction()

    def _arguments(self, rows: Sequence[Row]) -> Arguments:
        limits = self._limits
        most = (limits.max_bytes, limits.most, limits.max_session_bytes)
        head = (self._life, *most, int(SENT_SECONDS * 1000), MAX_SENT)
        return lambda seal: (*head, *(each for row in rows for each in row(seal)))

    @property
    def _life(self) -> int:
        return int(self._limits.ttl_seconds * 1000)


def _passage_row(entry: Kept) -> Row:
    body = encoded(entry)
    text = (entry.text or "").encode("utf-8", "surrogatepass")

    def row(seal: Seal) -> _Row:
        place = ("p", entry.passage_id, seal.owner(entry.owner))
        sealed = seal.sealed(place, body)
        return (*place, entry.session_id, sealed, text, _PASSAGE_BYTES + len(sealed))

    return row


def _page_row(seal: Seal, cursor: str, owner: Owner, body: bytes) -> _Row:
    place = ("c", cursor, seal.owner(owner))
    return (*place, "", seal.sealed(place, body), "", _PAGE_BYTES + len(body))


def _spelt(seal: Seal, said: bytes, owner: Owner) -> str:
    return spelt(int.from_bytes(seal.digest(seal.owner(owner).encode() + said, 64)))


def _text(raw: bytes | None) -> str | None:
    try:
        return raw.decode("utf-8", "surrogatepass") if raw is not None else None
    except ValueError:
        return None


def _fingerprint(text: str) -> str:
    from wekadocs_corpus import fingerprint

    return fingerprint(text)


@asynccontextmanager
async def opened(settings: ValkeySettings, limits: Limits) -> AsyncIterator[ValkeyStore]:
    async with linked(settings) as link:
        await link.greet()
        yield ValkeyStore(link, limits)
