"""The questions a graph answers, wherever it lives. Every one takes a scope, is bounded, and orders its answer.

Nodes come as projections; text stays in the truth. An edge is seen only if the document that states it is in scope,
a node only if it belongs to such a document or, being an entity, is reached by such an edge: nothing of another
project can be walked to, also not by way of an entity.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from wekadocs_corpus.errors import Unavailable
from wekadocs_corpus.model import Scope

HIERARCHY = ("HAS_SECTION", "PARENT_OF", "HAS_CHUNK")
ORDER = ("NEXT", "NEXT_CHUNK")
STATED = ("MENTIONS", "DEFINES", "CONTAINS_STEP", "HAS_PARAMETER")  # stored with the document that states them
RELATIONSHIPS: tuple[str, ...] = (*HIERARCHY, *ORDER, "REFERENCES", *STATED)
TOGETHER = "CO_MENTIONED"  # entities named together in two sections or more; no direction; followed only when asked for
LINKS = ("REFERENCES",)
COUNTED = (*LINKS, *STATED)  # edges that documents state; hierarchy and order say nothing of how much a node is used
LENT = ("MENTIONS", "DEFINES", "REFERENCES")  # a chunk has those that its part of the section states
DOWN = (*HIERARCHY, "CONTAINS_STEP")  # from parent to child

MAX_HOPS, MAX_PATH_HOPS, MAX_PATHS, MAX_PAGE, MAX_IDS = 3, 5, 50, 100, 100
MAX_TOGETHER = 500  # sections looked at for what is named together with an entity
FAN_OUT = 100  # edges followed from one node, per type and direction: a hub must not fill an answer
FAN_OUT_ONCE = 2_000  # the same where a walk ends after one step: its pages show all of a hub
MAX_VISITED = 2_000  # nodes of one walk
MAX_EDGES = 100_000  # edges asked for in one walk
MAX_LOOKS = 1_000_000  # edges looked at in one walk: each may lie on the way of many pairs

Direction = Literal["out", "in", "both"]


class GraphUnavailable(Unavailable):
    """The graph cannot answer now; the reason is for the user and names no credentials."""


class GraphDisabled(GraphUnavailable):
    """The graph is switched off."""


class BadQuestion(ValueError):
    """A limit or a relationship type that does not exist; the message tells what does."""


@dataclass(frozen=True)
class Node:
    """A node without its text."""

    id: str
    label: str  # Document, Section, Chunk, or an entity's: Command, Concept, …
    title: str  # an entity's name
    level: int | None  # of the heading; None for entities
    tokens: int  # 0 for entities
    doc_tag: str  # "" for entities: many documents share them
    anchor: str
    path: str
    document_id: str


@dataclass(frozen=True, order=True)
class Relation:
    """An edge of an answer."""

    source: str
    type: str
    target: str


@dataclass(frozen=True)
class Neighbourhood:
    """One page of what is around some nodes, by distance, then id; an edge comes with its farther end."""

    nodes: tuple[Node, ...]
    distances: tuple[int, ...]
    edges: tuple[Relation, ...]
    more: bool  # another page follows
    truncated: bool = False  # a hub or the whole walk was cut


@dataclass(frozen=True, order=True)
class Path:
    """A shortest way between two nodes; edges may be walked against their direction unless it is asked for."""

    length: int
    nodes: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True)
class Paths:
    """Shortest paths by length, then by their nodes' ids."""

    paths: tuple[Path, ...]
    truncated: bool = False


@dataclass(frozen=True)
class Degree:
    """How many edges of some types a node has; a node and another have one of each type at most."""

    id: str
    inward: int
    outward: int


@dataclass(frozen=True)
class Hub:
    """A node that many others lead to, or that leads to many."""

    node: Node
    edges: int


@dataclass(frozen=True)
class Children:
    """One page of children in the document's order: sections, then chunks, then steps."""

    nodes: tuple[Node, ...]
    more: bool


@dataclass(frozen=True)
class EntityMention:
    """An entity that a section names or defines."""

    section_id: str
    entity: Node
    type: str  # MENTIONS or DEFINES
    weight: float  # how often
    evidence: tuple[tuple[int, int], ...]  # characters of the document's text


@dataclass(frozen=True)
class SectionMention:
    """A chunk, as a search finds it, that names or defines an entity."""

    entity_id: str
    node: Node
    type: str
    weight: float
    evidence: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Related:
    """A section or document tied to another one by a shared entity or a link."""

    seed_id: str
    node: Node
    via: str  # the entity's id; "" for a link
    type: str  # DEFINES: it defines what the seed names; MENTIONS: the other way; SHARES: both name it; REFERENCES
    weight: float
    spread: int  # how many nodes in scope stand where this one does: few say more than many


