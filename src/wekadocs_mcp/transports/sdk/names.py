"""The server half of the MCP SDK, imported alone."""

from __future__ import annotations

from .entry import enter

enter()

import mcp_types as types  # noqa: E402
from mcp.server.caching import CacheHint  # noqa: E402
from mcp.server.lowlevel.server import NotificationOptions, Server  # noqa: E402
from mcp.server.subscriptions import (  # noqa: E402
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError  # noqa: E402
from mcp.shared.message import ServerMessageMetadata, SessionMessage  # noqa: E402
from mcp.shared.uri_template import UriTemplate  # noqa: E402
from mcp_types import SERVER_INFO_META_KEY, methods  # noqa: E402
from mcp_types.version import MODERN_PROTOCOL_VERSIONS  # noqa: E402

__all__ = [
    "MODERN_PROTOCOL_VERSIONS",
    "SERVER_INFO_META_KEY",
    "CacheHint",
    "InMemorySubscriptionBus",
    "ListenHandler",
    "MCPError",
    "NotificationOptions",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "Server",
    "ServerMessageMetadata",
    "SessionMessage",
    "ToolsListChanged",
    "UriTemplate",
    "methods",
    "types",
]
