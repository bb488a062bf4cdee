"""The graph at a million edges: expand and paths, embedded and in Neo4j, beside plain SQLite recursion and networkx.

    PYTHONPATH=src python bench/corpus/graph.py [DOCUMENTS] [--neo4j]     # 20,000 documents make a million edges

networkx is measured where it is installed, Neo4j where it can be had (Java and Maven, or NEO4J_URI). Wall times, and
the processor's where the work is done in this process: on a busy machine only the latter say something. Also the cost
of extraction and what share of an ingest the graph takes.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from graph_neo4j import in_neo4j
from graph_share import share_of_ingest

from wekadocs_corpus.graph.embedded.graph import EmbeddedGraph
from wekadocs_corpus.graph.extraction.extract import extract
from wekadocs_corpus.graph.interface import Graph
from wekadocs_corpus.model import Area, Chunk, Document, ParsedDocument, Place, Section, digest
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.nodes import ENTITY, SECTION, TYPE, node, rank
from wekadocs_corpus.store.writing.packing import pack_text

SECTIONS, MENTIONS, QUESTIONS = 8, 5, 200
AREA = Area("bench", "prod")
_WALK = """WITH RECURSIVE walk (id, depth) AS (SELECT :a, 0
 UNION SELECT e.target, depth + 1 FROM walk JOIN edges e ON e.source = walk.id WHERE depth < :hops
 UNION SELECT e.source, depth + 1 FROM walk JOIN edges e ON e.target = walk.id WHERE depth < :hops)"""
RECURSION = {
    "expand": f"{_WALK} SELECT id, MIN(depth) FROM walk GROUP BY id ORDER BY 2, 1 LIMIT 25",
    "paths": f"{_WALK} SELECT MIN(depth) FROM walk WHERE id = :b",
}


def fill(path: Path, documents: int) -> list[str]:
    """Sections by the truth's own schema; names spread as in texts: few often, many rarely."""
    chance = random.Random(1)
    sections: list[str] = []
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO areas VALUES (1, ?, ?)", (AREA.project_id, AREA.environment))
        names = range(1, documents * 2 + 1)
        ids = [bytes.fromhex(digest("name", str(each))) for each in names]
        rows = [(n, each, 1, "Parameter", f"--{n}", f"--{n}") for n, each in zip(names, ids, strict=True)]
        connection.executemany("INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?)", rows)
        for number in range(1, documents + 1):
            sections += add(connection, number, len(names), chance)
    return sections


def add(connection: sqlite3.Connection, number: int, names: int, chance: random.Random) -> list[str]:
    document, first = digest("document", str(number)), number * SECTIONS
    place = (number, document, AREA.project_id, AREA.environment, "", f"{number}.md", "/", "", "", f"Page {number}")
    values = (*place, "a", "", 0, 0, "", 0, 0, 0, "", "", 9, "{}", None, pack_text(""))
    connection.execute(f"INSERT INTO documents VALUES ({', '.join('?' * len(values))})", values)
    made = [digest(document, str(ordinal)) for ordinal in range(SECTIONS)]
    connection.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, '[]', 0, 1, ?)",
        [
            (first + n, bytes.fromhex(each), number, n, min(n, 1) + 1, f"Part {n}", f"p{n}", first if n else None)
            for n, each in enumerate(made)
        ],
    )
    edges = {
        (
            *(node(SECTION, first + n), TYPE["MENTIONS"]),
            node(ENTITY, min(names, int(chance.paretovariate(0.35)))),
            *(number, rank(each), 1.0, b""),
        )
        for n, each in enumerate(made)
        for _ in range(MENTIONS)
    }
    connection.executemany("INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)", sorted(edges))
    connection.execute("INSERT INTO changes (document_id, project, deleted) VALUES (?, 'bench', 0)", (document,))
    return made


Timing = Callable[..., Awaitable[dict[str, float]]]


async def timed(ask: Callable[[str, str], Awaitable[Any]], pairs: list[tuple[str, str]]) -> dict[str, float]:
    """Milliseconds of a question, after one that nobody counts."""
    await ask(*pairs[0])
    wall, processor = [], []
    for a, b in pairs:
        start, spent = time.perf_counter(), time.process_time()
        await ask(a, b)
        wall.append((time.perf_counter() - start) * 1000)
        processor.append((time.process_time() - spent) * 1000)
    at = int(len(wall) * 0.95)
    return {
        "p50_ms": round(statistics.median(wall), 2),
        "p95_ms": round(sorted(wall)[at], 2),
        "cpu_p95_ms": round(sorted(processor)[at], 2),
    }


def pairs_of(sections: list[str]) -> list[tuple[str, str]]:
    chance = random.Random(2)
    return [(chance.choice(sections), chance.choice(sections)) for _ in range(QUESTIONS)]


