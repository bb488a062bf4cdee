# ruff: noqa: S608 (no value is ever put into these texts)
"""The embedded graph's statements. Values are always parameters; the texts are put together from constants only."""

from __future__ import annotations

import json
from typing import Final

from wekadocs_corpus.model import Scope

from .interface import FAN_OUT, MAX_TOGETHER

# The plus keeps SQLite from beginning with all documents of a project: it comes to a document by its id.
_IN_SCOPE = """+{0}.project = :project AND +{0}.environment = :environment
 AND (:tags IS NULL OR +{0}.doc_tag IN (SELECT value FROM json_each(:tags)))
 AND (:repositories IS NULL OR {0}.repository IN (SELECT value FROM json_each(:repositories)))"""
DOCUMENT_IN_SCOPE: Final = _IN_SCOPE.format("d")

# A concept exists where a document in scope defines it; text that merely could name one points into the void.
DEFINED: Final = f"""(n.label <> 'Concept' OR EXISTS (SELECT 1 FROM edges q JOIN documents qd ON qd.id = q.document_id
 WHERE q.target = n.id AND q.type = 'DEFINES' AND {_IN_SCOPE.format("qd")}))"""
SEEN: Final = f"""EXISTS (SELECT 1 FROM edges q JOIN documents qd ON qd.id = q.document_id
 WHERE q.target = n.id AND (n.label <> 'Concept' OR q.type = 'DEFINES') AND {_IN_SCOPE.format("qd")})"""
_STATED = "edges e JOIN documents d ON d.id = e.document_id"
_ENTITY = "n.id, n.label, n.name, NULL, 0, '', '', '', ''"

_ANY = "IN (SELECT value FROM json_each(:ids))"
NODES: Final = (
    f"""SELECT d.id, 'Document', d.title, 0, d.tokens, d.doc_tag, '', d.path, d.id
 FROM documents d WHERE d.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT s.id, 'Section', s.title, s.level,
 (SELECT COALESCE(SUM(c.tokens), 0) FROM chunks c WHERE c.section_id = s.id), d.doc_tag, s.anchor, d.path, d.id
 FROM sections s JOIN documents d ON d.id = s.document_id WHERE s.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT c.id, 'Chunk', s.title, s.level, c.tokens, d.doc_tag, s.anchor, d.path, d.id
 FROM chunks c JOIN documents d ON d.id = c.document_id JOIN sections s ON s.id = c.section_id
 WHERE c.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
    f"SELECT {_ENTITY} FROM entities n WHERE n.id {_ANY} AND +n.project = :project AND {SEEN}",
)
PLACES: Final = (
    f"SELECT d.id, d.id, 0, length(d.text) FROM documents d WHERE d.id {_ANY} AND {DOCUMENT_IN_SCOPE}",
    f"""SELECT s.id, d.id, s."start", s."end" FROM sections s JOIN documents d ON d.id = s.document_id
 WHERE s.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
    f"""SELECT c.id, d.id, c."start", c."end" FROM chunks c JOIN documents d ON d.id = c.document_id
 WHERE c.id {_ANY} AND {DOCUMENT_IN_SCOPE}""",
)
KINDS: Final = (
    f"SELECT d.id, 'Document' FROM documents d WHERE d.id {_ANY}",
    f"SELECT s.id, 'Section' FROM sections s WHERE s.id {_ANY}",
    f"SELECT c.id, 'Chunk' FROM chunks c WHERE c.id {_ANY}",
)

_NEXT_SECTION = """SELECT n.id FROM sections s JOIN sections n ON n.document_id = s.document_id
 AND n.ordinal {0} s.ordinal AND n.parent_id IS s.parent_id WHERE s.id = :id ORDER BY n.ordinal {1} LIMIT 1"""
_NEXT_CHUNK = """SELECT n.id FROM chunks c JOIN chunks n ON n.document_id = c.document_id AND n.ordinal {0} c.ordinal
 WHERE c.id = :id ORDER BY n.ordinal {1} LIMIT 1"""
