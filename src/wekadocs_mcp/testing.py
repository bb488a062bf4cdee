"""For plugin authors: an app from a dict, a client in memory, and a check of any contract with its plugin.

from wekadocs_mcp.testing import check_plugin, client_for

with client_for(plugins=["my-tools"]) as client:
    assert client.call("demo.hello", name="Ada").data == {"greeting": "Hello Ada!"}
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from wekadocs_contracts.lint import linting
from wekadocs_contracts.problems import StartError
from wekadocs_mcp.cli.examples import check, prepare
from wekadocs_mcp.config import deployment as configuration
from wekadocs_mcp.config.deployment import Options

from .app import App

__all__ = ["CheckFailed", "Client", "Reply", "app_from", "check_plugin", "client_for", "connect"]
T = TypeVar("T")


class CheckFailed(AssertionError):
    """A contract or its plugin does not keep its promise."""


def app_from(
    config: Mapping[str, object] | None = None,
    *,
    plugins: Sequence[str | Path] = (),
    enable: Sequence[str] = (),
    toolsets: Sequence[str] = (),
    data_dir: str | Path | None = None,
) -> App:
    """An app from the data of a tools.yaml and drop-in folders.

    `config` is laid over nothing, so that a test serves only what it names; `{"extends": "shipped"}` in it starts from
    the shipped tools.yaml. `plugins` are drop-in folders, as in `serve --plugins`. Without a `data_dir`: a new one.
    """
    options = Options(plugin_paths=tuple(map(str, plugins)), enable=tuple(enable), toolsets=tuple(toolsets))
    folder = data_dir or tempfile.mkdtemp(prefix="wekadocs-testing-")
    return App.build(configuration.from_dict(config or {}, folder, options))


@dataclass(frozen=True)
class Reply:
    """What a client got: structured data, text, all content blocks, or an error envelope's body."""

    data: dict[str, Any] | None
    text: str
    content: list[dict[str, Any]]
    error: dict[str, Any] | None = None
    progress: list[tuple[float, float | None, str | None]] = field(default_factory=list)


def connect(app: App, era: str = "modern") -> AbstractAsyncContextManager[Any]:
    """The SDK's own client on this app, in memory; `era` is "modern" or "legacy"."""
    from mcp import Client as SdkClient

    from wekadocs_mcp.transports.server import McpServer

    server = McpServer(app, "testing")

    @contextlib.asynccontextmanager
    async def session() -> AsyncIterator[Any]:
        try:
            async with SdkClient(server.sdk, mode="legacy" if era == "legacy" else "auto") as client:
                yield client
        finally:
            await app.close()

    return session()


class Client:
    """A client for plain tests: every call goes through the MCP protocol and the whole pipeline."""

    def __init__(self, app: App, era: str) -> None:
        self.app = app
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._stop = asyncio.Event()
        ready: asyncio.Future[Any] = self._run(self._future())
        self._serving = asyncio.run_coroutine_threadsafe(self._serve(app, era, ready), self._loop)
        self._session = self._run(self._first(ready))

    async def _future(self) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().create_future()

    async def _first(self, ready: asyncio.Future[object]) -> Any:
        return await ready

    async def _serve(self, app: App, era: str, ready: asyncio.Future[object]) -> None:
        try:
            async with connect(app, era) as session:
                ready.set_result(session)
                await self._stop.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    def _run(self, work: Coroutine[None, None, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=120)

    def tools(self) -> list[dict[str, Any]]:
        """What `tools/list` says."""
        listed = self._run(self._session.list_tools())
        return [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in listed.tools]

    def call(self, tool: str, /, **arguments: object) -> Reply:
        """One call; an error of the tool's is in the reply, not raised."""
        return self.call_with(tool, arguments)

    def call_with(self, tool: str, arguments: Mapping[str, object]) -> Reply:
        """The same for arguments whose names are no Python names."""
        steps: list[tuple[float, float | None, str | None]] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            steps.append((progress, total, message))

        result = self._run(self._session.call_tool(tool, dict(arguments), progress_callback=note))
        content = [block.model_dump(by_alias=True, mode="json", exclude_none=True) for block in result.content]
        text = "\n".join(block["text"] for block in content if block["type"] == "text")
        error = _error(content[-1]["text"]) if result.is_error else None
        return Reply(result.structured_content, text, content, error, steps)

    def close(self) -> None:
        """End the server behind it; `client_for` does."""
        self._loop.call_soon_threadsafe(self._stop.set)
        with contextlib.suppress(Exception):
            self._serving.result(timeout=10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()


def _error(text: str) -> dict[str, Any]:
    import json

    body: dict[str, Any] = json.loads(text)["error"]
    return body


@contextlib.contextmanager
def client_for(
    config: Mapping[str, object] | None = None,
    *,
    plugins: Sequence[str | Path] = (),
    enable: Sequence[str] = (),
    toolsets: Sequence[str] = (),
    era: str = "modern",
    data_dir: str | Path | None = None,
) -> Iterator[Client]:
    """A connected client; the server behind it ends with the block. Its arguments are those of `app_from`.

    `era` is "modern" (2026-07-28) or "legacy" (a handshake, as older clients make it).
    """
    with contextlib.ExitStack() as stack:
        folder = data_dir or stack.enter_context(tempfile.TemporaryDirectory(prefix="wekadocs-testing-"))
        client = Client(app_from(config, plugins=plugins, enable=enable, toolsets=toolsets, data_dir=folder), era)
        stack.callback(client.close)
        yield client


def check_plugin(
    folder: str | Path | None = None, *, config: Mapping[str, object] | None = None, enable: Sequence[str] = ()
) -> None:
    """Check contracts and plugin together: they load and lint, examples hold, read-only tools write nothing.

    `folder` is a drop-in folder; an installed plugin is named in `config` or `enable` instead. Raises `CheckFailed`
    with every contract that is not kept, and the field that is missing.
    """
    plugins = [] if folder is None else [folder]
    problems = [
        str(each.problem) for each in linting.lint([Path(each) for each in plugins]) if each.severity == "error"
    ]
    if problems:
        raise CheckFailed("\n\n".join(problems))
    with tempfile.TemporaryDirectory(prefix="wekadocs-check-") as data_dir:
        try:
            app = app_from(config, plugins=plugins, enable=enable, data_dir=data_dir)
        except StartError as error:
            raise CheckFailed(str(error)) from None
        failures = asyncio.run(_check_examples(app, Path(data_dir)))
    if failures:
        raise CheckFailed("\n".join(failures))


async def _check_examples(app: App, data_dir: Path) -> list[str]:
    failures = [plugin.failure for plugin in app.plugins.values() if plugin.failure]
    await prepare(app)
    await app.start_plugins()
    for tool in app.catalogue.tools:
        for index in range(len(tool.contract.examples)):
            before = snapshot(data_dir)
            result = await check(app, tool, index)
            if not result.ok:
                failures.append(f"{result.tool} {result.title}: {result.why}")
            if tool.contract.annotations["readOnlyHint"] and snapshot(data_dir) != before:
                failures.append(f"{result.tool} {result.title}: it says readOnlyHint, but the data directory changed")
    await app.close()
    return failures


def snapshot(folder: Path) -> dict[str, str]:
    """Every file below a folder with its content's digest."""
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root) / name
            with contextlib.suppress(OSError):
                found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
