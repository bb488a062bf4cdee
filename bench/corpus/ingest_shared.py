"""How fast `ingest` into PostgreSQL and Qdrant is beside the embedded one, by the clock and by processor time.

    python bench/corpus/ingest_shared.py [FOLDER] [--pages N] [--size BYTES] [--apart]    # FOLDER: of Markdown

PostgreSQL is the tests' own or TEST_DATABASE_URL; Qdrant is QDRANT_URL or one in a process of its own that keeps what
it is sent. The servers' processor time is told beside, where they are ours: here they share the cores with the ingest,
or, with --apart, have one to themselves and leave another to it, which is nearer to servers on machines of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "backends"))

import postgres_server
from far_stores import process
from ingest import SAMPLE, _cpu
from pages import make_pages

HERE = Path(__file__).parent


class Spent(NamedTuple):
    """Seconds: by the clock, and of the processor."""

    clock: float
    client: float
    postgres: float
    qdrant: float


class Meter:
    """What the client and the servers of this machine have spent."""

    def __init__(self, qdrant: int | None) -> None:
        self._postgres, self._qdrant = postmaster(), qdrant

    def spent(self, work: Callable[[], None]) -> Spent:
        before = self._now()
        work()
        return Spent(*(after - earlier for after, earlier in zip(self._now(), before, strict=True)))

    def _now(self) -> Spent:
        postgres = below(self._postgres) if self._postgres else []
        return Spent(time.monotonic(), _cpu(), seconds_of(postgres), seconds_of([self._qdrant] if self._qdrant else []))


def seconds_of(pids: Sequence[int]) -> float:
    """Of these processes, and of those they have waited for."""
    ticks = 0
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat")
        ticks += sum(map(int, stat.read_text().rpartition(")")[2].split()[11:15])) if stat.exists() else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def below(pid: int) -> list[int]:
    """The process and all that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    found = children.read_text().split() if children.exists() else []
    return [pid, *(each for child in found for each in below(int(child)))]


def postmaster() -> int | None:
    """Where it is ours."""
    return next((each for each in below(os.getpid()) if Path(f"/proc/{each}/comm").read_text() == "postgres\n"), None)


def apart(pids: Sequence[int]) -> None:
    """These on one core, and all that is started from here on another."""
    own, other = sorted(os.sched_getaffinity(0))[:2]
    for thread in (int(each.name) for pid in pids for each in Path(f"/proc/{pid}/task").iterdir()):
        os.sched_setaffinity(thread, {other})
    os.sched_setaffinity(0, {own})


def ingest(docs: Path, data: Path, config: Path, places: Mapping[str, str]) -> None:
    program = Path(sys.executable).with_name("wekadocs-mcp")
    command = [program, "--config", config, "--data", data, "ingest", docs, "--json"]
    done = subprocess.run(command, env={**os.environ, **places}, stdout=subprocess.PIPE, text=True, check=False)
    told = json.loads(done.stdout.splitlines()[-1])
    if done.returncode or told["failed"]:
        sys.exit(f"ingest failed: {told}")


def told(name: str, pages: int, spent: Spent, beside: Spent | None) -> None:
    all_of_it = spent.client + spent.postgres + spent.qdrant
    each = ", ".join(f"{who} {cpu / pages * 1000:.2f}" for who, cpu in list(spent._asdict().items())[1:])
    line = f"{name:22} {pages / spent.clock:6.0f} documents/s; CPU ms a document: {each}"
    if beside is not None:
        line += f"; speed / embedded: {beside.clock / spent.clock:.2f} by the clock, {beside.client / spent.client:.2f}"
        line += f" by the client's CPU, {beside.client / all_of_it:.2f} by everybody's"
    print(line, flush=True)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    given.add_argument("folder", nargs="?", type=Path, default=SAMPLE)
    given.add_argument("--pages", type=int, default=2000)
    given.add_argument("--size", type=int, default=5000)
    given.add_argument("--apart", action="store_true", help="one core for the ingest, and one for the servers")
    chosen = given.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        os.environ["WEKADOCS_CACHE"] = str(folder / "cache")
        server, schema = postgres_server.postgres_server(), f"i{secrets.token_hex(4)}"
        qdrant, pid = os.environ.get("QDRANT_URL"), None
        if not qdrant:
            qdrant, pid = stack.enter_context(process(str(HERE / "taking_qdrant.py")))[:2]
        if chosen.apart:
            apart([*([int(pid)] if pid else []), *(below(found) if (found := postmaster()) else [])])
        total = make_pages(chosen.folder, folder / "docs", chosen.pages, chosen.size)
        print(
            f"{chosen.pages:,} pages of {total / chosen.pages / 1000:.1f} KB, load {os.getloadavg()[0]:.1f}", flush=True
        )
        config, meter = folder / "tools.yaml", Meter(int(pid) if pid else None)
        config.write_text(f"plugins: {{corpus: {{truth: {{schema: {schema}}}}}}}\n")
        database, both = {"DATABASE_URL": server.url}, {"DATABASE_URL": server.url, "QDRANT_URL": qdrant}
        embedded = None
        for name, places in {"embedded": {}, "PostgreSQL": database, "PostgreSQL, Qdrant": both}.items():
            work = partial(ingest, folder / "docs", folder / name, config, places)
            with postgres_server.dropped(server, schema):
                spent = meter.spent(work)
            told(name, chosen.pages, spent, embedded)
            embedded = embedded or spent


if __name__ == "__main__":
    main()
