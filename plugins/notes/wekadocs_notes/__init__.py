"""notes.*: a vault of Markdown notes, read, searched, walked along its links, and written.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import hookimpl

from .reading import get_node
from .state import NotesState

if TYPE_CHECKING:
    from wekadocs_mcp import Context


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[NotesState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[NotesState]:
    from wekadocs_corpus import Corpus

    from .state import opened

    yield opened(await context.use("corpus", Corpus), context.settings)


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [get_node.get_node]
