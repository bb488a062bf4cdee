"""How long a client waits after it has spawned the server."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

from figures import Figure, columns, compared, interleaved
from servers import Bench
from wire_stdio import StdioClient
from workload import INITIALIZED, call, check, encode, initialize, request

_TOOLS = 40
_GOALS = ("initialize", "discover", "list, legacy", "list, modern", "call, legacy", "call, modern")


def run(bench: Bench) -> list[Figure]:
    _warm_up(bench)
    figures: list[Figure] = []
    for goal in _GOALS:
        figures += _goal(bench, goal)
    return figures


def _warm_up(bench: Bench) -> None:
    """One start that compiles the surface, which waits in the cache for all that follow."""
    client = StdioClient(bench.argv("ours", "stdio", _TOOLS), bench.variables)
    client.open("legacy")
    check(client.ask(encode(call("legacy", 1))), b'"structuredContent"')
    time.sleep(1.0)
    client.end()
    surfaces = list((bench.folder / "cache" / "surface").glob("*"))
    if not surfaces:
        raise RuntimeError("the warm-up start left no compiled surface")


def _goal(bench: Bench, goal: str) -> list[Figure]:
    sides = ("ours", *bench.peers())
    measures: list[Callable[[], float]] = [lambda side=side: _spawned(bench, side, goal) for side in sides]  # type: ignore[misc]
    first_call = goal.startswith("call")
    if not first_call:
        measures.append(lambda: _interpreter(bench))
    rows = interleaved(measures, 5 if bench.quick else 15)
    figures = []
    for index, peer in enumerate(bench.peers(), 1):
        target = (1.0 if first_call else 1 / 15) if peer == "bare" else None
        figures.append(_figure(goal, rows, index, peer, target))
    if not first_call:
        figures.append(_figure(goal, rows, len(sides), "import json", 2.0))
    return figures


def _figure(goal: str, rows: list[tuple[float, ...]], index: int, other: str, target: float | None) -> Figure:
    ours, theirs, ratio = compared(columns(rows, 0, index))
    shown = f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms"
    return Figure("startup", f"spawn → {goal} / {other}", *shown, ratio, target=target)


def _spawned(bench: Bench, side: str, goal: str) -> float:
    client = StdioClient(bench.argv(side, "stdio", _TOOLS), bench.variables)
    try:
        _reach(client, goal)
        return time.perf_counter() - client.started
    finally:
        client.close()


def _reach(client: StdioClient, goal: str) -> None:
    """What a client says until it has what it wants, waiting for each answer as clients do."""
    what, _, era = goal.partition(", ")
    if what == "discover" or (what == "call" and era == "modern"):
        check(client.ask(encode(request("modern", 0, "server/discover"))), b'"capabilities"')
    elif era != "modern":
        check(client.ask(encode(initialize(0))), b'"serverInfo"')
    if what in ("initialize", "discover"):
        return
    if era == "legacy":
        client.send(encode(INITIALIZED))
    check(client.ask(encode(request(era, 1, "tools/list"))), b'"tools"')
    if what == "call":
        check(client.ask(encode(call(era, 2))), b'"structuredContent"')


def _interpreter(bench: Bench) -> float:
    started = time.perf_counter()
    argv = [str(bench.python), "-c", "import json"]
    subprocess.run(argv, check=True, env=bench.variables, stdin=subprocess.DEVNULL)
    return time.perf_counter() - started
