"""web.*: questions answered from pages of the web, which are fetched, indexed and quoted.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import Resource, hookimpl

from . import answer, checks, ingest, read, refresh, search, status
from .events import log
from .resources import RESOURCES
from .state import WebState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wekadocs_mcp import Context, HealthCheck


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[WebState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[WebState]:
    from wekadocs_corpus import Corpus
    from wekadocs_fetch import Fetcher

    from .book.pages import Book
    from .library import Library

    folder = context.data_dir / "web"
    corpus = await context.use("corpus", Corpus)
    book = await corpus.in_thread(Book, corpus.truth)
    async with Fetcher.of(context.settings, folder / "cache") as fetcher:
        log.info("engine started")
        library = Library(corpus, book, fetcher, context.settings["read_seconds"])
        yield WebState(corpus, fetcher, book, library, context.settings)
    log.info("engine stopped")


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [answer.answer, search.search, status.status, ingest.ingest, refresh.refresh, read.read]


@hookimpl
def register_resources() -> Sequence[Resource]:
    return RESOURCES


@hookimpl
def register_health_checks() -> Mapping[str, HealthCheck]:
    return {"fetching": checks.fetching}
