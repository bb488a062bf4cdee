"""chunks.ingest_documents: what is new or changed in the folders of a project, as chunks with pages and references."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import invalid
from ..pages import Found, Row, listed
from ..state import ChunksState, Doing, after_writing, told
from .report import FAILED, IngestReport
from .run import Ingest, target_of

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from ..projects import Project

_MARGIN = 10.0  # seconds that are kept for what comes after reading: ending processes, the answer
_MOST_WARNINGS = 50


@tool("chunks.ingest_documents")
async def ingest_documents(
    call: Call[ChunksState], project: str, paths: list[str] | None, cursor: str | None, max_tokens: int | None
) -> dict[str, Any]:
    known = call.state.project(project)

    async def find() -> Found:
        if not known.folders:
            message = f"Project {project!r} has no folders: name them in plugins.chunks.projects.{project}.folders."
            raise invalid(message, path="/project", project_id=project)
        with told(call, project, Doing("reading documents")):
            report = await ingested(call, known, paths or [])
        behind = await call.state.collections.publish(project, after_writing(call))
        files = sorted(report.files, key=lambda each: (each.status != FAILED, not each.unread))
        return [each.row() for each in files], {"project": project, **_summary(report, [behind] if behind else [])}

    return await listed(call, "files", find, cursor, max_tokens, counted=False)


def _summary(report: IngestReport, further: list[str]) -> Row:
    return {
        "embed_model": report.model,
        **report.counts(),
        "chunks_written": report.chunks_written,
        "chunks_removed": report.chunks_removed,
        "complete": not report.interrupted,
        "warnings": [*report.warnings, *further][:_MOST_WARNINGS],
    }


async def ingested(call: Call[ChunksState], project: Project, paths: list[str]) -> IngestReport:
    """One at a time for each project; within the call's deadline it stops, and says so."""
    from wekadocs_corpus import stopping

    async with call.state.ingesting.setdefault(project.id, asyncio.Lock()):
        target = await target_of(call.state, project)
        until = float(call.deadline) - min(_MARGIN, call.deadline.seconds / 2)
        work = Ingest(call.state, project, target, until)
        return await stopping.in_thread(work.run, paths, call.progress, until=until)
