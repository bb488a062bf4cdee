"""What the truth knows of files under a root, so that an ingest can tell new, changed and gone ones apart."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """A file as it was taken in."""

    root: str
    path: str
    content_hash: str
    size: int
    mtime_ns: int
    parser_version: str
    ingested_at: float


def known_under(connection: sqlite3.Connection, project: str, environment: str, root: str) -> dict[str, Known]:
    """Document id → its file. A root inside this one counts too: whoever ingests the whole owns its parts."""
    rows = connection.execute(
        "SELECT id, root, path, content_hash, file_size, file_mtime_ns, parser_version, ingested_at FROM documents "
        "WHERE project = ? AND environment = ? AND (root = ? OR substr(root, 1, ?) = ?)",
        (project, environment, root, len(root) + 1, f"{root}/"),
    )
    return {document_id: Known(*rest) for document_id, *rest in rows}
