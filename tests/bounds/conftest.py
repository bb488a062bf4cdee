"""The thickets, ingested once, and a server on them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration

sys.path.insert(0, str(Path(__file__).parent))
from thickets import Server, kb, pages, settings, worst_calls


@pytest.fixture(scope="session")
def thickets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the pages."""
    folder, data = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("data")
    for name, text in pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    kb.ingest(data, folder)
    return data


@pytest.fixture
def serving(
    thickets: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """`serving(work)` runs `await work(server)` in an event loop of its own."""
    monkeypatch.setenv("WEKADOCS_CACHE", str(tmp_path_factory.mktemp("cache")))

    def run(work: Callable[[Server], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            server = Server(App.build(configuration.from_dict(settings(), thickets)))
            server.worst.update(await worst_calls(server))
            try:
                return await work(server)
            finally:
                await server.app.close()

        return asyncio.run(main())

    return run
