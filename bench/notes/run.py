"""A vault of ten thousand notes, served over stdio: first index, restart, an edit until it is found, search and ways.

    python bench/notes/run.py [NOTES]

Prints what each takes, beside ripgrep (or grep, where there is none) for exact text, SQLite's FTS5 for words and a
recursive query of plain SQLite for ways. Restarts are given as CPU seconds too, which no other process changes.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vault import make

QUESTIONS = ("how does gardening practice contradict theory", "the history of chess", "a sourdough mistake", "quince77")


class Server:
    """`wekadocs-mcp serve --toolset roux` on a pipe."""

    def __init__(self, config: Path, data: Path) -> None:
        program = str(Path(sys.executable).with_name("wekadocs-mcp"))
        command = [program, "--config", str(config), "--data", str(data), "serve", "--toolset", "roux"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", hello)

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        assert self._process.stdin and self._process.stdout
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == self._number:
                return answer["result"]

    def call(self, tool: str, **arguments: Any) -> Any:
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return result.get("structuredContent") or result

    def cpu(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(10)


def median_ms(work: Callable[[], object], times: int = 15) -> float:
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return 1000 * statistics.median(spent)


def whole(server: Server) -> None:
    """Until nothing is missing from searches."""
    while "Index incomplete" in json.dumps(server.call("search", query="quince77", limit=1)):
        pass


def first_index(config: Path, data: Path) -> None:
    began = time.perf_counter()
    server = Server(config, data)
    server.call("get_hubs")
    links = time.perf_counter() - began
    whole(server)
    everything = time.perf_counter() - began
    print(f"first index: links {links:.1f} s, all searchable {everything:.1f} s ({server.cpu():.1f} s CPU)")
    server.end()


def restart(config: Path, data: Path, tool: str, **arguments: Any) -> tuple[float, float]:
    began = time.perf_counter()
    server = Server(config, data)
    assert server.call(tool, **arguments)
    spent = time.perf_counter() - began, server.cpu()
    server.end()
    return spent


def floor() -> None:
    """What no server in Python that computes with vectors can be quicker than."""
    wall, cpu = [], []
    for _ in range(5):
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", "import numpy"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(time.perf_counter() - began)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"python -c 'import numpy': {min(wall):.2f} s ({min(cpu):.2f} s CPU)")


def restarts(config: Path, data: Path, empty: Path, ids: list[str]) -> None:
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("get_node", {"id": ids[7]}),
        ("random_node", {}),
        ("search_by_tags", {"tags": ["theory"]}),
        ("get_hubs", {}),
        ("find_path", {"source": ids[-1], "target": ids[0]}),
        ("search", {"query": "quince77"}),
    )
    floor()
    for tool, arguments in asked:
        runs = [restart(config, data, tool, **arguments) for _ in range(5)]
        bare = [restart(empty, data.with_name("none"), tool, **arguments) for _ in range(5)]
        wall, cpu = (min(each) for each in zip(*runs, strict=True))
        wall_bare, cpu_bare = (min(each) for each in zip(*bare, strict=True))
        beside = f"beside an empty vault {wall / wall_bare:.1f} x ({cpu_bare:.2f} s CPU)"
        print(f"restart, nothing changed, first {tool}: {wall:.2f} s ({cpu:.2f} s CPU), {beside}")


def update_to_found(server: Server, folder: Path) -> None:
    spent = []
    for number in range(10):
        began = time.perf_counter()
        (folder / "chess" / f"new-{number}.md").write_text(f"A fresh note about wombat{number}q.")
        while not any(each["id"] == f"chess/new-{number}.md" for each in found(server, f"wombat{number}q")):
            pass
        spent.append(time.perf_counter() - began)
    median = 1000 * statistics.median(spent)
    print(f"edit on disk until a search finds it: median {median:.0f} ms, most {max(spent):.2f} s")


def found(server: Server, query: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = server.call("search", query=query, limit=3)["results"]
    return rows


def searches(server: Server, folder: Path, engine: sqlite3.Connection) -> None:
    hybrid = median_ms(lambda: [found(server, each) for each in QUESTIONS]) / len(QUESTIONS)
    words = "SELECT id FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10"
    plain = median_ms(
        lambda: [engine.execute(words, (" OR ".join(each.split()),)).fetchall() for each in QUESTIONS]
    ) / len(QUESTIONS)
    print(f"search: {hybrid:.1f} ms, {hybrid / plain:.1f} x the bare FTS5 query ({plain:.1f} ms)")
    exact = median_ms(lambda: server.call("search", query="quince777.", mode="exact"), 7)
    tool = shutil.which("rg")
    command = [tool, "-liF"] if tool else ["grep", "-rliF"]
    command += ["quince777.", str(folder)]
    outside = median_ms(lambda: subprocess.run(command, capture_output=True, check=True), 7)
    print(f"exact text: {exact:.0f} ms, {exact / outside:.1f} x {Path(command[0]).name} ({outside:.0f} ms)")


WAY = """WITH RECURSIVE way(node, steps) AS (
 SELECT ?, 0 UNION SELECT target, steps + 1 FROM way JOIN links ON source = node WHERE steps < 6)
 SELECT steps FROM way WHERE node = ? ORDER BY steps LIMIT 1"""


def ways(server: Server, ids: list[str], engine: sqlite3.Connection) -> None:
    pairs = [(ids[-1 - number], ids[number]) for number in range(8)]
    ours = median_ms(lambda: [server.call("find_path", source=a, target=b) for a, b in pairs], 5) / len(pairs)
    lengths = [(server.call("find_path", source=a, target=b)["path"] or {}).get("length") for a, b in pairs]
    short = [pair for pair, length in zip(pairs, lengths, strict=True) if length is not None and length <= 6][:3]
    plain = median_ms(lambda: [engine.execute(WAY, pair).fetchone() for pair in short], 1) / max(1, len(short))
    told = f"{plain / ours:.0f} x faster than" if plain > ours else f"{ours / plain:.1f} x"
    print(f"shortest way ({lengths}): {ours:.1f} ms, {told} a recursive query ({plain:.0f} ms, up to six steps)")


def plain_engine(folder: Path, server: Server, ids: list[str], place: Path) -> sqlite3.Connection:
    engine = sqlite3.connect(place)
    engine.execute("CREATE VIRTUAL TABLE words USING fts5 (id UNINDEXED, text)")
    engine.execute("CREATE TABLE links (source TEXT, target TEXT)")
    engine.executemany("INSERT INTO words VALUES (?, ?)", ((id, (folder / id).read_text()) for id in ids))
    for id in ids:
        ends = server.call("get_node", id=id)["node"]["links"]
        engine.executemany("INSERT INTO links VALUES (?, ?)", ((id, end["id"]) for end in ends))
    engine.execute("CREATE INDEX links_by_source ON links (source)")
    return engine


def main(count: int) -> None:
    home = Path(tempfile.mkdtemp(prefix="bench-notes-"))
    folder, config, data = home / "vault", home / "notes.yaml", home / "data"
    ids = make(folder, count)
    (home / "empty").mkdir()
    config.write_text(f"plugins: {{notes: {{enabled: true, vault: {folder}}}}}\n")
    empty = home / "empty.yaml"
    empty.write_text(f"plugins: {{notes: {{enabled: true, vault: {home / 'empty'}}}}}\n")
    print(f"{count:,} notes, load {os.getloadavg()[0]:.1f}")
    first_index(config, data)
    restarts(config, data, empty, ids)
    server = Server(config, data)
    whole(server)
    engine = plain_engine(folder, server, ids, home / "plain.db")
    searches(server, folder, engine)
    ways(server, ids, engine)
    update_to_found(server, folder)
    server.end()
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"memory of a server: {most} MB at most")
    shutil.rmtree(home)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
