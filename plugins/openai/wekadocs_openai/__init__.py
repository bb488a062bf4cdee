"""search and fetch as ChatGPT's connectors and deep research demand them, on kb.*.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import hookimpl

from . import fetch, search

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus
    from wekadocs_mcp import Context


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[Corpus]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[Corpus]:
    from wekadocs_corpus import Corpus

    yield await context.use("corpus", Corpus)


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [search.search, fetch.fetch]
