"""What can be wrong with a database: each is named with the way out, and no password is ever told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from postgres_server import Server, dropped, postgres_server

from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.store.errors import StoreError, TooNew, TooOld
from wekadocs_corpus.store.postgres import preparing
from wekadocs_corpus.store.postgres.truth import PostgresTruth

_SECRET = "hunter2-and-more"


@pytest.fixture
def server() -> Server:
    return postgres_server()


@pytest.fixture
def settings(server: Server) -> Iterator[dict[str, str]]:
    chosen = server.settings
    with dropped(server, chosen["schema"]):
        yield chosen


def told(tmp_path: Path, url: str, schema: str = "nobodys") -> str:
    with pytest.raises(StoreError) as refused:
        PostgresTruth(tmp_path, {"url": url, "schema": schema, "timeout_seconds": 2})
    assert _SECRET not in str(refused.value)
    return str(refused.value)


def changed(server: Server, **parts: str) -> str:
    found = urlsplit(server.url)
    user, password = parts.get("user", found.username), parts.get("password", found.password)
    place = f"{found.hostname}:{parts.get('port', found.port)}"
    return f"postgresql://{user}:{password}@{place}/{parts.get('database', 'postgres')}"


def test_an_address_that_is_none(tmp_path: Path) -> None:
    assert "write plugins.corpus.truth.url as postgresql://" in told(tmp_path, f"postgresql://a:{_SECRET}@h:port/d")


def test_a_wrong_password(server: Server, tmp_path: Path) -> None:
    assert "refuses the user or the password" in told(tmp_path, changed(server, password=_SECRET))


def test_a_database_that_is_not_there(server: Server, tmp_path: Path) -> None:
    assert "there is no such database" in told(tmp_path, changed(server, database="nowhere"))


def test_a_server_that_does_not_answer(server: Server, tmp_path: Path) -> None:
    assert "does not answer" in told(tmp_path, changed(server, port="9", password=_SECRET))


def test_a_user_without_rights(server: Server, tmp_path: Path) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE poor LOGIN PASSWORD '{_SECRET}'")
        try:
            said = told(tmp_path, changed(server, user="poor", password=_SECRET))
        finally:
            connection.execute("DROP ROLE poor")
    assert "has no right to this" in said
    assert "GRANT CREATE ON DATABASE" in said


def test_a_later_schema_is_refused(settings: dict[str, str], tmp_path: Path) -> None:
    truth = PostgresTruth(tmp_path, settings)
    truth.set_note("schema", "99")
    truth.close()
    with pytest.raises(TooNew, match="schema version 99"):
        PostgresTruth(tmp_path, settings)


def test_an_earlier_schema_is_brought_up_to_date(
    settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = PostgresTruth(tmp_path, settings)
    first.close()
    step = tmp_path / "step.sql"
    step.write_text("CREATE TABLE of_the_next_release (number bigint)")
    monkeypatch.setattr(preparing, "MIGRATIONS", (*preparing.MIGRATIONS, str(step)))
    monkeypatch.setattr(preparing, "SCHEMA_VERSION", 2)
    second = PostgresTruth(tmp_path, settings)
    assert (second.id, second.note("schema")) == (first.id, "2")
    second.close()


def test_an_old_server_is_refused(settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "OLDEST", 990_000)
    with pytest.raises(TooOld, match="PostgreSQL 99 or later is needed"):
        PostgresTruth(tmp_path, settings)


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"wekadocs-mcp\[postgres\]"):
        open_truth(tmp_path, {"truth": {"url": "postgresql://localhost/x"}})


def test_a_server_that_was_away_is_found_again(settings: dict[str, str], server: Server, tmp_path: Path) -> None:
    truth = PostgresTruth(tmp_path, settings)
    truth.set_note("kept", "yes")
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'wekadocs-mcp'"
        )
    truth.set_note("kept", "again")
    assert truth.note("kept") == "again"
    truth.close()
