"""For doctor: settings that are not what is stored, files that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wekadocs_mcp import Finding

if TYPE_CHECKING:
    from .projects import Project
    from .state import ChunksState


_FILES = "correct the path in the project's settings, or put the file there"


def _missing(state: ChunksState, project: Project) -> list[str]:
    """What the settings name and nobody can read."""
    from pathlib import Path

    bibliography = state.bibliographies.of(project)
    found = [f"{project.id}: {each}" for each in (bibliography.unreadable if bibliography else [])]
    return found + [f"{project.id}: there is no folder {each}" for each in project.folders if not Path(each).is_dir()]


async def projects(state: ChunksState) -> list[Finding]:
    """What is stored holds over what is set, and it is said."""
    found = [
        Finding("warning", "", each, "correct the file, or plugins.chunks.toml") for each in state.configured.faults
    ]
    rows = await state.rows()
    for project in state.configured.projects.values():
        row = rows.get(project.id)
        wanted = await state.set_model(project)
        if row is not None and row.model != wanted:
            note = f"{project.id}: the collection is bound to {row.model}, the settings say {wanted}; the former holds"
            found.append(Finding("warning", "", note, "store a batch with migrate: true, or correct embedding_model"))
    for standing in [await state.corpus.in_thread(state.collections.migrations.standing, name) for name in rows]:
        if standing is not None:
            far = f"{standing.rebuild.done} of {standing.total} chunks"
            note = f"{standing.rebuild.project}: is being rebuilt for {standing.rebuild.model} ({far})"
            found.append(Finding("warning", "", note, "it goes on while a server with that model runs"))
    for project in state.configured.projects.values():
        found += [
            Finding("warning", "", each, _FILES) for each in await state.corpus.in_thread(_missing, state, project)
        ]
    return found or [Finding("ok", "", f"{len(state.configured.projects)} projects, {len(rows)} of them with chunks")]
