"""A real PostgreSQL for tests: the one named by TEST_DATABASE_URL, else a cluster of our own, one per test run.

It lives in a folder that is thrown away and listens on a free port of loopback. As root on Debian the packages are
installed when they are missing; the server itself refuses root, so it runs as nobody then.
"""

from __future__ import annotations

import atexit
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from debian_programs import installed
from started import NotToBeHad, Program, free_port

_SECONDS = 60.0  # for the first start
_NEEDED = ("initdb", "postgres")
_READY = "database system is ready to accept connections"
_CONFIGURATION = """listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 64MB
max_connections = 100
autovacuum_naptime = 10s
"""


@dataclass(frozen=True)
class Server:
    """`url` of an empty database; whoever asks makes schemas of their own in it."""

    url: str

    @property
    def settings(self) -> dict[str, str]:
        """Of a truth that nobody else has."""
        return {"url": self.url, "schema": f"t{secrets.token_hex(6)}"}


def postgres_server() -> Server:
    """The server, or a skip that says why not; where CI runs, a failure: the part must not vanish unseen."""
    found = _found()
    if isinstance(found, Server):
        return found
    line = f"no PostgreSQL for these tests: {found}; name an empty database with TEST_DATABASE_URL"
    if os.environ.get("CI"):
        pytest.fail(line, pytrace=False)
    pytest.skip(line)


@cache
def _found() -> Server | str:
    if url := os.environ.get("TEST_DATABASE_URL"):
        return Server(url)
    try:
        return _start(_programs())
    except (NotToBeHad, OSError, subprocess.SubprocessError) as problem:
        return str(problem)


def _programs() -> Path:
    """The folder of the newest release that is installed; installed first where it is missing and we may."""
    if found := _installed():
        return found
    if reason := installed(("postgresql",)):
        raise NotToBeHad(f"it is not installed: {reason}")
    found = _installed()
    if found is None:
        raise NotToBeHad("it is not there even after apt-get install")
    return found


def _installed() -> Path | None:
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    homes = [*versions, *(Path(each) for each in os.environ.get("PATH", "").split(os.pathsep) if each)]
    return next((home for home in homes if all((home / name).is_file() for name in _NEEDED)), None)


def _start(programs: Path) -> Server:
    home = Path(tempfile.mkdtemp(prefix="postgres-for-tests-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    port, password = free_port(), secrets.token_hex(12)
    (home / "password").write_text(password)
    user = _unprivileged(home)
    data = home / "data"
    make = [str(programs / "initdb"), "-D", str(data), "-U", "tests", "-A", "scram-sha-256"]
    make += ["--pwfile", str(home / "password"), "-E", "UTF8", "--no-locale", "--no-sync"]
    done = subprocess.run(make, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=home, user=user)
    if done.returncode:
        raise NotToBeHad(f"initdb: {done.stderr.strip()[-300:]}")
    with (data / "postgresql.conf").open("a") as file:
        file.write(_CONFIGURATION.format(port=port))
    environment = {"END_BY": "SIGINT", **({} if user is None else {"RUN_AS": str(user)})}
    command = [str(programs / "postgres"), "-D", str(data)]
    Program("PostgreSQL", command, home, _READY, environment).start(time.monotonic() + _SECONDS)
    return Server(f"postgresql://tests:{password}@127.0.0.1:{port}/postgres")


def _unprivileged(home: Path) -> int | None:
    """Whom it runs as, where it would not as ourselves."""
    if os.geteuid() != 0:
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    who = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    for path in (home, home / "password"):
        os.chown(path, who.pw_uid, who.pw_gid)
    return who.pw_uid


@contextmanager
def dropped(server: Server, schema: str) -> Iterator[None]:
    """What was made in the schema goes afterwards."""
    import psycopg

    try:
        yield
    finally:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
