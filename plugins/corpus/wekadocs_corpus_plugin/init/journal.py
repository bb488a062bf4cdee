"""What was written, noted before it is, so that exactly that can be taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TypedDict

import click


class Note(TypedDict, total=False):
    """One thing that was done."""

    kind: str  # file | documents | client
    path: str  # of the file, or of the folder whose documents were taken in
    after: str  # the hash of the file as it was written
    backup: str  # the file as it was; "" where there was none
    client: str
    name: str  # of the entry
    had_entry: bool
    new_data: bool  # there was no data directory before


class Journal:
    """Of one folder, kept in the data directory."""

    def __init__(self, data_dir: Path, folder: Path) -> None:
        name = sha256(str(folder).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self._file = data_dir / "init" / f"{name}.json"
        self.notes = self._read()

    def _read(self) -> list[Note]:
        try:
            found: list[Note] = json.loads(self._file.read_text("utf-8"))["notes"]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return found

    def add(self, note: Note) -> None:
        self.notes.append(note)
        self.keep()

    def keep(self) -> None:
        """Nothing is left of one without notes."""
        if not self.notes:
            self._file.unlink(missing_ok=True)
            if self._file.parent.is_dir() and not any(self._file.parent.iterdir()):
                self._file.parent.rmdir()
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._file, json.dumps({"notes": self.notes}, indent=1))

    def undo(self, since: int, back: Callable[[Note], str]) -> None:
        """What was done since, the last first; each is told."""
        while len(self.notes) > since:
            click.echo(f"  {back(self.notes[-1])}", err=True)
            self.notes.pop()
            self.keep()


def write_whole(file: Path, text: str) -> None:
    """The file is there whole or not at all."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_text(text, "utf-8")
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def hash_of(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""
