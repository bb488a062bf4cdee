"""How large a message may be: what the server allows any, and what a contract allows the calls of its tool."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .server import McpServer


class RequestSize:
    """On either transport."""

    def __init__(self, server: McpServer) -> None:
        self._server = server
        self.usual: int = server.app.config.server["max_request_bytes"]
        tools = [tool for tool in server.app.catalogue.tools if tool.disabled is None]
        self.most = max([self.usual, *(tool.budgets.get("request_bytes", 0) for tool in tools)])

    def allows(self, raw: bytes) -> bool:
        return len(raw) <= self.usual or (len(raw) <= self.most and len(raw) <= self._of_call(raw))

    def _of_call(self, raw: bytes) -> int:
        """What the tool that is called here may be sent; nothing where none is."""
        try:
            message = json.loads(raw)
            name = message["params"]["name"] if message["method"] == "tools/call" else ""
            tool = self._server.app.catalogue.find(name) if isinstance(name, str) else None
        except (ValueError, RecursionError, KeyError, TypeError):
            return 0
        return int(tool.budgets.get("request_bytes", 0)) if tool is not None and tool.disabled is None else 0
