"""One file, many threads and processes: turns, views, deadlines, and plain words when something is wrong."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from made_documents import prepared

from wekadocs_corpus.store.errors import Busy, Damaged, StoreError, TooNew, TooOld
from wekadocs_corpus.store.sqlite import connection
from wekadocs_corpus.store.sqlite.connection import Connections
from wekadocs_corpus.store.sqlite.file import FILE
from wekadocs_corpus.store.sqlite.preparing import SCHEMA_VERSION
from wekadocs_corpus.store.sqlite.truth import SqliteTruth


def test_two_of_them_on_one_folder_see_each_other(truth: SqliteTruth, data: Path) -> None:
    other = SqliteTruth(data)
    truth.write(prepared())
    assert other.counts().documents == 1
    assert other.id == truth.id
    other.close()


def test_a_later_layout_is_refused_with_the_way_out(truth: SqliteTruth, data: Path) -> None:
    truth.set_note("schema", "99")
    with pytest.raises(TooNew, match="later release"):
        SqliteTruth(data)
    truth.set_note("schema", str(SCHEMA_VERSION))


def test_an_earlier_layout_is_refused_with_the_command_that_makes_it_anew(truth: SqliteTruth, data: Path) -> None:
    truth.write_many([prepared(root="/my docs"), prepared("b.md", root="/other")])
    truth.set_note("schema", "2")
    with pytest.raises(TooOld, match=r"earlier release.*delete it.*`wekadocs-mcp ingest '/my docs' /other`"):
        SqliteTruth(data)
    truth.set_note("schema", str(SCHEMA_VERSION))


def test_a_file_that_is_no_database_is_told_so(data: Path) -> None:
    data.mkdir()
    (data / FILE).write_bytes(b"not a database, and long enough to look like one" * 100)
    with pytest.raises(Damaged, match="move the file away"):
        SqliteTruth(data)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--data"):
        SqliteTruth(tmp_path / "file" / "data")


def test_an_error_inside_a_transaction_leaves_nothing(truth: SqliteTruth) -> None:
    with pytest.raises(RuntimeError), truth.writing() as connection:
        connection.execute("INSERT INTO meta VALUES ('k', 'v')")
        raise RuntimeError
    assert truth.note("k") is None


def test_a_query_past_its_deadline_is_interrupted_and_the_connection_lives(truth: SqliteTruth) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(TimeoutError), truth.reading(time.monotonic() + 0.05) as connection:
        connection.execute(endless).fetchone()
    assert truth.sequence() == 0


def test_a_writer_waits_for_its_turn_and_gives_up_in_plain_words(truth: SqliteTruth, data: Path) -> None:
    other = Connections(data / FILE)
    with truth.writing(), pytest.raises(Busy, match="other processes have been writing"), other.writing(seconds=0.01):
        pass
    other.close()


def test_a_reader_sees_one_state_while_others_write(truth: SqliteTruth) -> None:
    with truth.reading() as connection:
        first = connection.execute("SELECT count(*) FROM documents").fetchone()
        truth.write(prepared())
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == first == (0,)
    assert truth.counts().documents == 1


def test_many_threads_read_and_write_through_one_truth(truth: SqliteTruth) -> None:
    problems: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for i in range(5):
                truth.write(prepared(f"{name}-{i}.md"))
                truth.counts()
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert truth.counts().documents == 20


def test_after_closing_nothing_opens_again(truth: SqliteTruth) -> None:
    truth.close()
    with pytest.raises(StoreError, match="closed"):
        truth.sequence()


def test_a_file_that_was_deleted_or_replaced_is_not_answered_from(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An open file lives on after its name is gone: a server would go on with what somebody threw away."""
    monkeypatch.setattr(connection, "_SECONDS_BETWEEN_LOOKS", 0.0)
    truth = SqliteTruth(data)
    truth.write(prepared("old.md", ["old"]))
    data.rename(data.with_name("away"))
    with pytest.raises(StoreError, match="deleted or replaced since it was opened; restart the server"):
        truth.counts()
    other = SqliteTruth(data)
    with pytest.raises(StoreError, match="restart the server"):
        truth.write(prepared("new.md", ["new"]))
    assert other.counts().documents == 0
    other.close()
    truth.close()
