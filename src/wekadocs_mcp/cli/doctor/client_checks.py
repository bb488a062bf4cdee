"""What is wrong with an entry of a client's configuration, whichever server it is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wekadocs_mcp.plugins.health import Finding

from .client_files import ClientEntry

_TRANSPORTS = ("stdio", "http", "sse", "streamable-http", "streamable_http", "streamablehttp", "ws", "websocket")
LOCAL = '"command": "wekadocs-mcp", "args": ["serve"]'
_REMOTE = '"type": "http", "url": "http://127.0.0.1:8765/_mcp"'


def odd(entry: ClientEntry) -> Iterator[Finding]:
    """What a client would trip over or has to guess."""
    yield from _reached(entry)
    yield from _forms(entry)


def _reached(entry: ClientEntry) -> Iterator[Finding]:
    started, url, transport = entry.is_started, entry.url, entry.transport
    if started and url:
        yield Finding("warning", "command", "there is a url too: clients take either one or the other", "remove one")
    elif not started and not url:
        yield Finding("warning", "command", "there is neither a command nor a url", f"{LOCAL}, or {_REMOTE}")
    if not transport:
        return
    if transport.lower() not in _TRANSPORTS:
        known = ", ".join(_TRANSPORTS[:4])
        yield Finding("warning", "type", f"no client knows the transport {transport[:80]!r}", f"one of {known}")
    elif started != bool(url) and started != (transport.lower() == "stdio"):
        fits = "stdio" if started else "http"
        yield Finding("warning", "type", f"it says {transport!r}, the entry is one for {fits}", f'"type": "{fits}"')


def _forms(entry: ClientEntry) -> Iterator[Finding]:
    command, url = entry.data.get("command"), entry.url
    if command and not isinstance(command, str | list):
        yield Finding("warning", "command", "it is no string", LOCAL)
    if not isinstance(entry.data.get("args", []), list):
        yield Finding("warning", "args", "it is no list", '"args": ["serve"]')
    if not isinstance(entry.data.get("env", {}), Mapping):
        yield Finding("warning", "env", "it is no object", '"env": {"WEKADOCS_DATA": "/path/to/data"}')
    if url and not url.startswith(("http://", "https://", "ws://", "wss://", "$")):
        yield Finding("warning", "url", f"it is no address: {url[:120]}", _REMOTE)
