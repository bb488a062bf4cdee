"""Servers killed while they rename a note that many others link to: all old or all new after each.

python bench/notes/kills.py [--rounds 40] [--links 500]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "0"},
}


class Server:
    def __init__(self, home: Path) -> None:
        command = [str(SCRIPT), "serve", "--config", str(home / "mine.yaml"), "--toolset", "roux"]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "WEKADOCS_DATA": str(home / "data")}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def send(self, tool: str, **arguments: Any) -> None:
        params = {"name": tool, "arguments": arguments, "_meta": META}
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, tool: str, **arguments: Any) -> Any:
        self.send(tool, **arguments)
        assert self.process.stdout is not None
        return json.loads(json.loads(self.process.stdout.readline())["result"]["content"][0]["text"])

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def notes(vault: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in vault.glob("*.md")}


def furnish(home: Path, links: int) -> Path:
    vault = home / "vault"
    vault.mkdir()
    (home / "mine.yaml").write_text("plugins: {notes: {enabled: true, vault: vault}}")
    (vault / "name-0.md").write_text("# The hub\n")
    for number in range(links):
        (vault / f"n{number:04}.md").write_text(f"---\nn:  {number}\n---\nSee [[name-0|the hub]] and `[[hub]]`\n")
    return vault


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--links", type=int, default=500)
    options = parser.parse_args()
    dice, outcomes, longest = random.Random(), Counter[str](), 0.0
    with tempfile.TemporaryDirectory() as folder:
        vault, number = furnish(Path(folder), options.links), 0
        server = Server(Path(folder))
        server.ask("get_node", id="name-0.md")
        took = 1.0
        for _ in range(options.rounds):
            before = notes(vault)
            wanted = {name.replace(f"name-{number}", f"name-{number + 1}"): text for name, text in before.items()}
            wanted = {name: text.replace(f"[[name-{number}|", f"[[name-{number + 1}|") for name, text in wanted.items()}
            began = time.monotonic()
            server.send("update_node", id=f"name-{number}.md", title=f"Name {number + 1}")
            time.sleep(dice.uniform(0, took * 1.2))
            left = (vault / ".wekadocs" / "journal.json").exists()
            server.kill()
            server = Server(Path(folder))
            is_new = server.ask("get_node", id=f"name-{number + 1}.md") is not None
            after = notes(vault)
            assert after == (wanted if is_new else before), "neither all old nor all new"
            outcomes[f"all {'new' if is_new else 'old'}{', ended by the next server' if left and is_new else ''}"] += 1
            number += is_new
            began = time.monotonic()
            told = server.ask("update_node", id=f"name-{number}.md", title=f"Name {number + 1}")
            took = time.monotonic() - began
            longest, number = max(longest, took), number + 1
            assert told["updatedLinks"] == options.links, told
        server.kill()
    print(f"kill -9: {options.rounds} rounds with {options.links} links: {dict(outcomes)}; 0 mixed")
    print(f"a rename that nobody disturbs: {longest:.2f} s at most")


if __name__ == "__main__":
    main()
