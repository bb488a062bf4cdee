# ruff: noqa: S608 (no value is ever put into these texts)
"""The embedded graph's statements. Values are always parameters; the texts are put together from constants only."""

from __future__ import annotations

import json
from typing import Final

from wekadocs_corpus.graph.interface import FAN_OUT, MAX_TOGETHER
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.writing.nodes import DOCUMENT, ENTITY, SECTION, TYPE

CONTAINS_STEP, DEFINES, MENTIONS = (TYPE[name] for name in ("CONTAINS_STEP", "DEFINES", "MENTIONS"))

# The plus keeps SQLite from beginning with all documents of a project: it comes to a document by its id.
_IN_SCOPE = """+{0}.project = :project AND +{0}.environment = :environment
 AND (:tags IS NULL OR +{0}.doc_tag IN (SELECT value FROM json_each(:tags)) OR EXISTS (SELECT 1 FROM other_tags o
  WHERE o.document = {0}.number AND o.tag IN (SELECT value FROM json_each(:tags))))
 AND (:repositories IS NULL OR {0}.repository IN (SELECT value FROM json_each(:repositories)))"""


def in_scope(document: str) -> str:
    """The condition on a document's alias."""
    return _IN_SCOPE.format(document)


DOCUMENT_IN_SCOPE: Final = in_scope("d")

# A concept exists where a document in scope defines it; text that merely could name one points into the void.
_STATES = f"""EXISTS (SELECT 1 FROM edges q JOIN documents qd ON qd.number = q.document
 WHERE q.target = n.number << 2 | {ENTITY} AND {{0}} AND {_IN_SCOPE.format("qd")})"""
DEFINED: Final = f"(n.label <> 'Concept' OR {_STATES.format(f'q.type = {DEFINES}')})"
SEEN: Final = _STATES.format(f"(n.label <> 'Concept' OR q.type = {DEFINES})")
STATED_EDGES: Final = "edges e JOIN documents d ON d.number = e.document"
TO_ENTITY: Final = f"JOIN entities n ON n.number = e.target >> 2 AND e.target & 3 = {ENTITY}"
_ENTITY = "n.id, n.label, n.name, NULL, 0, '', '', '', ''"
# The id of a node that an edge names.
ID: Final = f"""CASE {{0}} & 3 WHEN {SECTION} THEN (SELECT id FROM sections WHERE number = {{0}} >> 2)
 WHEN {ENTITY} THEN (SELECT id FROM entities WHERE number = {{0}} >> 2)
 ELSE (SELECT id FROM documents WHERE number = {{0}} >> 2) END"""
_KINDS = f"({MENTIONS}, {DEFINES})"

_ANY = "IN (SELECT value FROM json_each(:ids))"
_DIGESTS = "IN (SELECT id_key(value) FROM json_each(:ids))"
NODES: Final = (
    f"""SELECT d.id, 'Document', d.title, 0, d.tokens, d.doc_tag, '', d.path, d.id
 FROM documents d WHERE d.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT s.id, 'Section', s.title, s.level,
 (SELECT COALESCE(SUM(c.tokens), 0) FROM chunks c WHERE c.section = s.number), d.doc_tag, s.anchor, d.path, d.id
 FROM sections s JOIN documents d ON d.number = s.document WHERE s.digest {_DIGESTS} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT c.id, 'Chunk', s.title, s.level, c.tokens, d.doc_tag, s.anchor, d.path, d.id
 FROM chunks c JOIN documents d ON d.number = c.document JOIN sections s ON s.number = c.section
 WHERE c.digest {_DIGESTS} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT {_ENTITY} FROM entities n CROSS JOIN areas a ON a.number = n.area
 WHERE n.digest {_DIGESTS} AND a.project = :project AND {SEEN}""",
)
PLACES: Final = (
    f"""SELECT d.id, d.id, 0, (SELECT MAX("end") FROM chunks WHERE document = d.number)
 FROM documents d WHERE d.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT s.id, d.id, s."start", s."end" FROM sections s JOIN documents d ON d.number = s.document
 WHERE s.digest {_DIGESTS} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT c.id, d.id, c."start", c."end" FROM chunks c JOIN documents d ON d.number = c.document
 WHERE c.digest {_DIGESTS} AND {DOCUMENT_IN_SCOPE}""",
)
# The chunk that a section begins with: who links to the section leads there.
_FIRST = "{0}.ordinal = (SELECT MIN(ordinal) FROM chunks WHERE section = {0}.section)"
# id, kind, the node as edges know it; of a chunk also which part of its section it is
KINDS: Final = (
    f"SELECT d.id, 'Document', d.number << 2 | {DOCUMENT}, 0, 0, 0 FROM documents d WHERE d.id {_ANY}",
    f"SELECT s.id, 'Section', s.number << 2 | {SECTION}, 0, 0, 0 FROM sections s WHERE s.digest {_DIGESTS}",
    f"""SELECT c.id, 'Chunk', c.section << 2 | {SECTION}, c."start", c."end", {_FIRST.format("c")}
 FROM chunks c WHERE c.digest {_DIGESTS}""",
    f"SELECT n.id, 'Entity', n.number << 2 | {ENTITY}, 0, 0, 0 FROM entities n WHERE n.digest {_DIGESTS}",
)

