"""Stores in a folder of their own; `made_documents` beside this file makes what goes in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wekadocs_corpus.store.truth import Truth

sys.path.insert(0, str(Path(__file__).parent))  # so that tests and the processes they start share made_documents


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def truth(data: Path) -> Iterator[Truth]:
    opened = Truth(data)
    yield opened
    opened.close()
