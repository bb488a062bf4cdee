"""Three servers on one PostgreSQL and one Qdrant; one process ingests, one server is killed again and again.

    PYTHONPATH=src python bench/attack/shared_servers.py [--seconds 60] [--kill-every 10]

Every page has a word that no other has. From the moment an ingest has said that a page is in, whoever asks for its word
must be shown that page, or be refused; at the end every page must be found on every server. PostgreSQL is the tests'
own or TEST_DATABASE_URL, Qdrant the tests' own or QDRANT_URL.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))
import postgres_server
import qdrant_fake
from started import free_port

HOST, SCRIPT = "127.0.0.1", Path(sys.executable).with_name("wekadocs-mcp")
VERSION = "2026-07-28"
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": VERSION,
    "Mcp-Method": "tools/call",
    "Mcp-Name": "kb.search",
}
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
REFUSALS = {"BACKEND_UNAVAILABLE", "TIMEOUT", "BUDGET_EXCEEDED", "RATE_LIMITED"}


def word(page: int) -> str:
    return f"zephyr{page:04d}quill"


class Server:
    """Its data directory is a cache of its own that may be lost."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._environment, self.port = folder, environment, free_port()
        folder.mkdir()
        self.start()

    def start(self) -> None:
        command = [*_command(self._folder.parent, self._folder / "cache"), "serve", "--transport", "http", "--port"]
        command.append(str(self.port))
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)

    @property
    def tracebacks(self) -> int:
        return (self._folder / "log").read_text(errors="replace").count("Traceback")

    def ask(self, query: str) -> dict[str, Any] | str:
        """The answer, or why there is none."""
        call = {"name": "kb.search", "arguments": {"query": query, "page_size": 1}, "_meta": META}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        connection = http.client.HTTPConnection(HOST, self.port, timeout=60)
        try:
            with contextlib.closing(connection):
                connection.request("POST", "/_mcp", json.dumps(message).encode(), HEADERS)
                answer = connection.getresponse()
                return _read(answer.read().decode())
        except (OSError, http.client.HTTPException) as problem:
            return type(problem).__name__


def _read(body: str) -> dict[str, Any] | str:
    data = json.loads(body if body.startswith("{") else body.partition("data: ")[2].partition("\n")[0])
    result = data.get("result") or {}
    content = result.get("structuredContent") or {}
    if result.get("isError") or "error" in data:
        found = re.search(r"code\W+([A-Z_]{4,}|-?\d+)", json.dumps(data))
        return found[1] if found else "an error without a code"
    return content


class Run:
    def __init__(self, servers: list[Server], folder: Path, environment: dict[str, str]) -> None:
        self.servers, self._folder, self._environment = servers, folder, environment
        self.counted: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.taken_in = 0  # pages that an ingest has said to be in
        self._end = threading.Event()

    def ingest(self) -> None:
        """Ten pages a time, each ingest a process of its own."""
        docs = self._folder / "docs"
        docs.mkdir()
        while not self._end.is_set():
            pages = range(self.taken_in, self.taken_in + 10)
            for page in pages:
                text = f"# Page {page}\n\nThe code word of page {page} is {word(page)}. It opens gate {page}.\n"
                (docs / f"page-{page}.md").write_text(text)
            command = [*_command(self._folder, self._folder / "ingest"), "ingest", docs, "--json"]
            done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
            self.counted["ingests"] += 1
            if done.returncode:
                self.counted["ingests refused"] += 1
            else:
                self.taken_in = pages.stop

    def ask(self) -> None:
        chance = random.Random(5)
        while not self._end.is_set():
            if not self.taken_in:
                self._end.wait(0.2)
                continue
            page = chance.randrange(self.taken_in)
            self._judge(page, chance.choice(self.servers).ask(f"what is {word(page)}"))

    def _judge(self, page: int, answer: dict[str, Any] | str) -> bool:
        if isinstance(answer, str):
            self.counted[answer] += 1
            if answer not in REFUSALS and not answer.endswith(("Error", "Disconnected", "Refused")):
                self.wrong.append(f"page {page}: {answer}")
            return False
        first = next(iter(answer.get("results") or [{}]))
        right = first.get("path") == f"page-{page}.md"
        self.counted["answered"] += 1
        if not right:
            self.wrong.append(f"page {page}: {json.dumps(answer)[:300]}")
        return right

    def kill(self, every: float) -> None:
        while not self._end.wait(every):
            server = self.servers[self.counted["kills"] % 2 + 1]  # the first lives on
            server.kill()
            self.counted["kills"] += 1
            server.start()

    def during(self, seconds: float, every: float) -> None:
        threads = [threading.Thread(target=self.ingest), threading.Thread(target=self.kill, args=(every,))]
        threads += [threading.Thread(target=self.ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self._end.set()
        for thread in threads:
            thread.join()

    def lost(self) -> int:
        """Pages that some server does not find now that all is quiet."""
        missing = 0
        for server in self.servers:
            for page in range(self.taken_in):
                late = time.monotonic() + 60
                answer = server.ask(f"what is {word(page)}")
                while isinstance(answer, str) and time.monotonic() < late:
                    time.sleep(0.5)
                    answer = server.ask(f"what is {word(page)}")
                missing += not self._judge(page, answer)
        return missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kill-every", type=float, default=10)
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wekadocs-shared-")))
        places = _places(stack, folder / "tools.yaml")
        environment = {**os.environ, **places, "WEKADOCS_CACHE": str(folder / "c"), "HOME": str(folder)}
        servers = [Server(folder / str(number), environment) for number in range(3)]
        run = Run(servers, folder, environment)
        run.during(asked.seconds, asked.kill_every)
        figures: dict[str, object] = {"pages": run.taken_in, **run.counted}
        figures |= {"lost": run.lost(), "wrong": len(run.wrong)}
        figures["tracebacks"] = sum(server.tracebacks for server in servers)
        for server in servers:
            server.stop()
        print(json.dumps(figures, indent=2), *run.wrong[:5], sep="\n")
    sys.exit(bool(run.wrong or figures["lost"]))


def _command(folder: Path, data: Path) -> list[Path | str]:
    return [SCRIPT, "--config", folder / "tools.yaml", "--data", data]


def _places(stack: contextlib.ExitStack, configuration: Path) -> dict[str, str]:
    found = postgres_server._found()
    if isinstance(found, str):
        sys.exit(f"no PostgreSQL: {found}")
    schema = f"shared{secrets.token_hex(4)}"
    stack.enter_context(postgres_server.dropped(found, schema))
    configuration.write_text(f"plugins: {{corpus: {{truth: {{schema: {schema}}}}}}}\n")
    qdrant = os.environ.get("QDRANT_URL") or stack.enter_context(qdrant_fake.running()).url
    return {"DATABASE_URL": found.url, "QDRANT_URL": qdrant}


if __name__ == "__main__":
    main()
