"""What changed in a collection, some at a time, with all that there is of each chunk."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from itertools import islice

from wekadocs_corpus.store.truth.collections import ChangedChunk, CollectionsView, StoredChunk

Filled = tuple[ChangedChunk, StoredChunk, Sequence[tuple[str, str]]]
_GONE = StoredChunk(0, "", "", "", None, {})


def some_changes(view: CollectionsView, collection: int, after: int, behind: int, most: int) -> list[Filled]:
    """In the order of their numbers, from behind this one; a deleted chunk has nothing in it."""
    with closing(view.changes(collection, after, behind)) as some:
        changes = list(islice(some, most))
    return _filled(view, collection, changes)


def numbered(view: CollectionsView, collection: int, numbers: Sequence[int]) -> list[Filled]:
    return _filled(view, collection, view.numbered(collection, numbers))


def _filled(view: CollectionsView, collection: int, changes: Sequence[ChangedChunk]) -> list[Filled]:
    numbers = [each.number for each in changes if not each.deleted]
    chunks = {each.number: each for each in view.chunks(collection, numbers)}
    keywords = view.keywords(collection, numbers)
    return [(each, chunks.get(each.number, _GONE), keywords.get(each.number, [])) for each in changes]
