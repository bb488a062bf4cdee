"""The collection on a Qdrant server: its name, layout and the mark that says whose it is and how far it has come."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from uuid import UUID

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.fields import Between, OneOf
from wekadocs_corpus.model import digest
from wekadocs_corpus.store.interface import IndexUnavailable
from wekadocs_corpus.store.layout import (
    DENSE,
    FIELDS,
    LAYOUT_VERSION,
    WORDS,
    Above,
    AnyOf,
    Condition,
    declared_key,
)

from .failures import CollectionMissing
from .wire import SYNCING, WAITING, Patience, Server

if TYPE_CHECKING:
    from qdrant_client import models

_MARK = str(UUID(hex=digest("wekadocs", "mark")))  # a point without vectors: no search can find it

WAY_OUT = "delete that collection on the server (it is filled again) or set qdrant.prefix to a name of your own"


class Mismatch(IndexUnavailable):
    """The collection holds something else; the reason says how to get out of it."""


@dataclass(frozen=True)
class Mark:
    """What the collection says of itself, written after each step of a sync."""

    layout: str
    model: str
    project: str
    truth: str  # the identity of the data directory it was filled from
    sequence: int


def collection_name(prefix: str, project: str, model: str) -> str:
    """Readable, safe in a URL, bounded, and different for every project and model."""
    readable = re.sub(r"[^a-z0-9]+", "-", project.lower()).strip("-")[:40]
    return "-".join(part for part in (prefix, readable, digest(project, model)[:16]) if part)


class Collection:
    """Makes, checks and marks one collection."""

    def __init__(
        self,
        server: Server,
        settings: Mapping[str, Any],
        expected: Mark,
        profile: Profile,
        *,
        name: str = "",
        fields: Mapping[str, str] = FIELDS,
    ) -> None:
        """`name`: instead of one made from prefix, project and model; `fields`: payload with its kinds of index."""
        self._server = server
        self._settings = settings
        self._expected = expected
        self._profile = profile
        prefix = re.sub(r"[^A-Za-z0-9_-]+", "-", str(settings.get("prefix") or "wekadocs"))[:60]
        self.name = name or collection_name(prefix, expected.project, profile.id)
        self._fields = fields

    async def prepare(self, more: Mapping[str, str] = MappingProxyType({})) -> int:
        """Make the collection if it is not there, refuse it if it is another's; the change it has come to.

        `more`: fields that were declared meanwhile, with their kinds of index.
        """
        if not await self._exists(SYNCING):
            await self._create()
        info = await self._server.ask(lambda client: client.get_collection(self.name))
        if problem := self._difference(info):
            raise Mismatch(self._told(problem))
        for field, kind in (*self._fields.items(), *more.items()):
            if field not in (info.payload_schema or {}):
                await self._index(field, kind)
        mark = await self.mark(SYNCING)
        if mark is None:
            await self._claim()
            return 0
        if problem := self._foreign(mark):
            raise Mismatch(self._told(problem))
        return mark.sequence

    async def mark(self, patience: Patience = WAITING) -> Mark | None:
        found = await self._server.ask(
            lambda client: client.retrieve(self.name, [_MARK], with_payload=True, with_vectors=False), patience
        )
        payload = (found[0].payload or {}) if found else None
        if payload is None:
            return None
        words = {key: str(payload.get(key, "")) for key in ("layout", "model", "project", "truth")}
        return Mark(**words, sequence=int(payload.get("sequence") or 0))

    async def set_mark(self, sequence: int) -> None:
        from qdrant_client import models

        payload = {**vars(self._expected), "sequence": sequence}
        point = models.PointStruct(id=_MARK, vector={}, payload=payload)
        await self._server.upsert(self.name, [point])

    async def count(self) -> int:
        """Points that are chunks."""
        from qdrant_client import models

        chunks = models.Filter(must_not=[models.HasIdCondition(has_id=[_MARK])])
        answer = await self._server.ask(
            lambda client: client.count(self.name, count_filter=chunks, exact=True), WAITING
        )
        return answer.count

    async def verify(self) -> None:
        """Raises unless the collection is there and ours."""
        if not await self._exists(WAITING):
            raise CollectionMissing(f"{self._server.place}: the collection {self.name} is missing")
        info = await self._server.ask(lambda client: client.get_collection(self.name), WAITING)
        mark = await self.mark()
        if problem := self._difference(info) or (self._foreign(mark) if mark else await self._occupied(WAITING)):
            raise Mismatch(self._told(problem))
        if mark is None:
            raise CollectionMissing(f"{self._server.place}: the collection {self.name} is not filled yet")

    async def _exists(self, patience: Patience) -> bool:
        try:
            return await self._server.ask(lambda client: client.collection_exists(self.name), patience)
        except CollectionMissing:  # a Qdrant says no in another way
            raise IndexUnavailable(f"{self._server.place}: HTTP 404: no Qdrant there; check qdrant.url") from None

    async def _claim(self) -> None:
        if problem := await self._occupied(SYNCING):
            raise Mismatch(self._told(problem))
        await self.set_mark(0)

    async def _occupied(self, patience: Patience) -> str:
        """A full collection without a mark is somebody else's; an empty one is being made, or its maker was killed."""
        found, _ = await self._server.ask(
            lambda client: client.scroll(self.name, limit=1, with_payload=False), patience
        )
        return f"{self.name} holds points that this program did not put there" if found else ""

    async def _create(self) -> None:
        from qdrant_client import models

        on_disk = bool(self._settings.get("on_disk", False))
        dense = models.VectorParams(size=self._profile.dimension, distance=models.Distance.DOT, on_disk=on_disk)
        # No IDF modifier: the server goes on counting what was deleted. The truth counts, and weights the query.
        words = models.SparseVectorParams(index=models.SparseIndexParams(on_disk=on_disk))
        try:
            await self._server.ask(
                lambda client: client.create_collection(
                    self.name,
                    vectors_config={DENSE: dense},
                    sparse_vectors_config={WORDS: words},
                    on_disk_payload=on_disk,
                    shard_number=self._settings.get("shards"),
                    replication_factor=self._settings.get("replicas"),
                    quantization_config=_quantisation(self._settings.get("quantization")),
                )
            )
        except IndexUnavailable:
            # A first try may have made it without our hearing of it; then the repeat was refused.
            if not await self._exists(SYNCING):
                raise

    async def _index(self, field: str, kind: str) -> None:
        from qdrant_client import models

        schema = models.PayloadSchemaType(kind)
        await self._server.ask(
            lambda client: client.create_payload_index(self.name, field, field_schema=schema, wait=True)
        )

    def _difference(self, info: models.CollectionInfo) -> str:
        """How the collection's vectors differ from ours, "" when they do not."""
        from qdrant_client import models

        params = info.config.params
        dense = params.vectors.get(DENSE) if isinstance(params.vectors, dict) else None
        words = (params.sparse_vectors or {}).get(WORDS)
        if dense is None or words is None or dense.distance != models.Distance.DOT:
            return f"{self.name} has another layout"
        if words.modifier not in {None, models.Modifier.NONE}:
            return f"{self.name} has another layout"
        if dense.size != self._profile.dimension:
            return f"{self.name} has {dense.size} numbers a vector, the model gives {self._profile.dimension}"
        return ""

    def _foreign(self, mark: Mark) -> str:
        """Whose the collection is when it is not ours, "" when it is."""
        ours = self._expected
        if mark.layout != ours.layout:
            return f"{self.name} has layout {mark.layout}, this release uses {ours.layout}"
        if (mark.model, mark.project) != (ours.model, ours.project):
            return f"{self.name} holds project {mark.project} with model {mark.model}"
        if mark.truth != ours.truth:
            return f"{self.name} was filled from another data directory or database"
        return ""

    def _told(self, problem: str) -> str:
        return f"{self._server.place}: {problem}; {WAY_OUT}"


