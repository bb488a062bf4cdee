"""graph.*: what is connected with what; projections, never text.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_kit import Scratch
from wekadocs_mcp import Prompt, hookimpl

from . import children, describe, entities_for_sections, expand, parents, paths, prompts, sections_for_entities
from .answers import GraphState

if TYPE_CHECKING:
    import click

    from wekadocs_mcp import Context


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[GraphState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[GraphState]:
    from wekadocs_corpus import Corpus

    yield GraphState(await context.use("corpus", Corpus), await context.use("scratch", Scratch))


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [
        describe.describe,
        expand.expand,
        paths.paths,
        parents.parents,
        children.children,
        entities_for_sections.entities_for_sections,
        sections_for_entities.sections_for_entities,
    ]


@hookimpl
def register_prompts() -> Sequence[Prompt]:
    return prompts.PROMPTS


@hookimpl
def register_commands() -> Sequence[click.Command]:
    from .commands import COMMANDS

    return COMMANDS
