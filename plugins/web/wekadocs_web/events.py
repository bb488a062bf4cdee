"""What the log is told of a call: sizes and hosts, never a question and never a page's text."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

log = logging.getLogger("wekadocs.web")


def received(tool: str, urls: Sequence[str], query: str) -> None:
    log.info("tool=%s received urls=%d hosts=%s query_chars=%d", tool, len(urls), _hosts(urls), len(query))


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
