"""Processes killed at random moments, and eight that read while one ingests.

python bench/corpus/soak.py [--rounds 50] [--seconds 30]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "corpus" / "store"))

from test_many_processes import NUMBERS, check, ended, start

from wekadocs_corpus.store.sqlite.truth import SqliteTruth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="kill -9 of a writer and a reader")
    parser.add_argument("--seconds", type=float, default=30, help="eight readers beside one writer")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kills(Path(folder) / "killed", options.rounds)
        readers(Path(folder) / "read", options.seconds)


def kills(data: Path, rounds: int) -> None:
    """At moments that do not wait for anything: during start, in a transaction, while changes are read."""
    dice, total = random.Random(time.time()), 0
    SqliteTruth(data).close()
    for number in range(rounds):
        writer, reader = start("write", data, 0, 8, 100_000), start("read", data, 600)
        first = writer.stdout.readline() if writer.stdout and dice.random() < 0.8 else ""
        time.sleep(dice.uniform(0.0, 1.5))
        for process in dice.sample([writer, reader], 2):
            process.kill()
            time.sleep(dice.choice((0, 0.01)))
        lines = [line.split() for line in (first + writer.communicate()[0]).splitlines()]
        reader.communicate()
        acknowledged = {int(line[0]): int(line[1]) for line in lines if len(line) == 2}
        total += len(lines)
        check(data, acknowledged)
        print(f"round {number + 1}: {len(lines)} acknowledged, all there", flush=True)
    print(f"kill -9: {rounds} rounds, {total} acknowledged writes, 0 lost, truth and index whole after each")


def readers(data: Path, seconds: float) -> None:
    SqliteTruth(data).close()
    writer = start("write", data, 0, NUMBERS, 1_000_000)
    processes = [start("read", data, seconds) for _ in range(8)]
    seen = [json.loads(ended(process).splitlines()[-1]) for process in processes]
    writer.kill()
    lines = writer.communicate()[0].splitlines()
    wrong = [problem for each in seen for problem in each["wrong"]]
    answers = sum(each["answers"] for each in seen)
    kinds = [each["kinds"] for each in seen]
    print(
        f"8 readers beside 1 writer, {seconds:.0f} s: {answers} answers, {len(wrong)} wrong, {len(lines)} writes",
        kinds,
    )
    print(*wrong[:5], sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
