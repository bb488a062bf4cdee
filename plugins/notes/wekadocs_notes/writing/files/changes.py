"""What a write would do to the files of a vault: planned whole, shown as a diff, carried out later."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field

from wekadocs_kit import truncated

from ...vault.reading import Unreadable, decoded

_MOST_COMPARED = 4_000_000  # pairs of lines
_LONGEST_LINE = 2_000


@dataclass(frozen=True)
class FileChange:
    """One file's bytes; `before` is None for a new one, `after` for one that goes."""

    id: str
    before: bytes | None
    after: bytes | None
    targets: dict[str, str] = field(default_factory=dict)  # of its links: as they were, as they are to be
    links: int = 0  # how many of them change


@dataclass(frozen=True)
class Plan:
    """All of it happens, or nothing. Changes of a note that moves are told under its new id."""

    changes: tuple[FileChange, ...] = ()
    move: tuple[str, str] | None = None

    @property
    def ids(self) -> list[str]:
        return sorted({*(each.id for each in self.changes), *(self.move or ())})

    def diff(self, most: int) -> str:
        """Unified, as far as it fits."""
        lines = [truncated(line, _LONGEST_LINE, "…") for part in self._parts() for line in part]
        kept: list[str] = []
        room = most
        for line in lines:
            room -= len(line) + 1
            if room < 0:
                return "\n".join([*kept, f"… and {len(lines) - len(kept)} more lines"])
            kept.append(line)
        return "\n".join(kept)

    def _parts(self) -> Iterator[list[str]]:
        old, new = self.move or ("", "")
        if self.move:
            yield [f"rename from {old}", f"rename to {new}"]
        for each in self.changes:
            was = old if self.move and each.id == new else each.id
            yield _compared(each, was)


def _compared(change: FileChange, was: str) -> list[str]:
    before, after = _lines(change.before), _lines(change.after)
    names = ("/dev/null" if change.before is None else was, "/dev/null" if change.after is None else change.id)
    if len(before) * len(after) > _MOST_COMPARED:
        return _replaced(before, after, *names)
    return [line.rstrip("\r\n") for line in difflib.unified_diff(before, after, *names, n=2)]


def _replaced(before: list[str], after: list[str], was: str, now: str) -> list[str]:
    """Too much to be compared line by line: what lies between the same beginning and the same end."""
    start = next((place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    same = 0
    while same < min(len(before), len(after)) - start and before[-1 - same] == after[-1 - same]:
        same += 1
    gone, new = before[start : len(before) - same], after[start : len(after) - same]
    place = f"@@ -{start + 1},{len(gone)} +{start + 1},{len(new)} @@"
    lines = [*(f"-{line}" for line in gone), *(f"+{line}" for line in new)]
    return [f"--- {was}", f"+++ {now}", place, *(line.rstrip("\r\n") for line in lines)]


def _lines(data: bytes | None) -> list[str]:
    try:
        return [] if data is None else decoded(data).splitlines(keepends=True)
    except Unreadable:
        return [f"({len(data or b''):,} bytes)"]
