"""Real processes on one data directory: some write, some answer, some are killed at any moment."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from oracle import PROFILE
from serving import written
from worker import AREA, NUMBERS, versioned

import wekadocs_corpus
from wekadocs_corpus.model import Filters
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

WORKER = Path(__file__).parent / "worker.py"


def start(*arguments: object) -> subprocess.Popen[str]:
    source = str(Path(wekadocs_corpus.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, WORKER, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    )


def ended(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return output


def check(data: Path, acknowledged: dict[int, int]) -> None:
    """Everything acknowledged is there, whole, and found by the index of this machine."""
    truth = SqliteTruth(data)
    assert truth.integrity(thorough=True) == []
    known: dict[int, int] = {}
    for number, version in acknowledged.items():
        texts = [passage.text.split() for passage in truth.chunks_of(versioned(number, 1).document.id)]
        known[number] = int(texts[0][3])
        assert {text[3] for text in texts} == {str(known[number])}
        assert len(texts) == 1 + known[number] % 4
        assert known[number] >= version
    asyncio.run(_check_index(truth, data, known))
    truth.close()


async def _check_index(truth: SqliteTruth, data: Path, known: dict[int, int]) -> None:
    index, end = LocalIndex(truth, "p", PROFILE), time.monotonic() + 30
    while (state := await index.catch_up(1)).kind != "local" or state.behind:
        assert time.monotonic() < end, state
    for number, version in known.items():
        legs = await index.search_words({number: 1.0}, AREA, Filters(), 10)
        assert sorted(passage.text for passage in truth.chunks([leg.chunk_id for leg in legs])) == [
            f"number {number} version {version} part {part}\n" for part in range(1 + version % 4)
        ]
    await index.close()


def test_processes_read_while_others_write_and_no_answer_is_wrong(data: Path) -> None:
    SqliteTruth(data).close()
    # `python bench/corpus/soak.py` does it with eight, and kills fifty times.
    writers = [start("write", data, first, NUMBERS // 2, 6) for first in (0, NUMBERS // 2)]
    readers = [start("read", data, 1) for _ in range(3)]
    acknowledged = {}
    for writer in writers:
        for line in ended(writer).splitlines():
            number, version = map(int, line.split())
            acknowledged[number] = version
    seen = [json.loads(ended(reader).splitlines()[-1]) for reader in readers]
    assert [each["wrong"] for each in seen] == [[]] * 3
    assert all(each["answers"] for each in seen)
    assert acknowledged == dict.fromkeys(range(NUMBERS), 6)
    check(data, acknowledged)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_kill_at_any_moment_loses_nothing_acknowledged(data: Path) -> None:
    dice, acknowledged = random.Random(7), dict[int, int]()
    for _ in range(2):
        SqliteTruth(data).close()
        writer, reader = start("write", data, 0, 8, 10_000), start("read", data, 60)
        assert writer.stdout is not None
        assert reader.stdout is not None
        reader.stdout.readline()
        for line in [writer.stdout.readline() for _ in range(dice.randint(20, 120))]:
            number, version = map(int, line.split())
            acknowledged[number] = version
        for process in dice.sample([writer, reader], 2):
            process.send_signal(signal.SIGKILL)
        # The next round starts from version 1 again, so only what this round had acknowledged counts.
        for line in writer.communicate()[0].splitlines():
            if len(parts := line.split()) == 2:
                acknowledged[int(parts[0])] = int(parts[1])
        reader.communicate()
        check(data, acknowledged)
        acknowledged.clear()


def test_ten_processes_share_one_index(data: Path) -> None:
    truth = SqliteTruth(data)
    truth.write_many(versioned(number, 1) for number in range(5))
    folder = written(truth)
    truth.close()
    holders = [start("hold", data) for _ in range(10)]
    states = [json.loads(holder.stdout.readline()) for holder in holders if holder.stdout]
    assert states == [{"kind": "local", "note": "", "found": 2}] * 10
    assert sorted(path.name for path in folder.parent.iterdir()) == ["build.lock", folder.name]
    for process in holders:
        process.communicate("\n", timeout=30)


def test_processes_may_open_a_new_folder_at_once(data: Path) -> None:
    processes = [start("write", data, number, 1, 1) for number in range(4)]
    assert sorted(ended(process) for process in processes) == sorted(f"{number} 1\n" for number in range(4))
    truth = SqliteTruth(data)
    assert truth.counts().documents == 4
    truth.close()
