"""A server behind a URL: one POST a request, answered as JSON or as a stream of events."""

from __future__ import annotations

import contextlib
import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

from wekadocs_contracts.diff.problems import Unreachable
from wekadocs_text import one_line, printed

from .calling import NEWER, OLDER, Calling

_MAX_BYTES = 64 << 20


class HttpLine:
    def __init__(self, url: str, calling: Calling) -> None:
        self.url, self.calling = url, calling
        self.notes: list[str] = []
        self.session: dict[str, str] = {}
        parts = urlsplit(url)
        if parts.username or parts.password:
            raise Unreachable("a URL carries no password: give it as --token or --header")
        self.path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        try:
            self.connection = kind(parts.hostname or "", parts.port, timeout=calling.seconds)
        except ValueError as error:
            raise Unreachable(f"{url}: {error}") from None

    def request(self, message: dict[str, Any], deadline: float) -> dict[str, Any]:
        try:
            response = self._post(message, deadline)
            return self._answer(response, message["id"], deadline)
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException) as error:
            told = printed(one_line(str(error) or type(error).__name__))
            raise Unreachable(f"{self.url}: {told}; is it running?") from None

    def notify(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            self._post(message, time.monotonic() + self.calling.seconds).read(_MAX_BYTES)

    def _post(self, message: dict[str, Any], deadline: float) -> http.client.HTTPResponse:
        newer = "_meta" in message.get("params", {})
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **({} if message["method"] == "initialize" else {"MCP-Protocol-Version": NEWER if newer else OLDER}),
            **({"Mcp-Method": message["method"]} if newer else {}),
            **self.session,
            **({"Authorization": f"Bearer {self.calling.token}"} if self.calling.token else {}),
            **dict(self.calling.headers),
        }
        self.connection.timeout = max(0.1, deadline - time.monotonic())
        self.connection.request("POST", self.path, json.dumps(message).encode(), headers)
        response = self.connection.getresponse()
        if session := response.getheader("Mcp-Session-Id"):
            self.session = {"Mcp-Session-Id": session}
        return response

    def _answer(self, response: http.client.HTTPResponse, number: object, deadline: float) -> dict[str, Any]:
        if response.status in (401, 403):
            raise Unreachable(
                f"{self.url}: HTTP {response.status}; is the bearer right (--token, MCP_AUTH_TOKEN, --header)?"
            )
        if 300 <= response.status < 400:
            raise Unreachable(f"{self.url}: it moved to {response.getheader('Location')}; name that")
        if "text/event-stream" in (response.getheader("Content-Type") or ""):
            found = self._from_events(response, number, deadline)
        else:
            found = _message(response.read(_MAX_BYTES), number)
        if found is None:
            raise Unreachable(f"{self.url}: HTTP {response.status}, and no JSON-RPC message; is it the MCP endpoint?")
        return found

    def _from_events(
        self, response: http.client.HTTPResponse, number: object, deadline: float
    ) -> dict[str, Any] | None:
        data, size = b"", 0
        while line := response.readline(_MAX_BYTES):
            size += len(line)
            if size > _MAX_BYTES or time.monotonic() > deadline:
                raise TimeoutError
            if line.startswith(b"data:"):
                data += line[5:].strip()
            elif not line.strip():
                if (found := _message(data, number)) is not None:
                    response.read(_MAX_BYTES) if response.isclosed() else response.close()
                    self.connection.close()  # the rest of the stream is not ours
                    return found
                data = b""
        return _message(data, number)

    def close(self) -> None:
        if self.session:
            with contextlib.suppress(OSError, http.client.HTTPException):
                self.connection.request("DELETE", self.path, headers={**self.session, **self._right()})
                self.connection.getresponse().read(_MAX_BYTES)
        self.connection.close()

    def _right(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.calling.token}"} if self.calling.token else {}


def _message(body: bytes, number: object) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    each = next((one for one in found if isinstance(one, dict)), None) if isinstance(found, list) else found
    if not isinstance(each, dict) or ("result" not in each and "error" not in each):
        return None
    return each if each.get("id", number) in (number, None) else None
