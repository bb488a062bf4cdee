"""The tools of a live server, for `contracts diff`: every page of its tools/list, over HTTP or stdio, in either era."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

from wekadocs_contracts.diff.problems import Unreachable

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from mcp import Client

_SECONDS = 30.0
_MAX_PAGES = 500
_MAX_TOOLS = 10_000


def live_tools(text: str, token: str | None) -> list[dict[str, Any]]:
    """As the server lists them; `text` is a URL, or stdio: and a command."""
    import asyncio

    try:
        return asyncio.run(asyncio.wait_for(_tools(text, token), _SECONDS))
    except TimeoutError:
        raise Unreachable(f"{text}: no answer within {_SECONDS:.0f} s") from None


async def _tools(text: str, token: str | None) -> list[dict[str, Any]]:
    from contextlib import AsyncExitStack

    from mcp import Client

    async with AsyncExitStack() as stack:
        target = _stdio(text[6:]) if text.startswith("stdio:") else await _http(text, token, stack)
        # The probe of the stateless era is the SDK's: it falls back to the handshake by itself.
        client = await stack.enter_async_context(Client(target, cache=None))
        return await _pages(client)


async def _pages(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(_MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found.extend(tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools)
        cursor = page.next_cursor
        if not cursor:
            return found
        if cursor in seen or len(found) > _MAX_TOOLS:
            break
        seen.add(cursor)
    raise Unreachable("the server's pages of tools/list never end")


def _stdio(command: str) -> Any:
    from mcp.client.stdio import StdioServerParameters

    words = shlex.split(command)
    if not words:
        raise Unreachable("stdio: needs a command, such as stdio:'wekadocs-mcp serve'")
    # The person who names the command has its environment in mind, not the SDK's short list.
    return StdioServerParameters(command=words[0], args=words[1:], env=dict(os.environ))


async def _http(url: str, token: str | None, stack: AsyncExitStack) -> Any:
    from mcp.client.streamable_http import streamable_http_client

    httpx = sys.modules["mcp.client.streamable_http"].httpx2
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    client = await stack.enter_async_context(httpx.AsyncClient(headers=headers, timeout=_SECONDS))
    return streamable_http_client(url, http_client=client)
