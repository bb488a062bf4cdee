"""All that a second hop needs of a database that is far: what seeds are tied to, where names stand that they name, what
of the question is there, and the documents that it leads to. One statement, of the parts that a near one is asked with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from wekadocs_corpus.graph.embedded import sql
from wekadocs_corpus.graph.interface import FAN_OUT
from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.sql.reading.coverage import FIRST_CHUNKS
from wekadocs_corpus.store.sql.reading.documents import HAS_EDGES
from wekadocs_corpus.store.sql.reading.filtering import allowed_chunks
from wekadocs_corpus.store.sql.reading.naming import DOCUMENTS
from wekadocs_corpus.store.truth.rows import Coverage, Naming
from wekadocs_corpus.store.writing.names import short
from wekadocs_corpus.store.writing.nodes import DOCUMENT, SECTION, TYPE, node

from .hop_rows import SPREAD, Rows
from .pieces import COLUMNS, LAST, WHOLE, piece, question_of
from .recent import FarRecent, Held, Leading

_DEFINES, _MENTIONS, _REFERENCES = TYPE["DEFINES"], TYPE["MENTIONS"], TYPE["REFERENCES"]
_MOST_DOCUMENTS = 32  # that come as a whole: those with most words of the question
_SEEDS = "unnest(CAST(:nodes AS bigint[])) AS w (node)"
_TIED = sql.TIED.replace(":node", "w.node")
_TIED_ENDS = f"""SELECT e.source, d.id, e.weight FROM {sql.STATED_EDGES} WHERE e.target = wanted.entity
 AND e.type = wanted.type AND {sql.DOCUMENT_IN_SCOPE} ORDER BY e.rank LIMIT :spread"""
_FROM = f"""SELECT e.source FROM {sql.STATED_EDGES} WHERE e.target = w.node AND e.type = {_REFERENCES}
 AND {sql.DOCUMENT_IN_SCOPE} GROUP BY e.rank, e.source ORDER BY e.rank, e.source LIMIT {FAN_OUT}"""
_TO = sql.REFERRED.replace(":node", "w.node").replace(":type", str(_REFERENCES)).replace(":most", str(FAN_OUT))
_NAMED = DOCUMENTS.replace(":concept", "w.concept").replace(":most", ":naming + 1")
_ASKED = "(SELECT count(*) FROM unnest(CAST(:terms AS integer[])) AS t (term) WHERE t.term = ANY (x.terms))"
_HOP = f"""WITH tied AS MATERIALIZED (SELECT w.node AS seed, t.* FROM {_SEEDS}
 JOIN LATERAL ({_TIED}) AS t (document, id, entity, label, type, weight) ON true),
 wanted AS (SELECT DISTINCT tied.entity, k.type FROM tied JOIN (VALUES ({_DEFINES}), ({_MENTIONS})) AS k (type)
  ON k.type = {_DEFINES} OR tied.type = {_DEFINES}),
 tied_ends AS MATERIALIZED (SELECT wanted.entity, wanted.type, e.* FROM wanted
  JOIN LATERAL ({_TIED_ENDS}) AS e (node, document, weight) ON true),
 links AS MATERIALIZED (SELECT w.node AS seed, 0 AS leads, l.node FROM {_SEEDS}
  JOIN LATERAL ({_FROM}) AS l (node) ON true
  UNION ALL SELECT w.node, 1, l.node FROM {_SEEDS} JOIN LATERAL ({_TO}) AS l (node, id) ON true),
 named AS MATERIALIZED (SELECT * FROM (SELECT w.concept, n.number, n.id, count(*) OVER every AS documents,
  bool_or(n.id = ANY (CAST(:own AS text[]))) OVER every AS own FROM unnest(CAST(:concepts AS bigint[])) AS w (concept)
  JOIN LATERAL ({_NAMED}) AS n (number, id) ON true WINDOW every AS (PARTITION BY w.concept)) AS naming
  WHERE own AND documents BETWEEN 2 AND :naming),
 ends AS MATERIALIZED (SELECT node FROM tied_ends UNION SELECT node FROM links),
 chosen AS MATERIALIZED (SELECT c.number FROM ends JOIN chunks c ON c.section = node >> 2 WHERE node & 3 = {SECTION}
  UNION SELECT c.number FROM ends JOIN chunks c ON c.document = node >> 2 AND c.ordinal < {FIRST_CHUNKS}
  WHERE node & 3 = {DOCUMENT}
  UNION SELECT c.number FROM named JOIN chunks c ON c.document = named.number
  WHERE named.id <> ALL (CAST(:own AS text[]))),
 there AS MATERIALIZED (SELECT c.number, c.section, c.document, c.id, c.ordinal, d.id AS document_id, c.terms
  FROM chosen JOIN chunks c ON c.number = chosen.number JOIN documents d ON d.number = c.document
  WHERE {{condition}} AND c.kind <> 'front_matter'),
 best AS (SELECT there.document, max({_ASKED}) AS asked FROM there JOIN words x ON x.chunk = there.number
  WHERE there.document_id <> ALL (CAST(:known AS text[])) GROUP BY there.document
  ORDER BY asked DESC, there.document LIMIT :most)
 SELECT 't' AS what, seed AS a, entity AS b, type AS c, id AS x, document AS y, label AS z, weight AS w,
  CAST(NULL AS bytea) AS data FROM tied
 UNION ALL SELECT 'e', entity, node, type, {sql.ID.format("node")}, document, NULL, weight, NULL FROM tied_ends
 UNION ALL SELECT 'l', seed, node, leads, {sql.ID.format("node")}, NULL, NULL, NULL, NULL FROM links
 UNION ALL SELECT 'n', concept, named.number, NULL, named.id, NULL, NULL, NULL, n.packed
  FROM named JOIN names n ON n.document = named.number
 UNION ALL SELECT 's', s.document, NULL, NULL, NULL, NULL,
  CAST(json_agg(json_build_array(s.id, s.number) ORDER BY s.number) AS text), NULL, NULL
  FROM sections s WHERE s.document IN (SELECT number FROM named) GROUP BY s.document
 UNION ALL SELECT 'c', section, document, ordinal, id, document_id, NULL, NULL, terms FROM there
 UNION ALL SELECT 'p', number, last, NULL, id, head, rows, NULL, text FROM (SELECT {COLUMNS.format("true")}
  FROM best JOIN documents d ON d.number = best.document WHERE {LAST} < {WHOLE})
  AS p (id, number, last, head, rows, text)
