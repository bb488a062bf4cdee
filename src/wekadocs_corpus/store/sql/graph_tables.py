"""What the file tells of the graph: the graph in its tables, and what graphs elsewhere are filled from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.graph.embedded import sql
from wekadocs_corpus.graph.interface import MAX_PAGE
from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.truth.rows import GraphRows, Naming, NodeSpan

from .reading import documents as reading
from .reading import graph_rows, naming
from .store import Store

if TYPE_CHECKING:
    from wekadocs_corpus.graph.interface import Graph


class GraphTables(Store):
    """A part of the truth, see store/truth/interface.py."""

    def embedded_graph(self) -> Graph:
        from wekadocs_corpus.graph.embedded.graph import EmbeddedGraph

        return EmbeddedGraph(self.reading)

    def has_edges(self, project: str, environment: str) -> bool:
        with self.reading() as connection:
            return reading.has_edges(connection, project, environment)

    def graph_rows(self, document_ids: Sequence[str]) -> GraphRows:
        with self.reading() as connection:
            return graph_rows.of_documents(connection, document_ids)

    def node_spans(self, ids: Sequence[str], scope: Scope) -> list[NodeSpan]:
        values = {**sql.scope_values(scope), "ids": json.dumps(list(ids))}
        with self.reading() as connection:
            answers = connection.ask_all([(statement, values) for statement in sql.PLACES])
            return [NodeSpan(*row) for rows in answers for row in rows]

    def nodes_titled(self, name: str, scope: Scope) -> list[str]:
        path, _, anchor = name.partition("#")
        values = {**sql.scope_values(scope), "name": name, "path": path, "anchor": anchor, "most": MAX_PAGE}
        with self.reading() as connection:
            return [row[0] for row in connection.execute(sql.NAMED_SECTION if anchor else sql.NAMED, values)]

    def node_names(self, scope: Scope, most: int) -> list[str]:
        values = {**sql.scope_values(scope), "most": most}
        with self.reading() as connection:
            return [row[0] for row in connection.execute(sql.NAMES, values) if row[0]]

    def sections_naming(self, concepts: Sequence[str], scope: Scope, most: int) -> list[Naming]:
        with self.reading() as connection:
            return [each for concept in concepts for each in naming.sections(connection, concept, scope, most)]