class Graph(Protocol):
    """Unknown ids, and ids out of scope, are simply not in the answer."""

    async def describe(self, ids: Sequence[str], scope: Scope) -> list[Node]:
        """The nodes, in the order asked."""
        ...

    async def neighbours(
        self,
        ids: Sequence[str],
        scope: Scope,
        *,
        hops: int = 1,
        types: Collection[str] = (),
        direction: Direction = "both",
        limit: int = 25,
        skip: int = 0,
    ) -> Neighbourhood: ...

    async def paths(
        self,
        a_ids: Sequence[str],
        b_ids: Sequence[str],
        scope: Scope,
        *,
        max_hops: int = 2,
        max_paths: int = 10,
        types: Collection[str] = (),
        direction: Direction = "both",
    ) -> Paths:
        """`direction` out: edges are followed from source to target only, from a to b."""
        ...

    async def degrees(self, ids: Sequence[str], scope: Scope, *, types: Collection[str] = LINKS) -> list[Degree]:
        """How many edges of these types come in and go out, a section and its chunks once; in the order asked."""
        ...

    async def hubs(
        self, scope: Scope, *, types: Collection[str] = LINKS, direction: Literal["in", "out"] = "in", limit: int = 10
    ) -> list[Hub]:
        """The nodes with most of these edges in one direction, then by id."""
        ...

    async def parents(self, ids: Sequence[str], scope: Scope) -> dict[str, Node]:
        """The node above each id that has one."""
        ...

    async def children(self, parent_id: str, scope: Scope, *, limit: int = 25, skip: int = 0) -> Children: ...

    async def entities_for_sections(
        self, ids: Sequence[str], scope: Scope, *, labels: Collection[str] = (), limit_each: int = 20
    ) -> list[EntityMention]:
        """By section as asked, then weight, then id; documents and chunks are taken too."""
        ...

    async def sections_for_entities(
        self, ids: Sequence[str], scope: Scope, *, limit_each: int = 20
    ) -> list[SectionMention]:
        """By entity as asked; who defines it first, then weight, then id. What a page's title defines is said by the
        chunk that the page begins with.
        """
        ...

    async def related_sections(
        self, ids: Sequence[str], scope: Scope, *, max_spread: int = 20, limit_each: int = 50, shares: bool = True
    ) -> list[Related]:
        """What a second hop of retrieval crosses to: links, and names that few others share.

        Without `shares` only those that define what a seed names, or name what it defines.
        """
        ...

    async def lookup(self, name: str, scope: Scope, *, prefix: bool = False, limit: int = 25) -> list[Node]:
        """Entities by name in any spelling, by key and id."""
        ...

    async def stats(self, scope: Scope) -> dict[str, int]:
        """How many nodes of each label and edges of each type."""
        ...

    async def close(self) -> None: ...


def checked_types(types: Collection[str]) -> tuple[str, ...]:
    """The relationship types to follow; none means all that are stated."""
    allowed = (*RELATIONSHIPS, TOGETHER)
    unknown = sorted(set(types) - set(allowed))
    if unknown:
        raise BadQuestion(f"Unknown relationship type(s): {', '.join(unknown)}. Allowed: {', '.join(allowed)}.")
    return tuple(kind for kind in allowed if kind in types) if types else RELATIONSHIPS


def checked_counted(types: Collection[str]) -> tuple[str, ...]:
    """The types whose edges are counted."""
    unknown = sorted(set(types) - set(COUNTED))
    if unknown or not types:
        raise BadQuestion(f"Edges can be counted of these types: {', '.join(COUNTED)}.")
    return tuple(kind for kind in COUNTED if kind in types)


def told(spans: Sequence[tuple[int, int]], weight: float, start: int, end: int) -> float:
    """How much of what a section says, as often as `weight` and first at these spans, stands in a part of its text."""
    inside = sum(start <= first < end for first, _ in spans)
    return weight if inside == len(spans) else float(inside)


def directed(node: str, kind: str, end: str, way: str) -> Relation:
    """The edge to an end that was found going out of a node or in; without direction: the lesser id first."""
    backwards = node > end if kind == TOGETHER else way == "in"
    return Relation(end, kind, node) if backwards else Relation(node, kind, end)


def checked(name: str, value: int, low: int, high: int) -> int:
    """A limit within its bounds."""
    if not low <= value <= high:
        raise BadQuestion(f"{name} is {value}; it must be between {low} and {high}.")
    return value


def checked_ids(ids: Sequence[str]) -> list[str]:
    """Ids without repetition, in the order asked."""
    checked("number of ids", len(ids), 0, MAX_IDS)
    return list(dict.fromkeys(ids))
