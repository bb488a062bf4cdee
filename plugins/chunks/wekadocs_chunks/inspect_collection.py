"""chunks.inspect_collection and chunks.list_projects: what there is, as it is now."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wekadocs_kit import corpus_errors
from wekadocs_mcp import tool

from .pages import Found, Rows, listed, page, rest_of
from .state import ChunksState, Doing, in_thread, progress_of, told
from .storing.batch import PAYLOAD_ORDER

if TYPE_CHECKING:
    from wekadocs_corpus import CollectionRow, CollectionsView, Standing, StoredChunk
    from wekadocs_mcp import Call

    from .projects import Project


_REACHED_WITHIN = 1.0  # seconds


@tool("chunks.inspect_collection")
async def inspect_collection(
    call: Call[ChunksState], project: str, sample: int, cursor: str | None, max_tokens: int | None
) -> dict[str, Any]:
    state, known = call.state, call.state.project(project)
    rest = await rest_of(call, cursor)
    with told(call, project, Doing("reading the collection")):
        names = state.names(await state.rows())
        fields = await state.collections.indexes(project)
        seen = await in_thread(call, lambda: state.collections.look(lambda view: _seen(view, project, sample)))
        bound = await state.binding(known, seen.row)
        migration = await _migration(state, seen.standing)
    head = {"project": project, "collection": names[project], "size": seen.size}
    model = {"embed_model": bound.model, "dimension": bound.dimension or None, "payload_keys": list(seen.payload_keys)}
    there = fields if seen.row else []
    indexes = {kind: [field for field, each in there if each == kind] for kind in ("keyword", "fulltext")}
    samples = rest[0] if rest else [_payload(each, bound.model) for each in seen.sample]

    def show(some: Rows) -> dict[str, Any]:
        return {**head, **model, "indexes": indexes, "sample": list(some), **migration}

    return page(call, samples, {}, show, max_tokens)


@dataclass(frozen=True)
class _Seen:
    """In one look: what a migration swaps meanwhile does not mix."""

    row: CollectionRow | None
    standing: Standing | None
    size: int = 0
    payload_keys: Sequence[str] = ()
    sample: Sequence[StoredChunk] = ()


def _seen(view: CollectionsView, project: str, sample: int) -> _Seen:
    from wekadocs_corpus import Standing

    row, rebuild = view.collection(project), view.rebuild(project)
    if row is None:
        return _Seen(None, None)
    size = view.size(row.number)
    keys = sorted(view.payload_keys(row.number), key=PAYLOAD_ORDER.index)
    standing = Standing(rebuild, size) if rebuild else None
    return _Seen(row, standing, size, keys, view.sample(row.number, sample))


async def _migration(state: ChunksState, standing: Standing | None) -> dict[str, Any]:
    """How far a rebuild has come; one that a killed process left is taken up again."""
    if standing is None:
        return {}
    project = standing.rebuild.project
    await state.rebuilds.nudge(project)
    why = "" if state.rebuilds.works_on(project) else state.rebuilds.reason(project)
    return {"migration": progress_of(standing) | ({"reason": why} if why else {})}


def _payload(chunk: StoredChunk, model: str) -> dict[str, Any]:
    """Without its text; a migration changed the model of all of them at once."""
    shown = {name: value for name, value in chunk.payload.items() if name != "fulltext"}
    return {"id": chunk.id, **shown, "embed_model": model}


@tool("chunks.list_projects")
async def list_projects(call: Call[ChunksState], cursor: str | None, max_tokens: int | None) -> dict[str, Any]:
    state = call.state

    async def find() -> Found:
        with corpus_errors():
            stored = await state.rows()
        names, projects = state.names(stored), state.configured.projects.values()
        return [await _listed(state, each, stored, names[each.id]) for each in projects], {}

    return await listed(call, "projects", find, cursor, max_tokens, counted=False)


async def _listed(state: ChunksState, project: Project, stored: dict[str, CollectionRow], name: str) -> dict[str, Any]:
    row = stored.get(project.id)
    model, dimension = (row.model, row.dimension) if row else await _set(state, project)
    return {
        "id": project.id,
        "collection": name,
        "embed_model": model,
        "hybrid_enabled": project.hybrid_enabled,
        "dimension": dimension or None,
    }


async def _set(state: ChunksState, project: Project) -> tuple[str, int]:
    """The model and dimension of a project without chunks. A model that cannot be reached now still has its name."""
    from wekadocs_corpus import CorpusError

    model, dimension = project.embedding_model, project.dimension
    servers = None if project.embedding else state.servers_model()
    if servers and model in ("", servers[0]):
        return servers
    if model and dimension:
        return model, dimension
    try:
        async with asyncio.timeout(_REACHED_WITHIN):
            bound = await state.binding(project, None)
        return bound.model, bound.dimension
    except (CorpusError, TimeoutError):
        return model or str(state.corpus.settings["embedding"].get("model") or "unknown"), dimension
