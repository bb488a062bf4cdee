"""A live server's tools, as whoever has a client for the protocol lists them: this library has none."""

from __future__ import annotations

from wekadocs_contracts.diff.problems import Unreachable

from .files import wire_tools
from .sides import Operand, Reading


def read_live(text: str, reading: Reading) -> Operand:
    if reading.ask is None:
        raise Unreachable(f"{text}: nothing here can ask a live server; save its tools/list as JSON and name that file")
    try:
        tools = reading.ask(text, reading.token)
    except Unreachable:
        raise
    except Exception as error:
        raise Unreachable(
            f"{text}: {_reason(error)}; is it running, and is the bearer right (--token, MCP_AUTH_TOKEN)?"
        ) from None
    who = "with a bearer" if reading.token and not text.startswith("stdio:") else "anonymously"
    return Operand.of(
        text, "live", wire_tools(tools, text), note=f"{text} was asked {who}; a list may differ by caller"
    )


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
