"""A large corpus answers at once: spawn → first answer of many servers on one data directory, another process busy.

python bench/corpus/first_answer.py DATA [--servers 10] [--questions FILE] [--idle]

DATA was filled by `wekadocs-mcp ingest`; the model must be the default one. Linux: memory is read from /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # for figures and the wire

import numpy as np

from figures import Figure, table
from wekadocs_corpus.embedding.profiles import STATIC
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.lexical import query_terms
from wekadocs_corpus.model import Area, Filters, Leg
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.ranking import ranked
from wekadocs_corpus.store.sql.reading.chunk_rows import rows_of
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.term_vectors import products
from wire_stdio import StdioClient
from workload import encode

QUESTIONS = (
    "How do I cancel a fetch request?",
    "What is the difference between let and var?",
    "How do I configure dependency injection in a console app?",
    "kubectl rollout undo deployment",
    "How are persistent volumes reclaimed?",
    "ConfigureAwait(false)",
    "grid-template-columns repeat auto-fill",
    "readinessProbe initialDelaySeconds",
    "What does the garbage collector do with large objects?",
    "Which HTTP status code means too many requests?",
)
LIMIT, ROUNDS, FIRST = 50, 5, 1.5
BUSY = "while True: pass"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--servers", type=int, default=10)
    parser.add_argument("--questions", type=Path, help="a question a line")
    parser.add_argument("--idle", action="store_true", help="no other process is busy")
    options = parser.parse_args()
    questions = options.questions.read_text().splitlines() if options.questions else list(QUESTIONS)
    figures = served(options.data, questions, options.servers, idle=options.idle)
    figures += asyncio.run(exact(options.data, questions))
    print(table(figures))
    sys.exit(any(figure.verdict == "MISSED" for figure in figures))


def served(data: Path, questions: list[str], count: int, *, idle: bool) -> list[Figure]:
    with ExitStack() as stack:
        if not idle:
            stack.enter_context(busy())
        clients, firsts = [], []
        for number in range(count):
            client = StdioClient([tool(), "serve", "--data", str(data)], dict(os.environ))
            stack.callback(client.close)
            client.open("legacy")
            told = call(client, questions[number % len(questions)])
            firsts.append(time.perf_counter() - client.started)
            clients.append(client)
            print(f"server {number + 1}: first answer after {firsts[-1]:.2f} s; degraded: {told}", flush=True)
        steady = [timed(clients[0], question) for _ in range(ROUNDS) for question in questions]
        memory = [shares(client.pid) for client in clients]
    rss, pss, own = (statistics.median(column) for column in zip(*memory, strict=True))
    disk = sum(path.stat().st_size for path in (data / "index").rglob("*") if path.is_file()) / 2**20
    worst, name = max(firsts), f"{count} servers"
    return [
        Figure(name, "spawn → first answer, 1st", seconds(firsts[0]), seconds(worst), firsts[0], " s", FIRST),
        Figure(name, f"spawn → first answer, {count}th", seconds(firsts[-1]), seconds(worst), firsts[-1], " s", FIRST),
        Figure(name, "kb.retrieve_evidence, p50", f"{statistics.median(steady) * 1e3:.0f} ms", "-", 0.0, " ms"),
        Figure(name, "memory of each: own", f"{own:.0f} MB", f"RSS {rss:.0f}, PSS {pss:.0f} MB", own, " MB", 200.0),
        Figure(name, "index on disk, for all", f"{disk:.0f} MB", "-", disk, " MB"),
    ]


@contextmanager
def busy() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def tool() -> str:
    beside = Path(sys.executable).with_name("wekadocs-mcp")
    return str(beside) if beside.exists() else shutil.which("wekadocs-mcp") or "wekadocs-mcp"


def call(client: StdioClient, question: str) -> list[str]:
    """Why the answer was less than the best, if it was."""
    arguments = {"name": "kb.retrieve_evidence", "arguments": {"question": question}}
    answer = json.loads(client.ask(encode({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": arguments})))
    result: dict[str, Any] = answer["result"]
    if result.get("isError"):
        raise RuntimeError(f"{question}: {result['content'][0]['text']}")
    found: list[str] = result["structuredContent"].get("diagnostics", {}).get("degraded", [])
    return found


def timed(client: StdioClient, question: str) -> float:
    began = time.perf_counter()
    call(client, question)
    return time.perf_counter() - began


def shares(pid: int) -> tuple[float, float, float]:
    """Resident, its share of what is shared, and what is its own, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.endswith("kB")}
    return sizes["Rss"], sizes["Pss"], sizes["Private_Clean"] + sizes["Private_Dirty"]


async def exact(data: Path, questions: list[str]) -> list[Figure]:
    """Each leg beside arithmetic over everything that the truth has."""
    truth, model = SqliteTruth(data), StaticEmbedder()
    with truth.reading() as connection:
        ask = "SELECT project, environment, count(*) FROM documents GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1"
        project, environment, _ = connection.execute(ask).fetchone()
        ids = [row[0] for row in connection.execute("SELECT id FROM documents WHERE project = ?", (project,))]
        rows = [row for row in rows_of(connection, ids, STATIC.id) if row.environment == environment]
    vectors = (
        np.frombuffer(b"".join(row.vector or b"" for row in rows), "<f2").reshape(len(rows), -1).astype(np.float32)
    )
    index, area, times, wrong = LocalIndex(truth, project, STATIC), Area(project, environment), list[float](), 0
    await index.catch_up(60)
    for question in questions:
        terms, row = query_terms(question), model.embed_query(question)
        await index.search_vectors(row.tolist(), area, Filters(), LIMIT)
        began = time.perf_counter()
        found = await asyncio.gather(
            index.search_words(terms, area, Filters(), LIMIT),
            index.search_vectors(row.tolist(), area, Filters(), LIMIT),
        )
        times.append(time.perf_counter() - began)
        scores = (products([each.terms for each in rows], truth.weighted(project, terms)), vectors @ row)
        for legs, all_scores, least in zip(found, scores, (1e-9, -2.0), strict=True):
            pairs = zip(rows, all_scores.tolist(), strict=True)
            best = ranked(
                (Leg(each.chunk_id, each.document_id, score) for each, score in pairs if score > least), LIMIT
            )
            wrong += [leg.chunk_id for leg in legs] != [leg.chunk_id for leg in best]
    await index.close()
    truth.close()
    name = f"{len(rows):,} chunks"
    return [
        Figure(
            name,
            "two legs, p50",
            f"{statistics.median(times) * 1e3:.1f} ms",
            "-",
            statistics.median(times) * 1e3,
            " ms",
        ),
        Figure(name, "legs that differ from arithmetic", str(wrong), f"of {2 * len(questions)}", wrong, "", 0.0),
    ]


def seconds(value: float) -> str:
    return f"{value:.2f} s"


if __name__ == "__main__":
    main()
