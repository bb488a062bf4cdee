"""The bare low-level SDK server: the same tools, an async handler, no checks."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server


def build() -> Server[Any]:
    listed = types.ListToolsResult.model_validate_json(Path(sys.argv[1]).read_bytes(), by_name=False)
    schemas = {tool.name: tool.input_schema for tool in listed.tools}

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(ctx: Any, params: Any) -> types.CallToolResult:
        arguments = params.arguments or {}
        answer = {"answer": arguments["query"], "count": arguments.get("limit", 5)}
        text = types.TextContent(text=json.dumps(answer))
        return types.CallToolResult(content=[text], structured_content=answer)

    # Without get_tool_input_schema the SDK lists all tools on every modern HTTP call: an unfair peer.
    look_up = schemas.get
    return Server("bare", get_tool_input_schema=look_up, on_list_tools=list_tools, on_call_tool=call_tool)
