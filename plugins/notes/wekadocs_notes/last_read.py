"""Which state of a note each caller saw last, so that nobody overwrites what they have not seen."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus import Truth
    from wekadocs_mcp import Call

_MOST = 20_000
_MIGRATIONS = (
    (
        "CREATE TABLE noteread_seen (who TEXT NOT NULL, vault TEXT NOT NULL, id TEXT NOT NULL, hash TEXT NOT NULL,"
        " PRIMARY KEY (who, vault, id))",
    ),
)
_Key = tuple[str, str, str]


class LastRead:
    """By session where there is one, which ends with this process; else by principal, which others answer too."""

    def __init__(self, truth: Truth) -> None:
        self._tables = truth.tables("noteread", _MIGRATIONS)
        self._seen: OrderedDict[_Key, str] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, call: Call[object], vault: str, id: str, hash: str) -> None:
        from wekadocs_corpus import CorpusError

        key = _key(call, vault, id)
        with self._lock:
            known = self._seen.pop(key, None)
            self._seen[key] = hash
            while len(self._seen) > _MOST:
                self._seen.popitem(last=False)
        if known != hash and call.session is None:
            with contextlib.suppress(CorpusError), self._tables.writing() as change:
                change.execute("INSERT OR REPLACE INTO noteread_seen VALUES (?, ?, ?, ?)", (*key, hash))

    def hash_of(self, call: Call[object], vault: str, id: str) -> str | None:
        """What this caller saw last; None where it never did."""
        key = _key(call, vault, id)
        if call.session is not None:
            with self._lock:
                return self._seen.get(key)
        with self._tables.reading() as rows:
            found = rows.query("SELECT hash FROM noteread_seen WHERE who = ? AND vault = ? AND id = ?", key)
        return str(found[0][0]) if found else None


def _key(call: Call[object], vault: str, id: str) -> _Key:
    return call.session or call.principal, vault, id
