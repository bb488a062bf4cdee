"""Replica slots: folders for embedded shards, each owned by one process at a time.

A second opener damages a shard that is open, even though its attempt fails. So our own lock comes first, always.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from wekadocs_corpus.model import digest

from .locks import FileLock

SLOTS = 4
LAYOUT = 1  # of the points in a shard; another number means: build anew


@dataclass(frozen=True)
class Holding:
    """What a slot holds, written after its shard was flushed: after a crash the rest is replayed."""

    truth: str
    dimension: int
    sequence: int
    layout: int = LAYOUT


class Slot:
    """One folder whose lock we hold."""

    def __init__(self, folder: Path, lock: FileLock) -> None:
        self.folder = folder
        self.shard = folder / "shard"
        self._lock = lock

    def holding(self) -> Holding | None:
        """None when there is nothing, or when whoever opened it last did not survive that."""
        return None if self._opening.exists() else _read(self.folder)

    def keep(self, holding: Holding) -> None:
        """Replace the note in one step: a crash leaves the old one or the new one."""
        new = self.folder / "holding.new"
        new.write_text(json.dumps(asdict(holding)))
        new.replace(self.folder / "holding.json")

    def clear(self) -> None:
        """Throw the shard away; the note goes first, so that a crash cannot leave one without its shard."""
        (self.folder / "holding.json").unlink(missing_ok=True)
        shutil.rmtree(self.shard, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._opening.unlink(missing_ok=True)

    def mark_opening(self) -> None:
        """A damaged shard may take the process with it: the next one sees the mark and builds anew."""
        self._opening.touch()

    def mark_open(self) -> None:
        self._opening.unlink(missing_ok=True)

    def release(self) -> None:
        self._lock.release()

    @property
    def _opening(self) -> Path:
        return self.folder / "opening"


def slots_folder(data_dir: Path, project: str, model: str) -> Path:
    return data_dir / "index" / safe_name(project) / safe_name(model)


def take_slot(root: Path, truth: str, count: int = SLOTS) -> Slot | None:
    """A free slot, one that holds most of this truth if there is one; None when all are taken."""
    folders = [root / f"slot-{number}" for number in range(count)]
    for folder in sorted(folders, key=lambda each: -_worth(each, truth)):  # stable: the first of equals
        lock = FileLock.take(_lock_of(folder))
        if lock is not None:
            folder.mkdir(exist_ok=True)
            return Slot(folder, lock)
    return None


def in_use(root: Path, count: int = SLOTS) -> bool:
    """Whether any process holds a slot now."""
    locks = [FileLock.take(_lock_of(root / f"slot-{number}")) for number in range(count)]
    for lock in locks:
        if lock is not None:
            lock.release()
    return None in locks


@dataclass(frozen=True)
class FoundSlot:
    """A slot as `doctor` sees it; one whose truth is another is an orphan."""

    folder: Path
    holding: Holding | None
    used: bool


def found_slots(data_dir: Path) -> list[FoundSlot]:
    """All slots of all projects and models."""
    return [_found(folder) for folder in sorted((data_dir / "index").glob("*/*/slot-*")) if folder.is_dir()]


def remove_slot(folder: Path) -> bool:
    """Delete a slot unless a process has it."""
    lock = FileLock.take(_lock_of(folder))
    if lock is None:
        return False
    Slot(folder, lock).clear()
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    return True


def _found(folder: Path) -> FoundSlot:
    lock = FileLock.take(_lock_of(folder))
    if lock is not None:
        lock.release()
    return FoundSlot(folder, _read(folder), lock is None)


def _lock_of(folder: Path) -> Path:
    """Beside the folder, since the folder may go."""
    return folder.with_name(f"{folder.name}.lock")


def safe_name(name: str) -> str:
    """A folder name on every system; names that had to be changed get a digest, so that no two become one."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}", name):
        return name
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower())[:40].strip("-") + "." + digest(name)[:12]


def _worth(folder: Path, truth: str) -> int:
    holding = _read(folder)
    return holding.sequence if holding is not None and holding.truth == truth else -1


def _read(folder: Path) -> Holding | None:
    try:
        holding = Holding(**json.loads((folder / "holding.json").read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    return holding if holding.layout == LAYOUT else None
