"""One vault of this process: looked at, read, written down, answered from. Files are the truth, all else follows."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING

from ..vault import Known, Note, Seen, Unreadable, Vault, note_hash, read_content, read_note, walk
from ..vault.walking import Walk, identity, look_at
from .link_faults import LinkFaults
from .tables import FileRow, NoteRows, uncollected
from .warned import Warned

if TYPE_CHECKING:
    from wekadocs_corpus import Truth

log = logging.getLogger("wekadocs.plugin.notes")
_TOO_FRESH_NS = 2_000_000_000  # a file written in the same instant as it was read may change without showing it
_AT_ONCE = 500  # files between two transactions
_ENOUGH = 4_000_000  # bytes of notes that are taken in at once
_CHEAP = 0.01  # seconds: a look at all files that every call can afford
_FOUND = "3"  # another one: every note is taken in again by searches


Ending = Callable[[Path], list[str]]  # ends what a killed server began to write; what may have changed by that


class VaultGone(OSError):
    """The message is for whoever asks."""


def mark_of(known: Known | None) -> str:
    """What tells that a search finds what a note says."""
    return f"{_FOUND}:{known.hash}" if known else ""


class KeptVault:
    """Methods may wait: they are for threads. `vault` is replaced by nobody and changed by whoever holds `turn`."""

    def __init__(self, vault: Vault, truth: Truth, end_interrupted: Ending = lambda _: []) -> None:
        from wekadocs_corpus import digest

        self.vault = vault
        self._end_interrupted = end_interrupted
        self.key = digest(str(vault.root))
        self.turn = threading.RLock()
        self.warned = Warned()
        self._rows = NoteRows(truth, self.key)
        self._sequence = 0
        self._files: dict[str, FileRow] = {}
        self._waiting: dict[str, None] = {}  # the latest last
        self._fresh: dict[str, tuple[Seen, int]] = {}  # files that are not settled, with when they were first read so
        self._attachments: frozenset[str] = frozenset()
        self._unread: set[str] = set()  # what was told of that
        self._cost = 0.0  # seconds of the last look
        self._place: object = None  # which folder that was at
        self._calm: Walk | None = None  # what a look saw that found nothing to read, as long as nothing is written down
        self.is_known = False  # looked at as a whole at least once
        self.is_watched = False  # whoever watches tells of every change

    @property
    def root(self) -> Path:
        return self.vault.root

    def fresh(self) -> None:
        """For whoever answers now: nothing that was written before this call is missed, or what a watcher takes to tell
        it where a look would take long."""
        place = identity(self.root)
        if place is None:
            raise VaultGone(f"the folder of vault {self.vault.name!r} is not there: see plugins.notes.vault")
        with self.turn:
            if ended := self._end_interrupted(self.root):
                self.in_step(ended)
            if self.is_known and self.is_watched and self._cost > _CHEAP and place == self._place:
                self._follow()
            else:
                self._place = place
                self.look()
            self.warned.settle(self.vault.has_still)

    def look(self) -> list[str]:
        """At all files; what changed is read. Which notes are other than before."""
        with self.turn:
            began = time.monotonic()
            self._follow()
            seen = walk(self.root)
            if seen == self._calm:
                self._cost = time.monotonic() - began
                return []
            self._tell_unread(seen)
            self._set_attachments(seen.others)
            gone = [id for id in self._files if id not in seen.notes and self._is_there(id)]
            gone = [id for id in gone if not any(id.startswith(folder) for folder in seen.blocked)]
            changed = [id for id, state in seen.notes.items() if self._is_changed(id, state)]
            self._cost = time.monotonic() - began
            done = self._take([*sorted(changed), *sorted(gone)])
            self._calm = None if changed or gone or seen.blocked else seen
            self.is_known = True
            return done

    def _tell_unread(self, seen: Walk) -> None:
        """What cannot be read, once for as long as it is there."""
        folders = (f"Unreadable folder: {folder or '.'}" for folder in seen.blocked)
        unread = {*folders, *(f"Unreadable file: {name}: its name is no UTF-8 text" for name in seen.unnamed)}
        self.warned.add(sorted(unread - self._unread))
        self._unread = unread

    def in_step(self, ids: Collection[str], relinked: Collection[str] = ()) -> list[str]:
        """These files changed: read them now, whatever they look like. Of some only links followed another note."""
        with self.turn:
            self._follow()
            return self._take(sorted(set(ids)), relinked)

    def read(self, id: str) -> Note | None:
        """The note as its file is at this moment; where that is news, everything is brought in step first."""
        with self.turn:
            note = self._read(id)
            known = self.vault.notes.get(id)
            if (note.hash if note else None) != (known.hash if known else None):
                self.in_step([id])
            return note

    def content(self, id: str) -> tuple[Known, str] | None:
        """What a note says of itself, and its text as its file is at this moment."""
        with self.turn:
            known = self.vault.notes.get(id)
            if known is not None and look_at(self.root, id) is not None:
                with contextlib.suppress(OSError, Unreadable):
                    data = (self.root / id).read_bytes()
                    if note_hash(data) == known.hash:
                        return known, read_content(id, data)
            note = self.read(id)
            return (self.vault.notes[id], note.content) if note and id in self.vault.notes else None

    def set_found(self, found: Sequence[tuple[str, str]]) -> None:
        """What a search finds of these notes now: (id, mark)."""
        with self.turn:
            self._rows.set_found(found)
            for id, mark in found:
                if id in self._files:
                    self._files[id] = self._files[id]._replace(found=mark)
                    self._await(self._files[id])

    def waiting(self, most: int) -> list[str]:
        """Notes of which a search finds something else than they say, the latest first; few where they are long."""
        with self.turn:
            some = list(islice(reversed(self._waiting), most))
            sizes = accumulate(self._files[id].size for id in some)
            return some[: max(1, sum(size <= _ENOUGH for size in sizes))]

    @property
    def is_waiting(self) -> bool:
        """Without anybody's turn."""
        return bool(self._waiting)

    @property
    def count_waiting(self) -> int:
        return len(self._waiting)

    def _await(self, row: FileRow) -> None:
        self._waiting.pop(row.id, None)
        if row.found != mark_of(row.known):
            self._waiting[row.id] = None

    def peek(self, id: str) -> Note | None:
        """The note as its file is, without anybody's turn and without bringing anything in step."""
        return self._read(id)

    def _set_attachments(self, ids: frozenset[str]) -> None:
        if ids != self._attachments:
            self._attachments = ids
            self.vault.set_attachments(ids)

    def _is_there(self, id: str) -> bool:
        return self._files[id].known is not None

    def _is_changed(self, id: str, seen: Seen) -> bool:
        row = self._files.get(id)
        if row is None:
            return True
        return not row.settled or (row.size, row.mtime_ns) != (seen.size, seen.mtime_ns)

    def _follow(self) -> None:
        """What other processes wrote down."""
        if self._sequence and self._rows.sequence() == self._sequence:
            return
        with uncollected():
            self._sequence, rows = self._rows.after(self._sequence)
            self._remember(rows)

    def _take(self, ids: Collection[str], relinked: Collection[str] = ()) -> list[str]:
        done: list[str] = []
        waiting = list(ids)
        faults = LinkFaults(self.vault, relinked) if self.is_known else None
        for start in range(0, len(waiting), _AT_ONCE):
            done += self._take_some(waiting[start : start + _AT_ONCE], faults)
        if done:
            edited = [id for id in done if id not in relinked]
            self.warned.doubt([*self.vault.link_faults(edited), *(faults.new() if faults else ())])
        return done

    def _take_some(self, ids: list[str], faults: LinkFaults | None) -> list[str]:
        rows = [row for id in ids if (row := self._row(id)) is not None]
        new = [row for row in rows if row != self._files.get(row.id)]
        if not new:
            return []
        changed = [row.id for row in new if self._differs(row)]
        sequence = self._rows.write(new)
        if sequence == self._sequence + 1:
            self._sequence = sequence
        if faults is not None:
            faults.expect((row.id, row.known) for row in new)
        self._remember(new)
        return changed

    def _differs(self, row: FileRow) -> bool:
        before = self.vault.notes.get(row.id)
        return (before.hash if before else None) != (row.known.hash if row.known else None)

    def _remember(self, rows: Iterable[FileRow]) -> None:
        self._calm = None
        for row in rows:
            before = self._files.get(row.id)
            self._files[row.id] = row
            self._await(row)
            if row.known is None:
                self.vault.drop(row.id)
            elif before is None or before.known != row.known:
                self.vault.put(row.known)

    def _row(self, id: str) -> FileRow | None:
        """What is to be written down of a file; None where nobody knows of it, now or before."""
        before = self._files.get(id)
        read_at = time.time_ns()
        seen = look_at(self.root, id)
        note = self._read_there(id) if seen else None
        if seen is None or note is None:
            if before is None and seen is None:
                return None
            seen = seen or Seen(0, 0)
            return FileRow(id, None, seen.size, seen.mtime_ns, True, before.found if before else "")
        settled = self._is_settled(id, seen, read_at)
        if before and before.known and before.known.hash != note.hash:
            self.warned.add(fault for fault in note.faults if fault not in before.known.faults)
        elif before is None or before.known is None:
            self.warned.add(note.faults)
        known = Known.of(note, seen.size, seen.mtime_ns)
        return FileRow(id, known, seen.size, seen.mtime_ns, settled, before.found if before else "")

    def _is_settled(self, id: str, seen: Seen, read_at: int) -> bool:
        """By the file's own time, or by ours where a clock that is ahead has stamped it."""
        first = self._fresh.pop(id, (seen, read_at))
        if read_at - seen.mtime_ns > _TOO_FRESH_NS or (first[0] == seen and read_at - first[1] > _TOO_FRESH_NS):
            return True
        self._fresh[id] = first if first[0] == seen else (seen, read_at)
        return False

    def _read(self, id: str) -> Note | None:
        return self._read_there(id) if look_at(self.root, id) is not None else None

    def _read_there(self, id: str) -> Note | None:
        """Of a file that was looked at."""
        try:
            return read_note(id, (self.root / id).read_bytes())
        except (OSError, Unreadable) as problem:
            why = problem.strerror if isinstance(problem, OSError) else str(problem)
        except Exception as mistake:  # ours; one file hides no others
            log.warning("vault %s: a file is not understood: %s", self.vault.name, type(mistake).__name__)
            why = "it is not understood"
        self.warned.add([f"Unreadable file: {id}: {why}"])
        return None
