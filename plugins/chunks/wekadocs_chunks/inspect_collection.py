"""chunks.inspect_collection and chunks.list_projects: what there is, as it is now."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from wekadocs_kit import as_many_as_fit, corpus_errors
from wekadocs_mcp import tool

from .state import ChunksState, Doing, in_thread, progress_of, told
from .storing.batch import PAYLOAD_ORDER

if TYPE_CHECKING:
    from wekadocs_corpus import CollectionRow, CollectionsView, StoredChunk
    from wekadocs_mcp import Call

    from .projects import Project


@tool("chunks.inspect_collection")
async def inspect_collection(call: Call[ChunksState], project: str, sample: int) -> dict[str, Any]:
    state, known = call.state, call.state.project(project)
    with told(call, project, Doing("reading the collection")):
        rows = await state.rows()
        row = rows.get(project)
        bound = await state.binding(known, row)
        fields = await state.collections.indexes(project)
        read = await in_thread(call, lambda: state.collections.look(lambda view: _read(view, row, sample, fields)))
        migration = await _migration(state, project)
    samples = read.pop("sample")

    def show(taken: int) -> dict[str, Any]:
        head = {"project": project, "collection": state.names(rows)[project], "size": read["size"]}
        model = {"embed_model": bound.model, "dimension": bound.dimension or None}
        return {
            **head,
            **model,
            **{name: read[name] for name in ("payload_keys", "indexes")},
            "sample": samples[:taken],
            **migration,
        }

    return as_many_as_fit(call, len(samples), show, least=0)


async def _migration(state: ChunksState, project: str) -> dict[str, Any]:
    """How far a rebuild has come; one that a killed process left is taken up again."""
    standing = await state.corpus.in_thread(state.collections.migrations.standing, project)
    if standing is None:
        return {}
    await state.rebuilds.nudge(project)
    reason = {} if state.rebuilds.works_on(project) else {"reason": state.rebuilds.reason(project)}
    return {"migration": progress_of(standing) | {name: why for name, why in reason.items() if why}}


def _read(
    view: CollectionsView, row: CollectionRow | None, sample: int, fields: list[tuple[str, str]]
) -> dict[str, Any]:
    if row is None:
        return {"size": 0, "payload_keys": [], "indexes": {"keyword": [], "fulltext": []}, "sample": []}
    return {
        "size": view.size(row.number),
        "payload_keys": sorted(view.payload_keys(row.number), key=PAYLOAD_ORDER.index),
        "indexes": {kind: [field for field, each in fields if each == kind] for kind in ("keyword", "fulltext")},
        "sample": [_payload(each, row.model) for each in view.sample(row.number, sample)],
    }


def _payload(chunk: StoredChunk, model: str) -> dict[str, Any]:
    """Without its text; a migration changed the model of all of them at once."""
    shown = {name: value for name, value in chunk.payload.items() if name != "fulltext"}
    return {"id": chunk.id, **shown, "embed_model": model}


@tool("chunks.list_projects")
async def list_projects(call: Call[ChunksState]) -> dict[str, Any]:
    state = call.state
    with corpus_errors():
        stored = await state.rows()
    names = state.names(stored)
    rows = [await _listed(state, project, stored, names[project.id]) for project in state.configured.projects.values()]

    def show(taken: int) -> dict[str, Any]:
        return {"projects": rows[:taken], **({"partial": True} if taken < len(rows) else {})}

    return as_many_as_fit(call, len(rows), show)


async def _listed(state: ChunksState, project: Project, stored: dict[str, CollectionRow], name: str) -> dict[str, Any]:
    """A model that cannot be reached now still has its name."""
    from wekadocs_corpus import CorpusError

    row = stored.get(project.id)
    model, dimension = (row.model, row.dimension) if row else (project.embedding_model, project.dimension)
    if not model or (not dimension and not row):
        try:
            async with asyncio.timeout(1.0):
                bound = await state.binding(project, None)
                model, dimension = bound.model, bound.dimension
        except (CorpusError, TimeoutError):
            model = model or str(state.corpus.settings["embedding"].get("model") or "unknown")
    return {
        "id": project.id,
        "collection": name,
        "embed_model": model,
        "hybrid_enabled": project.hybrid_enabled,
        "dimension": dimension or None,
    }
