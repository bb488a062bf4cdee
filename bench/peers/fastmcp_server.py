"""FastMCP with as many async tools of the same shape; it makes the schemas and the checks itself."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

from fastmcp import FastMCP
from pydantic import Field


async def answer(
    query: Annotated[str, Field(min_length=1, max_length=500)],
    limit: Annotated[int, Field(ge=1, le=50)] = 5,
    mode: str = "both",
    tags: list[str] | None = None,
    explain: bool = False,
) -> dict[str, Any]:
    return {"answer": query, "count": limit}


def build() -> Any:
    server: Any = FastMCP("fastmcp")
    for tool in json.loads(Path(sys.argv[1]).read_bytes())["tools"]:
        server.tool(answer, name=tool["name"], description=tool["description"])
    return server