def extraction(documents: int = 300) -> dict[str, float]:
    """Documents of 5 KB per second on one core, beside one pass of a plain word pattern over the same text."""
    import re

    words = "The Protocol Gateway mounts a filesystem with `--readonly` on /mnt/weka, see WEKA_HOME and Ubuntu 22.04. "
    text = ("## Part\n\n" + words * 6 + "\n\n1. Run it.\n2. Check it.\n\n```bash\nweka fs create --size 1\n```\n\n") * 7
    made = [_document(number, text) for number in range(documents)]
    start = time.process_time()
    for each in made:
        extract(each)
    spent = time.process_time() - start
    start = time.process_time()
    for _ in made:
        re.findall(r"\w+", text)
    plain = time.process_time() - start
    megabytes = documents * len(text) / 1e6
    return {"documents_of_5KB_per_s": round(megabytes * 200 / spent), "times_a_word_split": round(spent / plain, 1)}


def _document(number: int, text: str) -> Document:
    place = Place("bench", "prod", "", f"{number}.md")
    starts = [at for at in range(len(text)) if text.startswith("## ", at)]
    spans = list(zip(starts, [*starts[1:], len(text)], strict=True))
    sections = tuple(
        Section(digest(str(number), str(n)), n, 2, "Part", f"p{n}", *span, None) for n, span in enumerate(spans)
    )
    chunks = tuple(Chunk(digest("c", each.id), each.id, each.ordinal, each.start, each.end, 9) for each in sections)
    return Document(place, ParsedDocument(text, f"Page {number}", sections, chunks), "a", "", 0.0, "", len(text))


async def walks(graph: Graph, pairs: list[tuple[str, str]], timed: Timing = timed) -> dict[str, Any]:
    """What the tools ask."""
    found: dict[str, Any] = {}
    for hops in (1, 2, 3):
        found[f"expand_{hops}"] = await timed(lambda a, b, hops=hops: graph.neighbours([a], AREA, hops=hops), pairs)
    for hops in (2, 5):
        found[f"paths_{hops}"] = await timed(lambda a, b, hops=hops: graph.paths([a], [b], AREA, max_hops=hops), pairs)
    found["related"] = await timed(lambda a, b: graph.related_sections([a], AREA), pairs)
    return found


async def recursion(path: Path, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """One statement for it all, without scopes or bounds."""
    with closing(sqlite3.connect(path)) as plain:
        ids = dict(plain.execute(f"SELECT id, number << 2 | {SECTION} FROM sections"))

        async def ask(name: str, a: str, b: str) -> None:
            plain.execute(RECURSION[name], {"a": ids[a], "b": ids[b], "hops": 2}).fetchall()

        return {
            f"{name}_2": await timed(lambda a, b, name=name: ask(name, a, b), pairs[:20])
            for name in ("expand", "paths")
        }


async def in_memory(path: Path, pairs: list[tuple[str, str]]) -> dict[str, Any]:
    try:
        import networkx
    except ImportError:
        return {"networkx": "not installed"}
    start = time.perf_counter()
    with closing(sqlite3.connect(path)) as connection:
        graph = networkx.Graph(connection.execute("SELECT source, target FROM edges"))
        above = "COALESCE(parent << 2 | 1, document << 2)"
        graph.add_edges_from(connection.execute(f"SELECT number << 2 | 1, {above} FROM sections"))
        ids = dict(connection.execute("SELECT id, number << 2 | 1 FROM sections"))
    loaded = time.perf_counter() - start

    async def path_of(a: str, b: str) -> None:
        with suppress(networkx.NetworkXNoPath):
            networkx.bidirectional_shortest_path(graph, ids[a], ids[b])

    async def around(a: str, b: str, hops: int) -> None:
        networkx.single_source_shortest_path_length(graph, ids[a], cutoff=hops)

    expand = {f"expand_{hops}": await timed(lambda a, b, hops=hops: around(a, b, hops), pairs[:50]) for hops in (1, 2)}
    return {"networkx": {"load_s": round(loaded, 1), **expand, "path": await timed(path_of, pairs)}}


async def main() -> None:
    documents = next((int(each) for each in sys.argv[1:] if each.isdigit()), 20_000)
    with tempfile.TemporaryDirectory() as folder:
        truth = SqliteTruth(Path(folder))
        path = Path(folder) / "corpus.db"
        start = time.perf_counter()
        sections = fill(path, documents)
        pairs = pairs_of(sections)
        with closing(sqlite3.connect(path)) as connection:
            stored = connection.execute("SELECT COUNT(*) FROM edges").fetchone()[0]
        figures: dict[str, Any] = {
            "edges": stored + 2 * len(sections),
            "fill_s": round(time.perf_counter() - start, 1),
            "megabytes": round(path.stat().st_size / 1e6),
            "extraction": extraction(),
            "graph_in_ingest": share_of_ingest(),
            "embedded": await walks(EmbeddedGraph(truth.reading), pairs),
            "sqlite_recursion": await recursion(path, pairs),
            **await in_memory(path, pairs),
        }
        if "--neo4j" in sys.argv:
            figures["neo4j"] = await in_neo4j(truth, pairs, walks, timed)
        truth.close()
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    asyncio.run(main())
