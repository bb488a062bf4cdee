"""Citation chunks beside the raw engine: SQLite with FTS5 for storing, the bare product of a matrix for searching.

    python bench/corpus/chunks.py [CHUNKS]

Prints ratios: storing with vectors given in batches of 500, a question by meaning and by both, the first of each, and
those of the next process.
"""

from __future__ import annotations

import itertools
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from wekadocs_corpus.collections import NewChunk
from wekadocs_corpus.collections.preparing import packed, words_of
from wekadocs_corpus.collections.searching import Query
from wekadocs_corpus.collections.store import Claim, Collections
from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

DIMENSION, BATCH, WORDS, VOCABULARY = 384, 500, 200, 30_000
CLAIM = Claim("a/b", "proj-a-b", "m", DIMENSION, ())
NUMBERS, CHOICE = np.random.default_rng(1), random.Random(1)
OFTEN = list(itertools.accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))
NAMES = [f"w{number}" for number in range(VOCABULARY)]


def batches(count: int) -> Iterator[tuple[list[str], list[str], list[list[float]]]]:
    for start in range(0, count, BATCH):
        texts = [" ".join(CHOICE.choices(NAMES, cum_weights=OFTEN, k=WORDS)) for _ in range(BATCH)]
        yield [str(start + n) for n in range(BATCH)], texts, NUMBERS.normal(size=(BATCH, DIMENSION)).tolist()


def ours(collections: Collections, ids: list[str], texts: list[str], vectors: list[list[float]]) -> None:
    rows = zip(ids, texts, packed(vectors), words_of(texts), strict=True)
    chunks = [NewChunk(id, "d", text, None, {"project": "a/b"}, (), vector, terms) for id, text, vector, terms in rows]
    collections.store(CLAIM, chunks, time.monotonic() + 60)


def raw(engine: sqlite3.Connection, ids: list[str], texts: list[str], vectors: list[list[float]]) -> None:
    with engine:
        rows = [(id, text, np.asarray(v, "<f4").tobytes()) for id, text, v in zip(ids, texts, vectors, strict=True)]
        engine.executemany("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)", rows)
        engine.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", zip(map(int, ids), texts, strict=True))


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median_ms(work: Callable[[], object]) -> float:
    return 1000 * statistics.median(seconds(work) for _ in range(21))


def main(count: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="bench-chunks-"))
    collections = Collections(SqliteTruth(folder), {})
    engine = sqlite3.connect(folder / "raw.db")
    engine.execute("PRAGMA journal_mode = WAL")
    engine.execute("CREATE TABLE chunks (id TEXT PRIMARY KEY, text TEXT, vector BLOB)")
    engine.execute("CREATE VIRTUAL TABLE words USING fts5 (text, content='')")
    storing = [
        (seconds(lambda b=b: ours(collections, *b)), seconds(lambda b=b: raw(engine, *b))) for b in batches(count)
    ]
    mine, theirs = (sum(each) for each in zip(*storing, strict=True))
    rate = f"{1000 * mine / len(storing):.0f} ms a batch"
    print(f"storing {count:,} with vectors: {mine / theirs:.2f} x SQLite with FTS5 ({rate})")
    vector = NUMBERS.normal(size=DIMENSION).astype(np.float32)
    vector /= np.linalg.norm(vector)

    def ask(hybrid: bool, asked: Collections = collections) -> object:
        return asked.search("a/b", Query("w17 w2000 w5", "m", vector, (), 6, hybrid, Fusion()))

    meaning, words = seconds(lambda: ask(False)), seconds(lambda: ask(True))
    print(f"first question: {meaning:.1f} s by meaning, {words:.1f} s more by words")
    collections.images.written()
    anew = Collections(SqliteTruth(folder), {})
    meaning, words = seconds(lambda: ask(False, anew)), seconds(lambda: ask(True, anew))
    print(f"first question of the next process: {meaning:.1f} s by meaning, {words:.1f} s more by words")
    matrix = np.array([np.frombuffer(row, "<f4") for (row,) in engine.execute("SELECT vector FROM chunks")])
    bare = median_ms(lambda: np.argpartition(-np.vecdot(matrix, vector), 50)[:50])
    for name, hybrid in (("by meaning", False), ("by both", True)):
        took = median_ms(lambda h=hybrid: ask(h))
        print(f"{name}: {took:.1f} ms, {took / bare:.2f} x the bare product and its best ({bare:.1f} ms)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
