"""The two streams between an HTTP session and the SDK's dispatcher, and the one that leads back to a request.

They do what the SDK's memory streams do there, without a task that carries each message from one to the next.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from typing import Any

import anyio

from wekadocs_mcp.transports.sdk.names import ServerMessageMetadata, SessionMessage, types

_ROOM = 16  # events that may wait for a client that reads slowly; as many as in the SDK
LATE = object()


class Inbox:
    """From requests to the dispatcher, each message with the context of the request that brought it."""

    def __init__(self) -> None:
        self.last_context: contextvars.Context | None = None
        self._items: deque[tuple[contextvars.Context, Any]] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.is_closed = False

    def put(self, item: SessionMessage) -> None:
        if self.is_closed:
            raise anyio.ClosedResourceError
        self._items.append((contextvars.copy_context(), item))
        self._wake()

    async def send(self, item: SessionMessage) -> None:
        self.put(item)

    async def receive(self) -> Any:
        while not self._items:
            if self.is_closed:
                raise StopAsyncIteration
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        self.last_context, item = self._items.popleft()
        return item

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def aclose(self) -> None:
        self.is_closed = True
        self._wake()

    def __aiter__(self) -> Inbox:
        return self

    __anext__ = receive

    async def __aenter__(self) -> Inbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Outbox:
    """From the dispatcher to whichever request a message belongs to, or to the stream that a client holds open."""

    def __init__(self, streams: dict[Any, Any], otherwise: str, only_answers: bool, wrap: Any) -> None:
        self._streams = streams
        self._otherwise = otherwise
        self._only_answers = only_answers
        self._wrap = wrap

    async def send(self, item: SessionMessage) -> None:
        target = self._target(item)
        found = self._streams.get(target)
        if found is None:
            return
        try:
            await found[0].send(self._wrap(item.message))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            if self._streams.get(target) is found:
                del self._streams[target]

    def _target(self, item: SessionMessage) -> str | None:
        message, metadata = item.message, item.metadata
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            return str(message.id)
        if isinstance(metadata, ServerMessageMetadata) and metadata.related_request_id is not None:
            return None if self._only_answers else str(metadata.related_request_id)
        return self._otherwise

    async def aclose(self) -> None:
        """Nothing is held here."""

    async def __aenter__(self) -> Outbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Events:
    """What the server has to say to one request, in order."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._items: deque[Any] = deque()
        self._reader: asyncio.Future[None] | None = None
        self._writers: deque[asyncio.Future[None]] = deque()
        self._closed = False

    async def send(self, item: object) -> None:
        while len(self._items) >= _ROOM and not self._closed:
            self._writers.append(self._loop.create_future())
            await self._writers[-1]
        if self._closed:
            raise anyio.ClosedResourceError
        self._items.append(item)
        _wake(self._reader)

    async def receive(self, within: float) -> Any:
        """The next item; LATE when there is none in that time; None at the end."""
        if not self._items and not self._closed:
            self._reader = self._loop.create_future()
            late = self._loop.call_later(within, _wake, self._reader)
            await self._reader
            late.cancel()
        if not self._items:
            return None if self._closed else LATE
        if self._writers:
            _wake(self._writers.popleft())
        return self._items.popleft()

    def close(self) -> None:
        self._closed = True
        for each in (self._reader, *self._writers):
            _wake(each)

    async def aclose(self) -> None:
        self.close()


def _wake(waiter: asyncio.Future[None] | None) -> None:
    if waiter is not None and not waiter.done():
        waiter.set_result(None)
