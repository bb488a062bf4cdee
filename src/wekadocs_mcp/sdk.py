"""The server half of the MCP SDK, imported alone.

`import mcp.server.lowlevel` also runs the packages' `__init__` files, which bring the client stack, FastMCP and their
HTTP libraries: a fifth of the start. Both packages are entered lightly here; whoever asks them for one of their own
names gets the full package, as if nothing had happened.
"""

from __future__ import annotations

import importlib.util
import sys


def _enter_lightly(name: str) -> None:
    if name in sys.modules:
        return
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)

    def complete(attribute: str) -> object:
        if attribute.startswith("__") or "__getattr__" not in module.__dict__:
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        del module.__dict__["__getattr__"]
        assert spec.loader is not None
        spec.loader.exec_module(module)
        return getattr(module, attribute)

    module.__dict__["__getattr__"] = complete
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


_enter_lightly("mcp")
_enter_lightly("mcp.server")

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
