"""Collections of chunks from one truth to another: all that changed since the last pass, then what is gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from wekadocs_corpus.store.truth.collections import CollectionRow, CollectionsView, NewChunk

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.collections import ChangedChunk
    from wekadocs_corpus.store.truth.interface import Truth

_AT_ONCE = 500  # chunks of one transaction
_PATIENCE = 300.0  # seconds for a turn to write
_NOTE = "moved:{0}"  # in the target, by project: which state of the collection it has


def copy(source: Truth, target: Truth) -> int:
    """How many chunks the target's collections have then."""
    with source.collection_tables().view() as view:
        found = view.collections()
    return sum(_copy(source, target, each) for each in found)


def differing(source: Truth, target: Truth) -> list[str]:
    """Projects whose collection is not the same on both sides."""
    with source.collection_tables().view() as here, target.collection_tables().view() as there:
        sides = ({row.project: row for row in view.collections()} for view in (here, there))
        ones, others = sides
        wrong = sorted(ones.keys() ^ others.keys())
        for project in sorted(ones.keys() & others.keys()):
            if _contents(here, ones[project].number) != _contents(there, others[project].number):
                wrong.append(project)
    return wrong


def _contents(view: CollectionsView, collection: int) -> dict[str, NewChunk]:
    return {chunk.id: chunk for some in _chunks(view, collection, 0) for chunk in some}


def _copy(source: Truth, target: Truth, row: CollectionRow) -> int:
    note = _NOTE.format(row.project)
    said = json.loads(target.note(note) or "{}")
    state = {"source": source.id, "generation": row.generation, "sequence": row.sequence}
    same = (said.get("source"), said.get("generation")) == (source.id, row.generation)
    after = int(said["sequence"]) if same else 0
    with source.collection_tables().view() as view:
        fields, some = view.fields(row.number), _chunks(view, row.number, after)
        with target.collection_tables().change(_PATIENCE) as change:
            made = change.claim(row.project, row.name, row.model, row.dimension, fields)
        for chunks in some:
            with target.collection_tables().change(_PATIENCE) as change:
                change.put(made.number, chunks)
        kept = {chunk.id for part in _chunks(view, row.number, 0) for chunk in part}
    size = _take_out_others(target, made.number, kept)
    target.set_note(note, json.dumps(state))
    return size


def _take_out_others(target: Truth, collection: int, kept: set[str]) -> int:
    with target.collection_tables().change(_PATIENCE) as change:
        there = {chunk.id for part in _chunks(change, collection, 0) for chunk in part}
        if gone := sorted(there - kept):
            change.delete(collection, [], gone)
    return len(kept)


def _chunks(view: CollectionsView, collection: int, after: int) -> Iterator[list[NewChunk]]:
    changes = view.changes(collection, after)
    try:
        while some := list(islice(changes, _AT_ONCE)):
            there = {each.number: each for each in some if not each.deleted}
            if there:
                yield _whole(view, collection, there)
    finally:
        changes.close()


def _whole(view: CollectionsView, collection: int, changed: dict[int, ChangedChunk]) -> list[NewChunk]:
    keywords = view.keywords(collection, list(changed))
    return [
        NewChunk(
            chunk.id,
            chunk.doc,
            chunk.text,
            chunk.fulltext,
            chunk.payload,
            tuple(sorted(keywords.get(chunk.number, ()))),
            bytes(changed[chunk.number].vector),
            bytes(changed[chunk.number].terms),
        )
        for chunk in view.chunks(collection, list(changed))
    ]
