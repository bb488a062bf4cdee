"""The whole truth as one file elsewhere, and back: a backup is the database itself, made while others write."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from wekadocs_corpus.store.errors import Damaged, Refused, StoreError, TooNew, TooOld
from wekadocs_corpus.store.sql.connection import PATIENCE

from . import wholeness
from .connection import Connections
from .file import FILE
from .preparing import SCHEMA_VERSION

_BESIDE = ("-wal", "-shm")


@dataclass(frozen=True)
class Copied:
    """What a backup holds, or what a restored corpus has."""

    path: Path
    documents: int
    chunks: int
    bytes: int


def back_up(data_dir: Path, target: Path) -> Copied:
    """One consistent state of everything, whoever is writing. All of the file is there, or nothing of that name."""
    if not (data_dir / FILE).is_file():
        raise Refused(f"{data_dir}: nothing is kept there yet; name another with --data")
    if target.exists():
        raise Refused(f"{target}: is there already; name another file, nothing is overwritten")
    with _beside(target) as part:
        with closing(sqlite3.connect(data_dir / FILE, timeout=PATIENCE)) as connection:
            connection.execute("VACUUM INTO ?", (str(part),))
        found = _looked_at(part)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.rename(target)
    return Copied(target, *found, target.stat().st_size)


def restore(source: Path, data_dir: Path, *, replace: bool = False) -> tuple[Copied, Path | None]:
    """The corpus as the backup has it; what was there before is copied aside, and that copy is told."""
    found = _looked_at(source)
    place = data_dir / FILE
    if place.exists() and not replace:
        raise Refused(f"{data_dir}: has a corpus already; --replace copies it aside and puts the backup in its place")
    data_dir.mkdir(parents=True, exist_ok=True)
    aside = _kept_aside(place)
    with _beside(place) as part:
        shutil.copyfile(source, part)
        _put(part, place)
    return Copied(place, *found, place.stat().st_size), aside


def reset(data_dir: Path) -> int:
    """Forget everything that was taken in; how many documents that were. Settings and documents are not here."""
    place = data_dir / FILE
    if not place.exists():
        return 0
    documents, _ = _looked_at(place)
    with _beside(place) as part:
        with closing(sqlite3.connect(part)) as connection:
            connection.execute("PRAGMA page_size = 8192")  # as the file has that it is copied over
            connection.executescript(wholeness.script())
            connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA_VERSION),))
            connection.commit()
        _put(part, place)
    return documents


def _kept_aside(place: Path) -> Path | None:
    if not place.exists():
        return None
    aside = place.with_name(f"{FILE}.before-{time.strftime('%Y%m%d-%H%M%S')}-{uuid.uuid4().hex[:4]}")
    back_up(place.parent, aside)
    return aside


def _put(part: Path, place: Path) -> None:
    """In one transaction of the file that is there: whoever has it open reads on, and sees this as a change.

    To move another file there would be the end of it: a process that still has the former one open deletes, when it
    ends, the log of whichever file has its name.
    """
    with closing(sqlite3.connect(part)) as made:
        if not place.exists():
            # Copies of this truth elsewhere may know more than the backup does: it is another one from now on.
            _name(made, uuid.uuid4().hex)
        else:
            with closing(sqlite3.connect(place)) as former:
                _follow(made, former)
        made.commit()
        connections = Connections(place)
        try:
            with connections.reading():  # made, where there is none, as all are
                pass
            with closing(sqlite3.connect(place, timeout=PATIENCE)) as there:
                made.backup(there)
        finally:
            connections.close()


def _name(made: sqlite3.Connection, truth: str) -> None:
    made.execute("INSERT OR REPLACE INTO meta VALUES ('id', ?)", (truth,))
    made.execute("DELETE FROM replicas")


def _follow(made: sqlite3.Connection, former: sqlite3.Connection) -> None:
    """The same truth with later changes: every document it has now counts as changed, every one it lost as deleted."""
    _name(made, former.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()[0])
    made.executemany("INSERT INTO replicas VALUES (?, ?, ?)", former.execute("SELECT * FROM replicas").fetchall())
    last = "SELECT coalesce(max(sequence), 0) FROM changes"
    later = max(each.execute(last).fetchone()[0] for each in (made, former))
    made.execute("UPDATE changes SET sequence = sequence + ?", (later,))
    # Before anything is added: its numbers go on from there.
    made.execute("DELETE FROM sqlite_sequence WHERE name = 'changes'")
    made.execute(f"INSERT INTO sqlite_sequence SELECT 'changes', max(?, ({last}))", (later,))
    gone = former.execute("SELECT id, project FROM documents").fetchall()
    made.executemany(
        "INSERT OR REPLACE INTO changes (document_id, project, deleted) SELECT ?1, ?2, 1 "
        "WHERE NOT EXISTS (SELECT 1 FROM documents WHERE id = ?1)",
        gone,
    )


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A name for what is not whole yet; nothing of that name is left."""
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}")
    try:
        yield part
    except OSError as problem:
        raise StoreError(f"{target}: {problem.strerror}") from None
    except sqlite3.DatabaseError as problem:
        raise StoreError(f"{target}: could not be written ({problem})") from None
    finally:
        for end in ("", "-journal", *_BESIDE):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _looked_at(path: Path) -> tuple[int, int]:
    """How many documents and chunks; raises unless it is a whole truth of this release."""
    if not path.is_file():
        raise Refused(f"{path}: is no file")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            facts = dict(connection.execute("SELECT key, value FROM meta").fetchall())
            whole = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            counts = [connection.execute(f"SELECT count(*) FROM {of}").fetchone()[0] for of in ("documents", "chunks")]
    except sqlite3.DatabaseError:
        raise Damaged(f"{path}: is no backup of a corpus, or damaged") from None
    if not whole:
        raise Damaged(f"{path}: damaged; take another backup")
    _refuse_layout(path, int(facts.get("schema", 0)))
    return counts[0], counts[1]


def _refuse_layout(path: Path, layout: int) -> None:
    if layout > SCHEMA_VERSION:
        raise TooNew(f"{path}: made by a later release (layout {layout}, this one reads {SCHEMA_VERSION}); upgrade")
    if layout < SCHEMA_VERSION:
        raise TooOld(f"{path}: made by an earlier release (layout {layout}, this one reads {SCHEMA_VERSION})")
