"""A small Qdrant: the REST calls that the adapter makes, with failures on order; `qdrant_grpc` is its other door."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models
from qdrant_engine import AlreadyThere, BadInput, Engine, Missing, Refused

Failure = Callable[["Handler"], None]
_MOST_BYTES = 32 * 2**20  # of a request: service.max_request_size_mb
_STATUS: dict[type[Refused], int] = {Missing: 404, AlreadyThere: 409, BadInput: 400}


def status(code: int, **headers: str) -> Failure:
    """An error answer; the body repeats the request, as some proxies do."""

    def fail(handler: Handler) -> None:
        handler.answer(code, b'{"status": {"error": "you sent ' + handler.body[:200].hex().encode() + b'"}}', headers)

    return fail


def half(handler: Handler) -> None:
    """Promises more than it sends, then hangs up."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"result": {"points": [')
    handler.close_connection = True


def cut(handler: Handler) -> None:
    """A whole answer of half a document."""
    handler.answer(200, b'{"result": {"points": [', {})


def other(handler: Handler) -> None:
    """JSON of another kind."""
    handler.answer(200, b'{"result": {"points": 7}}', {})


def hang_up(handler: Handler) -> None:
    """No answer at all, as when the server restarts."""
    handler.close_connection = True


def slow(seconds: float) -> Failure:
    def fail(handler: Handler) -> None:
        time.sleep(seconds)
        handler.close_connection = True

    return fail


def lost(handler: Handler) -> None:
    """The work is done, the answer never arrives."""
    handler.work()
    handler.close_connection = True


class FakeQdrant:
    """`fail` holds what happens to the next requests that match; `seen` what was asked."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.lock = threading.Lock()
        self.fail: list[tuple[str, Any]] = []  # a pattern of requests, and what the front they come to does then
        self.seen: list[str] = []
        self.keys: set[str | None] = set()
        self.bodies: list[Any] = []
        self.key: str | None = None
        self.url = ""

    @property
    def memory(self) -> QdrantClient:
        return self.engine.memory

    def next_failure(self, request: str) -> Any:
        with self.lock:
            for number, (pattern, failure) in enumerate(self.fail):
                if re.search(pattern, request):
                    del self.fail[number]
                    return failure
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer: two would wait 40 ms for each other
    disable_nagle_algorithm = True  # and so would the two of an answer that is longer than the buffer
    server: _Server

    def _serve(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        fake, request = self.server.fake, f"{self.command} {self.path.split('?')[0]}"
        fake.seen.append(request)
        fake.keys.add(self.headers.get("api-key"))
        if fake.key is not None and self.headers.get("api-key") != fake.key:
            return status(401)(self)
        if len(self.body) > _MOST_BYTES:
            return status(413)(self)
        failure = fake.next_failure(request)
        if failure is not None:
            return failure(self)
        code, result = self.work()
        return self.answer(code, json.dumps({"result": result, "status": "ok", "time": 0.0}).encode(), {})

    do_GET = do_PUT = do_POST = do_DELETE = _serve

    def work(self) -> tuple[int, Any]:
        data = json.loads(self.body or b"null")
        parts = self.path.split("?")[0].strip("/").split("/")
        fake = self.server.fake
        with fake.engine.lock:
            fake.bodies.append(data)
            try:
                return 200, _answer(fake.engine, self.command, "".join(parts[1:2]), "/".join(parts[2:]), data)
            except Refused as problem:
                return _STATUS[type(problem)], None

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


def _answer(engine: Engine, method: str, name: str, rest: str, data: Any) -> Any:
    match method, rest:
        case "GET", "":
            return _plain(engine.info(name)) if name else {"collections": [{"name": each} for each in engine.names()]}
        case "GET", "exists":
            return {"exists": engine.exists(name)}
        case "PUT", "":
            return engine.create(name, models.CreateCollection(**data))
        case "DELETE", "":
            return engine.drop(name)
        case "POST", "points/scroll":
            return {"points": _plain(engine.scroll(name, data["limit"]))}
        case "POST", "points":
            asked = models.PointRequest(**data)
            return _plain(engine.retrieve(name, asked.ids))
        case "POST", "points/count":
            wanted = models.CountRequest(**data)
            return {"count": engine.count(name, wanted.filter, bool(wanted.exact))}
        case "POST", "points/query":
            return _points(engine, name, data)
        case "POST", "points/query/batch":
            return [_points(engine, name, each) for each in data["searches"]]
    _change(engine, method, name, rest, data)
    return {"operation_id": 1, "status": "completed"}


def _points(engine: Engine, name: str, data: Any) -> dict[str, Any]:
    found = engine.query(name, models.QueryRequest(**data))
    return {"points": [{"version": 0, "id": each.id, "score": each.score} for each in found]}


def _change(engine: Engine, method: str, name: str, rest: str, data: Any) -> None:
    match method, rest:
        case "POST", "points/payload":
            engine.set_payload(name, data["payload"], data["points"])
        case "PUT", "index":
            engine.index(name, data["field_name"], models.PayloadSchemaType(data["field_schema"]))
        case "PUT", "points":
            engine.upsert(name, models.PointsList(**data).points)
        case "POST", "points/delete":
            engine.delete(name, data["points"] if "points" in data else models.Filter(**data["filter"]))
        case _:
            raise BadInput(f"{method} {rest}")


def _plain(found: Any) -> Any:
    if isinstance(found, list):
        return [_plain(each) for each in found]
    return found.model_dump(mode="json", exclude_none=True)


@contextmanager
def running(port: int = 0, fake: FakeQdrant | None = None, handler: type[Handler] = Handler) -> Iterator[FakeQdrant]:
    """The fake on a port of this machine; given again, it is a server that restarted with its data."""
    fake = fake or FakeQdrant()
    server = _Server(("127.0.0.1", port), handler)
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
