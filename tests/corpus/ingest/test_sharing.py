"""The same ingest given at several machines: real processes on a real PostgreSQL, some of which are killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from postgres_server import dropped, postgres_server

from wekadocs_corpus.store.postgres.truth import PostgresTruth
from wekadocs_corpus.store.sql.truth import SqlTruth
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

SAMPLE = Path(__file__).parents[3] / "docs" / "sample" / "docs"
PROGRAM = Path(sys.executable).parent / "wekadocs-mcp"
PAGES = 500
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough that an ingest takes a while, and pages that link to each other."""
    folder = shutil.copytree(SAMPLE, tmp_path_factory.mktemp("shared") / "docs")
    for number in range(PAGES):
        parts = [
            f"## Part {part} of {number}\n\n" + f"The valve {number} opens at {part} bar. " * 30 for part in range(8)
        ]
        (folder / f"page-{number}.md").write_text(f"# Page {number}\n\n" + "\n\n".join(parts))
    return folder


class Machines:
    """Each with a data directory of its own; all of them on one truth."""

    def __init__(self, folder: Path, settings: dict[str, str], docs: Path) -> None:
        self.folder, self.settings, self.docs = folder, settings, docs
        self.config = folder / "tools.yaml"
        corpus = {"truth": {"schema": settings["schema"]}, "ingest": {"lease_seconds": 1, "workers": 1}}
        self.config.write_text(json.dumps({"plugins": {"corpus": corpus}}))
        self.started: list[subprocess.Popen[str]] = []

    def start(self, name: str, *words: str) -> subprocess.Popen[str]:
        command = [PROGRAM, "--config", self.config, "--data", self.folder / name, *words]
        environment = {**os.environ, "DATABASE_URL": self.settings["url"]}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.started.append(process)
        return process

    def ingesting(self, name: str) -> subprocess.Popen[str]:
        return self.start(name, "ingest", str(self.docs), "--json")

    def ingested(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        output, said = process.communicate(timeout=240)
        assert process.returncode == 0, said
        found: dict[str, Any] = json.loads(output.splitlines()[-1])
        return found

    def said(self, *words: str) -> str:
        return self.start("asking", *words).communicate(timeout=120)[0]

    def truth(self) -> PostgresTruth:
        return PostgresTruth(self.folder / "looking", self.settings)

    def until(self, is_so: Callable[[Any], bool]) -> Any:
        """The only job, once it is so."""
        truth, end = self.truth(), time.monotonic() + 120
        try:
            while not (found := truth.jobs().rows()) or not is_so(found[0]):
                assert time.monotonic() < end, found
                assert any(each.poll() is None for each in self.started), "all have ended"
            return found[0]
        finally:
            truth.close()

    def stopped(self) -> Any:
        """The only job, once nobody is at work."""
        truth, end = self.truth(), time.monotonic() + 60
        while truth.jobs().rows()[0].workers:
            assert time.monotonic() < end
        (found,) = truth.jobs().rows()
        truth.close()
        return found

    def close(self) -> None:
        for each in self.started:
            if each.poll() is None:
                os.killpg(each.pid, signal.SIGKILL)
            each.communicate()


@pytest.fixture
def machines(tmp_path: Path, docs: Path) -> Iterator[Machines]:
    server = postgres_server()
    settings = server.settings
    with dropped(server, settings["schema"]):
        made = Machines(tmp_path, settings, docs)
        yield made
        made.close()


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(30)


def contents(truth: SqlTruth) -> dict[str, tuple[object, ...]]:
    """By document, all of it that does not depend on the order of arrival."""
    ids = sorted(truth.document_ids("wekadocs-matrix"))
    found = {}
    for each in ids:
        document = truth.document(each)
        assert document is not None
        chunks = [(chunk.id, chunk.section_id, chunk.text) for chunk in truth.chunks_of(each)]
        rows = truth.graph_rows([each])
        found[each] = (document.path, document.text, document.content_hash, chunks, sorted(map(repr, rows.edges)))
    return found


@pytest.fixture(scope="module")
def embedded(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[object, ...]]:
    data = tmp_path_factory.mktemp("embedded")
    environment = {**os.environ, "DATABASE_URL": ""}
    subprocess.run([PROGRAM, "--data", data, "ingest", docs], env=environment, check=True, capture_output=True)
    truth = SqliteTruth(data)
    found = contents(truth)
    truth.close()
    return found


def assert_whole(machines: Machines, embedded: dict[str, tuple[object, ...]]) -> None:
    truth = machines.truth()
    assert truth.integrity() == []
    assert truth.jobs().rows() == []
    assert contents(truth) == embedded
    truth.close()


def test_two_machines_share_it_and_read_each_file_once(
    machines: Machines, embedded: dict[str, tuple[object, ...]]
) -> None:
    running = [machines.ingesting(name) for name in ("here", "there")]
    status = json.loads(machines.said("status", "--json"))["ingests"]
    done = [machines.ingested(each) for each in running]
    assert [each["seen"] for each in done] == [len(embedded)] * 2
    assert sum(each["added"] for each in done) == len(embedded)
    assert [each["added"] + each["elsewhere"] + each["unchanged"] for each in done] == [len(embedded)] * 2
    assert all(each["changed"] == 0 and each["failed"] == [] for each in done)
    assert [each["sources"] for each in status] in ([], [[machines.docs.as_uri()]])
    assert_whole(machines, embedded)


def test_when_one_is_killed_the_other_ends_it(machines: Machines, embedded: dict[str, tuple[object, ...]]) -> None:
    first = machines.ingesting("here")
    machines.until(lambda job: job.done >= 1)
    second = machines.ingesting("there")
    job = machines.until(lambda job: len(job.workers) == 2)
    kill(first)
    done = machines.ingested(second)
    assert 0 < done["added"] <= len(embedded) - job.done, "what was read before stays"
    assert done["added"] + done["elsewhere"] + done["unchanged"] == len(embedded)
    assert done["changed"] == 0
    assert_whole(machines, embedded)


def test_when_all_are_killed_the_next_one_goes_on(machines: Machines, embedded: dict[str, tuple[object, ...]]) -> None:
    both = [machines.ingesting(name) for name in ("here", "there")]
    machines.until(lambda job: job.done >= 100)
    for each in both:
        kill(each)
    job = machines.stopped()
    said = machines.said("status")
    assert f"{job.done} of {len(embedded)} read, stopped: nobody works on it" in said
    doctor = machines.said("doctor")
    assert f"stopped with {job.done} of {len(embedded)} files read" in doctor
    assert "give the same `wekadocs-mcp ingest` again" in doctor
    done = machines.ingested(machines.ingesting("there"))
    assert (done["added"], done["unchanged"]) == (len(embedded) - job.done, job.done)
    assert_whole(machines, embedded)
    assert "ingests:" not in machines.said("status")


def test_one_that_is_told_to_stop_leaves_its_part_at_once(
    machines: Machines, embedded: dict[str, tuple[object, ...]]
) -> None:
    first = machines.ingesting("here")
    machines.until(lambda job: job.done >= 1)
    first.send_signal(signal.SIGINT)
    output, _ = first.communicate(timeout=60)
    assert first.returncode == 130
    assert json.loads(output.splitlines()[-1])["event"] == "stopped"
    (row,) = json.loads(machines.said("status", "--json"))["ingests"]
    assert (row["state"], row["total"], row["workers"]) == ("stopped", len(embedded), [])
    done = machines.ingested(machines.ingesting("there"))
    assert done["added"] == len(embedded) - row["done"]
    assert_whole(machines, embedded)
