"""The console: pages for whoever runs or tries a server, served beside MCP where `--ui` is said, and nowhere else.

Calls go from the browser to `/_mcp` like any client's; what MCP does not tell has endpoints of its own here.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from wekadocs_mcp import hookimpl

if TYPE_CHECKING:
    from wekadocs_mcp import Context, HttpRoute

    from .desk import Desk


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[Desk]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[Desk]:
    from .desk import Desk

    desk = Desk(context)
    try:
        yield desk
    finally:
        await desk.close()


@hookimpl
def register_http_routes() -> Sequence[HttpRoute]:
    from .endpoints import ROUTES

    return ROUTES
