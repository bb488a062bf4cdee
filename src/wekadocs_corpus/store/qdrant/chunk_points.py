"""A collection of chunks that callers bring, on a Qdrant server: points by number, payload as it was given."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.store.layout import DENSE, LAYOUT_VERSION, TEXT, WORDS
from wekadocs_corpus.store.layout import KEYWORD as INDEXED
from wekadocs_corpus.store.truth.collections import (
    FULL_TEXT,
    KEYWORD,
    ChangedChunk,
    CollectionRow,
    Conditions,
    StoredChunk,
)

from .collection import Collection, Mark
from .questions import Questions
from .sync import IDS_A_REQUEST, POINTS_A_REQUEST
from .wire import Server

if TYPE_CHECKING:
    from qdrant_client import models

_KEYWORDS = "keywords"  # what filters ask for: every field with its value, as the truth's own index has them
_KINDS = {KEYWORD: INDEXED, FULL_TEXT: TEXT}
Filled = tuple[ChangedChunk, StoredChunk, Sequence[tuple[str, str]]]


class ChunkPoints:
    """One generation of one collection: another model means another one on the server."""

    def __init__(
        self,
        server: Server,
        settings: Mapping[str, Any],
        row: CollectionRow,
        truth: str,
        fields: Sequence[tuple[str, str]],
    ) -> None:
        self.name = name_of(row.name, row.generation)
        self.replica = f"qdrant:{self.name}"
        self._server, self._fields = server, dict(fields)
        mark = Mark(LAYOUT_VERSION, row.model, row.project, truth, 0)
        indexed = {field: _KINDS[kind] for field, kind in fields} | {_KEYWORDS: INDEXED}
        profile = Profile(row.model, row.dimension)
        self._collection = Collection(server, settings, mark, profile, name=self.name, fields=indexed)
        self._questions = Questions(server, self.name, settings)

    async def prepare(self) -> int:
        """Made if it is not there, refused if it is another's; the change it has come to."""
        return await self._collection.prepare()

    async def set_mark(self, sequence: int) -> None:
        await self._collection.set_mark(sequence)

    async def put(self, chunks: Sequence[Filled]) -> None:
        for start in range(0, len(chunks), POINTS_A_REQUEST):
            points = [_point(each) for each in chunks[start : start + POINTS_A_REQUEST]]
            await self._server.upsert(self.name, points)

    async def remove(self, numbers: Sequence[int]) -> None:
        from qdrant_client import models

        for start in range(0, len(numbers), IDS_A_REQUEST):
            ids: list[models.ExtendedPointId] = [_id(number) for number in numbers[start : start + IDS_A_REQUEST]]
            gone = models.PointIdsList(points=ids)
            await self._server.delete(self.name, gone)

    async def nearest(self, vector: Sequence[float], conditions: Conditions, limit: int) -> list[int]:
        return await self._asked([float(number) for number in vector], DENSE, conditions, limit)

    async def having_words(self, query: Mapping[int, float], conditions: Conditions, limit: int) -> list[int]:
        from qdrant_client import models

        terms = sorted(query)
        asked = models.SparseVector(indices=terms, values=[query[term] for term in terms])
        return await self._asked(asked, WORDS, conditions, limit)

    async def _asked(self, query: Any, using: str, conditions: Conditions, limit: int) -> list[int]:
        from qdrant_client import models

        must: list[models.Condition] = [
            models.FieldCondition(key=_KEYWORDS, match=models.MatchAny(any=[_keyword(field, value)]))
            for field, value in conditions
        ]
        found = await self._questions.through_ties(query, using, models.Filter(must=must or None), limit)
        return [int(key, 16) for key, _ in found]

    async def indexes(self) -> list[tuple[str, str]]:
        """(field, kind) as the server has them."""
        info = await self._server.ask(lambda client: client.get_collection(self.name))
        there = {field: str(each.data_type.value) for field, each in (info.payload_schema or {}).items()}
        return [(field, kind) for field, kind in self._fields.items() if there.get(field) == _KINDS[kind]]

    async def drop(self) -> None:
        await self._server.ask(lambda client: client.delete_collection(self.name))


def name_of(collection: str, generation: int) -> str:
    """The first has the collection's own name; `~` is in none that is made from a project's id alone."""
    return collection if generation == 1 else f"{collection}~g{generation}"


def _id(number: int) -> str:
    return str(UUID(int=number))


def _keyword(field: str, value: str) -> str:
    return f"{field}={value}"


def _point(chunk: Filled) -> models.PointStruct:
    from qdrant_client import models

    changed, stored, keywords = chunk
    vectors: dict[str, Any] = {}
    if changed.vector:
        vectors[DENSE] = list(struct.unpack(f"<{len(changed.vector) // 4}f", changed.vector))
    if changed.terms:
        count = len(changed.terms) // 8
        numbers = struct.unpack(f"<{count}I{count}f", changed.terms)
        vectors[WORDS] = models.SparseVector(indices=list(numbers[:count]), values=list(numbers[count:]))
    text = stored.text if stored.fulltext is None else stored.fulltext
    searched = {_KEYWORDS: [_keyword(field, value) for field, value in keywords]}
    payload = {"id": stored.id, **stored.payload, "fulltext": text, **searched}
    return models.PointStruct(id=_id(changed.number), vector=vectors, payload=payload)
