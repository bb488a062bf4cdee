"""What one call may use: time, and bytes of answer."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from wekadocs_mcp.errors import ToolError

if TYPE_CHECKING:
    from .turns import Slot

_current: ContextVar[Deadline | None] = ContextVar("wekadocs_deadline", default=None)


class _Interruptible(Protocol):
    """An SQLite connection, whose module the host does not know."""

    def interrupt(self) -> None: ...


C = TypeVar("C", bound=_Interruptible)


class Deadline(float):
    """The instant (time.monotonic) by which a call must be done; what it opened is ended then.

    Child processes and SQLite connections that a handler opens are noticed by themselves; a connection that was open
    before the call is interrupted when it is used inside `with deadline.guard(connection)`.
    """

    def __new__(cls, seconds: float, tool: str = "") -> Deadline:  # noqa: ARG004 (for __init__)
        return super().__new__(cls, time.monotonic() + seconds)

    def __init__(self, seconds: float, tool: str = "") -> None:
        self.seconds = seconds
        self.tool = tool  # whose threads the call's work is done in
        self.cancelled = False
        # The call's place among its tool's concurrent calls; a thread keeps it until it ends.
        self.slot: Slot | None = None
        self.threads: list[Future[Any]] = []  # where the call's work is done besides the event loop
        self._enders: list[Callable[[], None]] = []

    def remaining(self) -> float:
        return max(0.0, self - time.monotonic())

    @property
    def expired(self) -> bool:
        return self.cancelled or time.monotonic() >= self

    def check(self) -> None:
        """Raise TIMEOUT if the call is over; for loops in threads, and before a commit."""
        if self.expired:
            raise timeout_error(self.seconds)

    @contextlib.contextmanager
    def guard(self, connection: C) -> Iterator[C]:
        """Interrupt this SQLite connection if the deadline passes while it is used here."""
        self._enders.append(connection.interrupt)
        try:
            yield connection
        finally:
            self._enders.remove(connection.interrupt)

    def ends(self, ender: Callable[[], None]) -> None:
        self._enders.append(ender)
        if self.expired:
            _quietly(ender)

    def end(self) -> None:
        """Over: end whatever the call opened. Safe to repeat; a thread may open more while it winds down."""
        self.cancelled = True
        for ender in list(self._enders):
            _quietly(ender)

    def current(self) -> _Current:
        """`with deadline.current():` what is opened meanwhile is ended with it."""
        return _Current(self)


class _Current:
    """A generator would do, at three times the cost on every call."""

    __slots__ = ("_deadline", "_token")

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def __enter__(self) -> None:
        self._token = _current.set(self._deadline)

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


def current_deadline() -> Deadline | None:
    """Of the call that this code runs for."""
    return _current.get()


def timeout_error(seconds: float) -> ToolError:
    message = f"The call took longer than its limit of {seconds:g} s. Ask for less, or try again later."
    return ToolError("TIMEOUT", message, {"timeout_seconds": seconds}, retryable=True)


def _quietly(ender: Callable[[], None]) -> None:
    with contextlib.suppress(Exception):
        ender()


class Budget:
    """The bytes an answer may have. `fits(row)` counts a row in if there is room, and says whether there was."""

    __slots__ = ("limit", "used")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        # Room for what stands around the rows: names of fields, cursor, diagnostics.
        self.used = min(1024, limit // 8)

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)

    def holds(self, answer: object) -> bool:
        """Whether this may be the whole answer."""
        return json_size(answer) <= self.limit

    def most(self, count: int, answer: Callable[[int], object], least: int = 1) -> int:
        """How many of `count` things an answer has room for; `answer(n)` is the whole of it with n of them.

        BUDGET_EXCEEDED where not even the least of it fits.
        """
        if self.holds(answer(count)):
            return count
        fit, over = min(least, count), count
        if fit == over or not self.holds(answer(fit)):
            message = (
                f"Even the smallest answer is larger than the {self.limit} bytes it may have: ask for less of each."
            )
            raise ToolError("BUDGET_EXCEEDED", message, {"response_bytes": self.limit})
        while over - fit > 1:
            middle = (fit + over) // 2
            fit, over = (middle, over) if self.holds(answer(middle)) else (fit, middle)
        return fit

    def fits(self, row: object) -> bool:
        size = json_size(row) + 1
        if size > self.left:
            return False
        self.used += size
        return True


def json_size(value: object) -> int:
    """UTF-8 bytes of the minified JSON."""
    return len(to_json(value))


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def to_json(value: object) -> bytes:
    """Minified; raises ValueError, TypeError or RecursionError for what JSON cannot carry."""
    return _encode(value).encode()
