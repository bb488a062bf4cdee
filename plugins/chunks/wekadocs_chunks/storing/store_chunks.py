"""chunks.store_chunks: a batch of chunks into a project's collection, all of it or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from .. import filters
from ..errors import embedding_mismatch
from ..state import ChunksState, Doing, after_writing, in_thread, told, until
from . import batch
from .referenced import with_references

if TYPE_CHECKING:
    from wekadocs_corpus import Claim, Embedder, NewChunk
    from wekadocs_mcp import Call

    from ..projects import Project

_MOST_WARNINGS = 50


@dataclass(frozen=True)
class _Target:
    """What the batch is written into."""

    claim: Claim
    embedder: Embedder | None
    migrates: bool


@tool("chunks.store_chunks")
async def store_chunks(
    call: Call[ChunksState], project: str, items: list[dict[str, Any]], final: bool, migrate: bool
) -> dict[str, Any]:
    state, doing = call.state, Doing("reading the batch")
    known = state.project(project)
    batch.check_size(known, len(items), call.limits["batch_items"], final)
    with told(call, project, doing, writes=True):
        target = await _target(state, known, items, migrate)
        done = await in_thread(call, lambda: _stored(call, known, target, items, doing))
    behind = await state.collections.publish(project, after_writing(call))
    return {
        "chunks_written": len(done.ids),
        "project": project,
        "embed_model": target.claim.model,
        "warnings": _bounded([*done.told, *([behind] if behind else [])]),
    }


async def _target(state: ChunksState, project: Project, items: Sequence[batch.Item], migrate: bool) -> _Target:
    """The collection and its model; a batch of another model is refused here, whole."""
    from wekadocs_corpus import Claim

    rows = await state.rows()
    bound = await state.binding(project, rows.get(project.id))
    model, dimension, embedder = bound.model, bound.dimension, bound.embedder
    if migrate:
        model = batch.migrated_model(items, await state.set_model(project))
        if model != bound.model:
            embedder = await state.embedder(project, model)
            set_for_it = project.dimension if model == project.embedding_model else 0
            dimension = embedder.profile.dimension if embedder else set_for_it
    batch.check_models(project.id, items, model)
    dimension = batch.check_vectors(items, dimension, embedder is not None)
    claim = Claim(project.id, state.names(rows)[project.id], model, dimension, filters.FIELDS)
    return _Target(claim, embedder, bound.row is not None and model != bound.model)


@dataclass(frozen=True)
class _Stored:
    ids: tuple[str, ...]
    told: list[str]


def _stored(
    call: Call[ChunksState], project: Project, target: _Target, items: Sequence[batch.Item], doing: Doing
) -> _Stored:
    """In a thread: read, embed, write."""
    from wekadocs_corpus import OtherModel

    judged = batch.read(project.id, items, target.claim.model)
    judged, missing = with_references(call.state.shelf, project, judged)
    judged, warnings = batch.last_of_each(judged)
    doing.what = f"embedding {len(judged)} chunks"
    chunks, blank = _prepared(judged, target.embedder)
    doing.what = f"writing {len(chunks)} chunks"
    collections = call.state.collections
    try:
        if target.migrates:
            doing.what = f"rebuilding the collection with {target.claim.model}"
            put, dropped = collections.migrate(target.claim, target.embedder, chunks, until(call))
            warnings += _dropped(dropped, target.claim.model)
        else:
            put = collections.store(target.claim, chunks, until(call))
    except OtherModel as error:
        raise embedding_mismatch(project.id, error.model, target.claim.model, 0) from None
    computed = {each.id for each in judged if not items[each.place].get("id")}
    warnings += _replaced([id for id in put.replaced if id in computed])
    return _Stored(tuple(each.id for each in judged), [*warnings, *blank, *missing])


def _prepared(judged: Sequence[batch.Judged], embedder: Embedder | None) -> tuple[list[NewChunk], list[str]]:
    from wekadocs_corpus import NewChunk, embedded, packed, words_of

    own = [each.text for each in judged if each.embedding is None]
    made = iter(embedded(embedder, own) if embedder and own else [])
    given = iter(packed([each.embedding for each in judged if each.embedding is not None]))
    vectors = [next(made if each.embedding is None else given) for each in judged]
    words = words_of([each.text for each in judged])
    blank = [
        f"items[{each.place}]: its text has no word that the model knows, so no search by meaning finds it"
        for each, vector in zip(judged, vectors, strict=True)
        if not vector
    ]
    chunks = [
        NewChunk(
            each.id,
            each.doc,
            each.text,
            each.fulltext,
            each.payload,
            filters.keywords(each.payload, each.doc),
            vector,
            terms,
        )
        for each, vector, terms in zip(judged, vectors, words, strict=True)
    ]
    return chunks, blank


def _dropped(count: int, model: str) -> list[str]:
    what = f"this server does not have {model}, so they could not be embedded again"
    return [f"{count} chunks that were stored before were dropped: {what}"] if count else []


def _replaced(ids: Sequence[str]) -> list[str]:
    if not ids:
        return []
    way = "where a document comes in several batches, pass id or metadata.doc.chunk_idx"
    return [f"{len(ids)} computed ids stood for another text before and were replaced ({', '.join(ids[:3])}…): {way}"]


def _bounded(warnings: Sequence[str]) -> list[str]:
    left = len(warnings) - _MOST_WARNINGS
    return [*warnings[:_MOST_WARNINGS], *([f"and {left} more warnings"] if left > 0 else [])]
