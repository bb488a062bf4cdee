"""Counting, checking and tidying the truth: what `status`, `doctor` and the end of an ingest need."""

from __future__ import annotations

from typing import Literal

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.sql.reading.filtering import allowed
from wekadocs_corpus.store.sql.writing.orphans import UNUSED_ENTITY, UNUSED_VECTOR
from wekadocs_corpus.store.truth.rows import Counts, Fault, Within

_VECTORS = "SELECT name, count(*) FROM embeddings JOIN models ON models.number = model GROUP BY name"

_TAGGED = (
    "(SELECT number, project, doc_tag AS tag FROM documents "
    "UNION ALL SELECT number, project, tag FROM other_tags JOIN documents ON number = document)"
)
_HAVING = "chunks AS c JOIN documents AS d ON d.number = c.document"
_OF_PROJECT = f"embedded_hash IN (SELECT c.embedded_hash FROM {_HAVING} WHERE d.project = ?)"
# Another project may have the same text, and this model.
_BOUND = (
    f"EXISTS (SELECT 1 FROM {_HAVING} JOIN bindings AS b ON b.project = d.project JOIN models AS m ON m.name = b.model "
    "WHERE c.embedded_hash = embeddings.embedded_hash AND m.number = embeddings.model)"
)


def counts(connection: Connection, project: str | None, stored_bytes: int) -> Counts:
    only = "WHERE ?1 IS NULL OR project = ?1"
    sums = "count(*), coalesce(sum(tokens), 0), coalesce(sum(size_bytes), 0), max(ingested_at)"
    one = connection.execute(f"SELECT {sums} FROM documents {only}", (project,)).fetchone()
    tags = f"SELECT tag, count(*) FROM {_TAGGED} AS tagged {only} GROUP BY 1 ORDER BY 1"
    return Counts(
        documents=one[0],
        chunks=_chunks(connection, project),
        tokens=one[1],
        bytes=one[2],
        stored_bytes=stored_bytes,
        doc_tags=dict(connection.execute(tags, (project,)).fetchall()),
        models=dict(connection.execute(_VECTORS).fetchall()),
        sequence=connection.execute("SELECT coalesce(max(sequence), 0) FROM changes").fetchone()[0],
        last_ingest=one[3],
    )


def within(connection: Connection, scope: Scope) -> Within:
    condition, values = allowed(scope, Filters())
    sums = "count(*), coalesce(sum(d.tokens), 0), max(d.ingested_at)"
    documents, tokens, last = connection.execute(
        f"SELECT {sums} FROM documents AS d WHERE {condition}", values
    ).fetchone()
    chunks = connection.execute(f"SELECT count(*) FROM {_HAVING} WHERE {condition}", values).fetchone()[0]
    mine = (
        "SELECT d.number AS number, (SELECT count(*) FROM chunks WHERE document = d.number) AS chunks "
        f"FROM documents AS d WHERE {condition}"
    )
    ask = (
        f"SELECT tag, count(*), sum(chunks) FROM ({mine}) AS mine JOIN {_TAGGED} AS tagged "
        "ON tagged.number = mine.number GROUP BY 1 ORDER BY 1"
    )
    tags = {tag: (count, int(of_it)) for tag, count, of_it in connection.execute(ask, values).fetchall()}
    return Within(documents, chunks, int(tokens), tags, last)


def stamps(connection: Connection) -> list[tuple[str, str]]:
    """Every project and environment that has documents."""
    return connection.execute("SELECT DISTINCT project, environment FROM documents ORDER BY 1, 2").fetchall()


def tally(connection: Connection, column: Literal["doc_tag", "project"]) -> dict[str, tuple[int, int]]:
    """Documents and chunks per value; one with several tags counts for each of them."""
    name, source = ("tag", _TAGGED) if column == "doc_tag" else ("project", "documents")
    documents = connection.execute(f"SELECT {name}, count(*) FROM {source} AS d GROUP BY 1 ORDER BY 1").fetchall()
    ask = f"SELECT d.{name}, count(*) FROM {source} AS d JOIN chunks ON d.number = document GROUP BY 1"
    chunks = dict(connection.execute(ask).fetchall())
    return {name: (count, chunks.get(name, 0)) for name, count in documents}


def _chunks(connection: Connection, project: str | None) -> int:
    if project is None:
        return int(connection.execute("SELECT count(*) FROM chunks").fetchone()[0])
    ask = "SELECT count(*) FROM chunks JOIN documents AS d ON d.number = document WHERE project = ?"
    return int(connection.execute(ask, (project,)).fetchone()[0])


def integrity(connection: Connection) -> list[Fault]:
    """Of a database that is whole as its engine sees it."""
    if not _miscounted(connection):
        return []
    return [Fault("the full text index and the chunks disagree", "run wekadocs-mcp doctor", derived=True)]


def _miscounted(connection: Connection) -> bool:
    said = connection.execute("SELECT coalesce(sum(chunks), 0) FROM projects").fetchone()[0]
    there = connection.execute("SELECT count(*) FROM chunks WHERE length(terms) > 0").fetchone()[0]
    return bool(said != there)


def tidy(connection: Connection, project: str | None) -> None:
    connection.execute(f"DELETE FROM embeddings WHERE {UNUSED_VECTOR}")
    if project is not None:
        connection.execute(f"DELETE FROM embeddings WHERE {_OF_PROJECT} AND NOT {_BOUND}", (project,))
    connection.execute(f"DELETE FROM entities WHERE {UNUSED_ENTITY}")
