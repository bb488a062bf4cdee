"""What the corpus refuses, as a tool's caller can act on it; for every plugin that asks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from wekadocs_corpus.errors import CorpusError, Unavailable
from wekadocs_mcp import ToolError

_FILLING = "The documents are being taken in at this moment: ask again in a few seconds."
_EMPTY = "Nothing is indexed yet: run `wekadocs-mcp ingest DIR` on the server's machine, then ask again."


@contextmanager
def told(*otherwise: type[CorpusError]) -> Iterator[None]:
    """The corpus's own errors as BACKEND_UNAVAILABLE, except those the caller tells in another way."""
    try:
        yield
    except otherwise:
        raise
    except Unavailable as error:
        raise ToolError("BACKEND_UNAVAILABLE", str(error), retryable=True) from error
    except CorpusError as error:
        raise ToolError("BACKEND_UNAVAILABLE", str(error), retryable=False) from error


async def refuse_when_empty(corpus: Any, scope: Any) -> None:
    if await corpus.is_empty(scope):
        if corpus.filling:
            raise ToolError("BACKEND_UNAVAILABLE", _FILLING, {"reason": "ingest_running"}, retryable=True)
        raise ToolError("BACKEND_UNAVAILABLE", _EMPTY, {"reason": "nothing_indexed"}, retryable=False)
