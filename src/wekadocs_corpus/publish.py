"""From the truth to this machine's index and the configured servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import CorpusError
from .model import digest

if TYPE_CHECKING:
    from .embedding.interface import Profile
    from .ingest import Progress
    from .store.interface import SearchIndex
    from .store.truth import Truth

_STEP_SECONDS = 0.5


class Publisher:
    """One ingest's way out of the truth. The embedded index follows while documents are written, servers come after."""

    def __init__(
        self, truth: Truth, settings: Mapping[str, Any], project: str, profile: Profile, progress: Progress
    ) -> None:
        self._truth, self._settings, self._project = truth, settings, project
        self._profile, self._progress = profile, progress
        self._index: SearchIndex | None = None

    def written(self) -> None:
        """Documents have been written: a core that is free may index them."""
        from .store.choose import LocalIndex

        if not self._served_elsewhere:
            self._index = self._index or self._opened()
            if isinstance(self._index, LocalIndex):
                self._index.follow()

    async def finish(self, *, publish: bool) -> tuple[str, ...]:
        """Notes on what could not be done now; the server that serves catches up by itself later."""
        try:
            return await self._publish() if publish else ()
        finally:
            await self.close()

    async def _publish(self) -> tuple[str, ...]:
        if not self._servers and self._truth.note(f"published:{self._project}") == self._fingerprint():
            return ()  # the same content in this folder: nothing is to be opened; a server may have lost it meanwhile
        notes = []
        for work in (self._fill, self._graph):
            try:
                notes.append(await work())
            except CorpusError as error:
                notes.append(f"{error}; the documents are safe, run `wekadocs-mcp ingest` again when it is mended")
        told = tuple(note for note in notes if note)
        if not told:
            self._truth.set_note(f"published:{self._project}", self._fingerprint())
        return told

    async def close(self) -> None:
        if self._index is not None:
            await self._index.close()

    @property
    def _servers(self) -> list[str]:
        """Where else it goes."""
        settings = self._settings
        places = ((settings.get("qdrant") or {}).get("url"), (settings.get("neo4j") or {}).get("uri"))
        return [place for place in places if place]

    @property
    def _served_elsewhere(self) -> bool:
        return bool((self._settings.get("qdrant") or {}).get("url")) or self._settings.get("index") == "sqlite"

    def _fingerprint(self) -> str:
        return digest(str(self._truth.sequence()), self._profile.id, *self._servers)

    def _opened(self) -> SearchIndex:
        from .store.choose import open_index

        truth = self._truth
        return open_index(truth, truth.data_dir, self._project, self._profile, self._settings, wait=True)

    async def _fill(self) -> str:
        index = self._index = self._index or self._opened()
        state = await index.catch_up(_STEP_SECONDS)
        total = state.behind
        while state.behind:
            self._progress("index", max(0, total - state.behind), total)
            before, state = state.behind, await index.catch_up(_STEP_SECONDS)
            if state.behind >= before and state.note:
                return state.note
        return ""

    async def _graph(self) -> str:
        if not self._settings.get("neo4j", {}).get("uri"):
            return ""
        from .graph.choose import sync_neo4j

        await sync_neo4j(self._truth, self._settings["neo4j"], self._project, self._progress)
        return ""
