"""Neo4j's statements. Values are always parameters; the texts are put together from constants only.

Every node is a :WekadocsNode with a unique id. Both ends of a relationship are of one project and environment; whatever
else a scope asks is written on the relationships that documents state, so that each step of a walk is filtered where it
is taken.
"""

from __future__ import annotations

from typing import Any, Final

from wekadocs_corpus.graph.interface import COUNTED, DOWN, FAN_OUT
from wekadocs_corpus.model import Scope

from .conditions import DEFINED, END_SEEN, IN_SCOPE, INSIDE, LIMITS, NODE_SEEN, SAID_HERE, SEEN, TOLD

_R, _Q = LIMITS.format("r"), LIMITS.format("q")
_NODE = (
    "{0}.id, {0}.label, {0}.title, {0}.level, coalesce({0}.tokens, 0), coalesce({0}.doc_tag, ''),"
    " coalesce({0}.anchor, ''), coalesce({0}.path, ''), coalesce({0}.document_id, '')"
)
_ROW = f"RETURN [{_NODE.format('n')}] AS row"

NODES: Final = f"MATCH (n:WekadocsNode) WHERE n.id IN $ids AND {NODE_SEEN} {_ROW}"
_AREA = "{0}.project = $project AND {0}.environment = $environment"

_COUNTED = "|".join(COUNTED)
DEGREES: Final = f"""UNWIND $ids AS id MATCH (n:WekadocsNode {{id: id}})
 OPTIONAL MATCH (n)<-[:HAS_CHUNK]-(s:WekadocsNode)
 WITH id, n, coalesce(s, n) AS x
 CALL (n, x) {{ MATCH (x)<-[r:{_COUNTED}]-(m:WekadocsNode) WHERE type(r) IN $types AND {_R}
 AND (x = n OR type(r) = 'REFERENCES' AND n.first) RETURN count(DISTINCT [type(r), m.id]) AS inward }}
 CALL (n, x) {{ MATCH (x)-[r:{_COUNTED}]->(m:WekadocsNode) WHERE type(r) IN $types AND {_R}
 AND (x = n OR {SAID_HERE}) AND {END_SEEN} RETURN count(DISTINCT [type(r), m.id]) AS outward }}
 RETURN id, inward, outward"""
_HUBS = f"""MATCH (n:WekadocsNode){{0}}(m:WekadocsNode) WHERE type(r) IN $types AND {_R} AND m.label IS NOT NULL
 AND {_AREA.format("n")} AND n.label IS NOT NULL {{1}}
 WITH n, count(DISTINCT [type(r), m.id]) AS edges WHERE {{2}}
 WITH n, edges ORDER BY edges DESC, n.id LIMIT $most
 RETURN [{_NODE.format("n")}] AS row, edges ORDER BY edges DESC, n.id"""
HUBS: Final = {
    "in": _HUBS.format(f"<-[r:{_COUNTED}]-", "", NODE_SEEN),
    "out": _HUBS.format(f"-[r:{_COUNTED}]->", f"AND {END_SEEN}", NODE_SEEN),
}

_BELOW = f"(type(r) <> 'CONTAINS_STEP' OR {_R})"
PARENTS: Final = f"""UNWIND $ids AS id
 MATCH (n:WekadocsNode {{id: id}})<-[r:{"|".join(DOWN)}]-(m:WekadocsNode) WHERE {_BELOW}
 RETURN id, min(m.id) AS parent"""
CHILDREN: Final = f"""MATCH (n:WekadocsNode {{id: $id}})-[r:{"|".join(DOWN)}]->(m:WekadocsNode) WHERE {_BELOW}
 RETURN m.id AS id ORDER BY CASE type(r) WHEN 'HAS_CHUNK' THEN 1 WHEN 'CONTAINS_STEP' THEN 2 ELSE 0 END,
 r.rank, m.key, id SKIP $skip LIMIT $most"""
