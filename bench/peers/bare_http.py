"""The bare SDK server on the SDK's session manager and uvicorn as it comes."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from bare import build
from listening import listen
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Route

manager = StreamableHTTPSessionManager(app=build())


@contextlib.asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    async with manager.run():
        yield


listen(Starlette(routes=[Route("/_mcp", endpoint=StreamableHTTPASGIApp(manager))], lifespan=lifespan))
