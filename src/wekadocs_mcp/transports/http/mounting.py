"""MCP's endpoint, put together: the SDK's manager and what stands in front of it."""

from __future__ import annotations

from collections.abc import Mapping
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


def mount(server: McpServer) -> tuple[StreamableHTTPSessionManager, Asgi]:
    """With each short-cut that this SDK allows."""
    settings = server.app.config.server
    size = RequestSize(server)
    manager = _manager(server, settings, size.most)
    sessions = Sessions(manager.handle_request, settings, server.left)
    # In JSON mode the SDK's own way is as short, and says nothing before the answer.
    is_plain = settings["json_response"] or private.missing("calls")
    calls: Asgi = sessions if is_plain else Calls(sessions, server)
    return manager, Readable(ListAgain(calls, server, sessions), size)


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
