"""Who is measured, and how each is started."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import environment
from wire_http import HttpClient
from wire_stdio import StdioClient
from workload import write_tools

PEERS = Path(__file__).resolve().parent / "peers"
Client = StdioClient | HttpClient


@dataclass
class Bench:
    """Interpreters, generated tools and a throw-away cache for one run."""

    python: Path
    folder: Path
    quick: bool = False
    fastmcp: Path | None = None

    @classmethod
    def make(cls, python: Path | None, quick: bool, with_fastmcp: bool) -> Bench:
        folder = Path(tempfile.mkdtemp(prefix="wekadocs-bench-"))
        return cls(python or environment.product(), folder, quick, environment.fastmcp() if with_fastmcp else None)

    @property
    def variables(self) -> dict[str, str]:
        return environment.variables(self.folder / "cache")

    def tools(self, count: int) -> Path:
        folder = self.folder / f"tools_{count}"
        return folder if folder.exists() else write_tools(folder, count)

    def listing(self, count: int) -> Path:
        """What our server lists for these tools, for peers that serve the same."""
        path = self.folder / f"tools_{count}.json"
        if not path.exists():
            argv = [self._script(), "tools", "--json", "--plugins", str(self.tools(count))]
            path.write_bytes(subprocess.run(argv, env=self.variables, check=True, capture_output=True).stdout)
        return path

    def _script(self) -> str:
        return str(self.python.with_name("wekadocs-mcp"))

    def peers(self) -> tuple[str, ...]:
        return ("bare", "fastmcp") if self.fastmcp else ("bare",)

    def argv(self, side: str, transport: str, count: int) -> list[str]:
        if side == "ours":
            way = ["--transport", "http", "--port", "0"] if transport == "http" else []
            return [self._script(), "serve", "--plugins", str(self.tools(count)), *way]
        python = self.fastmcp if side == "fastmcp" else self.python
        return [str(python), str(PEERS / f"{side}_{transport}.py"), str(self.listing(count))]

    def start(self, side: str, transport: str, count: int) -> Client:
        kind = HttpClient if transport == "http" else StdioClient
        return kind(self.argv(side, transport, count), self.variables)

    def floor(self, transport: str, era: str, answer: Path) -> Client:
        kind = HttpClient if transport == "http" else StdioClient
        argv = [str(self.python), str(PEERS / f"floor_{transport}.py"), str(answer), era]
        return kind(argv, self.variables)
