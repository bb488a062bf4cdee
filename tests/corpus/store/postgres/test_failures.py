"""What can be wrong with a database: each is named with the way out, and no password is ever told."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from click.testing import CliRunner
from debian_programs import missing
from made_documents import prepared
from postgres_server import Server, dropped, postgres_server
from started import free_port

from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.store.errors import StoreError, TooNew, TooOld
from wekadocs_corpus.store.postgres import preparing
from wekadocs_corpus.store.postgres.truth import PostgresTruth
from wekadocs_mcp.cli.main import cli

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


@pytest.mark.parametrize("password", ["12/ab", "12?ab", "12@ab", "ab/cd", "ab?cd=x", "ab@cd"])
def test_a_password_that_takes_the_address_apart_is_not_told(tmp_path: Path, password: str) -> None:
    said = told(tmp_path, f"postgresql://ada:{password}{_SECRET}@127.0.0.1:9/d")
    assert "plugins.corpus.truth.url cannot be read; write" in said
    assert "in a password as %2F" in said
    assert not [part for part in ("12", "ab", "cd") if part in said]


def test_a_password_with_a_number_sign_is_no_end_of_the_address(server: Server, tmp_path: Path) -> None:
    said = told(tmp_path, changed(server, password=f"12#{_SECRET}"))
    assert said.startswith(f"PostgreSQL at 127.0.0.1:{urlsplit(server.url).port}/postgres: refuses the user")


@pytest.mark.parametrize("query", ["sslmod=require", "sslmode=sometimes"])
def test_a_parameter_that_is_none_is_named(server: Server, tmp_path: Path, query: str) -> None:
    assert f"does not take its parameter {query.partition('=')[0]} so" in told(tmp_path, f"{server.url}?{query}")


def test_a_server_without_tls(server: Server, tmp_path: Path) -> None:
    said = told(tmp_path, f"{changed(server)}?sslmode=require")
    assert "has no TLS, which sslmode demands" in said


def test_a_name_that_no_machine_has(tmp_path: Path) -> None:
    said = told(tmp_path, f"postgresql://a:{_SECRET}@db.invalid/d")
    assert "no machine has that name" in said


def test_doctor_tells_the_reason_once_and_what_waits_for_it(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", changed(server, database="nowhere"))
    done = CliRunner().invoke(cli, ["--data", str(tmp_path), "doctor"])
    assert done.exit_code == 1
    assert done.output.count("there is no such database") == 1
    assert "plugin corpus: could not start: PostgreSQL at" in done.output
    assert "plugin kb: waits for plugin corpus" in done.output


def test_a_wrong_password(server: Server, tmp_path: Path) -> None:
    assert "refuses the user or the password" in told(tmp_path, changed(server, password=_SECRET))


def test_a_database_that_is_not_there(server: Server, tmp_path: Path) -> None:
    assert "there is no such database" in told(tmp_path, changed(server, database="nowhere"))


def test_a_server_that_does_not_answer(server: Server, tmp_path: Path) -> None:
    assert "does not answer" in told(tmp_path, changed(server, port="9", password=_SECRET))


@pytest.fixture
def poor(server: Server) -> Iterator[str]:
    """The address of one who may do nothing."""
    name = f"poor{secrets.token_hex(4)}"
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{_SECRET}'")
        try:
            yield changed(server, user=name, password=_SECRET)
        finally:
            connection.execute(f"DROP OWNED BY {name}")
            connection.execute(f"DROP ROLE {name}")


def test_a_user_without_rights(tmp_path: Path, poor: str) -> None:
    said = told(tmp_path, poor)
    assert "has no right to this" in said
    assert "GRANT CREATE ON DATABASE" in said


def test_a_user_who_may_not_look_into_the_schema(
    settings: dict[str, str], server: Server, tmp_path: Path, poor: str
) -> None:
    PostgresTruth(tmp_path, settings).close()
    said = told(tmp_path, poor, settings["schema"])
    assert f"the user has no right to the schema {settings['schema']}; GRANT" in said


def test_doctor_warns_of_a_user_who_may_only_read(
    settings: dict[str, str], server: Server, tmp_path: Path, poor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    PostgresTruth(tmp_path, settings).close()
    schema, reader = settings["schema"], urlsplit(poor).username
    (tmp_path / "tools.yaml").write_text(f"plugins: {{corpus: {{truth: {{schema: {schema}}}}}}}\n")
    doctor = ["--config", str(tmp_path / "tools.yaml"), "--data", str(tmp_path), "doctor"]
    warning = "may only be read as this user; servers answer, nothing can be taken in"
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO {reader}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {reader}")
    for url, times in ((poor, 1), (server.url, 0)):
        monkeypatch.setenv("DATABASE_URL", url)
        done = CliRunner().invoke(cli, doctor)
        assert (done.exit_code, done.output.count(warning)) == (0, times), done.output
        assert _SECRET not in done.output


def test_tables_of_somebody_else_are_left_alone(settings: dict[str, str], server: Server, tmp_path: Path) -> None:
    schema = settings["schema"]
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        connection.execute(f"CREATE TABLE {schema}.meta (of_mine int)")
    said = told(tmp_path, settings["url"], schema)
    assert "meta is somebody else's" in said
    assert "name another truth.schema" in said
    assert "drop the schema" not in said


def test_a_later_schema_is_refused(settings: dict[str, str], tmp_path: Path) -> None:
    truth = PostgresTruth(tmp_path, settings)
    truth.set_note("schema", "99")
    truth.close()
    with pytest.raises(TooNew, match="schema version 99"):
        PostgresTruth(tmp_path, settings)


@pytest.mark.parametrize("version", ["DELETE FROM meta WHERE key = 'schema'", "UPDATE meta SET value = 'new'"])
def test_tables_that_are_not_as_they_were_left(settings: dict[str, str], tmp_path: Path, version: str) -> None:
    truth = PostgresTruth(tmp_path, settings)
    with truth.writing() as connection:
        connection.execute(version)
    truth.close()
    said = told(tmp_path, settings["url"], settings["schema"])
    assert "are not as they were left" in said
    assert "name another truth.schema" in said


def test_an_earlier_schema_is_brought_up_to_date(
    settings: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = PostgresTruth(tmp_path, settings)
    first.close()
    step = tmp_path / "step.sql"
    step.write_text("CREATE TABLE of_the_next_release (number bigint)")
    monkeypatch.setattr(preparing, "MIGRATIONS", (*preparing.MIGRATIONS, str(step)))
    later = len(preparing.MIGRATIONS)
    monkeypatch.setattr(preparing, "SCHEMA_VERSION", later)
    second = PostgresTruth(tmp_path, settings)
    assert (second.id, second.note("schema")) == (first.id, str(later))
    with second.reading() as connection:
        assert connection.execute("SELECT count(*) FROM of_the_next_release").fetchone() == (0,)
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
    with truth.writing() as connection:
        connection.execute("INSERT INTO meta VALUES ('kept', 'yes')")
        connection.execute(f"SELECT set_config('application_name', '{settings['schema']}', false)")
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (settings["schema"],)
        )
    truth.set_note("kept", "again")
    assert truth.note("kept") == "again"
    truth.close()


_POOLER = """[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = plain
auth_file = {users}
pool_mode = {mode}
"""


@contextmanager
def pooler(server: Server, folder: Path, mode: str) -> Iterator[str]:
    """The address of the database behind a PgBouncer, which refuses to run as root."""
    found, own, users = urlsplit(server.url), free_port(), folder / "users"
    users.write_text(f'"{found.username}" "{found.password}"\n')
    made = folder / "pgbouncer.ini"
    made.write_text(_POOLER.format(host=found.hostname, port=found.port, own=own, users=users, mode=mode))
    command = [shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin") or "pgbouncer", str(made)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *command]
        for each in (*list(folder.parents)[: len(folder.parents) - 2], folder):
            each.chmod(each.stat().st_mode | 0o055)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            url = found._replace(netloc=f"{found.username}:{found.password}@127.0.0.1:{own}").geturl()
            late = time.monotonic() + 20
            while True:
                try:
                    psycopg.connect(url, connect_timeout=2).close()
                    break
                except psycopg.OperationalError:
                    assert running.poll() is None and time.monotonic() < late, "it did not start"
                    time.sleep(0.05)
            yield url
        finally:
            running.kill()


@pytest.mark.parametrize("mode", ["transaction", "statement", "session"])
def test_a_pooler_that_changes_connections_is_refused_and_one_that_keeps_them_serves(
    server: Server, tmp_path: Path, mode: str
) -> None:
    if why := missing(("pgbouncer",), "pgbouncer"):
        pytest.skip(why)
    schema = f"t{secrets.token_hex(4)}"
    with dropped(server, schema), pooler(server, tmp_path, mode) as url:
        if mode == "session":
            truth = PostgresTruth(tmp_path, {"url": url, "schema": schema})
            truth.write(prepared())
            assert truth.counts().documents == 1
            truth.close()
        else:
            said = told(tmp_path, url, schema)
            assert "set pool_mode = session, or name the server itself" in said
