"""Nodes by what a person calls them: an id, a path, a title, the name of an entity."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from wekadocs_corpus.model import Scope

from .interface import Node

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus

_MOST_NAMES = 100_000  # that are looked through for a near one


async def find(corpus: Corpus, scope: Scope, name: str) -> list[Node]:
    """What goes by this name; documents first, then sections, then entities."""
    by_id = await corpus.graph.describe([name], scope)
    if by_id:
        return by_id
    ids = await corpus.in_thread(corpus.truth.nodes_titled, name, scope)
    return [*await corpus.graph.describe(ids, scope), *await corpus.graph.lookup(name, scope)]


async def near(corpus: Corpus, scope: Scope, name: str, count: int = 5) -> list[str]:
    """Names that look like this one, the nearest first."""
    names = await corpus.in_thread(corpus.truth.node_names, scope, _MOST_NAMES)
    known = {each.casefold(): each for each in names}
    found = get_close_matches(name.casefold(), known, count, 0.6)
    inside = (folded for folded in known if name.casefold() in folded) if len(name) > 2 else ()
    return [known[folded] for folded in list(dict.fromkeys([*found, *inside]))[:count]]
