"""What the corpus refuses, as a tool's caller can act on it; for every plugin that asks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wekadocs_corpus import CorpusError, Unavailable
from wekadocs_mcp import ToolError

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, Scope

_FILLING = "The documents are being taken in at this moment: ask again in a few seconds."
_INGEST = "run `wekadocs-mcp ingest DIR`"
_DOWN = "The documents cannot be asked now: {}. Try again soon; `wekadocs-mcp doctor` on the server tells more."
_SHOWN = 3


@contextmanager
def corpus_errors(*otherwise: type[CorpusError]) -> Iterator[None]:
    """The corpus's own errors as BACKEND_UNAVAILABLE, except those the caller tells in another way."""
    try:
        yield
    except otherwise:
        raise
    except Unavailable as error:
        raise ToolError("BACKEND_UNAVAILABLE", _DOWN.format(error), retryable=True) from error
    except CorpusError as error:
        raise ToolError("BACKEND_UNAVAILABLE", str(error), retryable=False) from error


async def refuse_when_empty(corpus: Corpus, scope: Scope) -> None:
    """Nothing found where nothing is indexed has another reason than the question."""
    if await corpus.is_empty(scope):
        if corpus.filling:
            raise ToolError("BACKEND_UNAVAILABLE", _FILLING, {"reason": "ingest_running"}, retryable=True)
        what, way = await nothing_indexed(corpus, scope)
        message = f"{what}: {way} on the server's machine, then ask again."
        raise ToolError("BACKEND_UNAVAILABLE", message, {"reason": "nothing_indexed"}, retryable=False)


async def nothing_indexed(corpus: Corpus, scope: Scope) -> tuple[str, str]:
    """What is said of an empty scope, and the way out; documents that were stamped otherwise are the usual reason."""
    there = [f"project `{project}` ({environment})" for project, environment in await corpus.stamps()]
    if not there:
        return "Nothing is indexed yet", _INGEST
    others = f"{', '.join(there[:_SHOWN])}{' and more' if there[_SHOWN:] else ''}"
    what = f"Nothing is indexed for project `{scope.project_id}` ({scope.environment}), only for {others}"
    return what, f"name that one under `scope:` in tools.yaml, or {_INGEST}"
