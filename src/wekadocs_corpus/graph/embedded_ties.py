"""What ties a section to others, from the truth's tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from wekadocs_corpus.model import Scope

from . import embedded_sql as sql
from .ties import End, Tie


def ties_of(
    connection: sqlite3.Connection, seeds: Sequence[str], scope: Scope, max_spread: int, *, shares: bool
) -> list[Tie]:
    values: dict[str, Any] = {**sql.scope_values(scope), "most": max_spread + 1}

    @lru_cache(None)  # seeds that lie together name the same things
    def ends(entity: str, kind: str) -> tuple[End, ...]:
        return tuple(End(*row) for row in connection.execute(sql.TIED_ENDS, values | {"id": entity, "type": kind}))

    def tie(seed: str, document: str, entity: str, label: str, kind: str, weight: float) -> Tie:
        mentioners = ends(entity, "MENTIONS") if shares or kind == "DEFINES" else ()
        return Tie(seed, document, entity, label, kind, weight, ends(entity, "DEFINES"), mentioners)

    return [tie(seed, *row) for seed in seeds for row in connection.execute(sql.TIED, values | {"id": seed}).fetchall()]
