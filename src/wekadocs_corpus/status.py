"""What is indexed, in figures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .configured import has_truth, open_truth, truth_settings


def read_status(data_dir: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Reads only: a data directory that is not there yet stays so."""
    if not has_truth(data_dir, settings):
        nothing: dict[str, Any] = {"documents": 0, "chunks": 0, "tokens": 0, "data_dir": str(data_dir)}
        return {**nothing, "ingests": [], "doc_tags": {}, "projects": {}}
    truth = open_truth(data_dir, settings)
    try:
        counts, models = truth.counts(), sorted({each.model for each in truth.bindings().values()})
        jobs = truth.jobs()
        ingests = [each.shown() for each in jobs.rows()] if jobs else []
        tags, projects = _figures(truth.tally("doc_tag")), _figures(truth.tally("project"))
    finally:
        truth.close()
    return {
        "documents": counts.documents,
        "chunks": counts.chunks,
        "tokens": counts.tokens,
        "source_bytes": counts.bytes,
        "stored_bytes": counts.stored_bytes,
        "index_bytes": _folder_bytes(data_dir / "index"),
        "model": ", ".join(models) or None,
        "last_ingest": _when(counts.last_ingest),
        "truth": "postgres" if truth_settings(settings) else "embedded",
        "search": "qdrant" if settings.get("qdrant", {}).get("url") else "embedded",
        "graph": _graph(settings),
        "data_dir": str(data_dir),
        "ingests": ingests,
        "projects": projects,
        "doc_tags": tags,
    }


def _graph(settings: Mapping[str, Any]) -> str:
    if not settings.get("graph", True):
        return "off"
    return "neo4j" if settings.get("neo4j", {}).get("uri") else "embedded"


def _figures(tally: Mapping[str, tuple[int, int]]) -> dict[str, dict[str, int]]:
    return {name: {"documents": documents, "chunks": chunks} for name, (documents, chunks) in tally.items()}


def _when(seconds: float | None) -> str | None:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else None


def _folder_bytes(folder: Path) -> int:
    sizes = 0
    for file in folder.rglob("*"):
        try:
            sizes += file.stat().st_size if file.is_file() else 0
        except OSError:  # another process has just published a newer one
            continue
    return sizes
