"""notes.*: a vault of Markdown notes, read, searched, walked along its links, and written.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import Prompt, Resource, hookimpl

from . import checks, examples
from .exploring import (
    daily_notes,
    link_context,
    list_nodes,
    list_tags,
    local_graph,
    prompts,
    resolve_nodes,
    resources,
    suggest_links,
    vault_guide,
)
from .reading import find_path, get_hubs, get_neighbors, get_node, search, tagged
from .state import NotesState
from .writing import append, create_node, delete_node, move_node, patch_section, update_node

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wekadocs_mcp import Context, HealthCheck


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[NotesState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[NotesState]:
    from wekadocs_corpus import Corpus

    from .state import opened

    settings = examples.settings_for(context.data_dir, context.settings)
    async with opened(await context.use("corpus", Corpus), settings) as state:
        yield state


@hookimpl
def prepare_examples(context: Context) -> None:
    examples.prepare(context.data_dir)


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [
        search.search,
        get_node.get_node,
        get_neighbors.get_neighbors,
        find_path.find_path,
        get_hubs.get_hubs,
        tagged.search_by_tags,
        tagged.random_node,
        list_nodes.list_nodes,
        list_tags.list_tags,
        resolve_nodes.resolve_nodes,
        local_graph.local_graph,
        link_context.link_context,
        suggest_links.suggest_links,
        daily_notes.daily_notes,
        vault_guide.vault_guide,
        create_node.create_node,
        update_node.update_node,
        delete_node.delete_node,
        move_node.move_node,
        append.append,
        patch_section.patch_section,
    ]


@hookimpl
def register_resources() -> Sequence[Resource]:
    return resources.RESOURCES


@hookimpl
def register_prompts() -> Sequence[Prompt]:
    return prompts.PROMPTS


@hookimpl
def register_health_checks() -> Mapping[str, HealthCheck]:
    return {"vaults": checks.vaults}
