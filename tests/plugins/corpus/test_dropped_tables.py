"""A table or a column that somebody dropped is told as damage, with the cure, by every command and every tool."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_corpus.store.sqlite import wholeness
from wekadocs_mcp.cli.main import cli

with closing(sqlite3.connect(":memory:")) as _empty:
    _empty.executescript(wholeness.script())
    TABLES = [name for (name,) in _empty.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE %TABLE %'")]
    TABLES = [name for name in TABLES if not name.startswith(("words_", "sqlite"))]  # those go with `words`
CURE = "move the file away and run `wekadocs-mcp ingest` on the documents again"


@pytest.fixture
def data(sample: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample, tmp_path / "data")


def change(data: Path, statement: str) -> None:
    with closing(sqlite3.connect(data / "corpus.db")) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(statement)
        connection.commit()


def run(data: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["--data", str(data), *arguments], prog_name="wekadocs-mcp")
    return done.exit_code, done.output


@pytest.mark.parametrize("table", TABLES)
def test_a_dropped_table_is_told_by_ingest_and_status(data: Path, table: str) -> None:
    change(data, f"DROP TABLE {table}")
    for command in (["ingest", str(Path(__file__).parents[3] / "docs" / "sample" / "docs")], ["status"]):
        code, told = run(data, *command)
        assert code == 2
        assert f"damaged, `{table}`" in told
        assert CURE in told
        assert "unchanged" not in told


def test_a_dropped_column_is_damage_too(data: Path) -> None:
    change(data, "ALTER TABLE chunks DROP COLUMN own_text")
    code, told = run(data, "status")
    assert code == 2
    assert f"damaged, `chunks.own_text` is missing; {CURE}" in told


def test_doctor_says_that_it_is_broken_and_the_cure(data: Path) -> None:
    change(data, "DROP TABLE chunks")
    code, told = run(data, "doctor")
    assert code == 1
    assert "broken" in told
    assert CURE in told


def test_a_server_that_starts_on_it_answers_with_the_way_out(serve: Callable[..., Any], data: Path) -> None:
    change(data, "DROP TABLE chunks")
    error = serve(data).refused("kb.search", {"query": "mount a filesystem"})
    assert error["code"] == "BACKEND_UNAVAILABLE"
    assert CURE in error["message"]


@pytest.mark.parametrize("table", TABLES)
def test_a_server_whose_table_is_dropped_under_it_answers_with_the_way_out(
    serve: Callable[..., Any], data: Path, table: str
) -> None:
    kb = serve(data, plugins={name: {} for name in ("corpus", "scratch", "kb", "graph", "legacy_compat")})
    passage = kb.ask("kb.search", {"query": "mount a filesystem"})["results"][0]
    change(data, f"DROP TABLE {table}")
    asked = {
        "kb.search": {"query": "how are snapshots taken"},
        "kb.retrieve_evidence": {"question": "how are snapshots taken"},
        "kb.extract_evidence": {"question": "which options", "passage_ids": [passage["passage_id"]]},
        "kb.expand_excerpt": {"passage_id": passage["passage_id"]},
        "graph.children": {"parent_id": passage["section_id"]},
        "graph.expand": {"node_ids": [passage["section_id"]]},
        "search_sections": {"query": "quota"},
    }
    for tool, arguments in asked.items():
        error = kb.outcome(tool, arguments).error
        assert error is None or error["error"]["code"] == "BACKEND_UNAVAILABLE", (tool, error)
        assert error is None or CURE in error["error"]["message"]
    if table in ("documents", "chunks", "sections"):
        assert CURE in kb.refused("kb.search", {"query": "what is a snapshot policy"})["message"]
