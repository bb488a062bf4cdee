"""The fast door: answers a stdio client's first messages from a compiled surface, before anything heavy is imported.

Only exactly recognised `initialize`, `server/discover` and `tools/list` are answered here, with the bytes the SDK gave
when the surface was recorded; whatever else comes waits for the SDK, which is imported meanwhile.
"""

import json
import os
import select
import stat
import sys

from . import __version__, cache

# ruff: noqa: PTH
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSION = "2026-07-28"
_META = "io.modelcontextprotocol/"
_SILENCE = 0.02
_MAX_LINE = 1 << 20
_Json = dict[str, object]


def surface_name(argv: list[str]) -> str:
    """Which surface belongs to this command: everything that is known before a file is read."""
    parts = [__version__, sys.version, os.getcwd(), os.path.dirname(os.path.abspath(__file__)), *sys.path, "\0", *argv]
    return f"surface/{cache.digest(*(part.encode('utf-8', 'surrogateescape') for part in parts))}"


def folder_times(folders: list[str]) -> list[int]:
    """When something was last installed into, or removed from, each folder."""
    times = []
    for folder in folders:
        try:
            times.append(os.stat(folder).st_mtime_ns)
        except OSError:
            times.append(0)
    return times


def watched(watch: list[list[str]]) -> str:
    """One digest over the bytes of everything the surface was made from."""
    parts: list[bytes] = []
    for path, *suffixes in watch:
        parts += cache.tree_bytes(path, tuple(suffixes))
    return cache.digest(*parts)


class Surface:
    """A recorded surface: a header line of JSON, then the recorded bytes one after another."""

    def __init__(self, header: _Json, blobs: bytes) -> None:
        self.header = header
        self._blobs = blobs
        self._index: dict[str, list[int]] = header["blobs"]  # type: ignore[assignment]

    def blob(self, name: str) -> bytes | None:
        place = self._index.get(name)
        return self._blobs[place[0] : place[0] + place[1]] if place else None


def load(argv: list[str]) -> Surface | None:
    """The surface for this command, if nothing it was made from has changed."""
    raw = cache.read(surface_name(argv))
    if raw is None:
        return None
    try:
        end = raw.index(b"\n")
        surface = Surface(json.loads(raw[:end]), raw[end + 1 :])
        header: dict[str, object] = surface.header
        environment: dict[str, str | None] = header["environment"]  # type: ignore[assignment]
        fresh = (
            len(raw) == header["size"]
            and all(os.environ.get(name) == value for name, value in environment.items())
            and folder_times(header["folders"]) == header["times"]  # type: ignore[arg-type]
            and watched(header["watch"]) == header["watched"]  # type: ignore[arg-type]
        )
    except (ValueError, KeyError, TypeError):
        return None
    return surface if fresh else None


def is_pipe(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class Door:
    """Reads lines from stdin and answers what it knows. `seen` is what the SDK must still be told."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._buffer = b""
        self._version: str | None = None
        self._left_open = True
        self.listed = False
        self.seen = b""
        self.answered: list[object] = []

    def greet(self) -> None:
        """Answer until the client falls silent, asks for something else, or has got its list of tools."""
        while self._left_open and not self.listed:
            timeout = _SILENCE if self._version else None
            if not select.select([0], [], [], timeout)[0]:
                return
            self._read()

    def attend(self, ready: int) -> None:
        """Go on answering while the SDK is imported elsewhere; `ready` becomes readable when that is done."""
        while self._left_open:
            found, _, _ = select.select([0, ready], [], [])
            if ready in found:
                return
            self._read()

    def rest(self) -> bytes:
        """All that the SDK must read: what it has to know of, then what nobody has answered."""
        return self.seen + self._buffer

    def _read(self) -> None:
        chunk = os.read(0, 1 << 16)
        self._buffer += chunk
        if not chunk or len(self._buffer) > _MAX_LINE:
            self._left_open = False
        while self._left_open and b"\n" in self._buffer:
            line, _, after = self._buffer.partition(b"\n")
            if not self._line(line):
                self._left_open = False
                return
            self._buffer = after

    def _line(self, line: bytes) -> bool:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return False
        method, params = message.get("method"), message.get("params", {})
        if message.keys() == {"jsonrpc", "method"} or message.keys() == {"jsonrpc", "method", "params"}:
            if method == "notifications/initialized" and self._version and params == {}:
                self.seen += line + b"\n"
                return True
            return False
        if not isinstance(params, dict) or message.keys() - {"jsonrpc", "id", "method", "params"}:
            return False
        request_id = message.get("id")
        if isinstance(request_id, bool) or not isinstance(request_id, int | str):
            return False
        if method == "initialize":
            return self._initialize(line, request_id, params)
        name = self._known(method, params)
        return name is not None and self._answer(request_id, name)

    def _initialize(self, line: bytes, request_id: object, params: _Json) -> bool:
        client, capabilities = params.get("clientInfo"), params.get("capabilities")
        wanted = params.get("protocolVersion")
        if (
            self._version
            or params.keys() != {"protocolVersion", "capabilities", "clientInfo"}
            or not isinstance(client, dict)
            or not all(isinstance(client.get(key), str) for key in ("name", "version"))
            or not all(isinstance(value, str) for value in client.values())
            or not isinstance(capabilities, dict)
            or not all(value == {} or value == {"listChanged": True} for value in capabilities.values())
            or not isinstance(wanted, str)
        ):
            return False
        version = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        if not self._answer(request_id, f"initialize {version}"):
            return False
        self._version = version
        self.seen += line + b"\n"
        self.answered.append(request_id)
        return True

    def _known(self, method: object, params: _Json) -> str | None:
        """The recorded answer that fits this request, if any does."""
        meta = params.get("_meta", {})
        if params.keys() - {"_meta"} or not isinstance(meta, dict):
            return None
        if self._version:
            modern = any(key.startswith(_META) for key in meta)
            return f"tools/list {self._version}" if method == "tools/list" and not modern else None
        client = meta.get(f"{_META}clientInfo", {"name": "", "version": ""})
        exact = (
            meta.get(f"{_META}protocolVersion") == MODERN_VERSION
            and isinstance(meta.get(f"{_META}clientCapabilities"), dict)
            and all(isinstance(value, dict) for value in meta[f"{_META}clientCapabilities"].values())
            and isinstance(client, dict)
            and all(isinstance(client.get(key), str) for key in ("name", "version"))
            and not meta.keys() - {f"{_META}{key}" for key in ("protocolVersion", "clientCapabilities", "clientInfo")}
        )
        return f"{method} {MODERN_VERSION}" if exact and method in ("server/discover", "tools/list") else None

    def _answer(self, request_id: object, name: str) -> bool:
        blob = self._surface.blob(name)
        if blob is None:
            return False
        self.listed = self.listed or name.startswith("tools/list")
        view = memoryview(b'{"jsonrpc":"2.0","id":%s,"result":%s}\n' % (json.dumps(request_id).encode(), blob))
        while view:
            view = view[os.write(1, view) :]
        return True
