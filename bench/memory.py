"""Resident memory after the first call: SDK and dispatcher loaded, no backend."""

from __future__ import annotations

import statistics

from figures import Figure, interleaved, resident_megabytes
from servers import Bench
from workload import call, check

_TARGET = 10.0


def run(bench: Bench) -> list[Figure]:
    return [figure for transport in ("stdio", "http") for figure in _compared(bench, transport)]


def _compared(bench: Bench, transport: str) -> list[Figure]:
    sides = ("ours", *bench.peers())
    measures = [lambda side=side: _resident(bench, side, transport) for side in sides]  # type: ignore[misc]
    rows = interleaved(measures, 3 if bench.quick else 5, warm_up=1)
    medians = [statistics.median(row[index] for row in rows) for index in range(len(sides))]
    figures = []
    for index, peer in enumerate(bench.peers(), 1):
        target = _TARGET if peer == "bare" else None
        name = f"RSS after the first call, {transport}, less {peer}"
        more = medians[0] - medians[index]
        shown = f"{medians[0]:.1f} MB", f"{medians[index]:.1f} MB"
        figures.append(Figure("memory", name, *shown, more, "MB", target))
    return figures


def _resident(bench: Bench, side: str, transport: str) -> float:
    client = bench.start(side, transport, 1)
    try:
        client.open("legacy")
        check(client.ask(client.framed("legacy", call, "tools/call")[0]), b'"structuredContent"')
        return resident_megabytes(client.pid)
    finally:
        client.close()
