"""What makes a node or relationship visible, as parts of Neo4j's statements."""

from __future__ import annotations

from typing import Final

from wekadocs_corpus.graph.interface import LENT

# An absent property is an empty one.
LIMITS: Final = (
    "($tags IS NULL OR coalesce({0}.doc_tag, '') IN $tags OR any(tag IN {0}.other_tags WHERE tag IN $tags))"
    " AND ($repositories IS NULL OR coalesce({0}.repository, '') IN $repositories)"
)
IN_SCOPE: Final = f"{{0}}.project = $project AND {{0}}.environment = $environment AND {LIMITS}"
_Q = LIMITS.format("q")
# As in the embedded graph: a concept exists where a document in scope defines it.
_DEFINING = f"EXISTS {{{{ MATCH ({{0}})<-[q:DEFINES]-() WHERE {_Q} }}}}"
DEFINED: Final = f"({{0}}.label <> 'Concept' OR {_DEFINING})"
SEEN: Final = f"""(n.label = 'Concept' AND {_DEFINING.format("n")}
 OR n.label <> 'Concept' AND EXISTS {{ MATCH (n)<-[q]-() WHERE {_Q} }})"""
END_SEEN: Final = f"m.label IS NOT NULL AND {DEFINED.format('m')} AND (m.document_id IS NULL OR {IN_SCOPE.format('m')})"
# How much of what a section states, as relationship r, stands in its chunk c.
INSIDE: Final = "size([place IN coalesce(r.places, []) WHERE c.start <= place AND place < c.end])"
TOLD: Final = f"CASE {INSIDE} WHEN size(coalesce(r.places, [])) THEN r.weight ELSE toFloat({INSIDE}) END"
SAID_HERE: Final = f"type(r) IN {list(LENT)} AND {INSIDE.replace('c.', 'n.')} > 0"
NODE_SEEN: Final = f"""n.project = $project AND n.environment = $environment AND n.label IS NOT NULL
 AND ((n.document_id IS NOT NULL AND {LIMITS.format("n")}) OR (n.document_id IS NULL AND {SEEN}))"""