# (kind, direction, type) → the other ends. A visible node's document is in scope, and so is all of its hierarchy.
HIERARCHY_STEPS: Final[dict[tuple[str, str, str], str]] = {
    ("Document", "out", "HAS_SECTION"): "SELECT id FROM sections WHERE document_id = :id AND parent_id IS NULL"
    " ORDER BY ordinal LIMIT :most",
    ("Section", "out", "PARENT_OF"): "SELECT id FROM sections WHERE parent_id = :id ORDER BY ordinal LIMIT :most",
    ("Section", "out", "HAS_CHUNK"): "SELECT id FROM chunks WHERE section_id = :id ORDER BY ordinal LIMIT :most",
    ("Section", "out", "NEXT"): _NEXT_SECTION.format(">", ""),
    ("Section", "in", "NEXT"): _NEXT_SECTION.format("<", "DESC"),
    ("Section", "in", "PARENT_OF"): "SELECT parent_id FROM sections WHERE id = :id AND parent_id IS NOT NULL",
    ("Section", "in", "HAS_SECTION"): "SELECT document_id FROM sections WHERE id = :id AND parent_id IS NULL",
    ("Chunk", "in", "HAS_CHUNK"): "SELECT section_id FROM chunks WHERE id = :id",
    ("Chunk", "out", "NEXT_CHUNK"): _NEXT_CHUNK.format(">", ""),
    ("Chunk", "in", "NEXT_CHUNK"): _NEXT_CHUNK.format("<", "DESC"),
}
STATED_OUT: Final = f"""SELECT DISTINCT e.target FROM {_STATED} JOIN entities n ON n.id = e.target
 WHERE e.source = :id AND e.type = :type AND {DOCUMENT_IN_SCOPE} AND {DEFINED} ORDER BY e.target LIMIT :most"""
STATED_IN: Final = f"""SELECT DISTINCT e.source FROM {_STATED}
 WHERE e.target = :id AND e.type = :type AND {DOCUMENT_IN_SCOPE} ORDER BY e.source LIMIT :most"""

REFERENCES_OUT: Final = f"""SELECT DISTINCT e.target FROM edges e
 JOIN documents d ON d.id = COALESCE((SELECT s.document_id FROM sections s WHERE s.id = e.target), e.target)
 WHERE e.source = :id AND e.type = :type AND {DOCUMENT_IN_SCOPE} ORDER BY e.target LIMIT :most"""

CO_MENTIONED: Final = f"""WITH places AS (SELECT DISTINCT e.source AS id FROM {_STATED} WHERE e.target = :id
 AND e.type IN ('MENTIONS', 'DEFINES') AND {DOCUMENT_IN_SCOPE} ORDER BY e.source LIMIT {MAX_TOGETHER})
 SELECT e.target FROM places JOIN edges e ON e.source = places.id JOIN documents d ON d.id = e.document_id
 JOIN entities n ON n.id = e.target WHERE e.type IN ('MENTIONS', 'DEFINES') AND e.target <> :id
 AND {DOCUMENT_IN_SCOPE} AND {DEFINED} GROUP BY e.target HAVING COUNT(DISTINCT places.id) > 1
 ORDER BY COUNT(DISTINCT places.id) DESC, e.target LIMIT :most"""

PARENTS: Final = f"""SELECT s.id, COALESCE(s.parent_id, s.document_id) FROM sections s WHERE s.id {_ANY}
 UNION ALL SELECT c.id, c.section_id FROM chunks c WHERE c.id {_ANY}
 UNION ALL SELECT e.target, MIN(e.source) FROM edges e WHERE e.target {_ANY} AND e.type = 'CONTAINS_STEP'
 GROUP BY e.target"""
CHILDREN: Final = """SELECT id FROM (
 SELECT id, 0 AS part, ordinal FROM sections WHERE document_id = :id AND parent_id IS NULL
 UNION ALL SELECT id, 0, ordinal FROM sections WHERE parent_id = :id
 UNION ALL SELECT id, 1, ordinal FROM chunks WHERE section_id = :id
 UNION ALL SELECT n.id, 2, n.key FROM edges e JOIN entities n ON n.id = e.target
  WHERE e.source = :id AND e.type = 'CONTAINS_STEP')
 ORDER BY part, ordinal, id LIMIT :most OFFSET :skip"""