ENTITIES_OF: Final = f"""UNWIND $ids AS id CALL (id) {{
 MATCH (c:WekadocsNode {{id: id}}) WHERE {_AREA.format("c")} OPTIONAL MATCH (c)<-[:HAS_CHUNK]-(s:WekadocsNode)
 WITH c, s, coalesce(s, c) AS x
 MATCH (x)-[r:MENTIONS|DEFINES]->(n:Entity) WHERE {_R} AND n.label IS NOT NULL
 AND {DEFINED.format("n")} AND ($labels IS NULL OR n.label IN $labels)
 WITH r, n, c.start AS start, c.end AS end, CASE WHEN s IS NULL THEN r.weight ELSE {TOLD} END AS weight
 WHERE weight > 0
 RETURN type(r) AS type, weight, r.evidence AS evidence, [{_NODE.format("n")}] AS row, start, end
 ORDER BY weight DESC, n.id, type LIMIT $most }} RETURN id, type, weight, evidence, row, start, end"""
CHUNKS_OF: Final = f"""UNWIND $ids AS id CALL (id) {{
 MATCH (:WekadocsNode {{id: id}})<-[r:MENTIONS|DEFINES]-(m:WekadocsNode) WHERE {_R}
 CALL (id, m, r) {{
  MATCH (m)-[:HAS_CHUNK]->(c:Chunk) WITH c, {TOLD} AS weight WHERE weight > 0
  RETURN c.id AS other, weight, c.start AS start, c.end AS end
  UNION MATCH (c:WekadocsNode {{document_id: m.id}}) WHERE c.body AND NOT EXISTS {{
   MATCH (c)<-[:HAS_CHUNK]-(:WekadocsNode)-[q]->(:WekadocsNode {{id: id}})
   WHERE type(q) = type(r) AND {INSIDE.replace("r.places", "q.places")} > 0 }}
  RETURN c.id AS other, r.weight AS weight, null AS start, null AS end }}
 RETURN type(r) AS type, weight, r.evidence AS evidence, other, start, end
 ORDER BY type, weight DESC, other LIMIT $most }} RETURN id, type, weight, evidence, other, start, end"""

# In no order: what has more ends than the limit is a hub, and leads nowhere.
_ENDS = """CALL (n, r) {{ MATCH (n)<-[q:{0}]-(x:WekadocsNode) WHERE {1} WITH x, q LIMIT $most
 RETURN collect([x.id, x.document_id, q.weight]) AS {2} }}"""
TIES: Final = f"""UNWIND $ids AS id MATCH (s:WekadocsNode {{id: id}})-[r:MENTIONS|DEFINES]->(n:Entity)
 WHERE {_R} AND n.label IS NOT NULL
 {_ENDS.format("DEFINES", _Q, "definers")}
 {_ENDS.format("MENTIONS", f"($shares OR type(r) = 'DEFINES') AND {_Q}", "mentioners")}
 RETURN id, s.document_id AS document, n.id AS entity, n.label AS label, type(r) AS type, r.weight AS weight,
 definers, mentioners"""

LOOKUP: Final = f"""MATCH (n:Entity) WHERE {_AREA.format("n")} AND n.key IN $keys
 AND {SEEN} WITH n ORDER BY n.key, n.id LIMIT $most {_ROW}"""
LOOKUP_PREFIX: Final = f"""MATCH (n:Entity) WHERE {_AREA.format("n")}
 AND n.key STARTS WITH $prefix AND {SEEN} WITH n ORDER BY n.key, n.id LIMIT $most {_ROW}"""
_STATED = f"MATCH (n:Entity)<-[r]-() WHERE {_AREA.format('n')} AND {_R} AND n.label IS NOT NULL"
STATS: Final = f"""MATCH (n:WekadocsNode) WHERE n.document_id IS NOT NULL AND {IN_SCOPE.format("n")}
 RETURN n.label AS name, count(*) AS count
 UNION ALL {_STATED} AND (n.label <> 'Concept' OR type(r) = 'DEFINES')
 RETURN n.label AS name, count(DISTINCT n) AS count
 UNION ALL {_STATED} AND {DEFINED.format("n")}
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
