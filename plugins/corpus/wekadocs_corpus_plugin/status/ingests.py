"""Ingests that machines share, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wekadocs_text import one_line


def ingests(rows: Sequence[dict[str, Any]]) -> list[str]:
    return ["\ningests:", *map(_line, rows)] if rows else []


def _line(row: dict[str, Any]) -> str:
    failed = f", {row['failed']:,} failed" if row["failed"] else ""
    by = f"by {', '.join(row['workers'])}" if row["workers"] else "stopped: nobody works on it"
    return one_line(f"  {named(row)}  {row['done']:,} of {row['total']:,} read{failed}, {by}")


def named(row: dict[str, Any]) -> str:
    """Its sources, as many as one can read."""
    first, *more = row["sources"]
    return f"{first} and {len(more):,} more" if more else str(first)
