"""`--fix`: the bump written into the contract, or the next major version put beside the published one."""

from __future__ import annotations

import re
from pathlib import Path

from wekadocs_contracts.format.source import parse

from .compare import Comparison
from .problems import Unreadable
from .versions import VersionCheck

_VALUE = re.compile(r"""(["']?)[0-9A-Za-z.+-]+\1""")


def apply(comparison: Comparison, checks: list[VersionCheck]) -> list[str]:
    """What was written and what was left, one line each. Only files of the head's own folder are touched."""
    if comparison.head.kind != "directory":
        raise Unreadable("--fix writes into a folder of contracts; HEAD is none")
    tools = {tool.label: tool for tool in comparison.tools}
    written: list[str] = []
    for check in checks:
        tool = tools[check.tool]
        if not check.fails or tool.new is None or tool.new.source is None:
            continue
        if not tool.new.served:
            written.append(f"left      {tool.new.source}: status: disabled is yours to undo, or to accept")
        elif check.required == "major":
            written += _beside(tool.new.source, tool.old.source if tool.old else None, check.needed, tool.new.name)
        else:
            _write(tool.new.source, with_value(tool.new.source.read_text("utf-8"), "version", check.needed))
            written.append(f"fixed     {tool.new.source}: version {check.needed}")
    return written


def _beside(path: Path, published: Path | None, version: str, name: str) -> list[str]:
    """The edit moves to the next major's file, as beta: a stable one would take the bare name from its callers.

    The published file gets its published text back.
    """
    major = version.split(".", maxsplit=1)[0]
    stem, _, ending = path.name.rsplit(".", 2)
    target = path.with_name(f"{stem}.v{major}.{ending}")
    if target.exists():
        return [f"left      {target} is there already: move the change into it, and undo it in {path}"]
    _write(target, with_value(with_value(path.read_text("utf-8"), "version", version), "status", "beta"))
    was = int(major) - 1
    written = [
        f"fixed     {target}: version {version}, status beta, served as {name}.v{major}; give it a handler with "
        f'@tool("{name}", version={major}), and write version={was} into the @tool of the handler that is there',
        f"fixed     {target}: status: stable, when callers have moved, gives it the bare name and breaks who still "
        "calls that",
    ]
    if published is None:
        return [*written, f"left      {path}: put its published text back; the base has no copy of it"]
    _write(path, published.read_text("utf-8"))
    return [*written, f"fixed     {path}: as published"]


def with_value(text: str, key: str, value: str) -> str:
    """The text with another value of a key and every other character as it was."""
    line, column = parse(text, "contract").values[(key,)]
    lines = text.split("\n")
    at = column - 1
    old = _VALUE.match(lines[line - 1], at)
    assert old is not None
    lines[line - 1] = lines[line - 1][:at] + old[1] + value + old[1] + lines[line - 1][old.end() :]
    return "\n".join(lines)


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text)
