"""kb.search over stores that are a millisecond away, beside the embedded ones: `python bench/corpus/far_stores.py`

PostgreSQL and Redis are the tests' own; Qdrant is the tests' own engine with a search over arrays, in a process of its
own, as no registry has the real one (QDRANT_URL names one). Between server and stores everything takes .5 ms more each
way. Both servers answer the same new questions in turn, each in this process; the answers must be equal.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))
sys.path.insert(0, str(Path(__file__).parent))

from postgres_server import dropped, postgres_server
from same_answers import without_chance
from valkey_server import valkey_server

from wekadocs_corpus.ingest.planning import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.plugins import discovery

HERE = Path(__file__).parent
BACKENDS = HERE.parents[1] / "tests" / "backends"
SAMPLE = HERE.parents[1] / "docs"
WORDS = (
    "mount filesystem snapshot tier object cluster client quota network node drive policy backup restore token scope"
)
FORMS = (
    "how do I change the {0} of a {1}",
    "{0} and {1}",
    "what happens to a {0} when its {1} fails",
    "{1} {0} limits",
)


def questions(count: int) -> list[str]:
    """Pairs of words, each in a form of its own; none twice."""
    words = WORDS.split()
    pairs = [(one, other) for step in range(1, len(words)) for one, other in zip(words, words[step:], strict=False)]
    return [FORMS[place % len(FORMS)].format(*pair) for place, pair in enumerate(pairs)][:count]


class Spent(NamedTuple):
    """Milliseconds of a question: by the clock, and of this process's processor."""

    clock: float
    processor: float


def seconds_of(pid: str | None) -> float:
    """What a process has had of the processor; nothing where it is not ours."""
    stat = Path(f"/proc/{pid}/stat")
    if pid is None or not stat.exists():
        return 0.0
    return sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def process(*command: str) -> Iterator[list[str]]:
    """What it says first; it ends with its input."""
    with subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        try:
            yield run.stdout.readline().split()
        finally:
            run.kill()


def settings(corpus: dict[str, Any], scratch: dict[str, Any], data: Path) -> Any:
    plugins = {"corpus": corpus, "scratch": scratch, "kb": {}, "graph": {}}
    scope = {"project_id": "bench", "environment": "prod"}
    return configuration.from_dict({"plugins": plugins, "scope": scope, "flags": {"MCP_KB_V2_ENABLED": True}}, data)


def ingest(config: Any, folder: Path) -> None:
    specs = {spec.name: spec for spec in discovery.find(config)}
    run = Run(config.data_dir, specs["corpus"].settings, Stamp("bench", "prod"), lambda *_: None)
    run.ingest(roots([str(folder)]))
    run.truth.close()


async def asked(app: App, question: str) -> tuple[Spent, Any]:
    began, worked = time.perf_counter(), time.process_time()
    outcome = await app.dispatcher.call("kb.search", {"query": question}, Caller(session="bench"))
    return Spent((time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000), outcome


async def warm(app: App) -> None:
    for _ in range(200):
        _, outcome = await asked(app, "how do I mount a filesystem")
        if outcome.error is None and not outcome.data.get("degraded"):
            break
        await asyncio.sleep(0.2)
    await asyncio.sleep(4.2)  # of a corpus that is left alone it learns words first, then texts
    for question in ("where is a filesystem mounted", "what is a tier", "brouzzing a filesistem", "nodes and drives"):
        await asked(app, question)
    await asyncio.sleep(0.5)


class Measured(NamedTuple):
    near: list[Spent]
    far: list[Spent]
    different: int
    qdrant: float  # milliseconds of its processor for a question


async def measured(near: App, far: App, count: int, known: int, qdrant: str | None) -> Measured:
    await warm(near)
    await warm(far)
    times: tuple[list[Spent], list[Spent]] = ([], [])
    different, before = 0, seconds_of(qdrant)
    for place, question in enumerate(questions(known + count)):
        (one, expected), (other, found) = await asked(near, question), await asked(far, question)
        different += without_chance(expected.data) != without_chance(found.data)
        if place >= known:
            times[0].append(one)
            times[1].append(other)
    spent = (seconds_of(qdrant) - before) * 1000 / (known + count)
    await near.close()
    await far.close()
    return Measured(*times, different, spent)


def away(url: str, port: str) -> str:
    parts = urlsplit(url)
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return parts._replace(netloc=f"{user}127.0.0.1:{port}").geturl()


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--folder", type=Path, default=SAMPLE)
    given.add_argument("--questions", type=int, default=60)
    given.add_argument("--known", type=int, default=30, help="new questions before the first that counts")
    given.add_argument("--ms", type=float, default=1.0, help="there and back")
    chosen = given.parse_args()
    server, valkey = postgres_server(), valkey_server()
    truth = server.settings
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        os.environ["WEKADOCS_CACHE"] = str(folder / "cache")
        stack.enter_context(dropped(server, truth["schema"]))
        stack.callback(valkey.close)
        qdrant, pid = os.environ.get("QDRANT_URL", ""), None
        if not qdrant:
            qdrant, pid = stack.enter_context(process(str(HERE / "array_qdrant.py")))
        urls = [truth["url"], qdrant, valkey.url]
        ports = [str(urlsplit(url).port) for url in urls]
        by = stack.enter_context(process(str(BACKENDS / "distance.py"), str(chosen.ms / 2000), *ports))
        far_truth, far_qdrant, far_valkey = (away(url, port) for url, port in zip(urls, by, strict=True))
        near = settings({}, {}, folder / "near")
        near_postgres = settings({"truth": truth}, {}, folder / "filled")
        corpus = {"truth": {**truth, "url": far_truth}, "qdrant": {"url": far_qdrant}}
        far = settings(corpus, {"valkey": {"url": far_valkey}}, folder / "far")
        ingest(near, chosen.folder)
        ingest(near_postgres, chosen.folder)
        found = asyncio.run(measured(App.build(near), App.build(far), chosen.questions, chosen.known, pid))
    clock = [[each.clock for each in side] for side in (found.near, found.far)]
    processor = [round(median(each.processor for each in side), 1) for side in (found.near, found.far)]
    told = {
        "load": round(os.getloadavg()[0], 1),
        "questions": len(found.near),
        "answers that differ": found.different,
        "embedded p50 ms": round(median(clock[0]), 1),
        f"{chosen.ms:g} ms away p50 ms": round(median(clock[1]), 1),
        "difference of p50 ms": round(median(clock[1]) - median(clock[0]), 1),
        "p95 ms": [round(quantiles(each, n=20)[-1], 1) for each in clock],
        "p50 of this process's processor ms": processor,
        "processor of Qdrant a question ms": round(found.qdrant, 1),
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
