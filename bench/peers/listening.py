"""uvicorn as it comes, on a free port of 127.0.0.1, which it prints."""

import sys
from typing import Any

import uvicorn


class _Listener(uvicorn.Server):
    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        print(f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}/_mcp", file=sys.stderr, flush=True)


def listen(app: Any) -> None:
    # uvicorn opens the socket: asyncio sets TCP_NODELAY only on those it has made itself.
    _Listener(uvicorn.Config(app, host="127.0.0.1", port=0, access_log=False, log_level="warning")).run()
