"""A small Qdrant: the REST calls that the adapter makes, answered by the client's local mode, with failures on order.

What it cannot show: how a real server stores and scores. For that, name one with QDRANT_URL.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

Failure = Callable[["_Handler"], None]


def status(code: int, **headers: str) -> Failure:
    """An error answer; the body repeats the request, as some proxies do."""

    def fail(handler: _Handler) -> None:
        handler.answer(code, b'{"status": {"error": "you sent ' + handler.body[:200].hex().encode() + b'"}}', headers)

    return fail


def half(handler: _Handler) -> None:
    """Promises more than it sends, then hangs up."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"result": {"points": [')
    handler.close_connection = True


def cut(handler: _Handler) -> None:
    """A whole answer of half a document."""
    handler.answer(200, b'{"result": {"points": [', {})


def other(handler: _Handler) -> None:
    """JSON of another kind."""
    handler.answer(200, b'{"result": {"points": 7}}', {})


def hang_up(handler: _Handler) -> None:
    """No answer at all, as when the server restarts."""
    handler.close_connection = True


def slow(seconds: float) -> Failure:
    def fail(handler: _Handler) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return fail


def lost(handler: _Handler) -> None:
    """The work is done, the answer never arrives."""
    handler.work()
    handler.close_connection = True


class FakeQdrant:
    """`fail` holds what happens to the next requests that match; `seen` what was asked."""

    def __init__(self) -> None:
        self.memory = QdrantClient(":memory:")
        self.lock = threading.Lock()
        self.fail: list[tuple[str, Failure]] = []
        self.seen: list[str] = []
        self.keys: set[str | None] = set()
        self.bodies: list[Any] = []
        self.key: str | None = None
        self.url = ""

    def next_failure(self, request: str) -> Failure | None:
        with self.lock:
            for number, (pattern, failure) in enumerate(self.fail):
                if re.search(pattern, request):
                    del self.fail[number]
                    return failure
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer: two would wait 40 ms for each other
    server: _Server

    def _serve(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fake, request = self.server.fake, f"{self.command} {self.path.split('?')[0]}"
        fake.seen.append(request)
        fake.keys.add(self.headers.get("api-key"))
        if fake.key is not None and self.headers.get("api-key") != fake.key:
            return status(401)(self)
        failure = fake.next_failure(request)
        if failure is not None:
            return failure(self)
        code, result = self.work()
        return self.answer(code, json.dumps({"result": result, "status": "ok", "time": 0.0}).encode(), {})

    do_GET = do_PUT = do_POST = do_DELETE = _serve

    def work(self) -> tuple[int, Any]:
        data = json.loads(self.body or b"null")
        parts = self.path.split("?")[0].strip("/").split("/")
        with self.server.fake.lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # local mode: indexes and exact search mean nothing to it
            self.server.fake.bodies.append(data)
            return _answer(self.server.fake.memory, self.command, "".join(parts[1:2]), "/".join(parts[2:]), data)

    def answer(self, code: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    fake: FakeQdrant
    open: list[socket.socket]
    daemon_threads = True

    def get_request(self) -> Any:
        accepted = super().get_request()
        self.open.append(accepted[0])
        return accepted

    def hang_up(self) -> None:
        """What a stopping server does to the connections that clients keep."""
        for connection in self.open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, *_: object) -> None:
        """A client that went away is part of the game."""


def _answer(memory: QdrantClient, method: str, name: str, rest: str, data: Any) -> tuple[int, Any]:
    if not name:
        return 200, memory.get_collections().model_dump(mode="json")
    there = memory.collection_exists(name)
    if rest == "exists":
        return 200, {"exists": there}
    if (method, rest) == ("PUT", ""):
        return (409, None) if there else (200, _create(memory, name, data))
    if not there:
        return 404, None
    match method, rest:
        case "GET", "":
            return 200, memory.get_collection(name).model_dump(mode="json", exclude_none=True)
        case "DELETE", "":
            return 200, memory.delete_collection(name)
        case "POST", "points/scroll":
            points, _ = memory.scroll(name, limit=data["limit"])
            return 200, {"points": [each.model_dump(mode="json", exclude_none=True) for each in points]}
        case "POST", "points/payload":
            memory.set_payload(name, data["payload"], data["points"])
        case "PUT", "index":
            return 200, {"operation_id": 1, "status": "completed"}
        case "POST", "points":
            asked = models.PointRequest(**data)
            found = memory.retrieve(name, asked.ids, with_payload=True, with_vectors=False)
            return 200, [each.model_dump(mode="json", exclude_none=True) for each in found]
        case "PUT", "points":
            memory.upsert(name, models.PointsList(**data).points)
        case "POST", "points/delete":
            memory.delete(name, data["points"] if "points" in data else models.FilterSelector(**data))
        case "POST", "points/count":
            return 200, {"count": memory.count(name, models.Filter(**data["filter"])).count}
        case "POST", "points/query":
            return 200, _query(memory, name, models.QueryRequest(**data))
        case _:
            return 400, None
    return 200, {"operation_id": 1, "status": "completed"}


def _create(memory: QdrantClient, name: str, data: Any) -> bool:
    wanted = models.CreateCollection(**data)
    return memory.create_collection(name, wanted.vectors, wanted.sparse_vectors)


def _query(memory: QdrantClient, name: str, asked: models.QueryRequest) -> Any:
    found = memory.query_points(
        name,
        query=asked.query,
        using=asked.using,
        query_filter=asked.filter,
        limit=asked.limit or 10,
        with_payload=asked.with_payload,
    )
    points = [{"version": 0, **each.model_dump(mode="json", exclude_none=True)} for each in found.points]
    return {"points": points}


@contextmanager
def running(port: int = 0, fake: FakeQdrant | None = None) -> Iterator[FakeQdrant]:
    """The fake on a port of this machine; given again, it is a server that restarted with its data."""
    fake = fake or FakeQdrant()
    server = _Server(("127.0.0.1", port), _Handler)
    server.fake, server.open = fake, []
    fake.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        server.hang_up()
        thread.join()


if __name__ == "__main__":
    with running(6333) as served:
        print(served.url, flush=True)
        threading.Event().wait()
