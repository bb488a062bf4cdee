"""tools/list with 200 tools, beside a floor that only sends as many bytes in the same framing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from figures import Figure, columns, compared, cpu_seconds, interleaved
from servers import Bench, Client
from workload import ERAS, call, check, request

Measured = dict[str, list[tuple[float, ...]]]
_TOOLS = 200
# Two processes keep for life what luck with memory and cores they had at their start: one set of them says little.
_SETS, _QUICK_SETS = 7, 3


def run(bench: Bench) -> list[Figure]:
    figures: list[Figure] = []
    for transport in ("stdio", "http"):
        for era in ERAS:
            found = [_one_set(bench, transport, era) for _ in range(_QUICK_SETS if bench.quick else _SETS)]
            figures += _figures(f"{transport}, {era}", found)
    return figures


def _one_set(bench: Bench, transport: str, era: str) -> Measured:
    clients: list[Client] = []
    try:
        for side in ("ours", "bare"):
            clients.append(bench.start(side, transport, _TOOLS))
            clients[-1].open(era)
            # After a call a server has all it needs: what it does at its start is measured elsewhere.
            check(clients[-1].ask(clients[-1].framed(era, call, "tools/call")[0]), b'"structuredContent"')
        answer = clients[0].ask(clients[0].framed(era, _question, "tools/list")[0])
        check(answer, b'"tools"')
        clients.append(bench.floor(transport, era, _body(bench, answer, transport, era)))
        return _measured(bench, clients, era)
    finally:
        for client in clients:
            client.close()


def _question(era: str, number: int) -> dict[str, Any]:
    return request(era, number, "tools/list")


def _body(bench: Bench, answer: bytes, transport: str, era: str) -> Path:
    """What our server answered, without its framing, for the floor to repeat."""
    path = bench.folder / f"floor_{transport}_{era}"
    whole = slice(answer.index(b'{"jsonrpc"'), answer.rindex(b"}") + 1)
    path.write_bytes(answer[whole])
    return path


def _measured(bench: Bench, clients: list[Client], era: str) -> Measured:
    count, rounds = (10, 5) if bench.quick else (20, 9)
    asked = [(client, client.framed(era, _question, "tools/list")) for client in clients]
    for client, messages in asked:
        client.repeat(messages, 20)
    walls = interleaved([_spent(client, messages, count, time.perf_counter) for client, messages in asked], rounds)
    used = interleaved([_spent(client, messages, count, _clock(client)) for client, messages in asked], rounds)
    return {"round trip": walls, "server CPU": used}


def _figures(name: str, sets: list[Measured]) -> list[Figure]:
    figures = []
    for what in ("round trip", "server CPU"):
        for index, other in ((2, "floor"), (1, "bare")):
            ours, theirs, ratio = compared([pair for each in sets for pair in columns(each[what], 0, index)])
            each_set = [compared(columns(each[what], 0, index))[2] for each in sets]
            shown = f"{ours * 1e3:.2f} ms", f"{theirs * 1e3:.2f} ms"
            spread = (min(each_set), max(each_set))
            figures.append(Figure("list", f"{what}, {name} / {other}", *shown, ratio, spread=spread))
    return figures


def _clock(client: Client) -> Callable[[], float]:
    return lambda: cpu_seconds(client.pid)


def _spent(client: Client, messages: list[bytes], count: int, clock: Callable[[], float]) -> Callable[[], float]:
    """Seconds of `clock` per request."""

    def measure() -> float:
        before = clock()
        client.repeat(messages, count)
        return (clock() - before) / count

    return measure
