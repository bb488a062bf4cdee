"""What is wrong with a file that somebody wrote, and for whom it is told: file, line, caret, way out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wekadocs_text import one_line

_SHOWN = 160  # characters of a line around a mistake


# The codes any tool may answer with, because the host itself does.
HOST_CODES = frozenset(
    {"INVALID_ARGUMENT", "SCOPE_VIOLATION", "BACKEND_UNAVAILABLE", "TIMEOUT", "BUDGET_EXCEEDED", "INTERNAL_ERROR"}
)


@dataclass(frozen=True)
class Problem:
    """One mistake in one file. Renders as file:line:column, the lines around it, a caret and the way out."""

    file: str
    message: str
    hint: str = ""
    line: int = 0
    column: int = 0
    pointer: str = ""
    text: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        pointer = self.pointer if len(self.pointer) <= _SHOWN else f"{self.pointer[:_SHOWN]}…"
        where = f"{pointer}: " if pointer else ""
        parts = [one_line(f"{place}: {where}{self.message}"), *self._excerpt()]
        if self.hint:
            parts.append(one_line(f"  fix: {self.hint}"))
        return "\n".join(parts)

    def _excerpt(self) -> list[str]:
        lines = self.text.splitlines()
        if not self.line or not lines:
            return []
        first, last = max(1, self.line - 2), min(len(lines), self.line + 2)
        width = len(str(last))
        shown = []
        for number in range(first, last + 1):
            mark = ">" if number == self.line else " "
            line, before = self._clipped(lines[number - 1])
            shown.append(f"{mark} {number:>{width}} | {line}".rstrip())
            if number == self.line:
                shown.append(f"  {'':>{width}} | {' ' * before}^")
        return shown

    def _clipped(self, line: str) -> tuple[str, int]:
        """What is worth showing of a line, as a terminal may show it, and how much of it stands before the caret."""
        start = max(0, self.column - _SHOWN // 2) if len(line) > _SHOWN else 0
        shown = one_line(line[start : start + _SHOWN].expandtabs(1))
        before = one_line(line[start : max(start, self.column - 1)].expandtabs(1))
        more = "…" if len(line) > start + _SHOWN else ""
        return f"{'…' if start else ''}{shown}{more}", len(before) + bool(start)


class StartError(Exception):
    """The server, or a command, cannot go on. The operator reads it; it lists all problems at once."""

    def __init__(self, problems: Iterable[Problem | str]) -> None:
        found = list(problems)
        super().__init__("\n\n".join(str(problem) for problem in found))
        self.problems: Sequence[Problem | str] = found

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (list(self.problems),)


class Refused(StartError):
    """A file may not lead out of its folder, nor take more time, memory or text than a contract is worth."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`` — did you mean `top_k`? `` or nothing."""
    close = nearest(name, known)
    return f" — did you mean `{one_line(close)}`?" if close else ""


def nearest(name: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    names = list(known)
    folded = {fold(known_name): known_name for known_name in names}
    if fold(name) in folded:
        return folded[fold(name)]
    close = get_close_matches(name.lower(), [known_name.lower() for known_name in names], n=1, cutoff=0.6)
    return next((known_name for known_name in names if close and known_name.lower() == close[0]), None)


def fold(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
