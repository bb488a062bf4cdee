"""Tools whose input schemas must reach the client unchanged."""

from __future__ import annotations

import json
from typing import Any

from wekadocs_mcp import Answer, Call, tool

from .blocks import says


@tool("json_schema_2020_12_tool")
async def json_schema_2020_12(_: Call, **given: Any) -> Answer:
    return says(f"Arguments: {json.dumps(given, sort_keys=True)}")


@tool("test_x_mcp_header")
async def x_mcp_header(_: Call, region: str | None) -> Answer:
    return says(f"Region: {region or 'none'}")


TOOLS = (json_schema_2020_12, x_mcp_header)
