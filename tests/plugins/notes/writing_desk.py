"""A vault on the disk and a client of the server that serves it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wekadocs_mcp.testing import Client, client_for


class Desk:
    """One vault, its files and its tools under the seed's names."""

    def __init__(self, root: Path, client: Client) -> None:
        self.root, self.client = root, client

    def write(self, id: str, text: str | bytes) -> None:
        path = self.root / id
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def read(self, id: str) -> bytes:
        return (self.root / id).read_bytes()

    def files(self) -> dict[str, bytes]:
        """Everything but what the server needs while it writes."""
        found = {str(path.relative_to(self.root)): path for path in self.root.rglob("*") if path.is_file()}
        return {id: path.read_bytes() for id, path in sorted(found.items()) if not id.startswith(".wekadocs")}

    def call(self, tool: str, **arguments: Any) -> Any:
        """The answer, which is the text and the structure alike."""
        reply = self.client.call(tool, **arguments)
        assert reply.error is None, reply.error
        assert reply.data == json.loads(reply.content[0]["text"])
        return reply.data

    def refused(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error of a call that changed no byte."""
        before = self.files()
        reply = self.client.call(tool, **arguments)
        assert reply.error is not None, reply.data
        assert self.files() == before
        return reply.error


Open = Callable[..., Desk]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Servers on one vault; `number` tells their data directories apart."""
    root = tmp_path / "vault"
    root.mkdir()
    with contextlib.ExitStack() as stack:

        def serve(era: str = "modern", number: int = 0, **server: Any) -> Desk:
            config = {"plugins": {"corpus": {}, "notes": {"enabled": True, "vault": str(root)}}, "server": server}
            config["toolsets"] = {"roux": {"tools": ["notes.*"], "strip_prefix": True}}
            data = tmp_path / f"data{number}"
            return Desk(root, stack.enter_context(client_for(config, toolsets=["roux"], era=era, data_dir=data)))

        yield serve


@pytest.fixture
def desk(opened: Open) -> Desk:
    return opened()
