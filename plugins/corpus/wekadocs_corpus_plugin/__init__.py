"""The documents of this server: owns the process's one Corpus and the commands that fill and show it.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from wekadocs_mcp import hookimpl

if TYPE_CHECKING:
    import click

    from wekadocs_corpus import Corpus
    from wekadocs_mcp import Context, HealthCheck, Resource


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[Corpus]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[Corpus]:
    from wekadocs_corpus import Corpus, CorpusError, Unavailable
    from wekadocs_mcp import ToolError

    from .follow import following

    try:
        corpus = await Corpus.open(context.data_dir, context.settings, context.scope)
    except CorpusError as error:  # in its own words, which `doctor` tells
        raise ToolError("BACKEND_UNAVAILABLE", str(error), retryable=isinstance(error, Unavailable)) from error
    try:
        async with following(context, corpus), corpus.graph_followed(context.log.warning):
            yield corpus
    finally:
        await corpus.close()


@hookimpl
def prepare_examples(context: Context) -> None:
    from .sample import ingest_sample

    ingest_sample(context)


@hookimpl
def register_resources() -> Sequence[Resource]:
    from .resources import RESOURCES

    return RESOURCES


@hookimpl
def register_commands() -> Iterable[click.Command]:
    from .commands import COMMANDS

    return COMMANDS


@hookimpl
def register_metrics() -> Mapping[str, tuple[str, Callable[[Corpus], float]]]:
    return {"deduped_total": ("Candidates left out for another of their document.", lambda corpus: corpus.deduped)}


@hookimpl
def register_health_checks() -> Mapping[str, HealthCheck]:
    from .checks import CHECKS

    return CHECKS
