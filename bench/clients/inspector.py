"""The Inspector's command line: one process per question, the list with its strict schema lint."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

Ask = Callable[..., "subprocess.CompletedProcess[str]"]
_PATIENCE = 60
_CALL = ("--method", "tools/call", "--tool-name")


def command(folder: Path) -> list[str]:
    """It needs a newer Node than many machines have, so one comes along from npm."""
    packages = folder / "node_modules"
    return [str(packages / "node" / "bin" / "node"), str(packages / ".bin" / "mcp-inspector"), "--cli"]


def visit(runner: Sequence[str], transport: str, era: str, target: list[str], variables: dict[str, str]) -> str | None:
    """None, or what went wrong."""
    kind = ["--transport", "http", "--server-url", *target] if transport == "http" else ["--", *target]
    variables = {**variables, "MCP_CATALOG_PATH": str(Path(variables["WEKADOCS_CACHE"]) / "inspector.json")}

    def ask(*question: str) -> subprocess.CompletedProcess[str]:
        argv = [*runner, "--protocol-era", era, "--format", "json", *question, *kind]
        return subprocess.run(argv, env=variables, capture_output=True, text=True, timeout=_PATIENCE, check=False)

    try:
        return _problem(ask)
    except subprocess.TimeoutExpired:
        return f"no answer within {_PATIENCE} s"


def _problem(ask: Ask) -> str | None:
    listed = ask("--method", "tools/list", "--strict")
    if listed.returncode or '"demo.hello"' not in listed.stdout:
        return f"tools/list: exit {listed.returncode}: {listed.stderr or listed.stdout}"
    good = ask(*_CALL, "demo.hello", "--tool-arg", "name=Ada")
    if good.returncode or json.loads(good.stdout)["result"]["structuredContent"] != {"greeting": "Hello Ada!"}:
        return f"the good call: exit {good.returncode}: {good.stderr or good.stdout}"
    bad = ask(*_CALL, "demo.hello", "--tool-arg", "name=Ada", "times=9")
    if not bad.returncode or "INVALID_ARGUMENT" not in bad.stdout or "times" not in bad.stdout:
        return f"the bad argument: exit {bad.returncode}: {bad.stdout}"
    unknown = ask(*_CALL, "demo.helo", "--tool-arg", "name=Ada")
    return None if unknown.returncode else f"an unknown tool was answered: {unknown.stdout}"