_NEXT_SECTION = """SELECT n.id FROM sections s JOIN sections n ON n.document = s.document
 AND n.ordinal {0} s.ordinal AND n.parent IS s.parent WHERE s.digest = id_key(:id) ORDER BY n.ordinal {1} LIMIT 1"""
_NEXT_CHUNK = """SELECT n.id FROM chunks c JOIN chunks n ON n.document = c.document AND n.ordinal {0} c.ordinal
 WHERE c.digest = id_key(:id) ORDER BY n.ordinal {1} LIMIT 1"""
# (kind, direction, type) → the other ends. A visible node's document is in scope, and so is all of its hierarchy.
HIERARCHY_STEPS: Final[dict[tuple[str, str, str], str]] = {
    ("Document", "out", "HAS_SECTION"): "SELECT id FROM sections WHERE document = :node >> 2 AND parent IS NULL"
    " ORDER BY ordinal LIMIT :most",
    ("Section", "out", "PARENT_OF"): "SELECT id FROM sections WHERE parent = :node >> 2 ORDER BY ordinal LIMIT :most",
    ("Section", "out", "HAS_CHUNK"): "SELECT id FROM chunks WHERE section = :node >> 2 ORDER BY ordinal LIMIT :most",
    ("Section", "out", "NEXT"): _NEXT_SECTION.format(">", ""),
    ("Section", "in", "NEXT"): _NEXT_SECTION.format("<", "DESC"),
    ("Section", "in", "PARENT_OF"): "SELECT p.id FROM sections s JOIN sections p ON p.number = s.parent"
    " WHERE s.digest = id_key(:id)",
    ("Section", "in", "HAS_SECTION"): "SELECT d.id FROM sections s JOIN documents d ON d.number = s.document"
    " WHERE s.digest = id_key(:id) AND s.parent IS NULL",
    ("Chunk", "in", "HAS_CHUNK"): "SELECT s.id FROM chunks c JOIN sections s ON s.number = c.section"
    " WHERE c.digest = id_key(:id)",
    ("Chunk", "out", "NEXT_CHUNK"): _NEXT_CHUNK.format(">", ""),
    ("Chunk", "in", "NEXT_CHUNK"): _NEXT_CHUNK.format("<", "DESC"),
}
_STATED_OUT = f"""SELECT DISTINCT n.id FROM {STATED_EDGES} {TO_ENTITY}
 WHERE e.source = :node AND e.type = :type AND {DOCUMENT_IN_SCOPE} AND {DEFINED} {{0}} ORDER BY n.id LIMIT :most"""
