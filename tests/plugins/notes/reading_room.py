"""A server with many empty vaults, started once; every test takes one that nobody has used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.testing import Client, client_for

VAULTS = 170
_used = count()
WRAPPERS = {"results", "node", "path"}


def config(vault: object, **settings: Any) -> dict[str, Any]:
    notes = {"enabled": True, "vault": vault, **settings}
    return {"extends": "shipped", "plugins": {"notes": notes}}


class Room:
    """A vault and the tools of the toolset `roux` on it."""

    def __init__(self, client: Client, root: Path, **always: Any) -> None:
        self.client, self.root, self._always = client, root, always

    def write(self, id: str, text: str | bytes = "") -> Path:
        path = self.root / id
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def ask(self, tool: str, **arguments: Any) -> tuple[Any, list[str]]:
        """What the first text says, and the warnings that came with it."""
        reply = self.client.call(tool, **{**arguments, **self._always})
        assert reply.error is None, reply.error
        assert reply.data is not None
        said, others = json.loads(reply.content[0]["text"]), reply.content[1:]
        told = said.pop("_warnings", []) if isinstance(said, dict) else []
        told = told or [each for block in others for each in json.loads(block["text"])["_warnings"]]
        wrapped = [key for key in WRAPPERS if key in reply.data]
        structure = (
            reply.data[wrapped[0]] if len(wrapped) == 1 and not {"total", "notes"} & set(reply.data) else reply.data
        )
        if isinstance(structure, dict):
            structure = {key: value for key, value in structure.items() if key != "_warnings"}
        assert structure == said
        return said, told

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.ask(tool, **arguments)[0]

    def warnings(self) -> list[str]:
        return self.ask("get_hubs")[1]

    def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        reply = self.client.call(tool, **{**arguments, **self._always})
        assert reply.error is not None, reply.data
        return reply.error

    def node(self, id: str, **arguments: Any) -> Any:
        return self.call("get_node", id=id, **arguments)

    def links(self, id: str) -> list[str]:
        return [link["id"] for link in self.node(id)["links"]]


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[tuple[Client, Path]]:
    home = tmp_path_factory.mktemp("vaults")
    names = [f"v{number}" for number in range(VAULTS)]
    for name in names:
        (home / name).mkdir()
    given = config({name: str(home / name) for name in names}, watch="off")
    with client_for(given, toolsets=["roux"], data_dir=tmp_path_factory.mktemp("data")) as client:
        yield client, home


@pytest.fixture
def room(server) -> Room:
    client, home = server
    name = f"v{next(_used)}"
    return Room(client, home / name, vault=name)
