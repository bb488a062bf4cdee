"""FastMCP's client."""

import asyncio
import sys

import expect
from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main(transport: str, era: str, *target: str) -> None:
    server = StdioTransport(target[0], list(target[1:])) if transport == "stdio" else target[0]
    async with Client(server) as client:
        expect.listed([tool.name for tool in await client.list_tools()])
        good = await client.call_tool(*expect.HELLO[:2], raise_on_error=False)
        expect.greeted(good.structured_content, good.content[0].text, good.is_error)
        bad = await client.call_tool(*expect.WRONG, raise_on_error=False)
        expect.refused(bad.content[0].text, bad.is_error)
        caught = None
        try:
            await client.call_tool(*expect.UNKNOWN)
        except Exception as error:
            caught = error
        expect.unknown(caught)


asyncio.run(main(*sys.argv[1:]))
