"""Who was turned away before any tool was asked: counted each time, told in the log without letting anybody fill it."""

from __future__ import annotations

import logging
import time

from wekadocs_mcp.calls.telemetry import Telemetry

log = logging.getLogger("wekadocs.http")
_TELL_EVERY = 1.0
_MAX_REMEMBERED = 1024
_LOUD = frozenset({401, 503})  # somebody tries tokens, or somebody is locked out


class Refusals:
    """One line a second for each peer and status, with the number of those that were not told."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._told: dict[tuple[str, int], tuple[float, int]] = {}

    def evicted(self) -> None:
        """A connection that asked nothing made room for another."""
        self._telemetry.refused("evicted")

    def note(self, status: int, peer: str) -> None:
        self._telemetry.refused(str(status))
        now = time.monotonic()
        last, untold = self._told.get((peer, status), (-_TELL_EVERY, 0))
        if now - last < _TELL_EVERY:
            self._told[peer, status] = last, untold + 1
            return
        if len(self._told) >= _MAX_REMEMBERED:
            self._told.clear()
        self._told[peer, status] = now, 0
        level = logging.WARNING if status in _LOUD else logging.INFO
        log.log(level, "refused status=%d peer=%s before=%d", status, peer, untold)
