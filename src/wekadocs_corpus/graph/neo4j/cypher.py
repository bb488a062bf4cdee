"""Neo4j's statements. Values are always parameters; the texts are put together from constants only.

Every node is a :WekadocsNode with a unique id; every relationship carries the scope of the document that states it, so
that each step of a walk is filtered where it is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from wekadocs_corpus.graph.interface import (
    COUNTED,
    DOWN,
    FAN_OUT,
    LENT,
    MAX_TOGETHER,
    RELATIONSHIPS,
    TOGETHER,
    Direction,
)
from wekadocs_corpus.model import Scope

SCHEMA: Final = (
    "CREATE CONSTRAINT wekadocs_node_id IF NOT EXISTS FOR (n:WekadocsNode) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT wekadocs_replica_project IF NOT EXISTS FOR (n:WekadocsReplica) REQUIRE n.project IS UNIQUE",
    "CREATE INDEX wekadocs_node_document IF NOT EXISTS FOR (n:WekadocsNode) ON (n.document_id)",
    "CREATE INDEX wekadocs_entity_key IF NOT EXISTS FOR (n:Entity) ON (n.project, n.environment, n.key)",
    "CREATE INDEX wekadocs_step_document IF NOT EXISTS FOR ()-[r:CONTAINS_STEP]-() ON (r.document_id)",
    "CREATE INDEX wekadocs_parameter_document IF NOT EXISTS FOR ()-[r:HAS_PARAMETER]-() ON (r.document_id)",
)

_SCOPE = (
    "{0}.project = $project AND {0}.environment = $environment AND ($tags IS NULL OR {0}.doc_tag IN $tags"
    " OR any(tag IN {0}.other_tags WHERE tag IN $tags))"
    " AND ($repositories IS NULL OR {0}.repository IN $repositories)"
)
_R, _Q = _SCOPE.format("r"), _SCOPE.format("q")
# As in the embedded graph: a concept exists where a document in scope defines it.
_DEFINED = f"({{0}}.label <> 'Concept' OR EXISTS {{{{ MATCH ({{0}})<-[q:DEFINES]-() WHERE {_Q} }}}})"
_SEEN = f"EXISTS {{ MATCH (n)<-[q]-() WHERE (n.label <> 'Concept' OR type(q) = 'DEFINES') AND {_Q} }}"
_END_SEEN = f"m.label IS NOT NULL AND {_DEFINED.format('m')} AND (m.document_id IS NULL OR {_SCOPE.format('m')})"
_NODE = (
    "{0}.id, {0}.label, {0}.title, {0}.level, coalesce({0}.tokens, 0), coalesce({0}.doc_tag, ''),"
    " coalesce({0}.anchor, ''), coalesce({0}.path, ''), coalesce({0}.document_id, '')"
)
_ROW = f"RETURN [{_NODE.format('n')}] AS row"

NODES: Final = f"""MATCH (n:WekadocsNode) WHERE n.id IN $ids AND n.project = $project AND n.label IS NOT NULL
 AND ((n.document_id IS NOT NULL AND {_SCOPE.format("n")}) OR (n.document_id IS NULL AND {_SEEN})) {_ROW}"""

_ALL = "|".join(RELATIONSHIPS)
# How much of what a section states, as relationship r, stands in its chunk c.
_INSIDE = "size([place IN r.places WHERE c.start <= place AND place < c.end])"
_TOLD = f"CASE {_INSIDE} WHEN size(r.places) THEN r.weight ELSE toFloat({_INSIDE}) END"
# One plan for all types: a union of twenty parts took the planner seconds. A chunk has what its section states there,
# and is referred to with the section that it begins; behind a section come those of its chunks of which that is true.
_STEP = f"""UNWIND $ids AS id MATCH (n:WekadocsNode {{{{id: id}}}}) OPTIONAL MATCH (n)<-[:HAS_CHUNK]-(s:WekadocsNode)
 UNWIND CASE WHEN s IS NULL THEN [n] ELSE [n, s] END AS x MATCH (x){{0}}(m:WekadocsNode)
 WHERE type(r) IN $types AND (x = n OR {{1}}) AND {_R}
 AND {_END_SEEN.replace("{", "{{").replace("}", "}}")}
 CALL (x, n, r, m) {{{{ RETURN m.id AS other, -1 AS part
  UNION MATCH (m)-[h:HAS_CHUNK]->(c:Chunk) WHERE $chunks AND x = n AND {{2}} RETURN c.id AS other, h.rank AS part }}}}
 WITH id, type(r) AS type, min(r.rank) AS rank, m.id AS place, part, other ORDER BY rank, place, part
 RETURN id, type, collect(other)[..$most] AS others"""
_SAID_HERE = f"type(r) IN {list(LENT)} AND {_INSIDE.replace('c.', 'n.')} > 0"
_STEPS = {
    "out": _STEP.format(f"-[r:{_ALL}]->", _SAID_HERE, "type(r) = 'REFERENCES' AND c.first"),
    "in": _STEP.format(
        f"<-[r:{_ALL}]-", "type(r) = 'REFERENCES' AND n.first", f"type(r) IN {list(LENT)} AND {_INSIDE} > 0"
    ),
}

# Hubs are what is mentioned everywhere. Who mentions lies in the scope that the relationship says: not looked at again.
_MENTIONED = f"""UNWIND $ids AS id MATCH (n:WekadocsNode {{id: id}}) CALL (n) {{
 MATCH (n)<-[r:MENTIONS]-(m:WekadocsNode) WHERE {_R} AND {_DEFINED.format("n")}
 WITH m, r ORDER BY m.id LIMIT $most
 CALL (m, r) {{ RETURN m.id AS other, -1 AS part
  UNION MATCH (m)-[h:HAS_CHUNK]->(c:Chunk) WHERE $chunks AND {_INSIDE} > 0 RETURN c.id AS other, h.rank AS part }}
 WITH m.id AS place, part, other ORDER BY place, part LIMIT $most RETURN collect(other) AS others }}
 RETURN id, 'MENTIONS' AS type, others"""
_T = _SCOPE.format("t")
_CO_MENTIONED = f"""UNWIND $ids AS id CALL (id) {{
 MATCH (a:Entity {{id: id}})<-[r:MENTIONS|DEFINES]-(s:WekadocsNode) WHERE {_R}
 WITH DISTINCT a, s ORDER BY s.id LIMIT {MAX_TOGETHER}
 MATCH (s)-[t:MENTIONS|DEFINES]->(m:Entity) WHERE m <> a AND {_T} AND m.label IS NOT NULL AND {_DEFINED.format("m")}
 WITH m.id AS other, count(DISTINCT s) AS together WHERE together > 1 ORDER BY together DESC, other LIMIT $most
 RETURN collect(other) AS others }} RETURN id, '{TOGETHER}' AS type, others"""


def steps(types: Sequence[str], direction: Direction) -> Iterator[tuple[str, str, list[str]]]:
    """The statements of one step of a walk, each with its way and the types it is to follow."""
    for way in ("out", "in") if direction == "both" else (direction,):
        kinds = [kind for kind in types if kind != TOGETHER and (way, kind) != ("in", "MENTIONS")]
        if kinds:
            yield way, _STEPS[way], kinds
        if way == "in" and "MENTIONS" in types:
            yield way, _MENTIONED, []
    if TOGETHER in types:
        yield "out", _CO_MENTIONED, []


_COUNTED = "|".join(COUNTED)
DEGREES: Final = f"""UNWIND $ids AS id MATCH (n:WekadocsNode {{id: id}})
 OPTIONAL MATCH (n)<-[:HAS_CHUNK]-(s:WekadocsNode)
 WITH id, n, coalesce(s, n) AS x
 CALL (n, x) {{ MATCH (x)<-[r:{_COUNTED}]-(m:WekadocsNode) WHERE type(r) IN $types AND {_R}
 AND (x = n OR type(r) = 'REFERENCES' AND n.first) RETURN count(DISTINCT [type(r), m.id]) AS inward }}
 CALL (n, x) {{ MATCH (x)-[r:{_COUNTED}]->(m:WekadocsNode) WHERE type(r) IN $types AND {_R}
 AND (x = n OR {_SAID_HERE}) AND {_END_SEEN} RETURN count(DISTINCT [type(r), m.id]) AS outward }}
 RETURN id, inward, outward"""
_IS_SEEN = f"((n.document_id IS NOT NULL AND {_SCOPE.format('n')}) OR (n.document_id IS NULL AND {_SEEN}))"
_HUBS = f"""MATCH (n:WekadocsNode){{0}}(m:WekadocsNode) WHERE type(r) IN $types AND {_R} AND m.label IS NOT NULL
 AND n.label IS NOT NULL {{1}}
 WITH n, count(DISTINCT [type(r), m.id]) AS edges WHERE {{2}}
 WITH n, edges ORDER BY edges DESC, n.id LIMIT $most
 RETURN [{_NODE.format("n")}] AS row, edges ORDER BY edges DESC, n.id"""
HUBS: Final = {
    "in": _HUBS.format(f"<-[r:{_COUNTED}]-", "", _IS_SEEN),
    "out": _HUBS.format(f"-[r:{_COUNTED}]->", f"AND {_END_SEEN}", _IS_SEEN),
}

PARENTS: Final = f"""UNWIND $ids AS id
 MATCH (n:WekadocsNode {{id: id}})<-[r:{"|".join(DOWN)}]-(m:WekadocsNode) WHERE {_R}
 RETURN id, min(m.id) AS parent"""
CHILDREN: Final = f"""MATCH (n:WekadocsNode {{id: $id}})-[r:{"|".join(DOWN)}]->(m:WekadocsNode) WHERE {_R}
 RETURN m.id AS id ORDER BY CASE type(r) WHEN 'HAS_CHUNK' THEN 1 WHEN 'CONTAINS_STEP' THEN 2 ELSE 0 END,
 r.rank, m.key, id SKIP $skip LIMIT $most"""
ENTITIES_OF: Final = f"""UNWIND $ids AS id CALL (id) {{
 MATCH (c:WekadocsNode {{id: id}}) OPTIONAL MATCH (c)<-[:HAS_CHUNK]-(s:WekadocsNode)
 WITH c, s, coalesce(s, c) AS x
 MATCH (x)-[r:MENTIONS|DEFINES]->(n:Entity) WHERE {_R} AND n.label IS NOT NULL
 AND {_DEFINED.format("n")} AND ($labels IS NULL OR n.label IN $labels)
 WITH r, n, c.start AS start, c.end AS end, CASE WHEN s IS NULL THEN r.weight ELSE {_TOLD} END AS weight
 WHERE weight > 0
 RETURN type(r) AS type, weight, r.evidence AS evidence, [{_NODE.format("n")}] AS row, start, end
 ORDER BY weight DESC, n.id, type LIMIT $most }} RETURN id, type, weight, evidence, row, start, end"""
CHUNKS_OF: Final = f"""UNWIND $ids AS id CALL (id) {{
 MATCH (:WekadocsNode {{id: id}})<-[r:MENTIONS|DEFINES]-(m:WekadocsNode) WHERE {_R}
 CALL (id, m, r) {{
  MATCH (m)-[:HAS_CHUNK]->(c:Chunk) WITH c, {_TOLD} AS weight WHERE weight > 0
  RETURN c.id AS other, weight, c.start AS start, c.end AS end
  UNION MATCH (c:WekadocsNode {{document_id: m.id}}) WHERE c.body AND NOT EXISTS {{
   MATCH (c)<-[:HAS_CHUNK]-(:WekadocsNode)-[q]->(:WekadocsNode {{id: id}})
   WHERE type(q) = type(r) AND {_INSIDE.replace("r.places", "q.places")} > 0 }}
  RETURN c.id AS other, r.weight AS weight, null AS start, null AS end }}
 RETURN type(r) AS type, weight, r.evidence AS evidence, other, start, end
 ORDER BY type, weight DESC, other LIMIT $most }} RETURN id, type, weight, evidence, other, start, end"""

# In no order: what has more ends than the limit is a hub, and leads nowhere.
_ENDS = """CALL (n, r) {{ MATCH (n)<-[q:{0}]-(x:WekadocsNode) WHERE {1} WITH x, q LIMIT $most
 RETURN collect([x.id, q.document_id, q.weight]) AS {2} }}"""
TIES: Final = f"""UNWIND $ids AS id MATCH (:WekadocsNode {{id: id}})-[r:MENTIONS|DEFINES]->(n:Entity)
 WHERE {_R} AND n.label IS NOT NULL
 {_ENDS.format("DEFINES", _Q, "definers")}
 {_ENDS.format("MENTIONS", f"($shares OR type(r) = 'DEFINES') AND {_Q}", "mentioners")}
 RETURN id, r.document_id AS document, n.id AS entity, n.label AS label, type(r) AS type, r.weight AS weight,
 definers, mentioners"""

LOOKUP: Final = f"""MATCH (n:Entity) WHERE n.project = $project AND n.environment = $environment AND n.key IN $keys
 AND {_SEEN} WITH n ORDER BY n.key, n.id LIMIT $most {_ROW}"""
LOOKUP_PREFIX: Final = f"""MATCH (n:Entity) WHERE n.project = $project AND n.environment = $environment
 AND n.key STARTS WITH $prefix AND {_SEEN} WITH n ORDER BY n.key, n.id LIMIT $most {_ROW}"""
STATS: Final = f"""MATCH (n:WekadocsNode) WHERE n.document_id IS NOT NULL AND {_SCOPE.format("n")}
 RETURN n.label AS name, count(*) AS count
 UNION ALL MATCH (n:Entity)<-[r]-() WHERE {_R} AND n.label IS NOT NULL AND (n.label <> 'Concept' OR type(r) = 'DEFINES')
 RETURN n.label AS name, count(DISTINCT n) AS count
 UNION ALL MATCH (n:Entity)<-[r]-() WHERE {_R} AND n.label IS NOT NULL AND {_DEFINED.format("n")}
 RETURN type(r) AS name, count(*) AS count"""


def scope_values(scope: Scope) -> dict[str, Any]:
    """What every statement is given."""
    return {
        "project": scope.project_id,
        "environment": scope.environment,
        "tags": list(scope.doc_tags) or None,
        "repositories": list(scope.repositories) or None,
        "most": FAN_OUT + 1,
        "chunks": True,
    }


# Writing: only the synchronisation does.

MARK: Final = "MATCH (r:WekadocsReplica {project: $project}) RETURN r.truth AS truth, r.sequence AS sequence"
SET_MARK: Final = "MERGE (r:WekadocsReplica {project: $project}) SET r.truth = $truth, r.sequence = $sequence"
FORGET: Final = """MATCH (n:WekadocsNode) WHERE n.project = $project WITH n LIMIT $most DETACH DELETE n
 RETURN count(*) AS count"""
TAKE_OUT: Final = (
    "MATCH (n:WekadocsNode) WHERE n.document_id IN $ids DETACH DELETE n",
    "MATCH ()-[r:CONTAINS_STEP]->() WHERE r.document_id IN $ids DELETE r",
    "MATCH ()-[r:HAS_PARAMETER]->() WHERE r.document_id IN $ids DELETE r",
)
PUT_ENTITIES: Final = "UNWIND $rows AS row MERGE (n:WekadocsNode {id: row.id}) SET n:Entity, n += row"
PUT_NODES: Final = {
    kind: f"UNWIND $rows AS row MERGE (n:WekadocsNode {{id: row.id}}) SET n:{kind}, n = row"
    for kind in ("Document", "Section", "Chunk")
}
PUT_EDGES: Final = {
    kind: f"""UNWIND $rows AS row MATCH (a:WekadocsNode {{id: row.source}}) MATCH (b:WekadocsNode {{id: row.target}})
 CREATE (a)-[r:{kind}]->(b) SET r = row.properties"""
    for kind in RELATIONSHIPS
}
DROP_ORPHANS: Final = """MATCH (n:Entity) WHERE n.project = $project AND NOT EXISTS { (n)<--() } WITH n LIMIT $most
 DETACH DELETE n RETURN count(*) AS count"""