IN_CHUNK: Final = "AND told(e.evidence, e.weight, :start, :end) <> 0"
STATED_OUT: Final = _STATED_OUT.format("")
# A rank orders as ids do, so that the first sources of a hub are found without looking at the others: ordered as they
# are grouped, or SQLite would sort all of them first.
_STATING = f"""SELECT e.rank, e.source AS node, MIN(e.evidence) AS evidence, e.weight FROM {STATED_EDGES}
 WHERE e.target = :node AND e.type = :type AND {DOCUMENT_IN_SCOPE}
 GROUP BY e.rank, e.source ORDER BY e.rank, e.source LIMIT :most"""
STATED_IN: Final = f"SELECT {ID.format('node')} FROM ({_STATING}) AS stating ORDER BY rank"
# Behind each section those of its chunks where it says so.
STATED_IN_CHUNKS: Final = f"""WITH stating AS ({_STATING}) SELECT id FROM (
 SELECT rank, -1 AS part, {ID.format("node")} AS id FROM stating
 UNION ALL SELECT rank, c.ordinal, c.id FROM stating CROSS JOIN chunks c ON c.section = node >> 2
  WHERE node & 3 = {SECTION} AND told(evidence, weight, c."start", c."end") <> 0) AS ends
 ORDER BY rank, part, id LIMIT :most"""

_REFERRED = f"""SELECT DISTINCT e.target AS node, {ID.format("e.target")} AS id FROM edges e
 JOIN documents d ON d.number = CASE e.target & 3
  WHEN {SECTION} THEN (SELECT s.document FROM sections s WHERE s.number = e.target >> 2) ELSE e.target >> 2 END
 WHERE e.source = :node AND e.type = :type AND {DOCUMENT_IN_SCOPE} {{0}} ORDER BY id LIMIT :most"""
REFERRED: Final = _REFERRED.format("")
REFERENCES_OUT: Final = f"SELECT id FROM ({REFERRED}) AS referred ORDER BY id"
# Behind each section the chunk that it begins with.
REFERENCES_OUT_CHUNKS: Final = f"""WITH referred AS ({_REFERRED.format("")}) SELECT id FROM (
 SELECT id AS place, -1 AS part, id FROM referred
 UNION ALL SELECT referred.id, c.ordinal, c.id FROM referred CROSS JOIN chunks c ON c.section = node >> 2
  WHERE node & 3 = {SECTION} AND {_FIRST.format("c")}) AS ends ORDER BY place, part LIMIT :most"""
# (direction, type) → the other ends of a chunk: what its section says there, and who links to where it begins
CHUNK_STEPS: Final[dict[tuple[str, str], str]] = {
    ("out", "MENTIONS"): _STATED_OUT.format(IN_CHUNK),
    ("out", "DEFINES"): _STATED_OUT.format(IN_CHUNK),
    ("out", "REFERENCES"): f"SELECT id FROM ({_REFERRED.format(IN_CHUNK)}) AS referred ORDER BY id",
    ("in", "REFERENCES"): f"SELECT {ID.format('node')} FROM ({_STATING}) AS stating WHERE :first <> 0 ORDER BY rank",
}

_PLACES = f"""SELECT rank, node FROM (SELECT e.rank, e.source AS node FROM {STATED_EDGES}
 WHERE e.target = :node AND e.type = {{0}} AND {DOCUMENT_IN_SCOPE}
 GROUP BY e.rank, e.source ORDER BY e.rank, e.source LIMIT {MAX_TOGETHER}) AS first_{{0}}"""
CO_MENTIONED: Final = f"""WITH places AS (SELECT rank, node FROM (
 {_PLACES.format(MENTIONS)} UNION {_PLACES.format(DEFINES)}) AS firsts ORDER BY rank, node LIMIT {MAX_TOGETHER})
 SELECT n.id FROM places JOIN edges e ON e.source = places.node JOIN documents d ON d.number = e.document
 {TO_ENTITY} WHERE e.type IN {_KINDS} AND e.target <> :node
 AND {DOCUMENT_IN_SCOPE} AND {DEFINED} GROUP BY e.target, n.id HAVING COUNT(DISTINCT places.node) > 1
 ORDER BY COUNT(DISTINCT places.node) DESC, n.id LIMIT :most"""

