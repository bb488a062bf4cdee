"""Neo4j's statements that write: only the synchronisation does. Values are always parameters."""

from __future__ import annotations

from typing import Final

from wekadocs_corpus.graph.interface import HIERARCHY, LINKS, ORDER, STATED

LAYOUT: Final = 2  # of nodes and relationships; a graph of another one is made anew
ORDERED: Final = ("MENTIONS", "DEFINES", "REFERENCES")  # what leads to hubs: an index keeps it in order

SCHEMA: Final = (
    "CREATE CONSTRAINT wekadocs_node_id IF NOT EXISTS FOR (n:WekadocsNode) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT wekadocs_replica_project IF NOT EXISTS FOR (n:WekadocsReplica) REQUIRE n.project IS UNIQUE",
    "CREATE INDEX wekadocs_node_document IF NOT EXISTS FOR (n:WekadocsNode) ON (n.document_id)",
    "CREATE INDEX wekadocs_entity_key IF NOT EXISTS FOR (n:Entity) ON (n.project, n.environment, n.key)",
    "CREATE INDEX wekadocs_step_document IF NOT EXISTS FOR ()-[r:CONTAINS_STEP]-() ON (r.document_id)",
    "CREATE INDEX wekadocs_parameter_document IF NOT EXISTS FOR ()-[r:HAS_PARAMETER]-() ON (r.document_id)",
    *(
        f"CREATE INDEX wekadocs_{kind.lower()}_order IF NOT EXISTS FOR ()-[r:{kind}]-() ON (r.to, r.place)"
        for kind in ORDERED
    ),
)

MARK: Final = """MATCH (r:WekadocsReplica {project: $project})
 RETURN r.truth AS truth, r.sequence AS sequence, r.layout AS layout"""
MARKED: Final = "MATCH (r:WekadocsReplica {truth: $truth}) RETURN r.project AS project"
# The first property that is set takes the node's lock: of two who come at once the second sees what the first has made.
CLAIM: Final = """MERGE (r:WekadocsReplica {project: $project}) SET r.asked = $holder WITH r
 WHERE r.holder IS NULL OR r.holder = $holder OR r.holder IN $dead OR r.until < timestamp()
 SET r.holder = $holder, r.until = timestamp() + $milliseconds RETURN count(r) AS count"""
HOLDER: Final = "MATCH (r:WekadocsReplica {project: $project}) RETURN r.holder AS holder"
STILL_MINE: Final = """MATCH (r:WekadocsReplica {project: $project, holder: $holder}) WHERE r.until > timestamp()
 RETURN count(r) AS count"""
PROLONG: Final = """MATCH (r:WekadocsReplica {project: $project, holder: $holder})
 SET r.until = timestamp() + $milliseconds RETURN count(r) AS count"""
SET_MARK: Final = """MATCH (r:WekadocsReplica {project: $project, holder: $holder})
 SET r.truth = $truth, r.sequence = $sequence, r.layout = $layout, r.until = timestamp() + $milliseconds
 RETURN count(r) AS count"""
RELEASE: Final = "MATCH (r:WekadocsReplica {project: $project, holder: $holder}) REMOVE r.holder, r.until, r.asked"

FORGET: Final = """MATCH (n:WekadocsNode) WHERE n.project = $project WITH n LIMIT $most DETACH DELETE n
 RETURN count(*) AS count"""
TAKE_OUT: Final = (
    "MATCH (n:WekadocsNode) WHERE n.document_id IN $ids DETACH DELETE n",
    "MATCH ()-[r:CONTAINS_STEP]->() WHERE r.document_id IN $ids DELETE r",
    "MATCH ()-[r:HAS_PARAMETER]->() WHERE r.document_id IN $ids DELETE r",
)
PUT_ENTITIES: Final = "UNWIND $rows AS row MERGE (n:WekadocsNode {id: row.id}) SET n:Entity, n += row"
PUT_NODES: Final = {
    kind: f"""UNWIND $rows AS row MERGE (n:WekadocsNode {{id: row[1].id}})
 SET n:{kind}, n = $scopes[row[0]], n += row[1]"""
    for kind in ("Document", "Section", "Chunk")
}


def _found(name: str, id: str) -> str:
    return f"MATCH ({name}:WekadocsNode {{id: {id}}}) USING INDEX {name}:WekadocsNode(id)"


PUT_PLACED: Final = {
    kind: f"""UNWIND $rows AS row {_found("a", "row[0]")} {_found("b", "row[1]")}
 CREATE (a)-[:{kind} {{rank: row[2]}}]->(b)"""
    for kind in (*HIERARCHY, *ORDER)
}
PUT_STATED: Final = {
    kind: f"""UNWIND $rows AS row {_found("a", "row[0]")} UNWIND row[3] AS far {_found("b", "far[0]")}
 CREATE (a)-[r:{kind} {{to: far[1], place: row[1], weight: far[2], evidence: far[3], places: far[4],
 document_id: row[4]}}]->(b) SET r += $limits[row[2]]"""
    for kind in (*STATED, *LINKS)
}
# Entities that documents name, and which of them are named by nobody once these are taken out.
NAMED_BY: Final = """MATCH (n:WekadocsNode) WHERE n.document_id IN $ids MATCH (n)-[:MENTIONS|DEFINES]->(m:Entity)
 RETURN DISTINCT m.id AS id
 UNION MATCH ()-[r:CONTAINS_STEP]->(m) WHERE r.document_id IN $ids RETURN DISTINCT m.id AS id
 UNION MATCH ()-[r:HAS_PARAMETER]->(m) WHERE r.document_id IN $ids RETURN DISTINCT m.id AS id"""
DROP_UNNAMED: Final = """UNWIND $ids AS id MATCH (n:WekadocsNode {id: id}) WHERE NOT EXISTS { (n)<--() }
 DETACH DELETE n"""
DROP_ORPHANS: Final = """MATCH (n:Entity) WHERE n.project = $project AND NOT EXISTS { (n)<--() } WITH n LIMIT $most
 DETACH DELETE n RETURN count(*) AS count"""
