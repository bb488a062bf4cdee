"""Real clients against the installed console script: every client, transport and era, one line each.

python bench/clients/run.py [CLIENT]… [--python PYTHON]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import inspector  # noqa: E402

import environment  # noqa: E402
from wire_http import HttpClient  # noqa: E402

CACHE = HERE.parent / ".clients"
SAMPLE = environment.ROOT / "docs" / "sample" / "tools"
_PATIENCE = 90


@dataclass(frozen=True)
class Kind:
    """One client: what it is installed from, which script drives it, which eras it speaks."""

    name: str
    packages: tuple[str, ...]
    script: str
    eras: tuple[str, ...]

    @property
    def is_node(self) -> bool:
        return not self.script.endswith(".py")


CLIENTS = (
    Kind("python-v1", ("mcp>=1.30,<2",), "python_v1.py", ("legacy",)),
    Kind("python-v2", ("mcp>=2.3,<2.4",), "python_v2.py", ("legacy", "modern")),
    Kind("fastmcp", ("fastmcp>=4,<5",), "python_fastmcp.py", ("auto",)),
    Kind("typescript-v1", ("@modelcontextprotocol/sdk@1",), "ts_v1.mjs", ("legacy",)),
    Kind("typescript-v2", ("@modelcontextprotocol/client@2",), "ts_v2.mjs", ("legacy", "modern")),
    Kind("inspector", ("node@22", "@modelcontextprotocol/inspector@2"), "", ("legacy", "modern")),
)


def main() -> None:
    options = _options()
    product = options.python or environment.product()
    command = [str(product.with_name("wekadocs-mcp")), "serve", "--plugins", str(SAMPLE)]
    with tempfile.TemporaryDirectory(prefix="wekadocs-clients-") as folder:
        variables = {**os.environ, **environment.variables(Path(folder))}
        wanted = [kind for kind in CLIENTS if not options.clients or kind.name in options.clients]
        failures = sum(_visit(kind, command, variables) for kind in wanted)
    sys.exit(1 if failures else 0)


def _options() -> argparse.Namespace:
    names = [kind.name for kind in CLIENTS]
    parser = argparse.ArgumentParser(description="Real clients against the installed console script.")
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"default: all of {', '.join(names)}")
    parser.add_argument("--python", type=Path, help="one that has wekadocs-mcp (default: made here)")
    options = parser.parse_args()
    for name in set(options.clients) - set(names):
        parser.error(f"unknown client {name}: choose from {', '.join(names)}")
    return options


def _visit(kind: Kind, command: list[str], variables: dict[str, str]) -> int:
    """Every transport and era of one client; how many failed."""
    try:
        runner = _installed(kind)
    except (subprocess.CalledProcessError, OSError) as error:
        return _say(kind.name, "-", "-", f"could not be installed: {error}")
    failures = 0
    for transport in ("stdio", "http"):
        for era in kind.eras:
            with _server(transport, command, variables) as target:
                problem = _driven(kind, runner, transport, era, target, variables)
            failures += _say(kind.name, transport, era, problem)
    return failures


def _driven(
    kind: Kind, runner: list[str], transport: str, era: str, target: list[str], variables: dict[str, str]
) -> str | None:
    """None, or what went wrong."""
    if kind.name == "inspector":
        return inspector.visit(runner, transport, era, target, variables)
    argv = [*runner, transport, era, *target]
    try:
        done = subprocess.run(argv, env=variables, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"no end within {_PATIENCE} s"
    return None if done.returncode == 0 else (done.stderr or done.stdout)[-1500:]


@contextmanager
def _server(transport: str, command: list[str], variables: dict[str, str]) -> Iterator[list[str]]:
    """What the client is told: the command to spawn, or the address of a server that runs."""
    if transport == "stdio":
        yield command
        return
    server = HttpClient([*command, "--transport", "http", "--port", "0"], variables)
    try:
        yield [server.address]
    finally:
        server.close()


def _installed(kind: Kind) -> list[str]:
    """The command that runs this client's script, in an environment of its own."""
    if not kind.is_node:
        python = environment.make(kind.name, " ".join(kind.packages), kind.packages, CACHE)
        return [str(python), str(HERE / kind.script)]
    folder = CACHE / kind.name
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n')
        print(f"preparing {folder} …", file=sys.stderr)
        npm = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", *kind.packages]
        subprocess.run(npm, check=True, stdout=sys.stderr)
    if kind.name == "inspector":
        return inspector.command(folder)
    for name in ("expect.mjs", kind.script):
        shutil.copy(HERE / name, folder / name)
    return ["node", str(folder / kind.script)]


def _say(name: str, transport: str, era: str, problem: str | None) -> int:
    print(f"{name:<14} {transport:<6} {era:<7} {'FAILED' if problem else 'ok'}", flush=True)
    if problem:
        print("    " + problem.strip().replace("\n", "\n    "), flush=True)
    return 1 if problem else 0


if __name__ == "__main__":
    main()