PARENTS: Final = f"""SELECT s.id, COALESCE(p.id, d.id) FROM sections s JOIN documents d ON d.number = s.document
 LEFT JOIN sections p ON p.number = s.parent WHERE s.digest {_DIGESTS}
 UNION ALL SELECT c.id, s.id FROM chunks c JOIN sections s ON s.number = c.section WHERE c.digest {_DIGESTS}
 UNION ALL SELECT n.id, MIN(p.id) FROM entities n JOIN edges e ON e.target = n.number << 2 | {ENTITY}
 JOIN entities p ON p.number = e.source >> 2 WHERE n.digest {_DIGESTS} AND e.type = {CONTAINS_STEP} GROUP BY n.id"""
CHILDREN: Final = f"""SELECT id FROM (
 SELECT s.id, 0 AS part, ordinal, '' AS key FROM documents d JOIN sections s ON s.document = d.number
  WHERE d.id = :id AND parent IS NULL
 UNION ALL SELECT s.id, 0, s.ordinal, '' FROM sections p JOIN sections s ON s.parent = p.number
  WHERE p.digest = id_key(:id)
 UNION ALL SELECT c.id, 1, c.ordinal, '' FROM sections s JOIN chunks c ON c.section = s.number
  WHERE s.digest = id_key(:id)
 UNION ALL SELECT n.id, 2, 0, n.key FROM entities p JOIN edges e ON e.source = p.number << 2 | {ENTITY}
  JOIN entities n ON n.number = e.target >> 2 WHERE p.digest = id_key(:id) AND e.type = {CONTAINS_STEP}) AS below
 ORDER BY part, ordinal, key, id LIMIT :most OFFSET :skip"""

_ENTITIES_OF = f"""SELECT e.type, {{0}} AS weight, e.evidence, {_ENTITY} FROM {STATED_EDGES} {TO_ENTITY}
 WHERE e.source = :node AND e.type IN {_KINDS} AND {DOCUMENT_IN_SCOPE} AND {DEFINED} AND {{0}} <> 0
 AND (:labels IS NULL OR n.label IN (SELECT value FROM json_each(:labels)))
 ORDER BY weight DESC, n.id, e.type LIMIT :most"""
ENTITIES_OF: Final = _ENTITIES_OF.format("e.weight")
ENTITIES_OF_CHUNK: Final = _ENTITIES_OF.format("told(e.evidence, e.weight, :start, :end)")
# The chunks where it is said; of a page whose title says it the one it begins with.
_BODY = "(SELECT MIN(ordinal) FROM chunks WHERE document = {0} AND kind <> 'front_matter')"
CHUNKS_OF: Final = f"""WITH stating AS (SELECT e.type, e.weight, e.evidence, e.source FROM {STATED_EDGES}
 WHERE e.target = :node AND e.type IN {_KINDS} AND {DOCUMENT_IN_SCOPE})
 SELECT type, weight, evidence, id, "start", "end" FROM (
  SELECT type, told(evidence, weight, c."start", c."end") AS weight, evidence, c.id, c."start", c."end"
  FROM stating CROSS JOIN chunks c ON c.section = source >> 2 WHERE source & 3 = {SECTION}
  UNION ALL SELECT type, weight, evidence, c.id, 0, 0 FROM stating CROSS JOIN chunks c ON c.document = source >> 2
  WHERE source & 3 = {DOCUMENT} AND c.ordinal = {_BODY.format("source >> 2")} AND NOT EXISTS (SELECT 1 FROM stating o
  WHERE o.source = c.section << 2 | {SECTION} AND o.type = stating.type
  AND told(o.evidence, o.weight, c."start", c."end") <> 0)) AS told_in
 WHERE weight <> 0 ORDER BY type, weight DESC, id LIMIT :most"""

TIED: Final = f"""SELECT d.id, n.id, n.number << 2 | {ENTITY}, n.label, e.type, e.weight FROM {STATED_EDGES} {TO_ENTITY}
 WHERE e.source = :node AND e.type IN {_KINDS} AND {DOCUMENT_IN_SCOPE}"""
