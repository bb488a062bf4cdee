"""The product in this process, filled by its own command and asked like a client asks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from wekadocs_mcp.app import App
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.config import deployment as configuration


def ingest(docs: Path, data: Path) -> None:
    script = Path(sys.executable).parent / "wekadocs-mcp"
    done = subprocess.run([script, "ingest", str(docs), "--data", str(data)], check=False)
    if done.returncode > 1:  # 1: some files of the tree cannot be read, the rest is in
        done.check_returncode()


class Server:
    """The app in this process, asked like a client asks."""

    def __init__(self, data: Path) -> None:
        self.app = App.build(configuration.load(None, data))

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return await self.app.dispatcher.call(tool, arguments, Caller(session="bench"))

    async def corpus(self) -> Any:
        return await self.app.lifespans.state(self.app.plugins["corpus"])
