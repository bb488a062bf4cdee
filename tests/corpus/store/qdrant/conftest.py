"""Servers of our own for Qdrant, or the one that QDRANT_URL names."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import qdrant_fake
import qdrant_grpc

from wekadocs_corpus.store.sqlite.truth import SqliteTruth

sys.path.insert(0, str(Path(__file__).parent))  # so that tests share what stands beside this file
from qdrant_bench import PREFIX, Bench, OnServer, worked


@pytest.fixture(params=["http", "grpc"])
def on_server(request: pytest.FixtureRequest) -> Iterator[OnServer]:
    """Runs on a server of our own, or on the one that QDRANT_URL names, which is left as it was."""
    settings: dict[str, Any] = {"prefix": PREFIX, "grpc": request.param == "grpc"}
    with ExitStack() as stack:
        if url := os.environ.get("TEST_QDRANT_URL"):  # as tests/conftest.py calls it
            settings |= {"url": url, "api_key": os.environ.get("TEST_QDRANT_API_KEY", "")}
            settings["grpc_port"] = int(os.environ.get("TEST_QDRANT_GRPC_PORT", "6334"))
        else:
            fake = stack.enter_context(qdrant_fake.running())
            settings |= {"url": fake.url, "grpc_port": stack.enter_context(qdrant_grpc.running(fake))}

        def run(truth: SqliteTruth, work: Callable[[Bench], Awaitable[None]], **changes: Any) -> None:
            asyncio.run(worked(truth, {**settings, **changes}, work))

        yield run
