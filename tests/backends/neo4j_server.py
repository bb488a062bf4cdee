"""A real Neo4j for tests: the one named by NEO4J_URI, else one of our own on a free port, one per test run."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from neo4j_packages import jars, java
from started import NotToBeHad, Program, free_port

_SECONDS = 240.0  # for all of it: download, first start
_PATIENCE = {"timeout_seconds": 45.0}  # a busy machine plans a first question for long
_JVM = [
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    *(f"--add-opens=java.base/{each}=ALL-UNNAMED" for each in ("java.nio", "java.io", "sun.nio.ch")),
]
_CONFIGURATION = """server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.directories.import=import
server.memory.pagecache.size=32m
db.tx_log.preallocate=false
db.transaction.monitor.check.interval=100ms
dbms.security.auth_lock_time=0s
dbms.usage_report.enabled=false
dbms.cypher.statistics_divergence_threshold=1
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
"""


@dataclass(frozen=True)
class Server:
    """What a client needs; `pid` of the Java process where it is ours."""

    settings: dict[str, Any]
    pid: int | None = None


def neo4j_server() -> Server:
    """The server, or a skip that says why not; where CI runs, a failure: the part must not vanish unseen."""
    found = _found()
    if isinstance(found, Server):
        return found
    line = f"no Neo4j for these tests: {found}; name a server with NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD"
    if os.environ.get("CI"):
        pytest.fail(line, pytrace=False)
    pytest.skip(line)


@cache
def _found() -> Server | str:
    if uri := os.environ.get("TEST_NEO4J_URI"):  # as tests/conftest.py calls it
        user, password = os.environ.get("TEST_NEO4J_USER", "neo4j"), os.environ.get("TEST_NEO4J_PASSWORD", "")
        return Server({"uri": uri, "user": user, "password": password, **_PATIENCE})
    try:
        return _start(time.monotonic() + _SECONDS)
    except (NotToBeHad, OSError, subprocess.SubprocessError) as problem:
        return str(problem)


def _start(deadline: float) -> Server:
    classpath = [java(deadline), *_JVM, "-cp", f"{jars(deadline)}/*"]
    home = Path(tempfile.mkdtemp(prefix="neo4j-for-tests-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    port, password = free_port(), secrets.token_hex(12)
    (home / "conf").mkdir()
    (home / "import").mkdir()
    (home / "conf" / "neo4j.conf").write_text(_CONFIGURATION.format(port=port))
    environment = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    admin = [*classpath, "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", password]
    subprocess.run(admin, env={**os.environ, **environment}, capture_output=True, timeout=60, check=True)
    entry = ["org.neo4j.server.CommunityEntryPoint", f"--home-dir={home}", f"--config-dir={home / 'conf'}"]
    command = [*classpath, *entry, "--console-mode"]
    Program("Neo4j", command, home, ready="Started.", environment=environment).start(deadline)
    pid = int((home / "pid").read_text()) if (home / "pid").exists() else None
    return Server({"uri": f"bolt://127.0.0.1:{port}", "user": "neo4j", "password": password, **_PATIENCE}, pid)
