"""After an ingest: this machine's index and the configured servers are brought up to the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import CorpusError
from .model import digest

if TYPE_CHECKING:
    from .embedding.interface import Profile
    from .ingest import Progress
    from .store.truth import Truth

_STEP_SECONDS = 0.5


def published(truth: Truth, settings: Mapping[str, Any], project: str, profile: Profile) -> bool:
    """Whether the last publishing reached the same places with the same content: then nothing is to be opened."""
    return truth.note(f"published:{project}") == _fingerprint(truth, settings, profile)


def _fingerprint(truth: Truth, settings: Mapping[str, Any], profile: Profile) -> str:
    places = ((settings.get("qdrant") or {}).get("url") or "", (settings.get("neo4j") or {}).get("uri") or "")
    return digest(str(truth.sequence()), profile.id, *places)


async def publish(
    truth: Truth, settings: Mapping[str, Any], project: str, profile: Profile, progress: Progress
) -> tuple[str, ...]:
    """Notes on what could not be done now; the server that serves catches up by itself later."""
    notes = []
    for work in (_index, _graph):
        try:
            notes.append(await work(truth, settings, project, profile, progress))
        except CorpusError as error:
            notes.append(f"{error}; the documents are safe, run `wekadocs-mcp ingest` again when it is mended")
    told = tuple(note for note in notes if note)
    if not told:
        truth.set_note(f"published:{project}", _fingerprint(truth, settings, profile))
    return told


async def _index(truth: Truth, settings: Mapping[str, Any], project: str, profile: Profile, progress: Progress) -> str:
    from .store.choose import open_index

    index = open_index(truth, truth.data_dir, project, profile, settings, wait=True)
    try:
        state = await index.catch_up(_STEP_SECONDS)
        total = state.behind
        while state.behind:
            progress("index", max(0, total - state.behind), total)
            before, state = state.behind, await index.catch_up(_STEP_SECONDS)
            if state.behind >= before and state.note:
                return state.note
        return ""
    finally:
        await index.close()


async def _graph(truth: Truth, settings: Mapping[str, Any], project: str, _: Profile, progress: Progress) -> str:
    if not settings.get("neo4j", {}).get("uri"):
        return ""
    from .graph.choose import sync_neo4j

    await sync_neo4j(truth, settings["neo4j"], project, progress)
    return ""
