"""What the log is told of a call: sizes and hosts, never a question and never a page's text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wekadocs_mcp import json_size

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import WebState

log = logging.getLogger("wekadocs.web")


_WARNED_AT = 0.8  # of the time


def received(tool: str, urls: Sequence[str], query: str = "") -> None:
    log.info("tool=%s received urls=%d hosts=%s query_chars=%d", tool, len(urls), _hosts(urls), len(query))


def parameters(tool: str, **given: object) -> None:
    """By their sizes."""
    sizes = {name: len(value) if isinstance(value, str | list) else value for name, value in given.items()}
    log.debug("tool=%s parameters=%s", tool, sizes)


@contextmanager
def warn_before_timeout(tool: str, seconds: float) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    timer = loop.call_later(_WARNED_AT * seconds, log.warning, "tool=%s has used 80 %% of its %g s", tool, seconds)
    try:
        yield
    finally:
        timer.cancel()


class Told:
    """One call of a tool that gives no brief: what it did, as counts."""

    def __init__(self, tool: str, arguments: Mapping[str, object]) -> None:
        self._tool, self._began = tool, perf_counter()
        parameters(tool, **arguments)

    def ends(self, answer: Mapping[str, object], **counts: int) -> None:
        """`counts` of none at all are what nobody hoped for."""
        done = " ".join(f"{name}={count}" for name, count in counts.items())
        log.info("tool=%s completed ms=%.0f %s", self._tool, (perf_counter() - self._began) * 1000, done)
        if not any(counts.values()):
            log.warning("tool=%s found nothing", self._tool)
        sizes = {name: json_size(value) for name, value in answer.items()}
        log.info("tool=%s response bytes=%d", self._tool, sum(sizes.values()))
        log.debug("tool=%s sections=%s", self._tool, sizes)


@contextmanager
def told_of(call: Call[WebState], urls: Sequence[str], **arguments: object) -> Iterator[Told]:
    received(call.tool, urls)
    with warn_before_timeout(call.tool, call.deadline.seconds):
        try:
            yield Told(call.tool, arguments)
        except asyncio.CancelledError:
            if call.deadline.remaining() <= 0:
                log.error("tool=%s timed out", call.tool)
            raise


def completed(tool: str, ms: float, chunks: int, mode: str) -> None:
    log.info("tool=%s completed ms=%.0f chunks=%d mode=%s", tool, ms, chunks, mode)
    if not chunks:
        log.warning("tool=%s found nothing relevant", tool)


def responded(tool: str, tokens: int, budget: int, sizes: Mapping[str, int]) -> None:
    log.info("tool=%s response tokens=%d", tool, tokens)
    log.debug("tool=%s budget=%d sections=%s", tool, budget, dict(sizes))


def _hosts(urls: Sequence[str]) -> str:
    found = dict.fromkeys(_host(url) for url in urls)
    return ",".join(each for each in found if each) or "-"


def _host(url: str) -> str:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host[:80] if host.isascii() and host.isprintable() else ""
