"""The next changed documents of the truth, as Neo4j takes them: a few at once, or many in groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from wekadocs_corpus.graph.interface import LINKS

from .rows import Rows, rows

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Change

Item = TypeVar("Item")
_FEW, _GROUP, _GROUPS = 50, 100, 4  # documents of one transaction; of one among several; how many groups


@dataclass(frozen=True)
class Batch:
    changes: list[Change]
    ids: list[list[str]]  # of the documents of each group
    groups: list[Rows]  # without links between documents
    links: Rows
    left: int  # changes that come later


def batch(truth: Truth, project: str, reached: int) -> Batch | None:
    left = truth.behind(reached, project)
    many = left > _GROUP
    changes = truth.changes_after(reached, _GROUP * _GROUPS if many else _FEW, project)
    if not changes:
        return None
    ids = parts([change.document_id for change in changes], _GROUP)
    groups = [rows(truth.graph_rows(some)) for some in ids]
    return Batch(changes, ids, groups, _links(groups), left - len(changes))


def parts(found: Sequence[Item], size: int) -> list[list[Item]]:
    return [list(found[start : start + size]) for start in range(0, len(found), size)]


def _links(groups: Sequence[Rows]) -> Rows:
    """Taken out of the groups: both documents tell of a link, and it can be made when both are there."""
    made = Rows()
    for kind in LINKS:
        found: dict[tuple[str, str], list[Any]] = {}
        for group in groups:
            first = len(made.limits)
            made.limits += group.limits
            for source, place, scope, ends, document in group.stated.pop(kind, ()):
                found |= {(source, end[0]): [source, place, scope + first, [end], document] for end in ends}
        made.stated[kind] = list(found.values())
    return made