SECTION_OF: Final = f"SELECT id, section_id FROM chunks WHERE id {_ANY}"
ENTITIES_OF: Final = f"""SELECT e.type, e.weight, e.evidence, {_ENTITY} FROM {_STATED}
 JOIN entities n ON n.id = e.target
 WHERE e.source = :id AND e.type IN ('MENTIONS', 'DEFINES') AND {DOCUMENT_IN_SCOPE} AND {DEFINED}
 AND (:labels IS NULL OR n.label IN (SELECT value FROM json_each(:labels)))
 ORDER BY e.weight DESC, n.id, e.type LIMIT :most"""
SECTIONS_OF: Final = f"""SELECT e.type, e.weight, e.evidence, e.source FROM {_STATED}
 WHERE e.target = :id AND e.type IN ('MENTIONS', 'DEFINES') AND {DOCUMENT_IN_SCOPE}
 ORDER BY e.type, e.weight DESC, e.source LIMIT :most"""

TIED: Final = f"""SELECT e.document_id, n.id, n.label, e.type, e.weight FROM {_STATED}
 JOIN entities n ON n.id = e.target
 WHERE e.source = :id AND e.type IN ('MENTIONS', 'DEFINES') AND {DOCUMENT_IN_SCOPE}"""
TIED_ENDS: Final = f"""SELECT e.source, e.document_id, e.weight FROM {_STATED}
 WHERE e.target = :id AND e.type = :type AND {DOCUMENT_IN_SCOPE} ORDER BY e.source LIMIT :most"""

LOOKUP: Final = f"""SELECT {_ENTITY} FROM entities n WHERE n.project = :project AND n.environment = :environment
 AND n.key IN (SELECT value FROM json_each(:keys)) AND {SEEN} ORDER BY n.key, n.id LIMIT :most"""
LOOKUP_PREFIX: Final = f"""SELECT {_ENTITY} FROM entities n WHERE n.project = :project AND n.environment = :environment
 AND n.key >= :low AND n.key < :high AND {SEEN} ORDER BY n.key, n.id LIMIT :most"""

NAMED: Final = f"""SELECT d.id FROM documents d WHERE d.path = :path AND {DOCUMENT_IN_SCOPE}
 UNION ALL SELECT id FROM (SELECT d.id FROM documents d WHERE lower(d.title) = lower(:name) AND d.path <> :path
  AND {DOCUMENT_IN_SCOPE} ORDER BY d.path)
 UNION ALL SELECT id FROM (SELECT s.id FROM sections s JOIN documents d ON d.id = s.document_id
  WHERE lower(s.title) = lower(:name) AND {DOCUMENT_IN_SCOPE} ORDER BY d.path, s.ordinal) LIMIT :most"""
NAMED_SECTION: Final = f"""SELECT s.id FROM documents d JOIN sections s ON s.document_id = d.id
 WHERE d.path = :path AND s.anchor = :anchor AND {DOCUMENT_IN_SCOPE} ORDER BY s.ordinal LIMIT :most"""
NAMES: Final = f"""SELECT d.path FROM documents d WHERE {DOCUMENT_IN_SCOPE}
 UNION SELECT d.title FROM documents d WHERE {DOCUMENT_IN_SCOPE}
 UNION SELECT s.title FROM sections s JOIN documents d ON d.id = s.document_id WHERE {DOCUMENT_IN_SCOPE}
 UNION SELECT n.name FROM entities n WHERE n.project = :project AND n.environment = :environment
  AND n.label NOT IN ('Step', 'Procedure') AND {SEEN} LIMIT :most"""

_ALL_IN_SCOPE = DOCUMENT_IN_SCOPE.replace("+", "")  # here all documents are wanted, by their index
STATS: Final = f"""SELECT 'Document', COUNT(*) FROM documents d WHERE {_ALL_IN_SCOPE}
 UNION ALL SELECT 'Section', COUNT(*) FROM sections s JOIN documents d ON d.id = s.document_id WHERE {_ALL_IN_SCOPE}
 UNION ALL SELECT 'Chunk', COUNT(*) FROM chunks c JOIN documents d ON d.id = c.document_id WHERE {_ALL_IN_SCOPE}
 UNION ALL SELECT n.label, COUNT(DISTINCT n.id) FROM {_STATED} JOIN entities n ON n.id = e.target
  WHERE {_ALL_IN_SCOPE} AND (n.label <> 'Concept' OR e.type = 'DEFINES') GROUP BY n.label
 UNION ALL SELECT e.type, COUNT(*) FROM {_STATED} JOIN entities n ON n.id = e.target
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
