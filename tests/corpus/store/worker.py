"""A process of the tests and of the soak run.

python worker.py write DATA FIRST-NUMBER COUNT ROUNDS    prints "number version" after each commit
python worker.py read DATA SECONDS                        prints its index state, then one JSON line of what it saw
python worker.py hold DATA                                takes an index, prints its state, waits for a line
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from made_documents import prepared, vector
from oracle import PROFILE

from wekadocs_corpus.model import Area, Filters, Prepared
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

AREA = Area("p", "prod")
NUMBERS = 40


def versioned(number: int, version: int) -> Prepared:
    """A document that only its own term finds; each of its chunks says which version it is."""
    bodies = [f"number {number} version {version} part {part}\n" for part in range(1 + version % 4)]
    return prepared(f"{number}.md", bodies, [{number: 1.0}] * len(bodies), [vector(number)] * len(bodies))


def write(data: Path, first: int, count: int, rounds: int) -> None:
    truth = SqliteTruth(data)
    for version in range(1, rounds + 1):
        for number in range(first, first + count):
            assert truth.write(versioned(number, version)).documents == 1
            print(number, version, flush=True)
    truth.close()


async def read(data: Path, seconds: float) -> None:
    truth = SqliteTruth(data)
    index = LocalIndex(truth, "p", PROFILE)
    answers, wrong, kinds, end = 0, list[str](), set[str](), time.monotonic() + seconds
    print((await index.state()).kind, flush=True)
    while time.monotonic() < end:
        for number in range(NUMBERS):
            state = await index.catch_up(0.1)
            kinds.add(state.kind)
            legs = await index.search_words({number: 1.0}, AREA, Filters(), 10)
            await index.search_vectors([1.0] * 8, AREA, Filters(), 10)
            answers += 1
            wrong += problems(truth, number, [leg.chunk_id for leg in legs])
    await index.close()
    truth.close()
    print(json.dumps({"answers": answers, "wrong": wrong, "kinds": sorted(kinds)}), flush=True)


def problems(truth: SqliteTruth, number: int, chunk_ids: list[str]) -> list[str]:
    """All chunks found are of this document, and those the truth still has are of one version."""
    texts = [passage.text.split() for passage in truth.chunks(chunk_ids)]
    strangers = [f"{number}: found {text[1]}" for text in texts if text[1] != str(number)]
    versions = {text[3] for text in texts}
    return strangers + ([f"{number}: versions {sorted(versions)}"] if len(versions) > 1 else [])


async def hold(data: Path) -> None:
    truth = SqliteTruth(data)
    index = LocalIndex(truth, "p", PROFILE)
    state = await index.catch_up(0.1)
    for _ in range(200):
        if state.kind == "local":
            break
        await asyncio.sleep(0.05)
        state = await index.catch_up(0.1)
    legs = await index.search_words({1: 1.0}, AREA, Filters(), 10)
    print(json.dumps({"kind": state.kind, "note": state.note, "found": len(legs)}), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await index.close()
    truth.close()


if __name__ == "__main__":
    task, folder, *rest = sys.argv[1:]
    if task == "write":
        write(Path(folder), *map(int, rest))
    else:
        asyncio.run(read(Path(folder), float(rest[0])) if task == "read" else hold(Path(folder)))
