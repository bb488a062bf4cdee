"""A real server with the console, on a copy of the sample documentation, in a process of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browser as browsers
import httpx
import pytest

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"


class Console:
    """Where it is, and its own endpoints asked as the pages ask them."""

    def __init__(self, process: subprocess.Popen[str], address: str, client: httpx.Client) -> None:
        self.process = process
        self.address = address
        self.page = f"{address}/console/"
        self.client = client

    def ask(self, name: str, body: object | None = None, **headers: str) -> httpx.Response:
        return self.client.post(f"/console/api/{name}", json={} if body is None else body, headers=headers)

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """As an MCP client does."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        }
        params = {"name": tool, "arguments": arguments, "_meta": meta}
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28"}
        headers |= {"mcp-method": "tools/call", "mcp-name": tool}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        result: dict[str, Any] = self.client.post("/_mcp", json=message, headers=headers).json()["result"]
        return result


Start = Callable[..., Console]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """`start(data, *options, token=…)` → a server that listens; all are ended with the module."""
    running: list[tuple[subprocess.Popen[str], httpx.Client]] = []

    def begin(data: Path, *options: str | Path, token: str = "", ui: bool = True) -> Console:
        cache = tmp_path_factory.mktemp("cache")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MCP_", "WEKADOCS_"))}
        environment |= {"WEKADOCS_CACHE": str(cache), **({"MCP_AUTH_TOKEN": token} if token else {})}
        command = [SCRIPT, "--data", data, "serve", "--transport", "http", "--port", "0", *(["--ui"] if ui else [])]
        process = subprocess.Popen(
            [*map(str, command), *map(str, options)], stderr=subprocess.PIPE, text=True, env=environment
        )
        assert process.stderr is not None
        told = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert found, told + process.stderr.read()
        client = httpx.Client(base_url=found[0], timeout=60, trust_env=False)
        running.append((process, client))
        return Console(process, found[0], client)

    yield begin
    for process, client in running:
        client.close()
        process.terminate()
        process.wait(20)
        if process.stderr is not None:
            process.stderr.close()


@pytest.fixture(scope="module")
def data(ingested_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample's data directory, for this module alone."""
    folder = tmp_path_factory.mktemp("console") / "data"
    shutil.copytree(ingested_sample, folder)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[browsers.Browser]:
    """A real Chromium; where there is none and none can be installed, what needs it says so."""
    if why := browsers.missing("chromium", "chromedriver"):
        pytest.skip(why)
    with browsers.chromium() as found:
        yield found