def expected_mark(project: str, model: str, truth: str) -> Mark:
    return Mark(LAYOUT_VERSION, model, project, truth, 0)


def translated(conditions: tuple[Condition, ...]) -> models.Filter:
    """The shared layout's conditions in the client's words."""
    from qdrant_client import models

    return models.Filter(must=[_condition(each) for each in conditions])


def _condition(wanted: Condition) -> models.FieldCondition | models.Filter:
    from qdrant_client import models

    match wanted:
        case AnyOf(field, values):
            return models.FieldCondition(key=field, match=models.MatchAny(any=list(values)))
        case Above(field, value):
            return models.FieldCondition(key=field, range=models.Range(gt=value))
        case Between(field, least, most):
            return models.FieldCondition(key=declared_key(field), range=models.Range(gte=least, lte=most))
        case OneOf(field, some):
            words = [each for each in some if isinstance(each, str)]
            exactly = [models.Range(gte=each, lte=each) for each in some if not isinstance(each, str)]
            ways: list[models.Condition] = [
                models.FieldCondition(key=declared_key(field), range=each) for each in exactly
            ]
            if words:
                ways.append(models.FieldCondition(key=declared_key(field), match=models.MatchAny(any=words)))
            return models.Filter(should=ways)


def _quantisation(kind: object) -> models.QuantizationConfig | None:
    from qdrant_client import models

    match kind:
        case None | "" | "none" | False:
            return None
        case "scalar":
            scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
            return models.ScalarQuantization(scalar=scalar)
        case "binary":
            return models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True))
    raise IndexUnavailable("qdrant.quantization must be none, scalar or binary")
