"""The words of asking a server: how it is called, over what, and what it offers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

SECONDS = 30.0
OLDER, NEWER = "2025-11-25", "2026-07-28"


@dataclass(frozen=True)
class Calling:
    """How a server is asked: with which headers, and for how long."""

    token: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = SECONDS


class Refusal(Exception):
    """The server answers with a JSON-RPC error."""

    def __init__(self, message: str, code: object) -> None:
        super().__init__(message)
        self.is_unknown = code == -32601  # a method that it does not have, and need not have


class Line(Protocol):
    """A transport: one request, one answer."""

    notes: list[str]

    def request(self, message: dict[str, Any], deadline: float) -> dict[str, Any]: ...

    def notify(self, message: dict[str, Any]) -> None: ...

    def close(self) -> None: ...


@dataclass
class Offer:
    """Everything a server says of itself, as it says it."""

    initialized: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, list[Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        known = ("protocolVersion", "serverInfo", "capabilities", "instructions")
        return {**{key: self.initialized[key] for key in known if key in self.initialized}, **self.lists}
