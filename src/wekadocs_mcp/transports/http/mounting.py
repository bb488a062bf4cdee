"""MCP's endpoint, put together: the SDK's manager and what stands in front of it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from wekadocs_mcp.transports.request_size import RequestSize
from wekadocs_mcp.transports.sdk import private
from wekadocs_mcp.transports.server import McpServer

from . import quick_sessions
from .calls import Calls
from .guard import Asgi
from .lists import ListAgain
from .reading import Readable
from .sessions import Sessions
from .shared_sessions import SharedByServers


@dataclass(frozen=True)
class Mounted:
    """The endpoint, and what must run while it serves."""

    endpoint: Asgi
    manager: StreamableHTTPSessionManager
    shared: SharedByServers | None
    tasks: AbstractAsyncContextManager[None]

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self.manager.run(), self.shared.opened() if self.shared else contextlib.nullcontext(), self.tasks:
            yield


def mount(server: McpServer) -> Mounted:
    """With each short-cut that this SDK allows."""
    settings = server.app.config.server
    size = RequestSize(server)
    manager = _manager(server, settings, size.most)
    sessions = Sessions(manager.handle_request, settings, server.left)
    kept = None if private.missing("sessions") else server.app.shared_sessions()
    bounds = settings["session_idle_seconds"], settings["http"]["max_sessions_per_peer"]
    shared = SharedByServers(sessions, *bounds, kept) if kept is not None else None
    tasks = server.tasks.elsewhere.opened(server.app.shared_tasks())
    # In JSON mode the SDK's own way is as short, and says nothing before the answer.
    is_plain = settings["json_response"] or private.missing("calls")
    calls: Asgi = shared or sessions
    calls = calls if is_plain else Calls(calls, server)
    listed = ListAgain(calls, server, sessions, *([shared.is_fresh] if shared else []))
    return Mounted(Readable(listed, size), manager, shared, tasks)


def _manager(server: McpServer, settings: Mapping[str, Any], most_bytes: int) -> StreamableHTTPSessionManager:
    given = {
        "json_response": settings["json_response"],
        "session_idle_timeout": settings["session_idle_seconds"],
        "max_sessions": settings["max_sessions"],
        "max_request_body_size": most_bytes,
    }
    if private.missing("sessions"):
        return StreamableHTTPSessionManager(server.sdk, **given)
    return quick_sessions.manager(server, given)
