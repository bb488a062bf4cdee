"""One process at a time fills a project's graph; when it dies another one takes over."""

from __future__ import annotations

import os
import secrets
import socket
from typing import TYPE_CHECKING

from . import writing
from .session import Neo4jServer

if TYPE_CHECKING:
    from neo4j import AsyncManagedTransaction

SECONDS = 60  # until a turn is over that nobody has prolonged; no transaction may take as long


class TurnLost(Exception):
    """Another process fills the graph now."""


class Turn:
    def __init__(self, server: Neo4jServer, project: str) -> None:
        self._server, self.project = server, project
        self.holder = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"

    @property
    def values(self) -> dict[str, str | int]:
        return {"project": self.project, "holder": self.holder, "milliseconds": SECONDS * 1000}

    async def take(self) -> bool:
        """Also from one that is over, or whose process on this machine has ended."""
        found = await self._server.read(writing.HOLDER, {"project": self.project})
        dead = [row["holder"] for row in found if _has_ended(row["holder"])]
        return bool(await self._server.change(writing.CLAIM, self.values | {"dead": dead}))

    async def prolong(self) -> None:
        if not await self._server.change(writing.PROLONG, self.values):
            raise TurnLost

    async def check(self, transaction: AsyncManagedTransaction) -> None:
        """First in every transaction of whoever fills."""
        found = await (await transaction.run(writing.STILL_MINE, self.values)).single()
        if not found or not found["count"]:
            raise TurnLost

    async def release(self) -> None:
        await self._server.change(writing.RELEASE, self.values)


def _has_ended(holder: str | None) -> bool:
    host, _, rest = (holder or "").rpartition("/")[0].rpartition("/")
    if host != socket.gethostname() or not rest.isdigit() or os.name == "nt":
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
