"""The Python SDK's 1.x client."""

import asyncio
import sys

import expect
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def main(transport: str, era: str, *target: str) -> None:
    if transport == "stdio":
        way = stdio_client(StdioServerParameters(command=target[0], args=list(target[1:]), env=None))
    else:
        way = streamablehttp_client(target[0])
    async with way as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        expect.listed([tool.name for tool in (await session.list_tools()).tools])
        good = await session.call_tool(*expect.HELLO[:2])
        expect.greeted(good.structuredContent, good.content[0].text, good.isError)
        bad = await session.call_tool(*expect.WRONG)
        expect.refused(bad.content[0].text, bad.isError)
        caught = None
        try:
            await session.call_tool(*expect.UNKNOWN)
        except McpError as error:
            caught = error
        expect.unknown(caught)


asyncio.run(main(*sys.argv[1:]))
