"""Documents made to cost too much: what is refused, what is taken in, what the worst of each kind costs.

python bench/attack/bombs.py [--size 100000] [--seconds 20] [--kind TEXT]

Each is read alone under the limits of `ingest`; then all are ingested beside one honest page, which must be found.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bomb_kinds import KINDS

from wekadocs_corpus.ingest.reading.limits import Limits
from wekadocs_corpus.ingest.reading.prepare import Failure, Task
from wekadocs_corpus.ingest.reading.readers import Readers
from wekadocs_corpus.ingest.sources.files import FileOrigin
from wekadocs_corpus.model import Place

COMMAND = Path(sys.executable).parent / "wekadocs-mcp"
HONEST = "# Mount a filesystem\n\nRun `strata mount projects` as root.\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--size", type=int, default=100_000, help="bytes of a bomb")
    parser.add_argument("--seconds", type=float, default=20, help="CPU seconds that one may take")
    parser.add_argument("--kind", default="", help="only kinds with this in their name")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        counts = [alone(folder, kind, options.size, options.seconds) for kind in KINDS if options.kind in kind]
        totals = [sum(each) for each in zip(*(count[:3] for count in counts), strict=True)]
        print(f"{totals[0]} bombs: {totals[1]} refused, {totals[2]} taken in; ", end="")
        print(f"at most {max(count[3] for count in counts):.1f} s of CPU and {max(count[4] for count in counts)} MB")
        return together(folder, totals[0])


def alone(folder: Path, kind: str, size: int, seconds: float) -> tuple[int, int, int, float, int]:
    """How many there are, are refused, are taken in; CPU seconds and megabytes of the worst."""
    readers = Readers(({}, "bombs", None), Limits(max_file_seconds=seconds))
    took: dict[str, float] = {}
    refused: dict[str, str] = {}
    for name, data in KINDS[kind](size):
        file = folder / "docs" / kind.replace(" ", "-") / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        before = spent(readers)
        outcome = readers.read([task(file)])[0]
        took[name] = max(0.0, spent(readers) - before) if readers.idle else seconds
        if isinstance(outcome, Failure):
            refused[name] = outcome.reason
    memory = max((peak(reader.pid) for reader in readers.idle), default=0)
    readers.close(at_once=False)
    worst = max(took, key=took.__getitem__)
    print(f"{kind:<20}{len(took):>4}  refused {len(refused):>3}  {took[worst]:5.1f} s ({worst})  {memory:>5} MB")
    return len(took), len(refused), len(took) - len(refused), took[worst], memory


def task(file: Path) -> Task:
    state = file.stat()
    found = FileOrigin(file, file.parent, file.name, file.as_posix(), state.st_size, state.st_mtime_ns)
    return Task(found, Place("p", "e", "", file.name, file.as_posix()), file.parent.as_posix(), 0.0, "", True, 1 << 30)


def spent(readers: Readers) -> float:
    """CPU seconds of the process that reads; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{readers.idle[0].pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except (OSError, IndexError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(process: int) -> int:
    """Megabytes that a process had at most; 0 where the system does not say."""
    try:
        status = Path(f"/proc/{process}/status").read_text("ascii")
    except OSError:
        return 0
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def together(folder: Path, count: int) -> int:
    (folder / "docs" / "honest.md").write_text(HONEST)
    data = ["--data", str(folder / "data")]
    began = time.monotonic()
    run = subprocess.run(
        [COMMAND, *data, "ingest", str(folder / "docs"), "--json"], capture_output=True, text=True, check=False
    )
    took = time.monotonic() - began
    told = json.loads(run.stdout.splitlines()[-1])
    print(f"ingest of all: exit {run.returncode}, {told['added']} in, {len(told['failed'])} refused, {took:.0f} s")
    question = json.dumps({"query": "how do I mount a filesystem"})
    asked = subprocess.run([COMMAND, *data, "call", "kb.search", question], capture_output=True, text=True, check=False)
    found = [row["path"] for row in json.loads(asked.stdout).get("results", [])] if asked.stdout else []
    print(f"the honest page is {'found first' if found[:1] == ['honest.md'] else 'NOT found first'}")
    whole = run.returncode in (0, 1) and told["added"] + len(told["failed"]) == count + 1
    return 0 if whole and found[:1] == ["honest.md"] else 1


if __name__ == "__main__":
    sys.exit(main())
