"""The generations of one project and model: the newest is read by all, one process at a time writes the next.

A generation is published by renaming its folder, so a crash at any moment leaves the old one or the new one.
"""

from __future__ import annotations

import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import digest
from wekadocs_corpus.store.errors import Damaged
from wekadocs_corpus.store.locks import FileLock

from .documents import KEYWORDS, Documents
from .fields import FIELDS, Column, field_arrays
from .files import About, changed, mapped, read_about
from .names import Names
from .postings import Sorted
from .segment import Segment

_READY, _BUILDING, _LOCK = "gen-", "building-", "build.lock"
_TRIES = 3  # another process may take away what was listed a moment ago


@dataclass(frozen=True)
class Generation:
    """One that was opened; it can be read for as long as it is held, even when its folder is gone."""

    folder: Path
    about: About
    segment: Segment


class Generations:
    """Makes nothing until something is built."""

    def __init__(self, data_dir: Path, project: str, profile: Profile) -> None:
        self.folder = data_dir / "index" / safe_name(project) / safe_name(profile.id)
        self._dimension = profile.dimension

    def stamp(self) -> int:
        """Another number whenever something was published or taken away."""
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return 0

    def newest(self, truth: str, latest: int) -> Generation | None:
        """The one that holds most of this truth, whose last change is `latest`; damaged ones are none."""
        for _ in range(_TRIES):
            usable = [each for each in self._listed() if each[1].truth == truth and each[1].sequence <= latest]
            if not usable:
                return None
            with suppress(Damaged, OSError):
                folder, about = max(usable, key=lambda each: (each[1].sequence, each[0].stat().st_mtime_ns))
                return Generation(folder, about, _segment(folder, about))
        return None

    @contextmanager
    def building(self) -> Iterator[Path | None]:
        """The name for a new folder, while nobody else builds; None when somebody does."""
        lock = FileLock.take(self.folder / _LOCK)
        try:
            yield self.folder / f"{_BUILDING}{uuid.uuid4().hex[:8]}" if lock else None
        finally:
            if lock:
                self._sweep(_BUILDING)
                lock.release()

    def publish(self, built: Path, sequence: int) -> None:
        """To be called while building: from now on this one is read, all others go."""
        ready = built.with_name(built.name.replace(_BUILDING, f"{_READY}{sequence:012}-"))
        built.rename(ready)
        _to_disk(self.folder)
        self._sweep(_READY, ready.name)
        self._sweep_slots()

    def remove_others(self) -> None:
        """Those of other models: the truth holds vectors of one only."""
        for folder in self.folder.parent.glob("*"):
            if folder != self.folder:
                shutil.rmtree(folder, ignore_errors=True)

    def remove(self, generation: Generation) -> None:
        """It is damaged."""
        shutil.rmtree(generation.folder, ignore_errors=True)

    def _listed(self) -> list[tuple[Path, About]]:
        found = []
        for folder in self.folder.glob(f"{_READY}*"):
            with suppress(Damaged):
                about = read_about(folder)
                if about.dimension == self._dimension:
                    found.append((folder, about))
        return found

    def _sweep(self, prefix: str, but: str = "") -> None:
        """What is mapped stays readable; where the system does not let it go, the next one tries again."""
        for folder in self.folder.glob(f"{prefix}*"):
            if folder.name != but:
                shutil.rmtree(folder, ignore_errors=True)

    def _sweep_slots(self) -> None:
        """Copies of the index as earlier releases kept them, unless such a release is using one now."""
        for folder in self.folder.glob("slot-?"):
            lock = FileLock.take(self.folder / f"{folder.name}.lock")
            if lock:
                shutil.rmtree(folder, ignore_errors=True)
                lock.release()
                (self.folder / f"{folder.name}.lock").unlink(missing_ok=True)


def damaged(generation: Generation) -> list[str]:
    """The arrays that are not what was written; reads all of them."""
    try:
        return changed(generation.folder, generation.about)
    except OSError:
        return ["all"]


def safe_name(name: str) -> str:
    """A folder name on every system; names that had to be changed get a digest, so that no two become one."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,60}", name):
        return name
    return re.sub(r"[^a-z0-9_-]+", "-", name.lower())[:40].strip("-") + "." + digest(name)[:12]


def _segment(folder: Path, about: About) -> Segment:
    arrays = mapped(folder, about)
    try:
        documents = Documents(
            arrays["documents"],
            {field: arrays[field] for field in KEYWORDS},
            about.values,
            arrays["updated_at"],
            arrays["paths"],
            arrays["path_ends"],
            arrays["other_tags"],
        )
        postings = Sorted(*(arrays[name] for name in ("terms", "ends", "places", "weights")))
        names = Names.read(*(arrays[name] for name in ("chunks", "named", "names", "name_ends")))
        owners, vectors, has_vector = (arrays[name] for name in ("owners", "vectors", "has_vector"))
        named = enumerate(about.values[FIELDS])
        fields = {name: Column(*(arrays[each] for each in field_arrays(number))) for number, name in named}
        return Segment(documents, owners, names, vectors, has_vector, postings, fields)
    except KeyError as problem:
        raise Damaged(f"{folder}: {problem} is missing") from problem


def _to_disk(folder: Path) -> None:
    """The rename too; Windows has no way to ask for it."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
