"""What is put into one transaction: statements with the rows that each is given."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from . import writing
from .batches import parts
from .rows import Rows

Statement = tuple[str, dict[str, Any]]
_ROWS = 5_000  # of one statement


def taking_out(ids: Sequence[str]) -> list[Statement]:
    return [(text, {"ids": list(ids)}) for text in writing.TAKE_OUT]


def entities(groups: Sequence[Rows]) -> list[Statement]:
    """In the order of their ids: whoever else puts some of them waits, and neither for the other."""
    found = {row["id"]: row for made in groups for row in made.entities}
    return [(writing.PUT_ENTITIES, {"rows": part}) for part in parts([found[id] for id in sorted(found)], _ROWS)]


def documents(made: Rows) -> list[Statement]:
    """Nodes before the edges between them."""
    nodes = [_given(text, made.nodes[kind], scopes=made.scopes) for kind, text in writing.PUT_NODES.items()]
    placed = [_given(text, made.placed[kind]) for kind, text in writing.PUT_PLACED.items()]
    return [*chain(*nodes, *placed), *links(made)]


def links(made: Rows) -> list[Statement]:
    """Everything that is stated."""
    return [*chain(*(_given(text, made.stated[kind], limits=made.limits) for kind, text in writing.PUT_STATED.items()))]


def _given(text: str, rows: list[list[Any]], **values: object) -> list[Statement]:
    return [(text, {"rows": part, **values}) for part in parts(rows, _ROWS)]
