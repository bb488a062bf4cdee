"""Shared by all tests: a cache and a data folder of their own, and a workshop that makes tools and starts them."""

from __future__ import annotations

import asyncio
import copy
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import yaml

from wekadocs_contracts.problems import StartError
from wekadocs_mcp.app import App
from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.config.deployment import Config, Options

_CONTRACT: dict[str, Any] = {
    "contract": "demo.echo",
    "version": "1.0.0",
    "status": "stable",
    "title": "Echo",
    "routing": {
        "use_when": "something should come back",
        "do_not_use_when": "nothing should",
        "returns": "What was sent.",
        "follow_up": "Nothing follows.",
    },
    "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
    "input": {"type": "object", "properties": {"text": {"type": "string"}}},
}
_NEEDS_NEO4J = {"in_neo4j", "neo4j"}  # fixtures
hypothesis.settings.register_profile("ours", deadline=None)  # no test fails because its machine is busy
hypothesis.settings.load_profile("ours")
_SWITCHES = ("MCP_", "WEKADOCS_", "ENABLE_LEGACY_", "MAX_RESPONSE_BYTES")


def pytest_configure() -> None:
    _heed_signals()
    _keep_servers_for_their_own_tests()


def _heed_signals() -> None:
    """Whoever starts the suite in the background hands down that Ctrl-C and hang-ups are ignored; tests send them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _keep_servers_for_their_own_tests() -> None:
    """A server named for the tests of its adapter is no place for the documents of all the others."""
    others = ("QDRANT_", "NEO4J_", "VALKEY_", "DATABASE_URL")
    for name in [name for name in os.environ if name.startswith(others)]:
        os.environ[f"TEST_{name}"] = os.environ.pop(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks for the real Neo4j is marked by itself, so that a quick run can do without a JVM.

    Where several processes share a run, a file's tests stay in one of them, and all of Neo4j's do: one JVM is enough.
    """
    for item in items:
        if _NEEDS_NEO4J & set(getattr(item, "fixturenames", ())):
            item.add_marker("jvm")
        item.add_marker(pytest.mark.xdist_group("jvm" if item.get_closest_marker("jvm") else str(item.path)))


@pytest.fixture(scope="session")
def ingested_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the sample documentation, ingested once; whoever writes into it takes a copy."""
    folder = tmp_path_factory.mktemp("ingested")
    docs = Path(__file__).parents[1] / "docs" / "sample" / "docs"
    command = [Path(sys.executable).parent / "wekadocs-mcp", "ingest", docs, "--data", folder]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_SWITCHES)}
    environment["WEKADOCS_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    return folder


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the developer's cache, data or switches, nor another test's."""
    for name in list(os.environ):
        if name.startswith(_SWITCHES):
            monkeypatch.delenv(name)
    own = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("WEKADOCS_CACHE", str(own / "cache"))
    monkeypatch.setenv("WEKADOCS_DATA", str(own / "data"))


class Workshop:
    """Writes drop-in tools and tools.yaml into the test's folder, starts apps from them, calls their tools."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tools = folder / "tools"
        self._apps: list[App] = []

    def contract(self, name: str = "demo.echo", **changes: Any) -> dict[str, Any]:
        """A complete contract as data; a change of None removes the key."""
        data = {**copy.deepcopy(_CONTRACT), "contract": name, **changes}
        return {key: value for key, value in data.items() if value is not None}

    def tool(self, code: str = "", name: str = "demo.echo", folder: str = "tools", **changes: Any) -> Path:
        """A drop-in tool: its contract, and its module when there is code. Returns the contract's file.

        The code stands after the usual imports; `@tool` without arguments would not do, so write it out.
        """
        data = self.contract(name, **changes)
        stem, major = name.rsplit(".", 1)[-1], data["version"].split(".")[0]
        path = self.write(f"{folder}/{stem}.v{major}.yaml", yaml.safe_dump(data, sort_keys=False, allow_unicode=True))
        if code:
            start = "from wekadocs_mcp import Answer, ToolError, hookimpl, tool\n"
            self.write(f"{folder}/{stem}.py", start + textwrap.dedent(code))
        return path

    def echo(self, name: str = "demo.echo", folder: str = "tools", **changes: Any) -> Path:
        """A drop-in tool that gives back its keyword arguments, as `got`."""
        code = f"@tool({name!r})\nasync def echo(call, **rest):\n    return {{'got': rest}}\n"
        return self.tool(code, name, folder, **changes)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def config(self, settings: Mapping[str, Any] | str | None = None, **options: Any) -> Config:
        """tools.yaml written (as text; from data over nothing) and read; the folder `tools` is a drop-in folder."""
        given = {} if settings is None or isinstance(settings, str) else settings
        whole = {**given, "extends": given.get("extends", "none")}
        text = settings if isinstance(settings, str) else yaml.safe_dump(whole, sort_keys=False)
        path = self.write("tools.yaml", text)
        if "plugin_paths" not in options and self.tools.is_dir():
            options["plugin_paths"] = (str(self.tools),)
        return configuration.load(path, None, Options(**options))

    def app(self, settings: Mapping[str, Any] | str | None = None, **options: Any) -> App:
        app = App.build(self.config(settings, **options))
        self._apps.append(app)
        return app

    def refusal(self, settings: Mapping[str, Any] | str | None = None, **options: Any) -> str:
        """What the operator reads when the start is refused."""
        with pytest.raises(StartError) as caught:
            self.app(settings, **options)
        return str(caught.value)

    def call(self, app: App, name: str, arguments: Mapping[str, Any] | None = None, **caller: Any) -> Outcome:
        """One call in an event loop of its own."""
        return self.run(app, lambda: app.dispatcher.call(name, arguments or {}, Caller(**caller)))

    def run(self, app: App, work: Callable[[], Any]) -> Any:
        """`await work()` in an event loop, and the app's plugins left afterwards."""

        async def main() -> Any:
            try:
                return await work()
            finally:
                await app.lifespans.close()

        return asyncio.run(main())

    def close(self) -> None:
        for app in self._apps:
            app.dispatcher.close()

    @staticmethod
    async def until(condition: Callable[[], Any], seconds: float = 5.0) -> None:
        """Wait for something that no event tells: a thread's end, a process's."""
        for _ in range(int(seconds * 100)):
            if condition():
                return
            await asyncio.sleep(0.01)
        pytest.fail(f"still not so after {seconds} s")


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    made = Workshop(tmp_path)
    yield made
    made.close()
