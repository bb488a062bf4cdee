"""chunks.*: passages of papers and books, stored in projects and found again with what a citation needs.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import Prompt, hookimpl

from . import checks, inspect_collection, prompts, search
from .ingesting import ingest_documents
from .quotes import find_quote, verify_quotes
from .references import format_citation
from .state import ChunksState
from .storing import delete_chunks, store_chunks
from .zotero import zotero_annotations, zotero_collections, zotero_items

if TYPE_CHECKING:
    from collections.abc import Mapping

    import click

    from wekadocs_mcp import Context, HealthCheck


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[ChunksState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[ChunksState]:
    from wekadocs_corpus import Corpus
    from wekadocs_kit import Scratch

    from .ingesting.watching import watching
    from .projects import configured

    settings = context.settings
    corpus, scratch = await context.use("corpus", Corpus), await context.use("scratch", Scratch)
    state = ChunksState(corpus, scratch, configured(settings), settings.get("styles", ""))
    state.rebuilds.may_write = not context.read_only
    if not context.read_only:
        state.rebuilds.begin()
    try:
        if context.read_only or not context.serving:
            yield state
            return
        async with watching(state):
            yield state
    finally:
        await state.rebuilds.close()


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [
        store_chunks.store_chunks,
        search.find_chunks,
        search.query_hybrid,
        inspect_collection.inspect_collection,
        inspect_collection.list_projects,
        delete_chunks.delete_chunks,
        ingest_documents.ingest_documents,
        find_quote.find_quote,
        verify_quotes.verify_quotes,
        format_citation.format_citation,
        zotero_items.zotero_items,
        zotero_annotations.zotero_annotations,
        zotero_collections.zotero_collections,
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    from .ingesting.command import chunks

    return [chunks]


@hookimpl
def register_prompts() -> Sequence[Prompt]:
    return prompts.PROMPTS


@hookimpl
def register_health_checks() -> Mapping[str, HealthCheck]:
    return {"projects": checks.projects}
