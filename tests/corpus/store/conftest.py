"""Stores in a folder of their own; `made_documents` beside this file makes what goes in."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wekadocs_corpus.store.sqlite.truth import SqliteTruth

sys.path.insert(0, str(Path(__file__).parent))  # so that tests and the processes they start share made_documents


@pytest.fixture
def data() -> Iterator[Path]:
    """In memory where the system has such a folder: what is written must not wait for the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder) / "data"


@pytest.fixture
def truth(data: Path) -> Iterator[SqliteTruth]:
    opened = SqliteTruth(data)
    yield opened
    opened.close()