"""


@dataclass(frozen=True)
class Seed:
    """A section or document that a chunk stands for."""

    id: str
    chunk_id: str
    document_id: str


@dataclass(frozen=True)
class Hopped:
    """Where seeds lead."""

    ways: list[tuple[str, str]]  # from a seed to a section or document, over links and names that are somebody's
    naming: list[Naming]
    coverage: list[Coverage]
    has_edges: bool


def hop(
    connection: Connection,
    recent: FarRecent,
    seeds: Sequence[Seed],
    concepts: Sequence[str],
    most_naming: int,
    terms: Collection[int],
    scope: Scope,
    filters: Filters,
    along: Sequence[str],
) -> Hopped:
    """`along` are chunks whose documents are needed next, whatever comes of it."""
    held = recent.held(connection)
    nodes = {number: seed.id for seed in seeds if (number := _node(held, seed)) is not None}
    asked: list[Question] = [(HAS_EDGES, (scope.project_id, scope.environment))]
    asked += [question_of(new)] if (new := held.missing(along)) else []
    key = (*nodes, *concepts, most_naming, *terms, scope, filters)
    known = held.hops.get(key)
    if known is None and nodes:
        own = sorted({seed.document_id for seed in seeds})
        values = _values(list(nodes), concepts, most_naming, terms, own, [*held.named, *own])
        most = 0 if held.complete else _MOST_DOCUMENTS
        asked.append(_question({**values, "most": most}, scope, filters))
    edges, *rest = connection.ask_all(asked)
    if known is None:
        rows = Rows(rest.pop() if nodes else ())
        held.take(rows.pieces)
        known = held.take_hop(key, _read(rows, nodes, concepts, terms))
    held.take(piece(row) for answer in rest for row in answer)
    return Hopped(*known, edges.fetchone() is not None)


def _read(rows: Rows, nodes: Mapping[int, str], concepts: Sequence[str], terms: Collection[int]) -> Leading:
    ways, naming = rows.ways(nodes), rows.naming(concepts)
    ends = dict.fromkeys([*(node for _, node in ways), *(each.node_id for each in naming)])
    return ways, naming, rows.coverage(ends, terms)


def _node(held: Held, seed: Seed) -> int | None:
    piece = held.piece_of(seed.chunk_id)
    if piece is None:
        return None
    whole = seed.id == piece.id
    return node(DOCUMENT, piece.number) if whole else node(SECTION, piece.rows[piece.place[seed.chunk_id]][1])


def _values(
    nodes: Sequence[int],
    concepts: Sequence[str],
    most_naming: int,
    terms: Collection[int],
    own: Sequence[str],
    known: Sequence[str],
) -> dict[str, object]:
    return {
        "nodes": list(nodes),
        "spread": SPREAD + 1,
        "concepts": sorted({short(each) for each in concepts}),
        "naming": most_naming,
        "terms": [term - (1 << 32) if term >= 1 << 31 else term for term in terms],
        "own": list(own),
        "known": list(known),
    }


def _question(values: Mapping[str, object], scope: Scope, filters: Filters) -> Question:
    condition, more = allowed_chunks(scope, filters)
    names = [f"v_{letter}" for letter in ascii_lowercase[: len(more)]]
    parts = condition.split("?")
    spelled = "".join(f"{part}:{name}" for part, name in zip(parts, names, strict=False)) + parts[-1]
    return _HOP.replace("{condition}", spelled), {
        **sql.scope_values(scope),
        **dict(zip(names, more, strict=True)),
        **values,
    }
