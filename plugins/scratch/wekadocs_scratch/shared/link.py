"""The way to the store: one pool of connections, scripts that run there whole, and an end to every wait."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from wekadocs_mcp import ToolError

from ..limits import ValkeySettings
from .sealing import Seal

if TYPE_CHECKING:
    from valkey.asyncio import Valkey

log = logging.getLogger("wekadocs.scratch")
Argument = bytes | str | int | float
Arguments = Callable[[Seal], Sequence[Argument]]
_REST_SECONDS = 1.0  # for so long after a failure nobody waits for the next one
_EXTRA = "passages in Valkey need its client: pip install 'wekadocs-mcp[valkey]'"
_UNREADABLE = (
    "plugins.scratch.valkey.url cannot be read; write VALKEY_URL as valkey://USER:PASSWORD@HOST:PORT/NUMBER, "
    "and / ? # % @ in a password as %2F %3F %23 %25 %40"
)
_INDEXES = ("sizes", "ends", "tick", "use:t", "use:p", "use:c", "use:s", "use:n", "tasks", "tasks:bytes")
_DOWN = "Passages, cursors and sessions cannot be kept or read now: their server {}. Try again in a few seconds."


# What the operator can do, by what the server does.
_WAYS = {
    "does not answer": "see that it runs at the address in VALKEY_URL, and with TLS where that says valkeys:// or rediss://",
    "refuses our password": "correct the user and the password in VALKEY_URL",
    "does not let us do it": "let the user in VALKEY_URL read, write and run scripts",
    "is full": "raise its maxmemory, or lower plugins.scratch.max_bytes",
    "may only be read": "name the primary in VALKEY_URL instead of this replica",
    "refuses what we ask": "see whether it has the database that VALKEY_URL ends with, and is a Valkey or a Redis 6.2",
    "is used with another secret": "give all servers that share it the same plugins.scratch.valkey.secret",
}


class WrongSecretError(Exception):
    """The operator reads it: two servers on one store are configured with different secrets."""


@cache
def _script(name: str) -> str:
    folder = resources.files(__package__) / "lua"
    return "\n".join((folder / f"{each}.lua").read_text("utf-8") for each in ("begin", name))


class Link:
    """To one store. A failure is told as BACKEND_UNAVAILABLE; the next second nobody tries again."""

    def __init__(self, client: Valkey, settings: ValkeySettings, clock: Callable[[], float] | None = None) -> None:
        self.client = client
        self.seal = Seal.of_setting(settings["secret"]) if settings.get("secret") else Seal.kept_in_store()
        self._root = f"{settings['prefix']}:{{scratch}}:"
        self._clock = clock  # of tests; else the store's own
        self._seconds = float(settings["timeout_seconds"])
        self._scripts: dict[str, Any] = {}
        self._down_until = 0.0

    async def greet(self) -> None:
        """Who cannot be asked is told of at once, with the way out; and the secret is agreed on."""
        try:
            await self.run("close", lambda _: ("",))
        except ToolError as error:
            what = str(error.details["what"])
            told = f"the store of passages, cursors and sessions {what}: {_WAYS[what]}"
            raise ToolError(error.code, told, error.details, retryable=True) from error

    async def run(self, name: str, arguments: Arguments) -> list[Any]:
        """What the script returned behind its `ok`."""
        if time.monotonic() < self._down_until:
            raise _down("does not answer")
        try:
            async with asyncio.timeout(3 * self._seconds):
                return await self._agreed(name, arguments)
        except (TimeoutError, OSError) as error:
            raise self._failed("does not answer", error) from error
        except Exception as error:
            if not _is_of_client(error):
                raise
            raise self._failed(_told(error), error) from error

    async def _agreed(self, name: str, arguments: Arguments) -> list[Any]:
        """With the secret that the store holds: after it was emptied, the first server's."""
        for _ in range(3):
            found: list[Any]
            state, *found = await self._mended(name, arguments)
            if state == b"ok":
                return found
            if self.seal.is_set or not found or found[0].startswith(b"set:"):
                raise WrongSecretError("another server on this store has another scratch.valkey.secret")
            self.seal = Seal.kept_in_store(found[0])
        raise WrongSecretError("the secret in this store changes all the time")

    async def _mended(self, name: str, arguments: Arguments) -> Any:
        """Where somebody else wrote into our indexes they are begun anew; what they led to ends by itself."""
        from valkey.exceptions import ResponseError

        try:
            return await self._asked(name, arguments)
        except ResponseError as error:
            if not _is_from_script(error):
                raise
            log.warning("the indexes of passages in the store were broken and are begun anew: %s", error)
            await self.client.delete(*(self._root + each for each in (*_INDEXES, "secret")))
            return await self._asked(name, arguments)

    async def _asked(self, name: str, arguments: Arguments) -> Any:
        script = self._scripts.get(name)
        if script is None:
            script = self._scripts[name] = self.client.register_script(_script(name))
        now = int(self._clock() * 1000) if self._clock else 0
        return await script(keys=[self._root], args=[self.seal.marker, now, *arguments(self.seal)])

    def _failed(self, what: str, error: BaseException) -> ToolError:
        log.warning("the store of passages %s: %s", what, _line(error))
        self._down_until = time.monotonic() + _REST_SECONDS
        return _down(what)


