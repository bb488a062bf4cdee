"""chunks.store_chunks: a batch of chunks into a project's collection, all of it or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from .. import filters
from ..errors import embedding_mismatch, index_unavailable, migrating
from ..state import ChunksState, Doing, after_writing, in_thread, progress_of, told, until, waiting
from . import batch
from .rebuilds import RebuildFailed
from .referenced import with_references

if TYPE_CHECKING:
    from wekadocs_corpus import Claim, Embedder, NewChunk, Standing
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
        ready = await in_thread(call, lambda: _ready(state, known, target, items, doing))
        written = await (_migrated if target.migrates else _stored)(call, target, ready, doing)
    behind = await state.collections.publish(project, after_writing(call))
    going = {"migration": progress_of(written.standing)} if written.standing else {}
    return {
        "chunks_written": len(ready.chunks),
        "project": project,
        "embed_model": target.claim.model,
        "warnings": _bounded([*ready.told, *written.told, *([behind] if behind else [])]),
        **going,
    }


async def _target(state: ChunksState, project: Project, items: Sequence[batch.Item], migrate: bool) -> _Target:
    """The collection and its model; a batch of another model is refused here, whole."""
    from wekadocs_corpus import Claim

    rows = await state.rows()
    bound = await state.binding(project, rows.get(project.id))
    model, dimension, embedder = bound.model, bound.dimension, bound.embedder
    pending = await state.corpus.in_thread(state.collections.migrations.standing, project.id) if migrate else None
    if migrate:
        model = batch.migrated_model(items, pending.rebuild.model if pending else await state.set_model(project))
        if model != bound.model:
            embedder = await state.embedder(project, model)
            set_for_it = project.dimension if model == project.embedding_model else 0
            dimension = embedder.profile.dimension if embedder else set_for_it
    elif any(batch.model_of(each) not in (None, model) for each in items):
        await _refuse_while_migrating(state, project, items)
    batch.check_models(project.id, items, model, embeds_here=embedder is not None)
    dimension = batch.check_vectors(items, dimension, embedder is not None)
    claim = Claim(project.id, state.names(rows)[project.id], model, dimension, filters.FIELDS)
    return _Target(claim, embedder, bound.row is not None and (model != bound.model or pending is not None))


async def _refuse_while_migrating(state: ChunksState, project: Project, items: Sequence[batch.Item]) -> None:
    """A batch of the model that a rebuild leads to is not wrong, but early."""
    pending = await state.corpus.in_thread(state.collections.migrations.standing, project.id)
    if pending and any(batch.model_of(each) == pending.rebuild.model for each in items):
        raise migrating(project.id, pending.rebuild.model, pending.rebuild.done, pending.total)


@dataclass(frozen=True)
class _Ready:
    """A batch that only has to be written."""

    chunks: list[NewChunk]
    computed: frozenset[str]  # ids that no caller gave
    told: list[str]


@dataclass(frozen=True)
class _Written:
    told: list[str]
    standing: Standing | None = None  # of a rebuild that goes on


def _ready(state: ChunksState, project: Project, target: _Target, items: Sequence[batch.Item], doing: Doing) -> _Ready:
    """In a thread: read and embed."""
    judged = batch.read(project.id, items, target.claim.model)
    judged, missing = with_references(state.bibliographies.of(project), judged)
    judged, warnings = batch.last_of_each(judged)
    doing.what = f"embedding {len(judged)} chunks"
    chunks, blank = prepared(judged, target.embedder)
    computed = frozenset(each.id for each in judged if not items[each.place].get("id"))
    return _Ready(chunks, computed, [*warnings, *blank, *missing])


async def _stored(call: Call[ChunksState], target: _Target, ready: _Ready, doing: Doing) -> _Written:
    from wekadocs_corpus import OtherModel

    doing.what = f"writing {len(ready.chunks)} chunks"
    store = partial(call.state.collections.store, target.claim, ready.chunks, until(call))
    try:
        put = await in_thread(call, store)
    except OtherModel as error:
        raise embedding_mismatch(target.claim.project, error.model, target.claim.model, 0) from None
    return _Written(_replaced([id for id in put.replaced if id in ready.computed]))


async def _migrated(call: Call[ChunksState], target: _Target, ready: _Ready, doing: Doing) -> _Written:
    from wekadocs_corpus import OtherModel

    claim, state = target.claim, call.state
    doing.what = f"rebuilding the collection with {claim.model}"
    to = await state.remaking(state.project(claim.project), claim.model)
    try:
        taken, standing = await state.rebuilds.give(claim, to, ready.chunks, until(call), waiting(call), call.progress)
    except RebuildFailed as error:
        raise index_unavailable(claim.project, str(error), passing=True) from error
    except OtherModel as error:
        raise embedding_mismatch(claim.project, error.model, claim.model, 0) from None
    return _Written([*_dropped(taken.dropped, claim.model), *_going_on(claim.model, standing)], standing)


def _going_on(model: str, standing: Standing | None) -> list[str]:
    if standing is None:
        return []
    how_far = f"{standing.rebuild.done} of {standing.total} chunks"
    return [f"the collection is being rebuilt for {model} ({how_far}); the former one answers until that is done"]


def prepared(judged: Sequence[batch.Judged], embedder: Embedder | None) -> tuple[list[NewChunk], list[str]]:
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
