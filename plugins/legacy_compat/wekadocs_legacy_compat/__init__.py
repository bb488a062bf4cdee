"""The former server's tools under their old names, over the same services as kb.* and graph.*.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_kit import Scratch
from wekadocs_mcp import HttpRoute, hookimpl

from . import bundles, clients, get_section_text, rest, search_documentation, search_sections
from .graph import describe_nodes, entities, expand_neighbors, get_paths_between, hierarchy, traverse_relationships
from .state import LegacyState

if TYPE_CHECKING:
    from wekadocs_mcp import Context


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[LegacyState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[LegacyState]:
    """Of kb and graph only what stands under their tools: these answer also where those are switched off."""
    from wekadocs_corpus import Corpus

    rest.dates(context.settings)  # a day that does not exist is told at start, not to a client
    yield LegacyState(await context.use("corpus", Corpus), await context.use("scratch", Scratch))


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [
        search_sections.search_sections,
        get_section_text.get_section_text,
        expand_neighbors.expand_neighbors,
        describe_nodes.describe_nodes,
        get_paths_between.get_paths_between,
        hierarchy.list_children,
        hierarchy.list_parents,
        entities.get_entities_for_sections,
        entities.get_sections_for_entities,
        traverse_relationships.traverse_relationships,
        bundles.summarize_neighborhood,
        bundles.compute_context_bundle,
        search_documentation.search_documentation,
    ]


@hookimpl
def register_http_routes() -> Sequence[HttpRoute]:
    return rest.ROUTES


@hookimpl
def register_client_checks() -> Sequence[Callable[..., Any]]:
    return [clients.check]
