"""The sample documentation, ingested once, and a server on it that stays up for a module."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wekadocs_corpus.ingest.planning import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.plugins import discovery

DOCS = Path(__file__).parents[2] / "docs" / "sample" / "docs"


def ingest(
    data_dir: Path, folder: Path = DOCS, project: str = "wekadocs-matrix", truth: Any = None, **how: Any
) -> None:
    said = settings(corpus={**({"ingest": how} if how else {}), **({"truth": truth} if truth else {})})
    specs = {spec.name: spec for spec in discovery.find(configuration.from_dict(said, data_dir))}
    run = Run(data_dir, specs["corpus"].settings, Stamp(project, "prod"), lambda *_: None)
    run.ingest(roots([str(folder)]))
    run.truth.close()


def settings(**changes: Any) -> dict[str, Any]:
    """The plugins under test; `scratch={…}` and the like change their settings, the rest the top level."""
    plugins = {name: changes.pop(name, {}) for name in ("corpus", "scratch", "kb")}
    scope = {"project_id": "wekadocs-matrix", "environment": "prod"}
    return {"plugins": plugins, "flags": {"MCP_KB_V2_ENABLED": True}, "scope": scope, **changes}


class Served:
    """An app in an event loop of its own; calls come from whoever one likes."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Callable[[], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            return await work()

        return asyncio.run_coroutine_threadsafe(main(), self._loop).result(60)

    def outcome(self, tool: str, arguments: dict[str, Any], **caller: Any) -> Outcome:
        who = Caller(**{"principal": "ada", "session": "one", **caller})
        return self.run(lambda: self.app.dispatcher.call(tool, arguments, who))

    def ask(self, tool: str, arguments: dict[str, Any], **caller: Any) -> dict[str, Any]:
        outcome = self.outcome(tool, arguments, **caller)
        assert outcome.error is None, outcome.error
        assert outcome.data is not None
        return outcome.data

    def refused(self, tool: str, arguments: dict[str, Any], **caller: Any) -> dict[str, Any]:
        outcome = self.outcome(tool, arguments, **caller)
        assert outcome.error is not None, outcome.data
        body: dict[str, Any] = outcome.error["error"]
        return body

    def text(self, passage_id: str, **caller: Any) -> str:
        """The whole passage, read in pieces."""
        parts, at = [], 0
        while at is not None:
            got = self.ask("kb.read_excerpt", {"passage_id": passage_id, "start_char": at}, **caller)
            parts.append(got["excerpt"])
            at = got["next_start_char"]
        return "".join(parts)

    def state(self, plugin: str) -> Any:
        return self.run(lambda: self.app.lifespans.state(self.app.plugins[plugin]))

    def close(self) -> None:
        self.run(self.app.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture(scope="session")
def valkey() -> Iterator[Any]:
    """A Valkey or Redis process; a test that stops it starts it again."""
    from valkey_server import valkey_server

    server = valkey_server()
    yield server
    server.close()


@pytest.fixture(scope="session")
def take_in() -> Callable[..., None]:
    """`take_in(data_dir, folder, project=…, **settings of ingest)`."""
    return ingest


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, ingested_sample: Path) -> Path:
    """A data directory with the sample documentation in it."""
    return shutil.copytree(ingested_sample, tmp_path_factory.mktemp("sample") / "data")


@pytest.fixture(scope="module")
def serve(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """`serve(data_dir=…, **changes of the settings)`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEKADOCS_CACHE", str(tmp_path_factory.mktemp("cache")))
        started: list[Served] = []

        def start(data_dir: Path = sample, **changes: Any) -> Served:
            started.append(Served(App.build(configuration.from_dict(settings(**changes), data_dir))))
            return started[-1]

        yield start
        for each in started:
            each.close()


@pytest.fixture(scope="module")
def kb(serve: Callable[..., Served]) -> Served:
    return serve()


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, str]], Path]:
    """`ingested({path: text})`: a data directory with these pages in it."""

    def make(pages: dict[str, str]) -> Path:
        folder, data = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("data")
        for name, text in pages.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        ingest(data, folder)
        return data

    return make
