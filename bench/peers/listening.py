"""uvicorn on a free port of 127.0.0.1, which it prints."""

import socket
import sys
from typing import Any

import uvicorn


def listen(app: Any) -> None:
    taken = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(f"http://127.0.0.1:{taken.getsockname()[1]}/_mcp", file=sys.stderr, flush=True)
    config = uvicorn.Config(app, access_log=False, log_level="warning")
    uvicorn.Server(config).run(sockets=[taken])
