"""Asking the graph with errors a model can act on, and the edges around nodes in an answer of bounded size."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wekadocs_corpus import GraphRows, Row
from wekadocs_mcp import ToolError

from .corpus_errors import corpus_errors, refuse_when_empty

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .retrieval import AsksCorpus

_WITHOUT_GRAPH = ("kb.search", "kb.retrieve_evidence")  # they answer without the graph
_EDGE_BYTES = 400  # of an answer, for each edge of a single node: an edge has about 100


@contextmanager
def graph_errors(
    call: Call[object], instead: Sequence[str] = _WITHOUT_GRAPH, beside: Mapping[str, object] | None = None
) -> Iterator[None]:
    """What the graph refuses, as a caller can act on it; `beside` for those who look next to the error."""
    from wekadocs_corpus import BadQuestion, GraphUnavailable, stopping

    try:
        with corpus_errors(GraphUnavailable), stopping.by(call.deadline):
            yield
    except BadQuestion as error:
        raise ToolError("INVALID_ARGUMENT", str(error)) from error
    except GraphUnavailable as error:
        names = " or ".join(call.served_name(each) for each in instead)
        message = f"The graph cannot be asked now: {error}. Without it, use {names}."
        raise ToolError(
            "BACKEND_UNAVAILABLE", message, {"neo4j_disabled": True}, retryable=True, beside=beside
        ) from error


async def ask_graph(
    call: Call[AsksCorpus],
    question: Awaitable[GraphRows],
    instead: Sequence[str] = _WITHOUT_GRAPH,
    beside: Mapping[str, object] | None = None,
) -> GraphRows:
    """The rows of one of `wekadocs_corpus.graph.queries`; where nothing is indexed at all, that is said instead."""
    with graph_errors(call, instead, beside):
        found = await question
        if found.not_found and not found.rows:
            await refuse_when_empty(call.state.corpus, call.scope)
        return found


@dataclass(frozen=True)
class NodesWithEdges:
    """Nodes, each with the edges that lead to it, and as large a share of the edges among the nodes asked for."""

    found: GraphRows
    edges: dict[str, list[Row]]
    among: list[Row]

    def show(self, taken: int) -> Row:
        rows, count = self.found.rows[:taken], len(self.found.rows)
        shared = self.among[: len(self.among) * taken // count] if count else self.among
        return {"nodes": rows, "edges": [*shared, *(edge for row in rows for edge in self.edges.get(row["id"], ()))]}


def with_their_edges(call: Call[object], found: GraphRows) -> NodesWithEdges:
    """One node's edges do not fill an answer: where there are so many, some are left out and it is said."""
    most = max(1, call.budget.limit // _EDGE_BYTES)
    edges = _by_node(found)
    cut = any(len(own) > most for own in edges.values())
    kept = {node: own[:most] for node, own in edges.items()}
    return NodesWithEdges(replace(found, truncated=found.truncated or cut), kept, kept.pop("", []))


def _by_node(found: GraphRows) -> dict[str, list[Row]]:
    """Edges by their farther end; "" where neither end is on this page."""
    distance = {row["id"]: away for row, away in zip(found.rows, found.distances, strict=True)}
    edges: dict[str, list[Row]] = {}
    for edge in found.edges:
        ends: Sequence[str] = [end for end in (edge["src"], edge["dst"]) if end in distance]
        edges.setdefault(max(ends, key=lambda end: distance[end], default=""), []).append(edge)
    return edges
