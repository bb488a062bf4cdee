"""What the compose file starts, without Docker: its commands and environment, on servers that can be had here.

PostgreSQL, Valkey and HAProxy are real; Qdrant and Neo4j, of which there is no program here, are left out: the truth
answers in their place. The servers may write nowhere at all, which is less than the file gives them.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from compose_file import FOLDER, interpolated
from debian_programs import missing
from postgres_server import postgres_server
from valkey_server import valkey_server

from .servers import SCRIPT, Http, eventually

SAMPLE = Path(__file__).parents[2] / "docs" / "sample" / "docs"
QUESTION = {"query": "How do I mount a filesystem?", "page_size": 2}
TOKEN = "a-token-that-is-long-enough"
NO_CAPABILITY = "-dac_override,-dac_read_search"


@pytest.fixture(scope="module")
def stores():
    """Addresses of stores of our own, by the names that the compose file gives theirs."""
    import psycopg

    postgres, database = postgres_server(), f"deployed_{secrets.token_hex(4)}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database}")
    valkey = valkey_server()
    yield {
        "DATABASE_URL": urlunsplit(urlsplit(postgres.url)._replace(path=f"/{database}")),
        "VALKEY_URL": valkey.url.replace("redis://", "valkey://"),
        "QDRANT_URL": "",
        "NEO4J_URI": "",
    }
    valkey.close()


class Deployment:
    def __init__(self, stores: dict[str, str], root: Path) -> None:
        given = {"MCP_AUTH_TOKEN": TOKEN, "QDRANT_API_KEY": "a-key-of-qdrant"}
        whole = interpolated(
            {**dict.fromkeys(("POSTGRES_PASSWORD", "NEO4J_PASSWORD", "VALKEY_PASSWORD"), "x"), **given}
        )
        self.services, self.stores, self.root = whole["services"], stores, root
        self.empty = root / "empty"
        self.empty.mkdir()
        self.empty.chmod(0o555)
        self._started: list[Http] = []

    def environment(self, service: str, folder: Path) -> dict[str, str]:
        said = {**self.services[service]["environment"], **self.stores}
        folders = {name: str(folder / name.lower()) for name in ("HOME", "WEKADOCS_DATA", "WEKADOCS_CACHE")}
        return {"PATH": os.environ["PATH"], **said, **folders}

    def command(self, service: str) -> list[str]:
        there = {"/etc/wekadocs/tools.yaml": str(FOLDER / "tools.yaml"), "/docs": str(SAMPLE)}
        here = {**there, "0.0.0.0": "127.0.0.1", "8765": "0"}
        return [str(SCRIPT), *(here.get(each, each) for each in self.services[service]["command"])]

    def ingest(self) -> None:
        done = subprocess.run(
            self.command("ingest"),
            env=self.environment("ingest", self.root),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr

    def server(self) -> Http:
        alone = ["setpriv", "--bounding-set", NO_CAPABILITY, "--inh-caps", NO_CAPABILITY] if os.geteuid() == 0 else []
        server = Http([*alone, *self.command("server")], self.environment("server", self.empty))
        self._started.append(server)
        return server.wait_until_ready()

    def close(self) -> None:
        for each in self._started:
            if each.process.poll() is None:
                each.process.send_signal(signal.SIGTERM)
            each.close()


class Balancer(Http):
    def __init__(self, port: int) -> None:
        self.port = port


@pytest.fixture(scope="module")
def deployment(stores, tmp_path_factory):
    if not shutil.which("setpriv") and os.geteuid() == 0:
        pytest.skip("no setpriv: apt-get install util-linux")
    made = Deployment(stores, tmp_path_factory.mktemp("deployment"))
    made.ingest()
    yield made
    made.close()


@pytest.fixture(scope="module")
def servers(deployment):
    return [deployment.server() for _ in range(deployment.services["server"]["deploy"]["replicas"])]


@pytest.fixture(scope="module")
def balancer(servers, deployment):
    why = missing(("haproxy",), "haproxy")
    if why and os.environ.get("CI"):
        pytest.fail(why, pytrace=False)
    if why:
        pytest.skip(why)
    from started import free_port, until_we_end

    port, file = free_port(), deployment.root / "haproxy.cfg"
    told = (FOLDER / "haproxy.cfg").read_text("utf-8")
    template = next(line for line in told.splitlines() if "server-template" in line)
    named = "\n".join(f"  server server{each.port} 127.0.0.1:{each.port}" for each in servers)
    file.write_text(told.replace(template, named).replace("bind :8765", f"bind 127.0.0.1:{port}"))
    command = until_we_end(deployment.root, ["haproxy", "-db", "-q", "-f", str(file)])
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    front = Balancer(port)
    eventually(lambda: _status(front) == 200, what="the balancer finds no server")
    yield front
    process.stdin.close()
    process.wait(15)


def _status(front):
    with contextlib.suppress(OSError):
        return front.send("GET", "/healthz").status


def ask(world, front, tool, arguments):
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    result = front.post_modern(world.call(1, tool, arguments, modern=True), **bearer).message["result"]
    assert not result.get("isError"), result
    return result


def test_whichever_server_is_reached_any_other_goes_on(world, balancer):
    found = ask(world, balancer, "kb.search", QUESTION)["structuredContent"]
    assert found["results"][0]["path"].endswith("mount.md")
    for _ in range(4):
        passage = {"passage_id": found["results"][0]["passage_id"], "session_id": found["session_id"]}
        assert ask(world, balancer, "kb.read_excerpt", passage)["structuredContent"]["excerpt"]
        more = {**QUESTION, "cursor": found["next_cursor"]}
        assert ask(world, balancer, "kb.search", more)["structuredContent"]["results"][0]["rank"] == 3


def test_servers_are_ready_and_write_nowhere(world, servers, deployment):
    for server in servers:
        ready = server.send("GET", "/readyz")
        assert ready.status == 200, ready.body
        assert b"shared by all servers" in ready.body
    assert list(deployment.empty.rglob("*")) == []


def test_without_the_token_nobody_is_answered(world, balancer):
    assert balancer.post_modern(world.call(1, "kb.search", QUESTION, modern=True)).status == 401


def test_one_server_is_killed_and_clients_go_on(world, balancer, servers):
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    session = balancer.session(**bearer)
    found = balancer.post(world.call(1, "kb.search", QUESTION), **session).message["result"]["structuredContent"]
    servers[0].process.send_signal(signal.SIGKILL)
    servers[0].process.wait(10)

    def read():
        asked = world.call(2, "kb.read_excerpt", {"passage_id": found["results"][0]["passage_id"]})
        reply = balancer.post(asked, **session)
        return reply.status == 200 and reply.message["result"]["structuredContent"].get("excerpt")

    assert eventually(read)
