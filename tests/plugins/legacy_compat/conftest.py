"""The sample documentation, and a client of the former server on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.calls.answers import Outcome
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.testing import Client, Reply, client_for


class Old:
    """Calls by old names; `ask` wants an answer, `refused` an error, each as the caller reads it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.app = client.app

    def reply(self, tool: str, /, **arguments: Any) -> Reply:
        return self.client.call_with(tool, arguments)

    def ask(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        reply = self.reply(tool, **arguments)
        assert reply.error is None, reply.error
        assert reply.data is not None
        return reply.data

    def refused(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        reply = self.reply(tool, **arguments)
        assert reply.error is not None, reply.data
        return reply.error

    def as_caller(self, tool: str, arguments: dict[str, Any], **caller: Any) -> Outcome:
        """Whoever the transport says is asking."""
        outcome: Outcome = self.client._run(self.app.dispatcher.call(tool, arguments, Caller(**caller)))
        return outcome

    def mount(self) -> str:
        """The id of a section that is known."""
        found = self.ask("search_sections", query="how do I mount a filesystem", top_k=1)
        assert found["results"][0]["title"] == "Mount a filesystem"
        return str(found["results"][0]["section_id"])


def settings(**changes: Any) -> dict[str, Any]:
    plugins = {name: changes.pop(name, {}) for name in ("corpus", "scratch", "kb", "graph", "legacy_compat")}
    scope = {"project_id": "wekadocs-matrix", "environment": "prod"}
    return {"plugins": plugins, "scope": scope, **changes}


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, ingested_sample: Path) -> Path:
    return shutil.copytree(ingested_sample, tmp_path_factory.mktemp("sample") / "data")


@pytest.fixture(scope="module")
def connect(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Old]]:
    """`connect(era=…, data_dir=…, **changes of the settings)`."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("WEKADOCS_CACHE", str(tmp_path_factory.mktemp("cache")))

        def start(era: str = "legacy", data_dir: Path = sample, **changes: Any) -> Old:
            return Old(stack.enter_context(client_for(settings(**changes), era=era, data_dir=data_dir)))

        yield start


@pytest.fixture(scope="module")
def old(connect: Callable[..., Old]) -> Old:
    return connect()
