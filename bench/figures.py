"""Figures: ratios of what was measured side by side, their medians, and the table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass
class Figure:
    """One line of the table. `target` is a limit for `value`: 'most' from above, 'least' from below."""

    group: str
    what: str
    ours: str
    other: str
    value: float
    unit: str = "x"
    target: float | None = None
    kind: str = "most"
    spread: tuple[float, float] | None = None  # of the medians of several sets of processes

    @property
    def verdict(self) -> str:
        if self.target is None:
            return "-"
        good = self.value <= self.target if self.kind == "most" else self.value >= self.target
        return "ok" if good else "MISSED"

    @property
    def wanted(self) -> str:
        if self.target is None:
            return "-"
        return f"{'≤' if self.kind == 'most' else '≥'} {self.target:.3g}{self.unit}"

    def plain(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict}


def compared(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Median of ours, of the other, and of the ratios taken pair by pair."""
    ours, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    return ours, other, statistics.median(mine / theirs for mine, theirs in pairs)


def interleaved(measures: Sequence[Callable[[], float]], rounds: int, warm_up: int = 1) -> list[tuple[float, ...]]:
    """Each measure in turn, round after round, in changing order, so that noise hits all of them alike."""
    rows: list[tuple[float, ...]] = []
    for number in range(rounds + warm_up):
        order = list(range(len(measures)))
        if number % 2:
            order.reverse()
        found = {index: measures[index]() for index in order}
        if number >= warm_up:
            rows.append(tuple(found[index] for index in range(len(measures))))
    return rows


def columns(rows: Sequence[tuple[float, ...]], mine: int, theirs: int) -> list[tuple[float, float]]:
    return [(row[mine], row[theirs]) for row in rows]


def cpu_seconds(pid: int) -> float:
    """CPU time of a whole process, all its threads, to the nanosecond (Linux: the process's own clock)."""
    return time.clock_gettime((~pid << 3) | 2)


def resident_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no VmRSS for {pid}")


def table(figures: Iterable[Figure]) -> str:
    rows = [("", "what", "ours", "other", "figure", "target", "")]
    for each in figures:
        value = f"{each.value:+.1f} {each.unit}" if each.unit != "x" else f"{each.value:.3g}x"
        value += f" ({each.spread[0]:.3g} to {each.spread[1]:.3g})" if each.spread else ""
        rows.append((each.group, each.what, each.ours, each.other, value, each.wanted, each.verdict))
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
