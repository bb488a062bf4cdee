"""Places among a tool's concurrent calls, and whose turn it is when one becomes free.

Clients that wait are served one after the other, and of a client its connections one after the other: twenty calls of
one wait behind one call of another. Where peers are told apart, none may hold every place.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from collections.abc import Callable, Hashable
from typing import Any

_MOST_WAITING = 1024
_NOBODY = "", ""  # who is not told apart from others: one client on stdio, a call from the command line


class Slot:
    """One place; kept as long as a thread still works."""

    __slots__ = ("_holders", "_peer", "_places")

    def __init__(self, places: Places, peer: Hashable) -> None:
        self._places = places
        self._peer = peer
        self._holders = 1

    @property
    def free(self) -> bool:
        """The call is over; what it left behind in the background is no part of it."""
        return self._holders == 0

    def keep(self) -> None:
        self._holders += 1

    def release(self) -> None:
        self._holders -= 1
        if self._holders == 0:
            self._places.give_back(self._peer)

    def thread_ended(self, loop: asyncio.AbstractEventLoop) -> Callable[[Any], None]:
        def ended(_: object) -> None:
            try:
                loop.call_soon_threadsafe(self.release)
            except RuntimeError:
                self.release()  # the loop is closed: nobody counts any more

        return ended


class Places:
    """All places of one tool."""

    def __init__(self, limit: int, share: float) -> None:
        self.limit = limit
        self.taken = 0
        self._most = max(1, math.ceil(limit * share))  # for one peer
        self._held: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, dict[Hashable, deque[asyncio.Future[Slot]]]] = {}
        self._waits = 0

    def at_once(self, asker: tuple[Hashable, Hashable] | None) -> Slot | None:
        peer = (asker or _NOBODY)[0]
        return self._given(peer) if not self._waits and self._may_have(peer) else None

    async def take(self, asker: tuple[Hashable, Hashable] | None, seconds: float) -> Slot | None:
        """A place in that time; None if there is none."""
        peer, connection = asker or _NOBODY
        if self._waits >= _MOST_WAITING or seconds <= 0:
            return None
        turn: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(peer, {}).setdefault(connection, deque()).append(turn)
        self._waits += 1
        self._pass_on()
        try:
            await asyncio.wait([turn], timeout=seconds)
        except asyncio.CancelledError:
            if turn.done():
                turn.result().release()
            else:
                self._leave(peer, connection, turn)
            raise
        if turn.done():
            return turn.result()
        self._leave(peer, connection, turn)
        return None

    def _leave(self, peer: Hashable, connection: Hashable, turn: asyncio.Future[Slot]) -> None:
        turns = self._waiting[peer][connection]
        turns.remove(turn)
        self._waits -= 1
        if not turns:
            del self._waiting[peer][connection]
        if not self._waiting[peer]:
            del self._waiting[peer]

    def _may_have(self, peer: Hashable) -> bool:
        return self.taken < self.limit and (not peer or self._held[peer] < self._most)

    def _given(self, peer: Hashable) -> Slot:
        self.taken += 1
        self._held[peer] += 1
        return Slot(self, peer)

    def give_back(self, peer: Hashable) -> None:
        self.taken -= 1
        self._held[peer] -= 1
        if not self._held[peer]:
            del self._held[peer]
        if self._waits:
            self._pass_on()

    def _pass_on(self) -> None:
        """Free places to those whose turn it is; whoever got one goes to the end of the line."""
        for peer in list(self._waiting):
            if self._may_have(peer):
                self._next(peer).set_result(self._given(peer))

    def _next(self, peer: Hashable) -> asyncio.Future[Slot]:
        """The peer's oldest call; its connections take turns too."""
        connections = self._waiting.pop(peer)
        connection = next(iter(connections))
        turns = connections.pop(connection)
        turn = turns.popleft()
        self._waits -= 1
        if turns:
            connections[connection] = turns
        if connections:
            self._waiting[peer] = connections
        return turn
