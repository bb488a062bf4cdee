"""The embedding models of a corpus: each project has its own, and one that several projects share is loaded once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .configured import closeness_of, embedding_of, embedding_settings, likeness_of

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder, Profile
    from wekadocs_corpus.evidence.choosing.weighing import Likeness
    from wekadocs_corpus.retrieval.closeness import Closeness


@dataclass(frozen=True)
class Loaded:
    """A model, and what looks at candidates a second time where the model asks for it."""

    embedder: Embedder
    closeness: Closeness | None

    @property
    def profile(self) -> Profile:
        return self.embedder.profile

    @property
    def embeds(self) -> bool:
        """Not where vectors come with what is stored."""
        return bool(getattr(self.embedder, "embeds", True))


class Embedders:
    """Used in one event loop."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self._by_project: dict[str, Loaded] = {}
        self._by_settings: dict[str, Loaded] = {}
        self._likeness: Likeness | None = None
        self._loading = asyncio.Lock()

    async def of(self, project: str) -> Loaded:
        known = self._by_project.get(project)
        if known is None:
            async with self._loading:  # two first questions at once would load it twice
                known = self._by_project[project] = await self._load(project)
        return known

    async def likeness(self, project: str) -> Likeness:
        """By the static model, the project's own where it is that."""
        embedder = (await self.of(project)).embedder
        async with self._loading:
            if self._likeness is None:
                self._likeness = await asyncio.to_thread(likeness_of, embedder)
        return self._likeness

    def already(self, project: str) -> Embedder | None:
        """If it has been needed before."""
        known = self._by_project.get(project)
        return known.embedder if known else None

    async def _load(self, project: str) -> Loaded:
        key = json.dumps(embedding_settings(self._settings, project), sort_keys=True, default=str)
        if key not in self._by_settings:
            embedder = await asyncio.to_thread(embedding_of, self._settings, project)
            closeness = await asyncio.to_thread(closeness_of, embedder)
            self._by_settings[key] = Loaded(embedder, closeness)
        return self._by_settings[key]
