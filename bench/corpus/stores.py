"""The stores: two-leg questions against the bare arrays, catching up, cold start, memory.

python bench/corpus/stores.py [--sizes 1000 20000 200000] [--folder DIR] [--local-mode N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # for figures

from synthetic import DIMENSION, ENVIRONMENT, MODEL, PROJECT, Maker, fill

from figures import Figure, table
from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.interface import SearchIndex
from wekadocs_corpus.store.local.generations import Generations
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.local.writing.building import build as build_generation
from wekadocs_corpus.store.sql.full_text.index import FullText
from wekadocs_corpus.store.sql.reading.chunk_rows import rows_of
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

PROFILE, AREA, ANY = Profile(MODEL, DIMENSION), Area(PROJECT, ENVIRONMENT), Filters()
LIMIT, QUESTIONS = 50, 200
COLD = """
import time; began = time.perf_counter()
import asyncio, json, sys
from pathlib import Path
from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.choose import open_index
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
async def main(data, words, vector):
    truth = SqliteTruth(Path(data))
    index = open_index(truth, "{project}", Profile("{model}", {dimension}), {{}})
    area = Area("{project}", "{environment}")
    async def ask():
        await index.catch_up(0.1)
        return await asyncio.gather(index.search_words(words, area, Filters(), 50),
                                    index.search_vectors(vector, area, Filters(), 50))
    found = await ask()
    first = time.perf_counter() - began
    for _ in range(50):
        await ask()
    state = await index.state()
    memory = dict(line.split(":", 1) for line in open("/proc/self/status") if line.startswith("Rss"))
    print(json.dumps({{"first": first, "found": len(found[0]), "kind": state.kind,
                       "memory": {{key: int(value.split()[0]) / 1024 for key, value in memory.items()}}}}))
    await index.close()
    truth.close()
