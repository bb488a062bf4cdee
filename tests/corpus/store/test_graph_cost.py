"""What the graph is asked by id costs as much as that id, not as much as there is."""

from __future__ import annotations

import json

import pytest
from made_documents import prepared

from wekadocs_corpus.graph.embedded import sql
from wekadocs_corpus.graph.embedded.step import numbered
from wekadocs_corpus.model import Area, Edge, Entity, GraphPart, digest
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.nodes import TYPE

MANY, STEPS = 3000, 2000
ENTITIES = tuple(Entity(digest("e", str(i)), "Command", f"run {i}", f"run {i}") for i in range(MANY))


@pytest.mark.parametrize("statement", [*sql.NODES, *sql.PLACES, *sql.KINDS])
def test_a_node_is_found_without_looking_at_all_of_its_kind(truth: SqliteTruth, statement: str) -> None:
    made = prepared("a.md")
    section = made.document.parsed.sections[0].id
    edges = tuple(Edge(section, "MENTIONS", each.id) for each in ENTITIES)
    truth.write(prepared("a.md", graph=GraphPart(ENTITIES, edges)))
    ids = [ENTITIES[7].id, section, made.document.id, made.document.parsed.chunks[0].id]
    values = {**sql.scope_values(Area("p", "prod")), "ids": json.dumps(ids)}
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 10
        return steps > STEPS

    with truth.reading() as connection:
        connection.set_progress_handler(count, 10)
        assert len(connection.execute(statement, values).fetchall()) == 1


@pytest.mark.parametrize("statement", [sql.STATED_IN, sql.STATED_IN_CHUNKS])
def test_the_first_of_a_hub_are_found_without_looking_at_all_that_lead_to_it(
    truth: SqliteTruth, statement: str
) -> None:
    hub, *others = ENTITIES
    edges = tuple(Edge(each.id, "MENTIONS", hub.id) for each in others)
    truth.write(prepared("a.md", graph=GraphPart(ENTITIES, edges)))
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 10
        return steps > 10 * STEPS

    with truth.reading() as connection:
        node = numbered(connection, [hub.id])[hub.id].node
        values = {**sql.scope_values(Area("p", "prod")), "node": node, "type": TYPE["MENTIONS"], "most": 20}
        connection.set_progress_handler(count, 10)
        connection.execute(statement, values).fetchall()
