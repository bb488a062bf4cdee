"""All open connections: how many there may be, from one peer and in all, and which go first when there is no room."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from wekadocs_mcp.transports.http.refusals import Refusals

from .peers import UNKNOWN, Peers, counted_as

if TYPE_CHECKING:
    from .protocol import Protocol

log = logging.getLogger("wekadocs.http")
_TELL_EVERY = 60.0
_AT_ONCE = 8, 128


class Connections:
    """Room is made by closing, of the peer that has most, the one that has waited longest without a whole request."""

    def __init__(self, limits: Mapping[str, Any], peers: Peers, refusals: Refusals) -> None:
        self.limits = limits
        self._peers = peers
        self._refusals = refusals
        self._most: int = min(limits["max_connections"], _descriptors(limits["max_connections"]))
        self._open: dict[str, dict[Protocol, None]] = {}
        self._count = 0

    @property
    def at_once(self) -> int:
        """How many asyncio may open before the first is looked at: each takes a descriptor that others may need."""
        return max(_AT_ONCE[0], min(_AT_ONCE[1], self._most // 8))

    def admit(self, connection: Protocol) -> bool:
        peer = _peer(connection)
        theirs = self._open.setdefault(peer, {})
        if len(theirs) >= self.limits["max_connections_per_peer"] and not self._peers.is_proxy(_address(connection)):
            admitted = self._made_room(theirs)
        elif self._count >= self._most:
            admitted = any(map(self._made_room, sorted(self._open.values(), key=len, reverse=True)))
        else:
            admitted = True
        if admitted:
            self._open.setdefault(peer, theirs)[connection] = None
            self._count += 1
        elif not theirs:
            self._open.pop(peer, None)
        return admitted

    def _made_room(self, among: dict[Protocol, None]) -> bool:
        """Those that never asked anything go before those that may ask again."""
        waiting = [each for each in among if not each.is_answering]
        if not waiting:
            return False
        victim = next((each for each in waiting if each.cycle is None), waiting[0])
        self.leave(victim)
        victim.transport.abort()
        self._refusals.evicted()
        return True

    def leave(self, connection: Protocol) -> None:
        peer = _peer(connection)
        theirs = self._open.get(peer, {})
        if connection in theirs:
            del theirs[connection]
            self._count -= 1
            if not theirs:
                del self._open[peer]

    def refused(self, connection: Protocol, status: HTTPStatus) -> None:
        self._refusals.note(status.value, _peer(connection))

    def check_times(self, now: float) -> None:
        for connection in [each for theirs in self._open.values() for each in theirs]:
            connection.check_time(now)


def _address(connection: Protocol) -> str:
    return connection.client[0] if connection.client else UNKNOWN


def _peer(connection: Protocol) -> str:
    return counted_as(_address(connection))


def _descriptors(wanted: int) -> int:
    """How many connections the system lets us keep open while half of all descriptors stay free for everything else."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < 2 * wanted:
        raised = 2 * wanted if hard == resource.RLIM_INFINITY else min(2 * wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        soft = raised
    return wanted if soft == resource.RLIM_INFINITY else max(1, soft // 2)


def quiet_accept_errors(loop: asyncio.AbstractEventLoop) -> Callable[[object, dict[str, Any]], None]:
    """When descriptors run out asyncio pauses for a second, and says so with a traceback each time it tries again."""
    told = -_TELL_EVERY

    def handle(_: object, context: dict[str, Any]) -> None:
        nonlocal told
        if "out of system resource" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif loop.time() - told >= _TELL_EVERY:
            told = loop.time()
            log.warning("no descriptor is left for another connection: raise `ulimit -n`, or lower max_connections")

    return handle
