"""Sessions of older clients, for every server: what a session was opened with, and that it is not over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..limits import ValkeySettings

if TYPE_CHECKING:
    from .link import Link

_MOST_BYTES = 1 << 20
_KIND = "m"


class ValkeySessions:
    """What the store reads there is sealed; a session's own id stands there only as a digest."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def remember(self, session_id: str, owner: str, peer: str, opening: bytes, life: float, most: int) -> None:
        await self._link.run(
            "open",
            lambda seal: (
                id := seal.name("protocol", session_id),
                who := seal.name("principal", owner),
                seal.name("peer", peer),
                seal.sealed((_KIND, id, who), opening),
                int(life * 1000),
                most,
            ),
        )

    async def recall(self, session_id: str, owner: str, life: float) -> bytes | None:
        found = await self._link.run(
            "read",
            lambda seal: (
                _KIND,
                seal.name("protocol", session_id),
                seal.name("principal", owner),
                _MOST_BYTES,
                int(life * 1000),
            ),
        )
        if not found:
            return None
        seal = self._link.seal
        return seal.opened((_KIND, seal.name("protocol", session_id), seal.name("principal", owner)), found[0])

    async def forget(self, session_id: str) -> None:
        await self._link.run("close", lambda seal: (seal.name("protocol", session_id),))


@asynccontextmanager
async def sessions_in_valkey(settings: ValkeySettings) -> AsyncIterator[ValkeySessions]:
    """Connections of their own: sessions are opened before the documents are."""
    from .link import linked

    async with linked(settings) as link:
        yield ValkeySessions(link)
