"""The floor: one response for every request; an event stream in the legacy era, as the SDK sends it."""

import sys
from pathlib import Path
from typing import Any

from listening import listen

body = Path(sys.argv[1]).read_bytes()
if sys.argv[2] == "legacy":
    body = b"event: message\r\ndata: " + body + b"\r\n\r\n"
    headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform")]
else:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


listen(app)
