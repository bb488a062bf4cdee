"""What a plugin serves over HTTP beside MCP: behind the same door, with the same limits, by the same dispatcher."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wekadocs_contracts.problems import Problem

from .importing import Plugin

if TYPE_CHECKING:
    from wekadocs_mcp.calls.answers import Outcome
    from wekadocs_mcp.overview import Overview

RESERVED = ("/", "/_mcp", "/mcp", "/healthz", "/readyz", "/metrics")


@dataclass(frozen=True)
class HttpReply:
    """An answer: JSON, or bytes whose content-type stands among the headers."""

    body: Mapping[str, Any] | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HttpRequest:
    """One request, as far as a plugin may know it: who asks is the host's business."""

    body: Any  # of a POST, read from JSON; None otherwise
    is_known: bool  # the caller has authenticated
    settings: Mapping[str, Any]  # the plugin's
    server_info: Mapping[str, str]
    tool: Callable[[str], dict[str, Any] | None]  # as tools/list has it; None if there is none that answers
    call: Callable[[str, Mapping[str, Any]], Awaitable[Outcome]]
    content_type: str  # of the body, in small letters and without parameters
    state: Callable[[], Awaitable[Any]]  # what the plugin's lifespan yields
    overview: Overview  # what whoever runs the server may know of it


Handle = Callable[[HttpRequest], Awaitable[HttpReply]]


@dataclass(frozen=True)
class HttpRoute:
    """An endpoint; `flag` is the switch that must be on, if there is one.

    `public`: it needs no token, as a browser has none before its user gave it; it may tell nothing of this server.
    """

    method: str
    path: str
    handle: Handle
    flag: str | None = None
    public: bool = False


def problems(plugins: Iterable[Plugin]) -> Iterator[Problem]:
    owners: dict[str, str] = dict.fromkeys(RESERVED, "the host")
    for plugin in plugins:
        for route in plugin.routes:
            if not isinstance(route, HttpRoute):
                message = f"register_http_routes returned a {type(route).__name__}, not an HttpRoute"
                yield Problem(f"plugin {plugin.name}", message, "from wekadocs_mcp import HttpRoute")
            elif not route.path.startswith("/") or route.method not in ("GET", "POST"):
                message = f"`{route.method} {route.path}` is no endpoint"
                yield Problem(f"plugin {plugin.name}", message, "a method is GET or POST, and a path begins with /")
            elif route.path in owners:
                message = f"`{route.path}` is taken by {owners[route.path]}"
                yield Problem(f"plugin {plugin.name}", message, "choose another path")
            else:
                owners[route.path] = f"plugin {plugin.name}"
