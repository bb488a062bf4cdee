"""How long `contracts diff` takes: 40 contracts against a git ref from a cold start, and one proof of one schema pair.

python bench/diff/speed.py [--rounds N]     exit code 1 when a target is missed
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import many  # noqa: E402
from pairs import labelled  # noqa: E402

import environment  # noqa: E402
from wekadocs_contracts.diff.proof.prove import prove  # noqa: E402
from wekadocs_contracts.diff.proof.unusable import UnusableSchema  # noqa: E402

_CONTRACTS, _CHANGED = 40, 6
_SECONDS, _MILLISECONDS = 1.0, 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    wall, work = _cold(parser.parse_args().rounds)
    proof = _proof()
    print(
        f"{_CONTRACTS} contracts, {_CHANGED} changed, cold: median {wall:.2f} s, "
        f"processor {work:.2f} s; at most {_SECONDS} s"
    )
    print(f"one proof: median {proof:.2f} ms; at most {_MILLISECONDS} ms")
    sys.exit(1 if wall > _SECONDS or proof > _MILLISECONDS else 0)


def _cold(rounds: int) -> tuple[float, float]:
    """Seconds on the clock and of work, each the median over fresh processes."""
    command = environment.product().with_name("wekadocs-mcp")
    times: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory(prefix="wekadocs-diff-bench-") as folder:
        many.write(Path(folder) / "repository", _CONTRACTS)
        many.change(Path(folder) / "repository", _CHANGED)
        for _ in range(rounds):
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            # It finds a break, so it does not end with 0.
            subprocess.run([command, "contracts", "diff"], cwd=f"{folder}/repository", capture_output=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            times.append((time.perf_counter() - started, work))
    return statistics.median(wall for wall, _ in times), statistics.median(work for _, work in times)


def _proof() -> float:
    spent = []
    for pair in labelled():
        try:
            spent.append(prove(pair.old, pair.new, pair.direction).milliseconds)
        except UnusableSchema:
            continue
    return statistics.median(spent)


main()
