"""What the old tools share, one per process; and the graph under them."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_kit import Scratch, ask_graph

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, GraphRows
    from wekadocs_mcp import Call


@dataclass(frozen=True)
class LegacyState:
    corpus: Corpus
    scratch: Scratch


async def graph_rows(call: Call[LegacyState], question: Awaitable[GraphRows]) -> GraphRows:
    """What the graph says; what it refuses, with the field by which old clients knew that it is off."""
    return await ask_graph(call, question, ("search_sections",), {"neo4j_disabled": True})
