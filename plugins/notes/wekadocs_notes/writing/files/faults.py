"""What is told where a disk does not take what it is to keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wekadocs_mcp import ToolError

from ...errors import provider_error


@contextmanager
def unwritten() -> Iterator[None]:
    """Around whatever leaves the notes as they were when it fails."""
    try:
        yield
    except OSError as error:
        raise provider_error(f"The vault cannot be written ({_why(error)}). Nothing was changed.") from error


@contextmanager
def unended(cause: OSError | ToolError) -> Iterator[None]:
    """Around the way back from a change that failed half way: where that fails too, the change is ended later."""
    try:
        yield
    except (OSError, ToolError) as error:
        told = f"The vault cannot be written ({_why(cause)}), which was found out half way."
        raise provider_error(f"{told} The change is ended by the next call after it can be.") from error


def _why(error: OSError | ToolError) -> str:
    if isinstance(error, ToolError):
        return error.message.rstrip(".")
    return error.strerror or type(error).__name__
