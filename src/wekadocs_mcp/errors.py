"""Everything that can go wrong, and who reads it.

Exception
├── ToolError        the model reads it: a code, a message with the way out, details
├── ProtocolError    the client library reads it: a JSON-RPC error code
└── StartError       the operator reads it: every mistake in every file, with file, line and caret
    └── Refused      a file that asks for more than a contract may: nothing else of it is looked at
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import Any

_RETRYABLE = frozenset({"BACKEND_UNAVAILABLE", "TIMEOUT"})
_UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


class ToolError(Exception):
    """A failure the model can act on. The message says what to do next."""

    def __init__(
        self,
        code: str,
        message: str,
        details: Mapping[str, object] | None = None,
        retryable: bool | None = None,
        beside: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, message)
        if not _UPPER_SNAKE.fullmatch(code):
            raise ValueError(f"ToolError code {code!r} must be UPPER_SNAKE, such as NOT_FOUND")
        if not message.strip():
            raise ValueError("ToolError needs a message that tells the caller what to do")
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.retryable = code in _RETRYABLE if retryable is None else retryable
        self.beside = dict(beside or {})  # further fields of the failed answer, beside `error`
        self.why = ""  # of our own mistakes: what the log has, for whoever writes the tool; never sent

    def envelope(self) -> dict[str, Any]:
        body = {"code": self.code, "message": self.message, "details": self.details, "retryable": self.retryable}
        return {"error": body, **self.beside}

    def renamed(self, codes: Mapping[str, str]) -> ToolError:
        """Under the name a contract has for its code."""
        if self.code not in codes:
            return self
        told = ToolError(codes[self.code], self.message, self.details, self.retryable, self.beside)
        told.why = self.why
        return told

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def internal_error() -> ToolError:
    """Our fault, told in one neutral sentence; the id leads from what the caller reads to the log."""
    number = secrets.token_hex(4)
    message = (
        f"The server made a mistake and could not answer. Its operator finds the cause in the log under id {number}."
    )
    return ToolError("INTERNAL_ERROR", message, {"id": number})


class ProtocolError(Exception):
    """A JSON-RPC error: the request itself cannot be served. The client library reads it."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.data = data
