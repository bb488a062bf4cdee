"""One Neo4j server or cluster, reached lazily: bounded waits, one error, no credentials in it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wekadocs_corpus import stopping
from wekadocs_corpus.graph.interface import GraphUnavailable

_SHORTEST = 0.001  # seconds: for Neo4j, 0 is no limit at all
_SCHEMES = {f"{kind}{tls}" for kind in ("bolt", "neo4j") for tls in ("", "+s", "+ssc")}

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncManagedTransaction, AsyncSession, Record
    from neo4j.api import AsyncBookmarkManager


class Neo4jServer:
    """Settings: uri, user, password, database, timeout_seconds (one question), connections (at most), ca_file."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self.seconds = float(settings.get("timeout_seconds") or 10)
        self.database: str | None = settings.get("database") or None
        self._driver: AsyncDriver | None = None
        self._bookmarks: AsyncBookmarkManager | None = None  # on a cluster, a question sees what was written before it

    @property
    def name(self) -> str:
        """The address without credentials; logs and messages may show it."""
        try:
            parts = urlsplit(str(self._settings.get("uri", "")))
            return f"{parts.scheme}://{parts.hostname or ''}:{parts.port or 7687}/{self.database or ''}"
        except ValueError:  # no port is called so
            return "its uri"

    @property
    def _is_with_tls(self) -> bool:
        return "+s" in str(self._settings.get("uri", "")).partition("://")[0] or bool(self._settings.get("ca_file"))

    async def read(self, text: str, values: Mapping[str, object]) -> list[Record]:
        """All rows of one statement that bounds its own answer. A pooled connection may have died: one more try."""
        try:
            return await self._read_once(text, values)
        except GraphUnavailable as problem:
            if not problem.args[1:]:
                raise
            return await self._read_once(text, values)

    async def _read_once(self, text: str, values: Mapping[str, object]) -> list[Record]:
        from neo4j import READ_ACCESS, Query

        now = time.monotonic()
        seconds = max(_SHORTEST, stopping.earliest(now + self.seconds) - now)
        async with self._asking(seconds), self._session(default_access_mode=READ_ACCESS) as session:
            result = await session.run(Query(text, timeout=seconds), dict(values))
            return [record async for record in result]

    async def write(self, work: Callable[[AsyncManagedTransaction], Awaitable[None]], seconds: float = 120.0) -> None:
        """One transaction; the driver repeats it when the cluster moves, so the work must bear repetition."""
        from neo4j import unit_of_work

        bounded = unit_of_work(timeout=seconds)(work)
        async with self._asking(seconds), self._session() as session:
            await session.execute_write(bounded)

    async def change(self, text: str, values: Mapping[str, object]) -> int:
        """One statement in a transaction of its own; the `count` it returns, if any."""
        counted = 0

        async def work(transaction: AsyncManagedTransaction) -> None:
            nonlocal counted
            record = await (await transaction.run(text, dict(values))).single()
            counted = int(record["count"]) if record else 0

        await self.write(work)
        return counted

    async def close(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            try:
                async with asyncio.timeout(5):
                    await driver.close()
            except TimeoutError:  # a hung server must not hold up the end
                pass

    def _session(self, **options: Any) -> AsyncSession:
        if self._driver is None:
            from neo4j import AsyncGraphDatabase

            self._driver, self._bookmarks = self._connect(), AsyncGraphDatabase.bookmark_manager()
        return self._driver.session(database=self.database, bookmark_manager=self._bookmarks, **options)

    def _connect(self) -> AsyncDriver:
        _refuse(str(self._settings.get("uri", "")), str(self._settings.get("ca_file") or ""))
        from neo4j import AsyncGraphDatabase, TrustCustomCAs

        user = self._settings.get("user")
        options: dict[str, Any] = {
            "auth": (user, self._settings.get("password") or "") if user else None,
            "max_connection_pool_size": int(self._settings.get("connections") or 20),
            "connection_acquisition_timeout": self.seconds,
            "connection_timeout": min(self.seconds, 5.0),
            "max_transaction_retry_time": self.seconds,
            "notifications_min_severity": "OFF",
            "user_agent": "wekadocs-mcp",
        }
        uri = str(self._settings["uri"])
        if self._settings.get("ca_file"):
            options |= {"encrypted": True, "trusted_certificates": TrustCustomCAs(str(self._settings["ca_file"]))}
            uri = uri.replace("+s://", "://")  # the driver takes either the scheme's certificates or these
        return AsyncGraphDatabase.driver(uri, **options)

    @asynccontextmanager
    async def _asking(self, seconds: float) -> AsyncIterator[None]:
        """The outer deadline (a hung server never answers, whatever the query's own timeout) and the one error."""
        from neo4j.exceptions import AuthError, DriverError, Neo4jError, ServiceUnavailable, SessionExpired

        try:
            async with asyncio.timeout(seconds + 1):
                yield
        except TimeoutError:
            raise GraphUnavailable(_late(self.name, seconds)) from None
        except AuthError:
            raise GraphUnavailable(f"Neo4j at {self.name} refused the user or password") from None
        except (ServiceUnavailable, SessionExpired) as problem:
            again = (True,) if isinstance(problem, SessionExpired) else ()
            with_tls = " with TLS, as its scheme says" if self._is_with_tls else ""
            raise GraphUnavailable(f"Neo4j at {self.name} cannot be reached{with_tls}", *again) from None
        except Neo4jError as problem:
            raise GraphUnavailable(_refused(self.name, problem.code or "", seconds)) from None
        except (DriverError, ValueError, OSError) as problem:
            raise GraphUnavailable(f"Neo4j at {self.name} cannot be asked as it is configured") from problem


def _refuse(uri: str, ca_file: str) -> None:
    """What the driver would fail at in its own words."""
    try:
        parts = urlsplit(uri)
        usable = parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:  # no port is called so
        usable = False
    if not usable:
        raise GraphUnavailable("neo4j.uri must be of the form bolt://HOST:7687 or neo4j://HOST:7687, with +s for TLS")
    if "@" in uri:
        raise GraphUnavailable("neo4j.uri names a user: write them as neo4j.user and neo4j.password")
    if ca_file and parts.scheme.endswith("+ssc"):
        raise GraphUnavailable(f"neo4j.ca_file says whom to trust, {parts.scheme} trusts anybody: write +s")
    if ca_file and not Path(ca_file).is_file():
        raise GraphUnavailable(f"neo4j.ca_file {ca_file} is no file")


def _late(name: str, seconds: float) -> str:
    return f"Neo4j at {name} did not answer within {round(seconds, 1):g} seconds"


def _refused(name: str, code: str, seconds: float) -> str:
    if code.startswith("Neo.ClientError.Transaction.TransactionTimedOut"):
        return _late(name, seconds)
    if code == "Neo.ClientError.Database.DatabaseNotFound":
        return f"Neo4j at {name} has no database of that name; correct neo4j.database"
    return f"Neo4j at {name} refused the question: {code}"
