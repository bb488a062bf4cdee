"""`call`: what a handler knows of the call it answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, cast

from wekadocs_mcp.errors import ToolError

from .budgets import Budget, Deadline

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from .dispatch import Dispatcher

    # A plain `Call` is one of a plugin without a lifespan. `typing` learns of defaults with Python 3.13 only.
    State_co = TypeVar("State_co", covariant=True, default=None)
else:
    from typing import TypeVar

    State_co = TypeVar("State_co", covariant=True)

log = logging.getLogger("wekadocs.call")


@dataclass(frozen=True)
class Scope:
    """Which documents this call may see. Empty lists: no further limit."""

    project_id: str
    environment: str
    doc_tags: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> Scope:
        return cls(scope["project_id"], scope["environment"], tuple(scope["doc_tags"]), tuple(scope["repositories"]))


class Client:
    """The other side, as far as a handler may use it. This one is nobody: the command line, or a test."""

    name: str = "command-line"
    protocol_version: str = ""
    capabilities: Mapping[str, Any] = {}
    input_responses: Mapping[str, Any] = {}
    request_state: str | None = None

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Nobody asked for progress."""

    async def log(self, level: str, data: object) -> None:
        """Nobody reads our log messages."""

    async def request(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        """Ask the client something (elicitation, sampling); only the older protocol can."""
        message = f"This client cannot be asked during a call ({method}); use one of 2025-11-25 or older."
        raise ToolError("BACKEND_UNAVAILABLE", message, {"method": method}, retryable=False)

    async def changed(self, what: str) -> None:
        """Tell clients that their list of `tools`, `prompts` or `resources` is stale."""

    async def resource_updated(self, uri: str) -> None:
        """Tell subscribed clients that a resource has changed."""


@dataclass(frozen=True)
class Caller:
    """Who asks: from the transport, never from the arguments."""

    principal: str = "local"
    session: str | None = None
    client: Client = field(default_factory=Client)
    request_id: str | int | None = None
    asker: tuple[Hashable, Hashable] | None = None  # where several share a server: a peer, and one of its connections


class Sent:
    """A message on its way; awaiting it waits until it is out, not awaiting it is fine too."""

    __slots__ = ("_future",)

    def __init__(self, future: asyncio.Future[None] | None) -> None:
        self._future = future

    def __await__(self) -> Generator[Any, None, None]:
        if self._future is not None:
            yield from self._future.__await__()


class Outbox:
    """Messages to the client, in order, from the event loop or from a handler's thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._last: asyncio.Task[None] | None = None

    def send(self, message: Callable[[], Awaitable[None]]) -> Sent:
        try:
            inside = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            inside = False
        if inside:
            return Sent(self._start(message))
        self._loop.call_soon_threadsafe(self._start, message)
        return Sent(None)

    def _start(self, message: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        self._last = self._loop.create_task(self._after(self._last, message))
        return self._last

    @staticmethod
    async def _after(previous: asyncio.Task[None] | None, message: Callable[[], Awaitable[None]]) -> None:
        if previous is not None:
            with contextlib.suppress(Exception):
                await previous
        # The client may be gone; what it does not hear is no fault of the tool.
        with contextlib.suppress(Exception):
            await message()

    async def drain(self) -> None:
        while self._last is not None and not self._last.done():
            await self._last

    def close(self) -> None:
        if self._last is not None and not self._last.done():
            self._last.cancel()


class CallLog:
    """`call.log("text")`, `call.log.warning("text")`: to the client that asked for logs, and to ours at debug level."""

    __slots__ = ("_call",)

    def __init__(self, call: Call[object]) -> None:
        self._call = call

    def __call__(self, data: object, level: str = "info") -> Sent:
        log.debug("tool=%s sent a log message at %s", self._call.tool, level)
        client = self._call.client
        return self._call._outbox_or_new().send(lambda: client.log(level, data))

    def debug(self, data: object) -> Sent:
        return self(data, "debug")

    def info(self, data: object) -> Sent:
        return self(data, "info")

    def warning(self, data: object) -> Sent:
        return self(data, "warning")

    def error(self, data: object) -> Sent:
        return self(data, "error")


class Call(Generic[State_co]):
    """One call, from the host's side. Handlers get it as their first argument.

    `Call[Shop]` says that the plugin's lifespan yields a `Shop`; `Call` alone, that it has none.
    """

    __slots__ = (
        "_dispatcher",
        "_loop",
        "_outbox",
        "arguments",
        "budget",
        "caller",
        "deadline",
        "failure",
        "limits",
        "lowered",
        "scope",
        "state",
        "text",
        "tool",
    )

    def __init__(
        self,
        dispatcher: Dispatcher,
        tool: str,
        caller: Caller,
        scope: Scope,
        deadline: Deadline,
        budget: Budget,
    ) -> None:
        self._dispatcher = dispatcher
        self._outbox: Outbox | None = None
        self.tool = tool
        self._loop = asyncio.get_running_loop()
        self.caller = caller
        self.scope = scope
        self.deadline = deadline
        self.budget = budget
        self.state: State_co = cast("State_co", None)  # until the plugin's lifespan is entered
        self.arguments: Mapping[str, Any] = {}
        self.limits: Mapping[str, int] = {}  # the contract's own
        self.failure: Mapping[str, Any] = {}  # and what it puts beside an error
        # What a model would read of an answer: for handlers that count its tokens.
        self.text: Callable[[Mapping[str, Any]], str] = str
        self.lowered: tuple[str, ...] = ()  # arguments that were above what the contract allows

    @property
    def principal(self) -> str:
        return self.caller.principal

    @property
    def session(self) -> str | None:
        return self.caller.session

    @property
    def client(self) -> Client:
        return self.caller.client

    @property
    def log(self) -> CallLog:
        return CallLog(self)

    def served_name(self, contract: str) -> str:
        """A tool's name as it is served here; for hints in answers."""
        return self._dispatcher.served_name(contract)

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> Sent:
        """Tell a client that asked for it how far the work is; awaitable, and fine from a thread."""
        client = self.client
        return self._outbox_or_new().send(lambda: client.progress(progress, total, message))

    async def invoke(self, name: str, arguments: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Run another tool within this call's scope, deadline and slot. Returns its answer or raises ToolError."""
        return await self._dispatcher.invoke(self, name, arguments or {})

    def _outbox_or_new(self) -> Outbox:
        if self._outbox is None:
            self._outbox = Outbox(self._loop)
        return self._outbox
