"""The fast door: answers a stdio client's first messages from a compiled surface, before anything heavy is imported.

Only exactly recognised `initialize`, `server/discover` and `tools/list` are answered here, with the bytes the SDK gave
when the surface was recorded; whatever else comes waits for the SDK, which is imported meanwhile.
"""

import json
import os
import select
import stat
import sys

from .cache import Surface

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSION = "2026-07-28"
_META = "io.modelcontextprotocol/"
_SILENCE = 0.02
_PARENT_CHECK = 1.0
_MAX_LINE = 1 << 20
# Asked as early as can be: a parent that dies while the SDK is imported is missed by nobody.
PARENT = os.getppid()
_Json = dict[str, object]


def is_pipe(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def claim_stdio() -> tuple[int, int]:
    """Private duplicates of stdin and stdout; 0 becomes the null device and 1 becomes stderr.

    stdout is the protocol's: what plugins print, or let their child processes print, must not reach it.
    """
    for descriptor in range(3):
        _open_if_closed(descriptor)
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return source, sink


def _open_if_closed(descriptor: int) -> None:
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_RDWR)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)


class Door:
    """Reads lines from stdin and answers what it knows. `seen` is what the SDK must still be told."""

    def __init__(self, surface: Surface, descriptors: tuple[int, int]) -> None:
        self._surface = surface
        self._source, self._sink = descriptors
        self._buffer = b""
        self._version: str | None = None  # the older era's, once agreed on
        self._modern = False
        self._left_open = True
        self._ended = False
        self.listed = False
        self.seen = b""
        self.answered: list[object] = []

    @property
    def is_over(self) -> bool:
        """The client has left and waits for nothing: or its process is gone."""
        return (self._ended and not self._buffer.strip()) or os.getppid() != PARENT

    def greet(self) -> None:
        """Answer until the client falls silent, asks for something else, or has got its list of tools."""
        while self._left_open and not self.listed and not self.is_over:
            greeted = self._modern or self._version
            if select.select([self._source], [], [], _SILENCE if greeted else _PARENT_CHECK)[0]:
                self._read()
            elif greeted:
                return

    def attend(self, ready: int) -> None:
        """Go on answering while the SDK is imported elsewhere; `ready` becomes readable when that is done."""
        while not self.is_over:
            watched = [self._source, ready] if self._left_open else [ready]
            found, _, _ = select.select(watched, [], [], _PARENT_CHECK)
            if ready in found:
                return
            if found:
                self._read()

    def rest(self) -> bytes:
        """All that the SDK must read: what it has to know of, then what nobody has answered."""
        return self.seen + self._buffer

    def _read(self) -> None:
        chunk = os.read(self._source, 1 << 16)
        self._buffer += chunk
        self._ended = not chunk
        if not chunk or len(self._buffer) > _MAX_LINE:
            self._left_open = False
        while self._left_open and b"\n" in self._buffer:
            line, _, after = self._buffer.partition(b"\n")
            if not self._line(line):
                self._left_open = False
                return
            self._buffer = after

    def _line(self, line: bytes) -> bool:
        """Whether this line has been dealt with."""
        message = _understood(line)
        if message is None:
            return False
        method = message.get("method")
        params: _Json = message.get("params", {})  # type: ignore[assignment]
        if "id" not in message:
            known = method == "notifications/initialized" and self._version and params == {}
            self.seen += line + b"\n" if known else b""
            return bool(known)
        if method == "initialize":
            return self._initialize(line, message["id"], params)
        if self._version:
            return (
                method == "tools/list"
                and _is_plain(params)
                and self._answer(message["id"], f"tools/list {self._version}")
            )
        return self._discover(line, message["id"], method, params)

    def _initialize(self, line: bytes, request_id: object, params: _Json) -> bool:
        wanted = params.get("protocolVersion")
        if (
            self._version
            or self._modern
            or params.keys() != {"protocolVersion", "capabilities", "clientInfo"}
            or not _is_client(params["clientInfo"])
            or not _are_capabilities(params["capabilities"])
            or not isinstance(wanted, str)
        ):
            return False
        version = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        if not self._answer(request_id, f"initialize {version}"):
            return False
        self._version = version
        self._tell(line, request_id)
        return True

    def _discover(self, line: bytes, request_id: object, method: object, params: _Json) -> bool:
        meta = params.get("_meta")
        if method not in ("server/discover", "tools/list") or params.keys() != {"_meta"} or not isinstance(meta, dict):
            return False
        exact = (
            meta.get(f"{_META}protocolVersion") == MODERN_VERSION
            and _are_capabilities(meta.get(f"{_META}clientCapabilities"))
            and (f"{_META}clientInfo" not in meta or _is_client(meta[f"{_META}clientInfo"]))
            and not meta.keys() - {f"{_META}{key}" for key in ("protocolVersion", "clientCapabilities", "clientInfo")}
        )
        if not exact or not self._answer(request_id, f"{method} {MODERN_VERSION}"):
            return False
        if not self._modern:
            self._modern = True
            self._tell(line, request_id)  # a connection's first request decides its era
        return True

    def _tell(self, line: bytes, request_id: object) -> None:
        """The SDK will read this request too; its answer is dropped."""
        self.seen += line + b"\n"
        self.answered.append(request_id)

    def _answer(self, request_id: object, name: str) -> bool:
        blob = self._surface.blob(name)
        if blob is None:
            return False
        self.listed = self.listed or name.startswith("tools/list")
        view = memoryview(b'{"jsonrpc":"2.0","id":%s,"result":%s}\n' % (json.dumps(request_id).encode(), blob))
        while view:
            view = view[os.write(self._sink, view) :]
        return True


def _understood(line: bytes) -> _Json | None:
    """The message, if it is JSON-RPC beyond doubt; the SDK's parser judges the rest."""
    try:
        text = line.decode()
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.keys() - {"jsonrpc", "id", "method", "params"}:
        return None
    request_id = message.get("id", 0)
    if isinstance(request_id, bool) or not isinstance(request_id, int | str) or "\\u" in text:
        return None
    return message if message.get("jsonrpc") == "2.0" and isinstance(message.get("params", {}), dict) else None


def _is_client(client: object) -> bool:
    return (
        isinstance(client, dict)
        and {"name", "version"} <= client.keys() <= {"name", "version", "title", "description", "websiteUrl"}
        and all(isinstance(value, str) for value in client.values())
    )


def _are_capabilities(capabilities: object) -> bool:
    """What clients really send; anything stranger is the SDK's to judge."""
    if not isinstance(capabilities, dict):
        return False
    return all(
        value == {}
        or (
            name == "roots"
            and isinstance(value, dict)
            and value.keys() == {"listChanged"}
            and isinstance(value["listChanged"], bool)
        )
        or (
            name in ("sampling", "elicitation")
            and isinstance(value, dict)
            and all(each == {} for each in value.values())
        )
        for name, value in capabilities.items()
    )


def _is_plain(params: _Json) -> bool:
    """No cursor, no envelope of the other era; a progress token means nothing to a list."""
    meta = params.get("_meta", {})
    if params.keys() - {"_meta"} or not isinstance(meta, dict) or meta.keys() - {"progressToken"}:
        return False
    token = meta.get("progressToken", 0)
    return isinstance(token, int | str) and not isinstance(token, bool)
