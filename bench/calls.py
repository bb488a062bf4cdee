"""What one trivial call costs the server, checks on, and how many it answers when sixteen are under way."""

from __future__ import annotations

import time
from collections.abc import Callable

from figures import Figure, columns, compared, cpu_seconds, interleaved
from servers import Bench, Client
from workload import ERAS, call, check

_WIDTH = 16
_CPU_TARGET = {"stdio": 1.1, "http": 1.25}


def run(bench: Bench) -> list[Figure]:
    figures: list[Figure] = []
    for transport in ("stdio", "http"):
        for era in ERAS:
            figures += _compared(bench, transport, era)
    return figures


def _compared(bench: Bench, transport: str, era: str) -> list[Figure]:
    sides = ("ours", *bench.peers())
    clients = [bench.start(side, transport, 1) for side in sides]
    try:
        messages = [_opened(client, era) for client in clients]
        return _measured(bench, transport, era, clients, messages)
    finally:
        for client in clients:
            client.close()


def _opened(client: Client, era: str) -> list[bytes]:
    client.open(era)
    messages = client.framed(era, call, "tools/call")
    check(client.ask(messages[0]), b'"structuredContent"')
    client.repeat(messages, 300)
    return messages


def _measured(
    bench: Bench, transport: str, era: str, clients: list[Client], messages: list[list[bytes]]
) -> list[Figure]:
    size, rounds = (100, 7) if bench.quick else (200, 25)
    pairs = list(zip(clients, messages, strict=True))
    used = interleaved([_cpu(client, message, size) for client, message in pairs], rounds)
    rates = interleaved([_rate(client, message, size * 2) for client, message in pairs], rounds)
    figures = []
    for index, peer in enumerate(bench.peers(), 1):
        ours, theirs, ratio = compared(columns(used, 0, index))
        name = f"{transport}, {era} / {peer}"
        most, least = (_CPU_TARGET[transport], 1.0) if peer == "bare" else (None, None)
        shown = f"{ours * 1e6:.0f} µs", f"{theirs * 1e6:.0f} µs"
        figures.append(Figure("calls", f"CPU per call, {name}", *shown, ratio, target=most))
        ours, theirs, ratio = compared(columns(rates, 0, index))
        shown = f"{ours:.0f}/s", f"{theirs:.0f}/s"
        figures.append(Figure("calls", f"calls/s at {_WIDTH}, {name}", *shown, ratio, target=least, kind="least"))
    return figures


def _cpu(client: Client, messages: list[bytes], count: int) -> Callable[[], float]:
    def measure() -> float:
        before = cpu_seconds(client.pid)
        client.repeat(messages, count)
        return (cpu_seconds(client.pid) - before) / count

    return measure


def _rate(client: Client, messages: list[bytes], count: int) -> Callable[[], float]:
    def measure() -> float:
        before = time.perf_counter()
        client.flood(messages, count, _WIDTH)
        return count / (time.perf_counter() - before)

    return measure
