"""Stores in a folder of their own; `made_documents` beside this file makes what goes in."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import dropped, postgres_server

from wekadocs_corpus.store.sql.truth import SqlTruth
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

sys.path.insert(0, str(Path(__file__).parent))  # so that tests and the processes they start share made_documents


@pytest.fixture
def data() -> Iterator[Path]:
    """In memory where the system has such a folder: what is written must not wait for the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder) / "data"


ON_BOTH = {"test_truth", "test_links", "test_fields", "test_chunks_of_others", "test_plugin_tables", "test_indexes"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What any truth does is tried on both engines."""
    if "truth" in metafunc.fixturenames and metafunc.module.__name__.rpartition(".")[2] in ON_BOTH:
        metafunc.parametrize("truth", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def truth(data: Path, request: pytest.FixtureRequest) -> Iterator[SqlTruth]:
    if getattr(request, "param", "sqlite") == "postgres":
        yield from _on_postgres(data)
        return
    opened = SqliteTruth(data)
    yield opened
    opened.close()


def _on_postgres(data: Path) -> Iterator[SqlTruth]:
    from wekadocs_corpus.store.postgres.truth import PostgresTruth

    server = postgres_server()
    settings = server.settings
    with dropped(server, settings["schema"]):
        opened = PostgresTruth(data, settings)
        yield opened
        opened.close()


@pytest.fixture
def again(truth: SqlTruth) -> Iterator[SqlTruth]:
    """The same truth as another process would hold it."""
    from wekadocs_corpus.configured import open_truth

    other = open_truth(truth.data_dir, {"truth": truth.address})
    assert isinstance(other, SqlTruth)
    yield other
    other.close()
