"""Folders of contracts, lock files, and JSON as tools/list gives it. No plugin is imported, tools.yaml is not read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wekadocs_mcp import contracts, lock
from wekadocs_mcp.contracts import META_KEY, Contract
from wekadocs_mcp.errors import Problem, StartError

from . import bounded
from .model import ToolSide
from .operands import Operand
from .problems import Unreadable

_MAX_FILES = 2000
_MAX_JSON = 64 << 20
_SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")


def read_directory(folder: Path, shown: Path) -> Callable[[], tuple[ToolSide, ...]]:
    """The tools of a folder, being read meanwhile; `shown` is what its paths look like to the reader."""
    files = contracts.contract_files(folder)
    if len(files) > _MAX_FILES:
        raise Unreadable(f"{shown}: {len(files)} files are more than {_MAX_FILES}; name a smaller folder")
    _refuse_leaving_links(folder, shown)
    reading = bounded.start(lambda: tuple(_side(each, folder, shown) for each in contracts.load(files)), str(shown))

    def finish() -> tuple[ToolSide, ...]:
        try:
            return reading()
        except StartError as error:
            raise Unreadable(str(StartError(_renamed(each, folder, shown) for each in error.problems))) from None

    return finish


def _refuse_leaving_links(folder: Path, shown: Path) -> None:
    """A link out of the folder would print a stranger's choice of file into the log."""
    home = folder.resolve()
    for root, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(root, name)
            if path.is_symlink() and not path.resolve().is_relative_to(home):
                place = shown / path.relative_to(folder)
                raise Unreadable(f"{place}: a link that leads out of {shown}; put the file itself there")


def _renamed(problem: Problem | str, folder: Path, shown: Path) -> Problem | str:
    if isinstance(problem, str) or not Path(problem.file).is_relative_to(folder):
        return problem
    from dataclasses import replace

    return replace(problem, file=(shown / Path(problem.file).relative_to(folder)).as_posix())


def _side(contract: Contract, folder: Path, shown: Path) -> ToolSide:
    path = Path(contract.file)
    return ToolSide(
        name=contract.name,
        wire=lock.wire(contract),
        version=contract.version,
        status=contract.status,
        hash=contract.hash,
        errors=tuple(contract.errors or ()),
        any_error=contract.errors is None,
        argument_aliases=contract.argument_aliases,
        budgets=contract.budgets,
        flag=contract.flag,
        replaced_by=contract.replaced_by,
        examples=tuple(contract.examples),
        file=(shown / path.relative_to(folder)).as_posix(),
        text=contract.text,
        carries=True,
        source=path,
    )


def read_file(path: Path) -> Operand:
    """A lock file, a tool, a list of tools, or a tools/list result; which, its content says."""
    if path.stat().st_size > _MAX_JSON:
        raise Unreadable(f"{path}: more than {_MAX_JSON >> 20} MB")
    try:
        data = json.loads(path.read_text("utf-8-sig"), parse_constant=_refuse_constant)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: not JSON: {error}; for YAML contracts name their folder") from None
    if isinstance(data, dict) and "lock" in data and "contracts" in data:
        return Operand.of(str(path), "lock", _locked(data, path))
    return Operand.of(str(path), "json", wire_tools(data, str(path)))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _locked(data: dict[str, Any], path: Path) -> tuple[ToolSide, ...]:
    if data["lock"] != lock.LOCK_VERSION:
        raise Unreadable(
            f"{path}: lock format {data['lock']} is not {lock.LOCK_VERSION}; write it anew: contracts lock"
        )
    try:
        return tuple(_locked_side(entry, path) for entry in data["contracts"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"{path}: not a whole lock file ({error!r}); write it anew: contracts lock") from None


def _locked_side(entry: dict[str, Any], path: Path) -> ToolSide:
    return ToolSide(
        name=entry["contract"],
        wire=entry["tool"],
        version=semver(entry["version"], f"{path}: {entry['contract']}"),
        status=entry["status"],
        hash=entry["hash"],
        errors=tuple(entry["errors"] or ()),
        any_error=entry["errors"] is None,
        argument_aliases=entry["argument_aliases"],
        budgets=entry["budgets"],
        flag=entry["flag"],
        replaced_by=entry["replaced_by"],
        file=(path.parent / entry["file"]).as_posix(),
        text=entry["text"],
        carries=True,
    )


def wire_tools(data: Any, what: str) -> tuple[ToolSide, ...]:
    """Tools as the protocol shows them, from any server."""
    if isinstance(data, dict) and isinstance(data.get("result"), dict):
        data = data["result"]
    rows = data.get("tools", [data]) if isinstance(data, dict) else data
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and isinstance(row.get("name"), str) for row in rows
    ):
        raise Unreadable(
            f"{what}: neither a tool ({{name, inputSchema, …}}), nor a list of tools, nor a tools/list result"
        )
    sides = tuple(_wire_side(row, what) for row in rows)
    twice = next(
        (side.name for index, side in enumerate(sides) if side.name in {each.name for each in sides[:index]}), None
    )
    if twice is not None:
        raise Unreadable(f"{what}: the tool {twice!r} is listed twice; a client cannot tell which one it calls")
    return sides


def _wire_side(tool: dict[str, Any], what: str) -> ToolSide:
    meta = tool.get("_meta")
    mark = meta.get(META_KEY) if isinstance(meta, dict) else None
    mark = mark if isinstance(mark, dict) else {}
    version = mark.get("version", tool.get("version"))
    digest = mark.get("hash")
    return ToolSide(
        name=tool["name"],
        wire=tool,
        version=None if version is None else semver(version, f"{what}: {tool['name']}"),
        hash=digest if isinstance(digest, str) else None,
    )


def semver(version: Any, what: str) -> str:
    if not isinstance(version, str) or not _SEMVER.fullmatch(version):
        raise Unreadable(f"{what}: {version!r} is no semantic version such as 1.4.0")
    return version