def _is_of_client(error: Exception) -> bool:
    from valkey.exceptions import ValkeyError

    return isinstance(error, ValkeyError | WrongSecretError)


def _is_from_script(error: Exception) -> bool:
    """Servers name the line where a script came upon what it could not work with; not what a full or a read-only store
    refuses there, or one that lets us do less: those have errors of their own."""
    from valkey.exceptions import ResponseError

    return type(error) is ResponseError and "user_script" in str(error)


def _told(error: Exception) -> str:
    """What is wrong with the store, for anybody to read."""
    from valkey import exceptions as of

    kinds: list[tuple[type[Exception], str]] = [
        (WrongSecretError, "is used with another secret"),
        (of.AuthenticationError, "refuses our password"),
        (of.NoPermissionError, "does not let us do it"),
        (of.OutOfMemoryError, "is full"),
        (of.ReadOnlyError, "may only be read"),
        (of.ResponseError, "refuses what we ask"),
    ]
    return next((said for kind, said in kinds if isinstance(error, kind)), "does not answer")


def _down(what: str) -> ToolError:
    details = {"reason": "scratch_unavailable", "what": what}
    return ToolError("BACKEND_UNAVAILABLE", _DOWN.format(what), details, retryable=True)


def _line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:300]


@asynccontextmanager
async def linked(settings: ValkeySettings) -> AsyncIterator[Link]:
    client = await asyncio.to_thread(_client, settings)
    try:
        yield Link(client, settings)
    finally:
        await client.aclose()


def _client(settings: ValkeySettings) -> Valkey:
    try:
        from valkey.asyncio import BlockingConnectionPool, Valkey
        from valkey.asyncio.retry import Retry
        from valkey.backoff import NoBackoff
    except ImportError as error:
        raise RuntimeError(_EXTRA) from error
    url, seconds = settings["url"], float(settings["timeout_seconds"])
    authority = {"ssl_ca_certs": settings["ca_file"]} if settings.get("ca_file") and _is_safe(url) else {}
    _refuse_unreadable(url)
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=settings["connections"],
        timeout=seconds,
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        retry=Retry(NoBackoff(), 1),  # a connection that the server closed meanwhile
        client_name="wekadocs-mcp",
        **authority,
    )
    return Valkey.from_pool(pool)


def _refuse_unreadable(url: str) -> None:
    """What the client would tell in its own words, the password among them, or overlook."""
    try:
        parts = urlsplit(url)
        number = parts.path.strip("/")
        is_plain = parts.port != 0 and (number.isdecimal() or not number) and "@" not in parts.query + parts.fragment
    except ValueError:  # no port is called so
        is_plain = False
    if not is_plain:
        raise RuntimeError(_UNREADABLE)


def _is_safe(url: str) -> bool:
    return url.startswith(("valkeys:", "rediss:"))
