"""From the truth to a Qdrant server: what changed, in bounded steps that may be repeated and resumed at will."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.fields import Value
from wekadocs_corpus.store.layout import DECLARED, DENSE, WORDS, point_id
from wekadocs_corpus.store.truth.rows import IndexRow
from wekadocs_corpus.store.writing.packing import unpack_terms

if TYPE_CHECKING:
    from qdrant_client import models

DOCUMENTS_A_STEP = 64
POINTS_A_REQUEST = 64  # a few milliseconds of JSON for the event loop
IDS_A_REQUEST = 4096  # 160 KB; a server takes 32 MB


def point(row: IndexRow) -> models.PointStruct:
    from qdrant_client import models

    vectors: dict[str, Any] = {}
    if row.vector is not None:
        count = len(row.vector) // 2
        vectors[DENSE] = list(struct.unpack(f"<{count}e", row.vector))
    if row.terms:
        count = len(terms := unpack_terms(row.terms)) // 8
        numbers = struct.unpack(f"<{count}I{count}f", terms)
        vectors[WORDS] = models.SparseVector(indices=list(numbers[:count]), values=list(numbers[count:]))
    payload: dict[str, Any] = {
        "document_id": row.document_id,
        "environment": row.environment,
        "repository": row.repository,
        "doc_tag": [row.doc_tag, *row.other_tags] if row.other_tags else row.doc_tag,
        "path": row.path,
        "updated_at": row.updated_at,
    }
    if row.fields:
        own: dict[str, list[Value]] = {}
        for name, value in row.fields:
            own.setdefault(name, []).append(value)
        payload[DECLARED] = own
    return models.PointStruct(id=point_id(row.chunk_id), vector=vectors, payload=payload)


def points(rows: Sequence[IndexRow]) -> list[models.PointStruct]:
    return [point(row) for row in rows]


def batches(rows: Sequence[IndexRow]) -> Iterator[Sequence[IndexRow]]:
    for start in range(0, len(rows), POINTS_A_REQUEST):
        yield rows[start : start + POINTS_A_REQUEST]


async def sent(rows: Sequence[IndexRow], send: Callable[[list[models.PointStruct]], Coroutine[Any, Any, None]]) -> None:
    """All of them; the next points are made while the server takes the last ones in."""
    sending: asyncio.Task[None] | None = None
    try:
        for batch in batches(rows):
            made = await asyncio.to_thread(points, batch)
            if sending is not None:
                await sending
            sending = asyncio.create_task(send(made))
        if sending is not None:
            await sending
    finally:
        if sending is not None:
            sending.cancel()


def stale(documents: Sequence[str], rows: Sequence[IndexRow]) -> Iterator[models.Filter]:
    """Points of these documents that are no chunk of them any more, some documents at a time.

    They go after the new ones came, so that a search in between still finds the document.
    """
    from qdrant_client import models

    for some, kept in _grouped(documents, rows):
        of_them = models.FieldCondition(key="document_id", match=models.MatchAny(any=some))
        yield models.Filter(must=[of_them], must_not=[models.HasIdCondition(has_id=kept)] if kept else None)


def _grouped(
    documents: Sequence[str], rows: Sequence[IndexRow]
) -> Iterator[tuple[list[str], list[models.ExtendedPointId]]]:
    """Documents with the ids of their points, as many as a request may name; never less than a document."""
    points: dict[str, list[str]] = {document: [] for document in documents}
    for row in rows:
        points[row.document_id].append(point_id(row.chunk_id))
    some: list[str] = []
    kept: list[models.ExtendedPointId] = []
    for document, ids in points.items():
        if some and len(kept) + len(ids) > IDS_A_REQUEST:
            yield some, kept
            some, kept = [], []
        some.append(document)
        kept.extend(ids)
    yield some, kept