words = {{int(key): value for key, value in json.loads(sys.argv[2]).items()}}
asyncio.run(main(sys.argv[1], words, json.loads(sys.argv[3])))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 20_000], help="chunks")
    parser.add_argument("--folder", type=Path, help="keep the corpora here for another run")
    parser.add_argument("--local-mode", type=int, default=1000, help="chunks in qdrant-client's local mode; 0: none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        figures: list[Figure] = []
        for size in options.sizes:
            data = (options.folder or Path(temporary)) / str(size)
            figures += asyncio.run(measured(data, size))
            print(table(figures), flush=True)
        if options.local_mode:
            data = (options.folder or Path(temporary)) / str(options.local_mode)
            figures.append(asyncio.run(against_local_mode(data, options.local_mode)))
    print(table(figures))


async def measured(data: Path, size: int) -> list[Figure]:
    name, maker, truth = f"{size // 1000}k chunks", Maker(seed=99), fill(data, size)
    built, gap = await build(truth)
    index = LocalIndex(truth, PROJECT, PROFILE)
    await index.catch_up(60)
    ours, raw = await against_arrays(index, maker)
    followed = [await one_change(index, truth, maker, number) for number in range(10)]
    await index.close()
    sqlite = FullText(truth, PROJECT, PROFILE)
    slow = await p50(sqlite, maker)
    await sqlite.close()
    cold = start_cold(data, maker)
    truth.close()
    once, memory, file = statistics.median(followed), cold["memory"]["RssAnon"], cold["memory"]["RssFile"]
    first, limit = cold["first"], 1.0 if size <= 20_000 else None
    return [
        Figure(name, "two legs, p50, over 1.5 x bare arrays", ms(ours), ms(raw), (ours - 1.5 * raw) * 1e3, " ms", 1.0),
        Figure(name, "two legs by SQLite, p50", ms(slow), ms(ours), slow * 1e3, " ms"),
        Figure(name, "catch up with one document", ms(once), "-", once * 1e3, " ms", 100.0),
        Figure(name, "write a generation", f"{built:.1f} s", f"loop waits {gap * 1e3:.0f} ms", built, " s"),
        Figure(name, f"cold start to first answer ({cold['kind']})", f"{first:.2f} s", "-", first, " s", limit),
        Figure(name, "anonymous memory", f"{memory:.0f} MB", f"file {file:.0f} MB", memory, " MB", 500.0),
    ]


async def build(truth: SqliteTruth) -> tuple[float, float]:
    """Seconds until a new generation is written, and the longest time the event loop was held up meanwhile."""
    generations = Generations(truth.data_dir, PROJECT, PROFILE)
    began, longest = time.perf_counter(), 0.0
    work = asyncio.create_task(asyncio.to_thread(write, generations, truth))
    while not work.done():
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        longest = max(longest, time.perf_counter() - before - 0.005)
    return time.perf_counter() - began, longest


def write(generations: Generations, truth: SqliteTruth) -> None:
    """As a process beside a server does it, but here: the loop feels it more."""
    with generations.building() as folder:
        assert folder is not None
        generations.publish(folder, build_generation(truth, folder, PROJECT, PROFILE, lambda *_: None))


async def against_arrays(index: LocalIndex, maker: Maker) -> tuple[float, float]:
    """The same questions asked of our index and of the bare arrays inside it, in turns."""
    view, ours, raw = index._follower.view, [], []
    assert view is not None
    for _ in range(QUESTIONS):
        words, vector = maker.query(), maker.vector().tolist()
        began = time.perf_counter()
        view.words(words, AREA, ANY, LIMIT)
        view.nearest(vector, AREA, ANY, LIMIT)
        raw.append(time.perf_counter() - began)
        ours.append(await timed(lambda: ask(index, words, vector)))  # noqa: B023
    return statistics.median(ours), statistics.median(raw)


async def ask(index: SearchIndex, words: dict[int, float], vector: list[float]) -> None:
    await asyncio.gather(
        index.search_words(words, AREA, ANY, LIMIT),
        index.search_vectors(vector, AREA, ANY, LIMIT),
    )


async def p50(index: SearchIndex, maker: Maker) -> float:
    await ask(index, maker.query(), maker.vector().tolist())
    times = [await timed(lambda: ask(index, maker.query(), maker.vector().tolist())) for _ in range(30)]
    return statistics.median(times)


async def one_change(index: SearchIndex, truth: SqliteTruth, maker: Maker, number: int) -> float:
    truth.write(maker.document(f"folder-{number % 97}/page-{number}.md"))
    return await timed(lambda: caught_up(index))


async def caught_up(index: SearchIndex) -> None:
    assert (await index.catch_up(1.0)).behind == 0


async def timed(work: Callable[[], Awaitable[Any]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


def start_cold(data: Path, maker: Maker) -> dict[str, Any]:
    """A process of its own, from its first import to its first answer; the fastest of three."""
    code = COLD.format(project=PROJECT, model=MODEL, dimension=DIMENSION, environment=ENVIRONMENT)
    command = [sys.executable, "-c", code, data, json.dumps(maker.query()), json.dumps(maker.vector().tolist())]
    runs = [json.loads(subprocess.check_output(command)) for _ in range(3)]
    return min(runs, key=lambda run: run["first"])


async def against_local_mode(data: Path, size: int) -> Figure:
    """The same chunks and questions in qdrant-client's own embedded mode."""
    from qdrant_client import QdrantClient, models

    maker, truth = Maker(seed=99), fill(data, size)
    index = LocalIndex(truth, PROJECT, PROFILE)
    while (await index.catch_up(1)).kind != "local":  # noqa: ASYNC110 (nothing tells when it is built)
        await asyncio.sleep(0.01)
    with tempfile.TemporaryDirectory() as folder:
        peer = QdrantClient(path=folder)
        peer.create_collection(
            "bench",
            {"dense": models.VectorParams(size=DIMENSION, distance=models.Distance.DOT)},
            {"words": models.SparseVectorParams()},
        )
        peer.upsert("bench", list(_points(truth)))
        ours, theirs = [], []
        for _ in range(20):
            words, vector = maker.query(), maker.vector().tolist()
            sparse = models.SparseVector(indices=list(words), values=list(words.values()))
            began = time.perf_counter()
            peer.query_points("bench", query=sparse, using="words", limit=LIMIT)
            peer.query_points("bench", query=vector, using="dense", limit=LIMIT)
            theirs.append(time.perf_counter() - began)
            ours.append(await timed(lambda: ask(index, words, vector)))  # noqa: B023
        peer.close()
    await index.close()
    truth.close()
    mine, other = statistics.median(ours), statistics.median(theirs)
    return Figure(
        f"{size // 1000}k chunks",
        "two legs against qdrant-client local mode",
        ms(mine),
        ms(other),
        other / mine,
        "x",
        10.0,
        "least",
    )


def _points(truth: SqliteTruth) -> Any:
    from wekadocs_corpus.store.qdrant.sync import point

    with truth.reading() as connection:
        documents = [row[0] for row in connection.execute("SELECT id FROM documents")]
        yield from map(point, rows_of(connection, documents, MODEL))


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"


if __name__ == "__main__":
    main()
