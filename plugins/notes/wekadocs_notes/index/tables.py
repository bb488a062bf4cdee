"""What the truth keeps of notes: a row a file, numbered by its last change, so that every process can follow."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ..vault import Known

if TYPE_CHECKING:
    from wekadocs_corpus import Truth

_FIELDS = "id, sequence, deleted, settled, size, mtime_ns, hash, said, found"
MIGRATIONS = (
    (
        "CREATE TABLE notes_vaults (vault TEXT PRIMARY KEY, sequence INTEGER NOT NULL)",
        "CREATE TABLE notes_files (vault TEXT NOT NULL, id TEXT NOT NULL, sequence INTEGER NOT NULL,"
        " deleted INTEGER NOT NULL, settled INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,"
        " hash TEXT NOT NULL, said TEXT NOT NULL, found TEXT NOT NULL, PRIMARY KEY (vault, id))",
        "CREATE INDEX notes_files_by_sequence ON notes_files (vault, sequence)",
    ),
)
_READING = "7"  # another one: files are read again, for what is kept of them would differ


@contextmanager
def uncollected() -> Iterator[None]:
    """Thousands of small objects that all stay: looking for garbage among them takes as long as making them."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class FileRow(NamedTuple):
    """What is known of one file; `known` is None where it is gone or no note."""

    id: str
    known: Known | None
    size: int
    mtime_ns: int
    settled: bool  # a later change of it would show
    found: str  # hash of what a search finds of it; "" for nothing


class NoteRows:
    """The rows of one vault. For threads: everything here may wait."""

    def __init__(self, truth: Truth, vault: str) -> None:
        self._tables = truth.tables("notes", MIGRATIONS)
        self._vault = f"{vault}:{_READING}"

    def sequence(self) -> int:
        with self._tables.reading() as rows:
            found = rows.query("SELECT sequence FROM notes_vaults WHERE vault = ?", (self._vault,))
        return int(str(found[0][0])) if found else 0

    def after(self, sequence: int) -> tuple[int, list[FileRow]]:
        """What changed since, and up to which number."""
        # All of them are read as they lie: by an index, each would be looked up by itself.
        way = "" if sequence else "NOT INDEXED"
        ask = f"SELECT {_FIELDS} FROM notes_files {way} WHERE vault = ? AND sequence > ?"  # noqa: S608 (own words)
        with self._tables.reading() as rows:
            last = rows.query("SELECT sequence FROM notes_vaults WHERE vault = ?", (self._vault,))
            found = rows.query(ask, (self._vault, sequence))
        return (int(str(last[0][0])) if last else 0), _file_rows(found)

    def write(self, files: Sequence[FileRow]) -> int:
        """All of them; the number of this change."""
        with self._tables.writing() as change:
            change.execute("INSERT OR IGNORE INTO notes_vaults VALUES (?, 0)", (self._vault,))
            change.execute("UPDATE notes_vaults SET sequence = sequence + 1 WHERE vault = ?", (self._vault,))
            row = change.query("SELECT sequence FROM notes_vaults WHERE vault = ?", (self._vault,))
            sequence = int(str(row[0][0]))
            put = "INSERT OR REPLACE INTO notes_files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            change.execute_many(put, (self._values(each, sequence) for each in files))
        return sequence

    def set_found(self, found: Iterable[tuple[str, str]]) -> None:
        """What a search finds now: (id, hash)."""
        update = "UPDATE notes_files SET found = ? WHERE vault = ? AND id = ?"
        with self._tables.writing() as change:
            change.execute_many(update, [(hash, self._vault, id) for id, hash in found])

    def _values(self, each: FileRow, sequence: int) -> tuple[str | int, ...]:
        known = each.known
        said = _said(known) if known else ""
        state = (int(known is None), int(each.settled), each.size, each.mtime_ns, known.hash if known else "")
        return (self._vault, each.id, sequence, *state, said, each.found)


def _said(known: Known) -> str:
    said = (known.title, known.tags, known.aliases, known.targets, known.properties, known.faults)
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _file_rows(rows: Sequence[Sequence[Any]]) -> list[FileRow]:
    """What they say is read at once: thousands of small texts take three times as long."""
    said = iter(json.loads(f"[{','.join(row[7] for row in rows if not row[2])}]"))
    found = []
    for id, _, deleted, settled, size, mtime_ns, hash, _, mark in rows:
        known = None
        if not deleted:
            title, tags, aliases, targets, properties, faults = next(said)
            lists = (tuple(tags), tuple(aliases), tuple(targets))
            known = Known(id, title, *lists, properties, hash, size, mtime_ns, tuple(faults))
        found.append(FileRow(id, known, size, mtime_ns, bool(settled), mark))
    return found
