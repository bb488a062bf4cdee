"""What an ingest has written goes on to a Qdrant server while it reads what is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import qdrant_fake
import qdrant_grpc
from postgres_server import dropped, postgres_server

from wekadocs_corpus.ingest.planning import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.plugins import discovery

PAGES = 300  # more than are written at once


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(PAGES):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nWhat page {number} says of zebras.\n", "utf-8")
    return folder


@pytest.fixture(params=["postgres", "sqlite"])
def truth(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        settings = {}
        if request.param == "postgres":
            server = postgres_server()
            settings = server.settings
            stack.enter_context(dropped(server, settings["schema"]))
        yield settings


def run(data: Path, corpus: dict[str, Any], tell: Callable[..., None]) -> Run:
    said = configuration.from_dict({"plugins": {"corpus": corpus}}, data)
    specs = {spec.name: spec for spec in discovery.find(said)}
    return Run(data, specs["corpus"].settings, Stamp("p", "prod"), tell)


def points(fake: qdrant_fake.FakeQdrant) -> int:
    names = [each.name for each in fake.memory.get_collections().collections]
    return sum(fake.memory.count(name).count for name in names)


@pytest.mark.parametrize("way", ["http", "grpc"])
def test_pages_are_on_the_server_before_the_last_is_read(
    pages: Path, truth: dict[str, str], tmp_path: Path, way: str
) -> None:
    there = []

    def tell(stage: str, done: int, total: int, *_: object) -> None:
        if stage != "documents" or done < total - 1 or there:
            return
        late = time.monotonic() + 30
        while points(fake) < 20 and time.monotonic() < late:
            time.sleep(0.02)
        there.append(points(fake))

    with qdrant_fake.running() as fake, qdrant_grpc.running(fake) as port:
        server = {"url": fake.url} if way == "http" else {"url": "http://localhost:9", "grpc": True, "grpc_port": port}
        ingest = run(tmp_path / "data", {"truth": truth, "qdrant": server}, tell)
        done = ingest.ingest(roots([str(pages)]))
        assert (done.report.added, done.notes) == (PAGES, ())
        assert there and there[0] >= 20
        assert points(fake) == ingest.truth.counts("p").chunks + 1  # and the mark
        ingest.truth.close()


def test_a_server_that_is_not_there_is_told_of_once(pages: Path, tmp_path: Path) -> None:
    ingest = run(tmp_path / "data", {"qdrant": {"url": "http://127.0.0.1:9"}}, lambda *_: None)
    done = ingest.ingest(roots([str(pages)]))
    assert done.report.added == PAGES
    (note,) = done.notes
    assert "cannot be reached" in note and "the documents are safe" in note
    ingest.truth.close()
