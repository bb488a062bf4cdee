"""The Python SDK's 2.x client, in either era."""

import asyncio
import sys

import expect
from mcp import Client, MCPError, StdioServerParameters


async def main(transport: str, era: str, *target: str) -> None:
    server = target[0]
    if transport == "stdio":
        server = StdioServerParameters(command=target[0], args=list(target[1:]), env=None)
    async with Client(server, mode="legacy" if era == "legacy" else "auto") as client:
        version = client.protocol_version
        assert (version == "2026-07-28") == (era == "modern"), f"{era} client speaks {version}"
        expect.listed([tool.name for tool in (await client.list_tools()).tools])
        good = await client.call_tool(*expect.HELLO[:2])
        expect.greeted(good.structured_content, good.content[0].text, good.is_error)
        bad = await client.call_tool(*expect.WRONG)
        expect.refused(bad.content[0].text, bad.is_error)
        caught = None
        try:
            await client.call_tool(*expect.UNKNOWN)
        except MCPError as error:
            caught = error
        expect.unknown(caught)


asyncio.run(main(*sys.argv[1:]))
