"""What the tools of this plugin share, one per process: projects, models, bibliographies, the collections."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import index_unavailable, invalid_project, timed_out
from .projects import Configured, Project, collection_names
from .references.bibliographies import Bibliographies
from .storing.batch import naming
from .storing.rebuilds import Rebuilds

if TYPE_CHECKING:
    from wekadocs_corpus import CollectionRow, Collections, Corpus, Embedder, Remaking, Standing
    from wekadocs_kit import Scratch
    from wekadocs_mcp import Call

log = logging.getLogger("wekadocs.plugin.chunks")
Result = TypeVar("Result")
_MARGIN = 0.25  # seconds before a deadline after which nothing is written any more


@dataclass(frozen=True)
class Binding:
    """The model of a project's vectors, as far as it is known, and what embeds with it here, if anything does."""

    model: str
    dimension: int  # 0: the first batch decides
    embedder: Embedder | None
    row: CollectionRow | None  # what is stored


@dataclass
class ChunksState:
    corpus: Corpus
    scratch: Scratch
    configured: Configured
    styles: str = ""  # a folder
    bibliographies: Bibliographies = field(default_factory=Bibliographies)
    loaded: dict[str, Embedder] = field(default_factory=dict)
    loading: asyncio.Lock = field(default_factory=asyncio.Lock)
    ingesting: dict[str, asyncio.Lock] = field(default_factory=dict)  # one at a time reads a project's folders

    def __post_init__(self) -> None:
        self.rebuilds = Rebuilds(lambda: self.collections.migrations, self._remaking)

    async def _remaking(self, project: str, model: str) -> Remaking | None:
        known = self.configured.projects.get(project)
        return await self.remaking(known, model) if known else None

    async def remaking(self, project: Project, model: str) -> Remaking:
        """What the project's chunks are made anew with under this model."""
        from wekadocs_corpus import Remaking

        return Remaking(await self.embedder(project, model), naming(model))

    @property
    def collections(self) -> Collections:
        return self.corpus.collections

    def project(self, name: str) -> Project:
        found = self.configured.projects.get(name)
        if found is None:
            raise invalid_project(name, self.configured.projects)
        return found

    async def rows(self) -> dict[str, CollectionRow]:
        return await self.corpus.in_thread(self.collections.rows)

    def names(self, rows: dict[str, CollectionRow]) -> dict[str, str]:
        """Of all projects' collections."""
        stored = {row.project: row.name for row in rows.values()}
        return collection_names(self.configured.projects.values(), stored)

    async def binding(self, project: Project, row: CollectionRow | None) -> Binding:
        """What is stored holds over what is set."""
        if row is not None:
            return Binding(row.model, row.dimension, await self.embedder(project, row.model), row)
        model = await self.set_model(project)
        embedder = await self.embedder(project, model)
        return Binding(model, embedder.profile.dimension if embedder else project.dimension, embedder, None)

    async def set_model(self, project: Project) -> str:
        if project.embedding_model:
            return project.embedding_model
        own = await self._of_project(project)
        if own is None and (servers := self.servers_model()):
            return servers[0]
        return (own or await self.corpus.embedder()).profile.id

    async def embedder(self, project: Project, model: str) -> Embedder | None:
        """What embeds with this model here; None where nothing does."""
        own = await self._of_project(project)
        if own is not None and model in (project.embedding_model or own.profile.id, own.profile.id):
            return _embedding(own)
        if project.embedding_model == model and not self._is_servers(model):
            return None
        servers = await self.corpus.embedder()
        return _embedding(servers) if servers.profile.id == model else None

    def _is_servers(self, model: str) -> bool:
        servers = self.servers_model()
        return servers is None or servers[0] == model

    def servers_model(self) -> tuple[str, int] | None:
        """Name and dimension of the server's own model, where they can be told without loading it."""
        from wekadocs_corpus import known_profile

        profile = known_profile(self.corpus.settings, self.corpus.home.project_id)
        return (profile.id, profile.dimension) if profile else None

    async def _of_project(self, project: Project) -> Embedder | None:
        if not project.embedding:
            return None
        async with self.loading:
            if project.id not in self.loaded:
                from wekadocs_corpus import embedding_of

                self.loaded[project.id] = await asyncio.to_thread(embedding_of, {"embedding": project.embedding})
        return self.loaded[project.id]


def _embedding(model: Embedder) -> Embedder | None:
    """None for a model that is only a name: its vectors come with what is stored."""
    return model if getattr(model, "embeds", True) else None


@dataclass
class Doing:
    """What a call is at, for whoever reads that it took too long."""

    what: str


def progress_of(standing: Standing) -> dict[str, Any]:
    rebuild = standing.rebuild
    return {
        "embed_model": rebuild.model,
        "dimension": rebuild.dimension,
        "done": min(rebuild.done, standing.total),
        "total": standing.total,
    }


def until(call: Call[object]) -> float:
    """After this nothing is written: whoever is told TIMEOUT relies on it."""
    return float(call.deadline) - min(_MARGIN, call.deadline.seconds / 10)


def after_writing(call: Call[object]) -> float:
    """Seconds that are left once everything is written: whoever wrote must not be told TIMEOUT any more."""
    return max(0.0, call.deadline.remaining() - min(2 * _MARGIN, call.deadline.seconds / 5))


def waiting(call: Call[object]) -> float:
    """Seconds in which a migration may be done with; what is left then is enough to promise the rest."""
    return max(0.0, call.deadline.remaining() - min(8 * _MARGIN, call.deadline.seconds / 4))


async def in_thread(call: Call[ChunksState], work: Callable[[], Result]) -> Result:
    from wekadocs_corpus import stopping

    return await stopping.in_thread(work, until=until(call))


@contextmanager
def told(call: Call[object], project: str, doing: Doing, *, writes: bool = False) -> Iterator[None]:
    """Failures of the store as the seed names them; what took too long is logged with what was under way."""
    from wekadocs_corpus import CorpusError, Unavailable

    try:
        yield
    except TimeoutError:
        raise _late(call, project, doing, writes) from None
    except asyncio.CancelledError:
        if call.deadline.expired:
            raise _late(call, project, doing, writes) from None
        raise
    except CorpusError as error:
        raise index_unavailable(project, str(error), passing=isinstance(error, Unavailable)) from error


def _late(call: Call[object], project: str, doing: Doing, writes: bool) -> Exception:
    log.warning("TIMEOUT tool=%s project=%s under way: %s", call.tool, project, doing.what)
    return timed_out(call.deadline.seconds, doing.what, wrote=writes)
