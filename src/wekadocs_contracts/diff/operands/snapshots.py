"""A folder of snapshots, one tool in each `.snap` or `.json` file, as many servers keep them beside their tests."""

from __future__ import annotations

from pathlib import Path

from wekadocs_contracts.diff.model import ToolSide
from wekadocs_contracts.diff.problems import Unreadable
from wekadocs_contracts.format import contracts

from .files import placed, read_json, wire_tools
from .sides import Operand

_MAX_FILES = 5000


def snapshot_files(folder: Path) -> list[Path]:
    """None where the folder holds contracts: those say more."""
    if contracts.contract_files(folder):
        return []
    for ending in ("snap", "json"):
        found = [path for path in sorted(folder.rglob(f"*.{ending}")) if _counts(path.relative_to(folder))]
        if found:
            return found
    return []


def _counts(path: Path) -> bool:
    return not any(part[0] in "_." for part in path.parts) and path.name != "contracts.lock.json"


def read_snapshots(files: list[Path], folder: Path, shown: Path, label: str) -> Operand:
    if len(files) > _MAX_FILES:
        raise Unreadable(f"{shown}: {len(files)} files are more than {_MAX_FILES}; name a smaller folder")
    found: dict[str, ToolSide] = {}
    for path in files:
        place = (shown / path.relative_to(folder)).as_posix()
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            raise Unreadable(f"{place}: a link that leads out of {shown}; put the file itself there")
        data = read_json(path, place)
        for side in placed(wire_tools(data, place), data, path, place):
            if side.name in found:
                raise Unreadable(f"{place}: the tool {side.name!r} is in {found[side.name].file} already")
            found[side.name] = side
    return Operand.of(label, "json", tuple(found.values()))
