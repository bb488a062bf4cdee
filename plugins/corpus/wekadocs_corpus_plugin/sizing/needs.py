"""Bytes a section takes in each store, as measured here, and what their makers say of memory, shards and copies.

docs/explanation/scaling.md tells where each figure is from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

SECTIONS_A_DOCUMENT = 9  # 267,165 of 30,125 pages
_MB, _GB = 10**6, 10**9

# Measured, on sections of 350 to 500 bytes and vectors of 256 numbers, indexes included.
_SQLITE, _LOCAL_INDEX, _POSTGRES = 1_950, 1_330, 4_500
_NODES, _EDGES, _TERMS = 2.6, 4.4, 60  # that a section brings
_OWN, _SERVER = 75 * _MB, 150 * _MB
_MEASURED_NUMBERS, _NUMBER = 256, 2  # of a vector, and bytes of each, in the truth and in the arrays

# Published: Qdrant's formula for memory; Neo4j's records of a node, an edge, a property and a short text, and a page
# cache of the store and a tenth more.
_QDRANT_FACTOR, _FLOAT, _SPARSE, _PAYLOAD = 1.5, 4, 8, 400
_NODE, _EDGE, _PROPERTY, _TEXT, _PROPERTIES = 15, 34, 41, 128, 6
_PAGE_CACHE, _HEAP, _SYSTEM = 1.1, 2 * _GB, 1 * _GB

# Ours: memory of a machine, and sections that one shard answers for.
_MACHINE, _SHARD_SECTIONS = 64 * _GB, 20_000_000
_ONE_MACHINE_SECTIONS, _ONE_GRAPH_SECTIONS, _SERVER_SECTIONS = 500_000, 10_000_000, 100_000_000


@dataclass(frozen=True)
class Store:
    """`memory` and `disk` of one copy of all of it; `machines` hold every copy."""

    name: str
    memory: int
    disk: int
    shards: int
    copies: int
    machines: int


@dataclass(frozen=True)
class Needs:
    sections: int
    dimension: int
    embedded: Store | None  # where one machine is enough
    stores: tuple[Store, ...]
    servers: int
    server_memory: int
    valkey_memory: int


def needs(sections: int, dimension: int = 256, copies: int = 2, on_disk: bool = False) -> Needs:
    """Of a corpus of this size."""
    stores = (_postgres(sections, dimension), _qdrant(sections, dimension, copies, on_disk), _neo4j(sections))
    embedded = _embedded(sections, dimension) if sections <= _ONE_MACHINE_SECTIONS else None
    servers = max(2, math.ceil(sections / _SERVER_SECTIONS) + 1)
    return Needs(sections, dimension, embedded, stores, servers, _SERVER, 256 * _MB)


def _embedded(sections: int, dimension: int) -> Store:
    """SQLite, and the arrays beside it that all servers of a machine map."""
    more = sections * _longer(dimension)
    return Store(
        "embedded", _OWN + sections * _LOCAL_INDEX + more, sections * (_SQLITE + _LOCAL_INDEX) + 2 * more, 1, 1, 1
    )


def _longer(dimension: int) -> int:
    return _NUMBER * (dimension - _MEASURED_NUMBERS)


def _postgres(sections: int, dimension: int) -> Store:
    """A quarter stays in memory: what words and ids lead to. As much disk again for its log and growth."""
    disk = sections * (_POSTGRES + _longer(dimension))
    return Store("PostgreSQL", min(max(_GB, disk // 4), 4 * _MACHINE), 2 * disk, 1, 2, 2)


def _qdrant(sections: int, dimension: int, copies: int, on_disk: bool) -> Store:
    """As much disk again while segments are made anew."""
    numbers = sections * (dimension * _FLOAT + _TERMS * _SPARSE)
    whole = int(numbers * _QDRANT_FACTOR) + sections * _PAYLOAD
    memory = whole // 8 if on_disk else whole
    machines = max(copies, math.ceil(memory * copies / _MACHINE))
    shards = max(math.ceil(sections / _SHARD_SECTIONS), math.ceil(machines / copies))
    return Store("Qdrant", memory, 2 * whole, shards, copies, machines)


def _neo4j(sections: int) -> Store:
    """It has no shards of one graph: memory beyond a machine is page cache that it does without."""
    of_node = _NODE + _PROPERTIES * _PROPERTY // 2 + 2 * _TEXT
    disk = int(sections * (_NODES * of_node + _EDGES * (_EDGE + _PROPERTY)))
    copies = 1 if sections <= _ONE_GRAPH_SECTIONS else 3
    return Store("Neo4j", min(int(disk * _PAGE_CACHE) + _HEAP + _SYSTEM, 4 * _MACHINE), 2 * disk, 1, copies, copies)
