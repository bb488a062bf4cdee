"""Citation servers killed with SIGKILL in the middle of storing and of migrations, round after round.

    python bench/attack/killed_chunks.py [ROUNDS] [CHUNKS]

A round starts a real server, stores or migrates, kills it at a random moment, starts another on the same data and
looks: everything that was acknowledged is there, and nothing that was not, but for the one call that was under way.
"""

from __future__ import annotations

import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SERVER = str(Path(sys.executable).with_name("wekadocs-mcp"))
FOREIGN, OWN, NUMBERS = "acme/other-64", "static-wordllama-256-v1", 64
CONFIG = (
    f"plugins: {{chunks: {{enabled: true, projects: {{lab/one: {{embedding_model: {FOREIGN}, min_batch: 1}}}}}}}}\n"
)
CHOICE = random.Random(7)
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "killer", "version": "1"}}


class Server:
    """Over stdio; `ask` returns None where it died before it answered."""

    def __init__(self, folder: Path) -> None:
        command = [SERVER, "--data", str(folder / "data"), "serve", "--config", str(folder / "mine.yaml")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen([*command, "--toolset", "citeloom"], **pipes)
        self._number = 0
        self.ask("initialize", HELLO)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def begin(self, method: str, params: Mapping[str, object]) -> None:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})

    def ask(self, method: str, params: Mapping[str, object]) -> Any:
        self.begin(method, params)
        return self.answer(60)

    def answer(self, seconds: float) -> Any:
        assert self._process.stdout
        until = time.monotonic() + seconds
        while select.select([self._process.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
            line = self._process.stdout.readline()
            if not line:
                return None
            message = json.loads(line)
            if message.get("id") == self._number:
                return message.get("result")
        return None

    def call(self, tool: str, **arguments: object) -> Any:
        result = self.ask("tools/call", {"name": tool, "arguments": {"project": "lab/one", **arguments}})
        return result["structuredContent"] if result and not result.get("isError") else result

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()


def batch(first: int, count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"c{number}",
            "text": f"Passage {number} on layer {number % 7} of the building.",
            "embedding": [1.0 + (number * place) % 13 for place in range(NUMBERS)],
            "metadata": {"embed_model": FOREIGN, "doc": {"id": f"d{number // 50}"}},
        }
        for number in range(first, first + count)
    ]


def prepared(folder: Path, count: int) -> None:
    (folder / "mine.yaml").write_text(CONFIG)
    server = Server(folder)
    for first in range(0, count, 500):
        told = server.call("store_chunks", items=batch(first, min(500, count - first)))
        assert told["chunks_written"], told
    server.kill()


def settled(server: Server) -> dict[str, Any]:
    while "migration" in (told := server.call("inspect_collection")):
        time.sleep(0.05)
    return dict(told)


def storing(folder: Path, count: int) -> str:
    """Batches until it is killed; the number of acknowledged ones, and of those that are there."""
    server, acknowledged = Server(folder), 0
    until = time.monotonic() + CHOICE.uniform(0.2, 2.0)
    while time.monotonic() < until:
        told = server.call("store_chunks", items=batch(count + 200 * acknowledged, 200))
        acknowledged += bool(told)
    server.begin("tools/call", {"name": "store_chunks", "arguments": _next(count, acknowledged)})
    time.sleep(CHOICE.uniform(0, 0.08))
    server.kill()
    other = Server(folder)
    more, rest = divmod(other.call("inspect_collection")["size"] - count, 200)
    other.kill()
    fine = rest == 0 and more in (acknowledged, acknowledged + 1)
    return "storing: whole, nothing lost" if fine else f"storing: WRONG {acknowledged} {more} {rest}"


def _next(count: int, acknowledged: int) -> dict[str, Any]:
    return {"project": "lab/one", "items": batch(count + 200 * acknowledged, 200)}


def migrating(folder: Path, count: int) -> str:
    """A migration killed at a random moment: done, or never begun."""
    server = Server(folder)
    new = {"id": "new", "text": "The ledger of payments.", "metadata": {"embed_model": OWN}}
    asked = {"project": "lab/one", "items": [new], "migrate": True}
    server.begin("tools/call", {"name": "store_chunks", "arguments": asked})
    answered = server.answer(CHOICE.uniform(0.02, 4 + count / 1000))
    server.kill()
    other = Server(folder)
    told = settled(other)
    found = other.call("query_hybrid", query="ledger payments") if told["embed_model"] == OWN else {}
    other.kill()
    state = (told["size"], told["embed_model"])
    whole = state == (count + 1, OWN) and found["items"][0]["id"] == "new"
    if answered:
        return "migrating: answered, and done" if whole else f"migrating: LOST {state}"
    if state == (count, FOREIGN):
        return "migrating: not answered, not begun"
    return "migrating: not answered, done at that moment" if whole else f"migrating: HALF {state}"


def main(rounds: int, count: int) -> None:
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="killed-") as name:
        base = Path(name) / "base"
        base.mkdir()
        prepared(base, count)
        for number in range(rounds):
            folder = Path(name) / str(number)
            shutil.copytree(base, folder)
            seen[(storing if number % 3 == 0 else migrating)(folder, count)] += 1
            shutil.rmtree(folder)
    for what, times in sorted(seen.items()):
        print(f"{times:4d}  {what}")


if __name__ == "__main__":
    given = [int(each) for each in sys.argv[1:]]
    main(*given, *[30, 5000][len(given) :])
