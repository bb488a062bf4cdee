"""What the tools of this plugin share, one per process: the vaults, and the corpus that keeps what is made of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import provider_error, unknown_vault

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, Neo4jLinks

    from .graph import Edges, Seen
    from .index import Finder, KeptVault
    from .last_read import LastRead

log = logging.getLogger("wekadocs.plugin.notes")
_ONLY = "vault"  # the name of the vault where the settings give none


@dataclass
class OpenVault:
    """A vault with what answers are made from."""

    kept: KeptVault
    finder: Finder | None  # None: nothing is searched by meaning here
    server: Neo4jLinks | None = None  # where the links are too, and are asked for
    graph: str = ""  # what they are called there
    news: asyncio.Event = field(default_factory=asyncio.Event)
    seen: Seen | None = None

    async def edges(self) -> Edges:
        """Who links to whom at this moment."""
        from .graph import MemoryEdges, ServerEdges

        seen = await asyncio.to_thread(self._look)
        return MemoryEdges(seen) if self.server is None else ServerEdges(self.server, self.graph, seen)

    def _look(self) -> Seen:
        from .graph import Seen

        with self.kept.turn:
            if self.seen is None or self.seen.version != self.kept.vault.version:
                self.seen = Seen(self.kept.vault)
            return self.seen

    async def id_of(self, id: str) -> str | None:
        """A node's own id, for one that is written in any case."""
        return await asyncio.to_thread(self._id_of, id)

    def _id_of(self, id: str) -> str | None:
        with self.kept.turn:
            return self.kept.vault.id_of(id)

    async def titles(self) -> dict[str, str]:
        """Of all nodes, ghosts among them."""
        return await asyncio.to_thread(self._titles)

    def _titles(self) -> dict[str, str]:
        with self.kept.turn:
            vault = self.kept.vault
            return {id: each.title for nodes in (vault.ghosts, vault.notes) for id, each in nodes.items()}

    async def in_step(self, ids: Iterable[str]) -> None:
        """These files changed: everything that answers are made from says so when this returns."""
        await asyncio.to_thread(self.kept.in_step, set(ids))
        self.news.set()

    def stop(self) -> None:
        if self.finder is not None:
            self.finder.stop()

    async def follow(self) -> None:
        """Searches are kept in step while nobody asks."""
        while self.finder is not None:
            await self.news.wait()
            self.news.clear()
            try:
                await self.finder.catch_up(float("inf"))
            except Exception as error:  # a store or a model that is away; the next search says so
                log.warning("vault %s: not all of it can be searched: %s", self.kept.vault.name, type(error).__name__)


@dataclass
class NotesState:
    corpus: Corpus
    settings: Mapping[str, Any]
    reads: LastRead
    vaults: dict[str, OpenVault] = field(default_factory=dict)

    def vault(self, name: str | None = None) -> OpenVault:
        """By name; the first one where none is named."""
        if not self.vaults:
            raise provider_error("No vault is configured: set plugins.notes.vault to a folder in tools.yaml.")
        if name is None:
            return next(iter(self.vaults.values()))
        if name not in self.vaults:
            raise unknown_vault(name, self.vaults)
        return self.vaults[name]


def configured(settings: Mapping[str, Any]) -> dict[str, Path]:
    """The vaults by name, in the settings' order."""
    said = settings.get("vault") or {}
    named = {_ONLY: said} if isinstance(said, str) else said
    return {name: Path(folder).resolve() for name, folder in named.items()}


@asynccontextmanager
async def opened(corpus: Corpus, settings: Mapping[str, Any]) -> AsyncIterator[NotesState]:
    from .index import Finder, KeptVault, Watcher
    from .last_read import LastRead
    from .vault import Vault
    from .writing.recovery import end_interrupted

    state, loop = NotesState(corpus, settings, LastRead(corpus.truth)), asyncio.get_running_loop()
    watchers, tasks = [], []
    for name, folder in configured(settings).items():
        kept = await asyncio.to_thread(KeptVault, Vault(name, folder), corpus.truth, end_interrupted)
        finder = Finder(corpus, kept) if settings.get("embedding") != "none" else None
        vault = OpenVault(kept, finder, corpus.links, f"{corpus.truth.id}/{kept.key}/")
        state.vaults[name] = vault
        watchers.append(Watcher(kept, settings.get("watch", "auto"), _told(loop, vault.news)))
        tasks.append(asyncio.create_task(vault.follow()))
    for watcher in watchers:
        watcher.start()
    try:
        yield state
    finally:
        for watcher in watchers:
            watcher.stop()
        for vault in state.vaults.values():
            vault.stop()
        for task in tasks:
            task.cancel()
        for watcher in watchers:
            await asyncio.to_thread(watcher.join)


def _told(loop: asyncio.AbstractEventLoop, news: asyncio.Event) -> Any:
    def told() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(news.set)

    return told
