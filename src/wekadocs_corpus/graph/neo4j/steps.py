"""Neo4j's statement for one step of a walk: nodes that are seen, each with its other ends in order and cut.

A statement costs the server and the driver more than what it reads: one for all types and both ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from wekadocs_corpus.graph.interface import HIERARCHY, LINKS, MAX_TOGETHER, ORDER, STATED, TOGETHER, Direction

from .conditions import DEFINED, END_SEEN, INSIDE, LIMITS, NODE_SEEN, SAID_HERE
from .writing import ORDERED

_R, _T = LIMITS.format("r"), LIMITS.format("t")
_PLACED = [*HIERARCHY, *ORDER]  # inside one document: what is seen of it is seen of its parts
_END = f"(type(r) IN {_PLACED} OR {_R}) AND {END_SEEN}"
_COLLECTED = "ORDER BY rank, place, part WITH type, collect(other)[..$most] AS others"

# A chunk has what its section states there; behind a section that is referred to comes the chunk that it begins with.
_OUT = f"""OPTIONAL MATCH (n)<-[:HAS_CHUNK]-(s:WekadocsNode) WHERE $out
 UNWIND CASE WHEN s IS NULL THEN [n] ELSE [n, s] END AS x
 MATCH (x)-[r:{"|".join((*_PLACED, *STATED, *LINKS))}]->(m:WekadocsNode)
 WHERE $out AND type(r) IN $types AND (x = n OR {SAID_HERE}) AND {_END}
 UNWIND [[-1, m.id]] + [(m)-[h:HAS_CHUNK]->(c:Chunk)
  WHERE $chunks AND x = n AND type(r) = 'REFERENCES' AND c.first | [h.rank, c.id]] AS far
 WITH type(r) AS type, min(coalesce(r.rank, 0)) AS rank, m.id AS place, far[0] AS part, far[1] AS other {_COLLECTED}
 RETURN 'out' AS way, type, others"""
_FEW = [kind for kind in (*_PLACED, *STATED) if kind not in ORDERED]
_IN = f"""MATCH (n)<-[r:{"|".join(_FEW)}]-(m:WekadocsNode) WHERE $in AND type(r) IN $types AND {_END}
 WITH type(r) AS type, min(coalesce(r.rank, 0)) AS rank, m.id AS place, -1 AS part, m.id AS other {_COLLECTED}
 RETURN 'in' AS way, type, others"""

# Hubs are what is stated everywhere: an index has their relationships in order, so that no more are read than shown.
# Who states it lies in the scope that the relationship says: not looked at again. Behind a section come those of its
# chunks where it says so; a chunk is referred to with the section that it begins.
_LEADING = f"""{{1}}
 MATCH (m:WekadocsNode)-[r:{{0}}]->(x) USING INDEX r:{{0}}(to, place)
 WHERE $in AND '{{0}}' IN $types AND r.to = x.place AND r.place >= 0 AND {_R}
 WITH x, n, m, r ORDER BY r.to, r.place LIMIT $most
 UNWIND [[-1, m.id]] + [(m)-[h:HAS_CHUNK]->(c:Chunk) WHERE $chunks AND x = n AND {INSIDE} > 0 | [h.rank, c.id]] AS far
 WITH r.place AS place, far[0] AS part, far[1] AS other ORDER BY place, part LIMIT $most
 RETURN 'in' AS way, '{{0}}' AS type, collect(other) AS others"""
_ITSELF = "WITH n, n AS x"
_BEGUN = "OPTIONAL MATCH (n)<-[:HAS_CHUNK]-(s:WekadocsNode) WHERE $in AND n.first WITH n, coalesce(s, n) AS x"
_LEADING_TO = [_LEADING.format(kind, _BEGUN if kind in LINKS else _ITSELF) for kind in ORDERED]

_CO_MENTIONED = f"""MATCH (n)<-[r:MENTIONS|DEFINES]-(s:WekadocsNode) WHERE n:Entity AND {_R}
 WITH DISTINCT n, s ORDER BY s.id LIMIT {MAX_TOGETHER}
 MATCH (s)-[t:MENTIONS|DEFINES]->(m:Entity) WHERE m <> n AND {_T} AND m.label IS NOT NULL AND {DEFINED.format("m")}
 WITH m.id AS other, count(DISTINCT s) AS together WHERE together > 1 ORDER BY together DESC, other LIMIT $most
 RETURN 'out' AS way, '{TOGETHER}' AS type, collect(other) AS others"""


def _step(parts: Sequence[str]) -> str:
    return f"""UNWIND $ids AS id MATCH (n:WekadocsNode {{id: id}}) WHERE {NODE_SEEN}
 CALL (n) {{ CALL (n) {{ {" UNION ALL ".join(parts)} }} RETURN collect([way, type, others]) AS ends }}
 RETURN id, ends"""


STEP: Final = _step([_OUT, _IN, *_LEADING_TO])
STEP_TOGETHER: Final = _step([_OUT, _IN, *_LEADING_TO, _CO_MENTIONED])


def step(types: Sequence[str], direction: Direction) -> tuple[str, dict[str, Any]]:
    """The statement, and what it is told of types and ways."""
    values = {"types": list(types), "out": direction != "in", "in": direction != "out"}
    return (STEP_TOGETHER if TOGETHER in types else STEP), values
