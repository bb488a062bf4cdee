"""Nodes by what a person calls them: an id, a path, a title, the name of an entity."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from wekadocs_corpus.graph.embedded import sql
from wekadocs_corpus.model import Scope

from .interface import MAX_PAGE, Node

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus
    from wekadocs_corpus.store.sqlite.truth import Truth

_MOST_NAMES = 100_000  # that are looked through for a near one


async def find(corpus: Corpus, scope: Scope, name: str) -> list[Node]:
    """What goes by this name; documents first, then sections, then entities."""
    by_id = await corpus.graph.describe([name], scope)
    if by_id:
        return by_id
    ids = await corpus.in_thread(_titled, corpus.truth, scope, name)
    return [*await corpus.graph.describe(ids, scope), *await corpus.graph.lookup(name, scope)]


async def near(corpus: Corpus, scope: Scope, name: str, count: int = 5) -> list[str]:
    """Names that look like this one, the nearest first."""
    known: dict[str, str] = await corpus.in_thread(_names, corpus.truth, scope)
    found = get_close_matches(name.casefold(), known, count, 0.6)
    inside = (folded for folded in known if name.casefold() in folded) if len(name) > 2 else ()
    return [known[folded] for folded in list(dict.fromkeys([*found, *inside]))[:count]]


def _titled(truth: Truth, scope: Scope, name: str) -> list[str]:
    path, _, anchor = name.partition("#")
    values = {**sql.scope_values(scope), "name": name, "path": path, "anchor": anchor, "most": MAX_PAGE}
    with truth.reading() as connection:
        rows = connection.execute(sql.NAMED_SECTION if anchor else sql.NAMED, values).fetchall()
    return [row[0] for row in rows]


def _names(truth: Truth, scope: Scope) -> dict[str, str]:
    values = {**sql.scope_values(scope), "most": _MOST_NAMES}
    with truth.reading() as connection:
        return {row[0].casefold(): row[0] for row in connection.execute(sql.NAMES, values) if row[0]}
