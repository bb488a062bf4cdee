"""The bare SDK server on the SDK's own stdio transport."""

import anyio
from bare import build
from mcp.server.stdio import stdio_server


async def main() -> None:
    server = build()
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


anyio.run(main)
