"""A plugin brings tables of its own into the truth, and touches no other."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from made_documents import prepared

from wekadocs_corpus.store.errors import Busy, Refused, TooNew
from wekadocs_corpus.store.sql.truth import SqlTruth
from wekadocs_corpus.store.truth.tables import Tables

FIRST = [
    "CREATE TABLE chunks_items (id TEXT PRIMARY KEY, year INTEGER, body BLOB)",
    "CREATE INDEX chunks_items_by_year ON chunks_items (year)",
]
SECOND = ["ALTER TABLE chunks_items ADD COLUMN title TEXT", "UPDATE chunks_items SET title = upper(id)"]


@pytest.fixture
def tables(truth: SqlTruth) -> Iterator[Tables]:
    yield truth.tables("chunks", [FIRST])


def ids(tables: Tables) -> list[object]:
    with tables.reading() as rows:
        return [row[0] for row in rows.query("SELECT id FROM chunks_items ORDER BY id")]


def test_rows_go_in_and_come_back(tables: Tables) -> None:
    with tables.writing() as rows:
        assert (
            rows.execute_many("INSERT INTO chunks_items VALUES (?, ?, ?)", [("a", 1999, b"x"), ("b", None, None)]) == 2
        )
        assert rows.query("SELECT count(*) FROM chunks_items") == [(2,)]
        assert rows.execute("UPDATE chunks_items SET year = ? WHERE id = ?", (2001, "b")) == 1
    with tables.reading() as rows:
        assert rows.query("SELECT id, year, body FROM chunks_items WHERE year > ? ORDER BY id", (2000,)) == [
            ("b", 2001, None)
        ]


def test_documents_and_rows_are_one_transaction(truth: SqlTruth, tables: Tables) -> None:
    page = prepared()
    with pytest.raises(RuntimeError), tables.writing() as rows:
        rows.execute("INSERT INTO chunks_items VALUES ('a', 1, NULL)")
        assert rows.write([page]).documents == 1
        raise RuntimeError
    assert (ids(tables), truth.document(page.document.id), truth.sequence()) == ([], None, 0)
    with tables.writing() as rows:
        rows.write([page])
        rows.execute("INSERT INTO chunks_items VALUES ('a', 1, NULL)")
    assert ids(tables) == ["a"]
    assert truth.document(page.document.id) is not None
    with tables.writing() as rows:
        assert rows.delete([page.document.id]) == 1
        rows.execute("DELETE FROM chunks_items")
    assert (ids(tables), truth.document(page.document.id)) == ([], None)
    assert truth.integrity() == []


def test_a_document_that_cannot_be_stored_takes_the_rows_back(truth: SqlTruth, tables: Tables) -> None:
    with pytest.raises(Refused, match="nothing was written"), tables.writing() as rows:
        rows.execute("INSERT INTO chunks_items VALUES ('a', 1, NULL)")
        rows.write([prepared("fine.md"), prepared("bad\udc80.md")])
    assert (ids(tables), truth.counts().documents) == ([], 0)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT id FROM documents",
        "SELECT (SELECT text FROM documents LIMIT 1) FROM chunks_items",
        "WITH seen AS (SELECT id FROM documents) SELECT * FROM seen",
        "DELETE FROM chunks",
        "INSERT INTO meta VALUES ('schema', '9')",
        "INSERT INTO notes_items VALUES (1)",
        "SELECT name FROM sqlite_master",
        "CREATE TABLE chunks_more (id TEXT)",
        "DROP TABLE chunks_items",
        "PRAGMA writable_schema = ON",
        "ATTACH ':memory:' AS chunks_other",
        "COMMIT",
        "ROLLBACK",
        "SELECT load_extension('x')",
    ],
)
def test_no_statement_touches_what_is_not_the_plugins(truth: SqlTruth, tables: Tables, statement: str) -> None:
    truth.tables("notes", [["CREATE TABLE notes_items (id TEXT)"]])
    with truth.reading() as connection:
        connection.execute("SELECT id FROM documents").fetchall()  # known to the connection before
    with pytest.raises(Refused, match=r"tables of chunks: .*chunks_… only"), tables.writing() as rows:
        rows.execute(statement)
    assert truth.write(prepared()).documents == 1, "the truth's own statements are not judged"


def test_while_reading_nothing_is_changed(tables: Tables) -> None:
    with pytest.raises(Refused), tables.reading() as rows:
        rows.query("INSERT INTO chunks_items VALUES ('a', 1, NULL) RETURNING id")
    assert ids(tables) == []


def test_tables_grow_by_versions_and_keep_what_is_in_them(truth: SqlTruth, tables: Tables) -> None:
    with tables.writing() as rows:
        rows.execute("INSERT INTO chunks_items VALUES ('a', 1, NULL)")
    newer = truth.tables("chunks", [FIRST, SECOND])
    with newer.reading() as rows:
        assert rows.query("SELECT id, title FROM chunks_items") == [("a", "A")]
    truth.tables("chunks", [FIRST, SECOND])
    with pytest.raises(TooNew, match="the tables of chunks have version 2, this release knows 1"):
        truth.tables("chunks", [FIRST])


def test_a_version_that_fails_leaves_the_one_before(truth: SqlTruth, again: SqlTruth) -> None:
    with pytest.raises(Refused):
        truth.tables("chunks", [[*FIRST, "CREATE TABLE elsewhere (id TEXT)"]])
    assert ids(truth.tables("chunks", [FIRST])) == []
    assert ids(again.tables("chunks", [FIRST])) == []


def test_a_plugins_name_is_plain(truth: SqlTruth) -> None:
    with pytest.raises(Refused, match="small letters"):
        truth.tables("chunks_x; DROP", [])


def test_a_question_ends_at_its_deadline_and_a_writer_waits_its_turn(again: SqlTruth, tables: Tables) -> None:
    endless = (
        "WITH RECURSIVE chunks_n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM chunks_n) SELECT count(*) FROM chunks_n"
    )
    with pytest.raises(TimeoutError), tables.reading(time.monotonic() + 0.05) as rows:
        rows.query(endless)
    other = again.tables("chunks", [FIRST])
    with tables.writing(), pytest.raises(Busy, match="other processes have been writing"), other.writing(seconds=0.01):
        pass
