"""The server half of the MCP SDK, imported alone."""

from __future__ import annotations

from typing import Any

from .entry import enter
from .unbuilt import unbuilt

enter()

with unbuilt():
    import mcp_types as types
    from mcp_types import SERVER_INFO_META_KEY, methods

from mcp.server.caching import CacheHint  # noqa: E402
from mcp.server.context import ServerRequestContext  # noqa: E402
from mcp.server.lowlevel.server import NotificationOptions, Server  # noqa: E402
from mcp.server.session import ServerSession  # noqa: E402
from mcp.server.subscriptions import (  # noqa: E402
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError  # noqa: E402
from mcp.shared.message import ServerMessageMetadata, SessionMessage  # noqa: E402
from mcp.shared.uri_template import UriTemplate  # noqa: E402
from mcp_types.version import MODERN_PROTOCOL_VERSIONS  # noqa: E402

Context = ServerRequestContext[Any, Any]

__all__ = [
    "MODERN_PROTOCOL_VERSIONS",
    "SERVER_INFO_META_KEY",
    "CacheHint",
    "Context",
    "InMemorySubscriptionBus",
    "ListenHandler",
    "MCPError",
    "NotificationOptions",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "Server",
    "ServerEvent",
    "ServerMessageMetadata",
    "ServerSession",
    "SessionMessage",
    "ToolsListChanged",
    "UriTemplate",
    "methods",
    "types",
]
