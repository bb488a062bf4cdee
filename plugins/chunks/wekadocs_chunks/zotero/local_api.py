"""Zotero's local API: a Zotero that runs on this machine is asked for its library, and never told anything."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from wekadocs_corpus import stopping

from ..references.records import Unreadable
from .described import DescribedLibrary, load
from .gathering import Loaded

if TYPE_CHECKING:
    from wekadocs_fetch import Fetcher, FetchFailed

Result = TypeVar("Result")
_AT_ONCE = 1000  # items of one answer
_MOST_BYTES = 256 << 20  # of one answer
_SECONDS = 30.0  # for one answer
_LOOK = 0.1  # seconds between two looks whether anybody still waits
_KINDS = ("application/json", "text/plain")
_NOT_THERE = ("CONNECTION_FAILED", "HOST_NOT_FOUND", "TIMEOUT")
_WRONG_SHAPES = (KeyError, TypeError, ValueError, AttributeError)
_WAY_OUT = "start Zotero, and under Settings, Advanced allow other applications on this computer to communicate with it"


class LocalApi:
    """One setting's. `stamp` is three small requests for each library."""

    def __init__(self, address: str, only: str = "") -> None:
        self._base, self._only = address.rstrip("/"), only
        self.name = address

    def stamp(self) -> str:
        """Changes whenever something was added, edited or removed, and once a minute for what that does not show."""
        seen = self._asked(_Asker.signs)
        return hashlib.sha256(f"{seen} {int(time.monotonic() // 60)}".encode()).hexdigest()

    def load(self) -> Loaded:
        return self._asked(_Asker.everything)

    def _asked(self, work: Callable[[_Asker], Coroutine[object, object, Result]]) -> Result:
        from wekadocs_fetch import FetchFailed

        try:
            return asyncio.run(_while_awaited(self._with(work)))
        except FetchFailed as error:
            raise _unreadable(self._base, error) from None
        except _WRONG_SHAPES:
            raise Unreadable(f"zotero: what answers at {self._base} is not version 3 of Zotero's API") from None

    async def _with(self, work: Callable[[_Asker], Coroutine[object, object, Result]]) -> Result:
        async with _fetcher(self._base) as fetcher:
            return await work(_Asker(fetcher, self._base, self._only))


class _Asker:
    def __init__(self, fetcher: Fetcher, base: str, only: str) -> None:
        self._fetcher, self._base, self._only = fetcher, base, only

    async def signs(self) -> str:
        found = ""
        async for name, place in self._libraries():
            latest = "sort=dateModified&direction=desc&limit=1"
            for asked in (f"items?{latest}", "items?format=keys", "collections?"):
                body = await self._body(f"{place}/{asked}")
                found += f"{name} {hashlib.sha256(body).hexdigest()}\n"
        return found

    async def everything(self) -> Loaded:
        found = [
            DescribedLibrary(name, await self._items(place), await self._list(f"{place}/collections?"))
            async for name, place in self._libraries()
        ]
        return load(found)

    async def _libraries(self) -> AsyncIterator[tuple[str, str]]:
        if self._only in ("", "user"):
            yield "user", "users/0"
        if self._only != "user":
            for group in await self._list("users/0/groups?"):
                name = group["data"]["name"]
                if self._only in ("", name):
                    yield name, f"groups/{int(group['id'])}"

    async def _items(self, place: str) -> list[Mapping[str, Any]]:
        """By key: what moves from one answer to the next while somebody edits is there once."""
        found: dict[str, Mapping[str, Any]] = {}
        for start in range(0, 1 << 62, _AT_ONCE):
            asked = f"{place}/items?sort=dateAdded&direction=asc&limit={_AT_ONCE}&start={start}"
            some = await self._list(asked)
            found |= {each["key"]: each for each in some}
            if len(some) < _AT_ONCE:
                break
        return list(found.values())

    async def _list(self, path: str) -> list[Mapping[str, Any]]:
        found = json.loads(await self._body(path))
        if not isinstance(found, list):
            raise ValueError("a list was asked for")
        return found

    async def _body(self, path: str) -> bytes:
        return (await self._fetcher.fetch(f"{self._base}/{path}&v=3", accept=_KINDS)).body


def _fetcher(base: str) -> Fetcher:
    """Behind the guard that every URL goes through: this one host and port may be asked, and nothing else."""
    from wekadocs_fetch import Fetcher, Limits, Policy

    parts = urlsplit(base)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else str(parts.hostname)
    limits = Limits(
        timeout_seconds=_SECONDS,
        connect_seconds=10.0,
        idle_seconds=_SECONDS,
        max_redirects=0,
        max_bytes=_MOST_BYTES,
        max_decompressed_bytes=_MOST_BYTES,
        retries=0,
        connections_per_host=1,
        delay_seconds=0.0,
        cache_bytes=0,
        robots=False,
        user_agent="wekadocs-mcp",
    )
    return Fetcher(limits, Policy([f"{host}:{parts.port or 80}"], allow_domains=[host]))


def _unreadable(base: str, error: FetchFailed) -> Unreadable:
    if error.code == "HTTP_403":
        return Unreadable(f"zotero: its local API is switched off: {_WAY_OUT}")
    if error.code in _NOT_THERE:
        return Unreadable(f"zotero: its local API does not answer ({error.reason}): {_WAY_OUT}")
    return Unreadable(f"zotero: what answers at {base} is not version 3 of Zotero's API ({error.reason})")


async def _while_awaited(work: Coroutine[object, object, Result]) -> Result:
    """In a thread of its own event loop: ends when whoever waits for the thread does so no more."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.wait({task}, timeout=_LOOK)
        if (stop := stopping.current()) and stop.told() and not task.done():
            task.cancel()
            await asyncio.wait({task})
            raise TimeoutError("nobody waits for this any more")
    return task.result()
