"""The socket: uvicorn, told when it listens, looking after its connections, and ended in bounded time."""

from __future__ import annotations

import asyncio
import functools
import signal
import socket
from collections.abc import Callable, Iterable
from typing import Any

import uvicorn

from wekadocs_contracts.problems import StartError
from wekadocs_mcp import ending

from .connections import Connections, quiet_accept_errors
from .protocol import Protocol

_END_WITHIN = 1.9
_WAITING = 1024  # for the system to keep meanwhile: whom it turns away comes again after a second


async def listen(app: Any, host: str, port: int, connections: Connections, on_ready: Callable[[int], None]) -> None:
    """Serve an ASGI application until a signal; open streams get half a second."""
    protocol: Any = functools.partial(Protocol, connections)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        loop="asyncio",
        http=protocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        backlog=connections.at_once,
    )
    listener = _Listener(config, connections, on_ready)
    await listener.serve()
    if not listener.started:
        raise StartError(
            [f"port {port} on {host} cannot be used.\n  fix: choose another with --port, or stop what holds it"]
        )


def _let_wait(sockets: Iterable[socket.socket]) -> None:
    for each in sockets:
        with socket.fromfd(each.fileno(), each.family, each.type) as same:
            same.listen(_WAITING)


class _Listener(uvicorn.Server):
    """uvicorn, telling its port once it listens, and ending in bounded time."""

    def __init__(self, config: uvicorn.Config, connections: Connections, on_ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._connections = connections
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(quiet_accept_errors(loop))
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True
            return
        if self.started:
            _let_wait(self.servers[0].sockets)
            self._on_ready(self.servers[0].sockets[0].getsockname()[1])

    async def on_tick(self, counter: int) -> bool:
        self._connections.check_times(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: object) -> None:
        if self.should_exit and sig == signal.SIGINT:
            ending.end(130)
        if not self.should_exit:
            ending.end_within(_END_WITHIN)
        self.should_exit = True
