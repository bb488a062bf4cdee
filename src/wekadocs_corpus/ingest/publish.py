"""From the truth to this machine's index and the configured servers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wekadocs_corpus.errors import CorpusError
from wekadocs_corpus.model import digest

from .beside import beside, check

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Profile
    from wekadocs_corpus.stopping import Stop
    from wekadocs_corpus.store.interface import SearchIndex
    from wekadocs_corpus.store.truth.interface import Truth

    from .report import Progress

_STEP_SECONDS = 0.5


class Publisher:
    """One ingest's way out of the truth."""

    def __init__(
        self, truth: Truth, settings: Mapping[str, Any], project: str, profile: Profile, progress: Progress
    ) -> None:
        self._truth, self._settings, self._project = truth, settings, project
        self._profile, self._progress = profile, progress

    async def publish(self) -> tuple[str, ...]:
        """Notes on what could not be done now; the server that serves catches up by itself later."""
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

    @property
    def _servers(self) -> list[str]:
        """Where else it goes."""
        settings = self._settings
        places = ((settings.get("qdrant") or {}).get("url"), (settings.get("neo4j") or {}).get("uri"))
        return [place for place in places if place]

    def _fingerprint(self) -> str:
        return digest(str(self._truth.sequence()), self._profile.id, *self._servers)

    async def _fill(self) -> str:
        if (self._settings.get("qdrant") or {}).get("url"):
            return await self._fill_server()
        if self._settings.get("index") == "sqlite":
            return ""
        return await beside(self._fill_here)

    def _fill_here(self, stop: Stop) -> str:
        from wekadocs_corpus.store.local.generations import Generations
        from wekadocs_corpus.store.local.writing.refreshing import BUSY, PATIENCE, refresh

        Generations(self._truth.data_dir, self._project, self._profile).remove_others()

        def told(done: int, total: int) -> None:
            check(stop)  # what is written so far goes: nobody has seen it
            self._progress("index", done, total)

        late = time.monotonic() + PATIENCE
        while (note := refresh(self._truth, self._project, self._profile, told, _STEP_SECONDS)) == BUSY:
            check(stop)
            if time.monotonic() > late:
                break
        return note

    async def _fill_server(self) -> str:
        from wekadocs_corpus.store.choose import open_index

        index = open_index(self._truth, self._project, self._profile, self._settings, filling=True)
        try:
            return await self._followed(index)
        finally:
            await index.close()

    async def _followed(self, index: SearchIndex) -> str:
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
        from wekadocs_corpus.graph.choose import sync_neo4j

        await sync_neo4j(self._truth, self._settings["neo4j"], self._project, self._progress)
        return ""