TIED_ENDS: Final = f"""SELECT {ID.format("source")}, id, weight FROM (
 SELECT e.source, d.id, e.weight, e.rank FROM {STATED_EDGES}
 WHERE e.target = :node AND e.type = :type AND {DOCUMENT_IN_SCOPE} ORDER BY e.rank LIMIT :most) AS ends ORDER BY rank"""

_AREA = "(SELECT number FROM areas WHERE project = :project AND environment = :environment)"
LOOKUP: Final = f"""SELECT {_ENTITY} FROM entities n WHERE n.area = {_AREA}
 AND n.key IN (SELECT value FROM json_each(:keys)) AND {SEEN} ORDER BY n.key, n.id LIMIT :most"""
LOOKUP_PREFIX: Final = f"""SELECT {_ENTITY} FROM entities n WHERE n.area = {_AREA}
 AND n.key >= :low AND n.key < :high AND {SEEN} ORDER BY n.key, n.id LIMIT :most"""

NAMED: Final = f"""SELECT d.id FROM documents d WHERE d.path = :path AND {DOCUMENT_IN_SCOPE}
 UNION ALL SELECT id FROM (SELECT d.id FROM documents d WHERE lower(d.title) = lower(:name) AND d.path <> :path
  AND {DOCUMENT_IN_SCOPE} ORDER BY d.path) AS titled
 UNION ALL SELECT id FROM (SELECT s.id FROM sections s JOIN documents d ON d.number = s.document
  WHERE lower(s.title) = lower(:name) AND {DOCUMENT_IN_SCOPE} ORDER BY d.path, s.ordinal) AS within LIMIT :most"""
NAMED_SECTION: Final = f"""SELECT s.id FROM documents d CROSS JOIN sections s ON s.document = d.number
 WHERE d.path = :path AND s.anchor = :anchor AND {DOCUMENT_IN_SCOPE} ORDER BY s.ordinal LIMIT :most"""
NAMES: Final = f"""SELECT d.path FROM documents d WHERE {DOCUMENT_IN_SCOPE}
 UNION SELECT d.title FROM documents d WHERE {DOCUMENT_IN_SCOPE}
 UNION SELECT s.title FROM sections s JOIN documents d ON d.number = s.document WHERE {DOCUMENT_IN_SCOPE}
 UNION SELECT n.name FROM entities n WHERE n.area = {_AREA}
  AND n.label NOT IN ('Step', 'Procedure') AND {SEEN} LIMIT :most"""

_TYPE = f"CASE e.type {' '.join(f'WHEN {number} THEN {name!r}' for name, number in TYPE.items())} END"
_ALL_IN_SCOPE = DOCUMENT_IN_SCOPE.replace("+", "")  # here all documents are wanted, by their index
STATS: Final = f"""SELECT 'Document', COUNT(*) FROM documents d WHERE {_ALL_IN_SCOPE}
 UNION ALL SELECT 'Section', COUNT(*) FROM sections s JOIN documents d ON d.number = s.document WHERE {_ALL_IN_SCOPE}
 UNION ALL SELECT 'Chunk', COUNT(*) FROM chunks c JOIN documents d ON d.number = c.document WHERE {_ALL_IN_SCOPE}
 UNION ALL SELECT n.label, COUNT(DISTINCT n.id) FROM {STATED_EDGES} {TO_ENTITY}
  WHERE {_ALL_IN_SCOPE} AND (n.label <> 'Concept' OR e.type = {DEFINES}) GROUP BY n.label
 UNION ALL SELECT {_TYPE}, COUNT(*) FROM {STATED_EDGES} {TO_ENTITY}
  WHERE {_ALL_IN_SCOPE} AND {DEFINED} GROUP BY e.type"""


def scope_values(scope: Scope) -> dict[str, str | int | None]:
    """What every statement is given."""
    return {
        "project": scope.project_id,
        "environment": scope.environment,
        "tags": json.dumps(scope.doc_tags) if scope.doc_tags else None,
        "repositories": json.dumps(scope.repositories) if scope.repositories else None,
        "most": FAN_OUT + 1,
    }
