"""Folders of contracts, lock files, and JSON as tools/list gives it. No plugin is imported, tools.yaml is not read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from wekadocs_contracts import sandbox
from wekadocs_contracts.diff.model import ToolSide
from wekadocs_contracts.diff.problems import Unreadable
from wekadocs_contracts.docs import lock
from wekadocs_contracts.format import contracts, schema_bounds
from wekadocs_contracts.format.contracts import META_KEY, Contract
from wekadocs_contracts.format.source import dotted, read_text
from wekadocs_contracts.problems import Problem, Refused, StartError

from . import twins
from .sides import Operand

_MAX_JSON = 64 << 20
_NUMBER = r"(?:0|[1-9][0-9]*)"
_PRE_RELEASE = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PRE_RELEASE}(?:\.{_PRE_RELEASE})*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def read_directory(folder: Path, shown: Path, twin: Operand | None = None) -> Callable[[], tuple[ToolSide, ...]]:
    """The tools of a folder, being read meanwhile; `shown` is what its paths look like to the reader.

    What stands unchanged in `twin`, the folder on the other side, is taken from there.
    """
    try:
        sandbox.check_folder(folder, shown)
        files = contracts.contract_files(folder)
        sandbox.check_count(files, shown)
    except Refused as error:
        raise Unreadable(str(error)) from None
    same = twins.unchanged(files, folder, twin.folder) if twin is not None and twin.folder is not None else {}

    def start(wanted: Sequence[Path]) -> Callable[[], tuple[ToolSide, ...]]:
        return sandbox.start(lambda: tuple(_side(each, folder, shown) for each in contracts.load(wanted)), str(shown))

    reading = start([path for path in files if path not in same])

    def finish() -> tuple[ToolSide, ...]:
        try:
            read = reading()
            if twin is None or not same:
                return read
            known = {side.source: side for side in twin.tools}
            taken = [_moved(known[theirs], mine, folder, shown) for mine, theirs in same.items()]
            everything = sorted((*read, *taken), key=lambda side: (side.name, side.major or 0))
            twice = len({(side.name, side.major) for side in everything}) < len(everything)
            return start(files)() if twice else tuple(everything)
        except StartError as error:
            raise Unreadable(str(StartError(_renamed(each, folder, shown) for each in error.problems))) from None

    return finish


def _moved(side: ToolSide, path: Path, folder: Path, shown: Path) -> ToolSide:
    return replace(side, file=(shown / path.relative_to(folder)).as_posix(), source=path)


def _renamed(problem: Problem | str, folder: Path, shown: Path) -> Problem | str:
    if isinstance(problem, str) or not Path(problem.file).is_relative_to(folder):
        return problem
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
        limits=contract.limits,
        error_details=contract.error_details,
        flag=contract.flag,
        replaced_by=contract.replaced_by,
        list_flag=contract.list_flag,
        bounds=contract.bounds,
        failure=contract.failure,
        error_codes=contract.error_codes,
        error_text=contract.error_text,
        text_field=contract.text_field,
        examples=tuple(contract.examples),
        file=(shown / path.relative_to(folder)).as_posix(),
        text=contract.text,
        carries=True,
        source=path,
    )


def read_file(path: Path) -> Operand:
    """A lock file, a tool, a list of tools, or a tools/list result; which, its content says."""
    data = read_json(path, str(path))
    if isinstance(data, dict) and "lock" in data and "contracts" in data:
        return Operand.of(str(path), "lock", _locked(data, path))
    page = _result(data)
    whole = page if isinstance(page, dict) and "capabilities" in page else None
    tools = placed(wire_tools(data, str(path)), data, path, path.as_posix())
    return Operand.of(str(path), "json", tools, _more(data, path), whole)


def placed(tools: Sequence[ToolSide], data: object, source: Path, shown: str) -> tuple[ToolSide, ...]:
    """The same tools, each with the file that it stands in, and where."""
    known = {id(row): place for row, place in _where(data, ())}
    return tuple(replace(side, file=shown, source=source, inside=known.get(id(side.wire), ())) for side in tools)


def _where(data: object, at: tuple[str | int, ...]) -> Iterator[tuple[object, tuple[str | int, ...]]]:
    """Whatever may be a tool, and where it stands: in a list, a message, a list of these."""
    if isinstance(data, list):
        for index, each in enumerate(data):
            yield from _where(each, (*at, index))
    elif isinstance(data, dict):
        yield data, at
        for key in ("result", "tools"):
            if isinstance(data.get(key), dict | list):
                yield from _where(data[key], (*at, key))


def read_json(path: Path, shown: str) -> Any:
    try:
        return json.loads(read_text(path, _MAX_JSON), parse_constant=_refuse_constant)
    except StartError as error:
        raise Unreadable(f"{shown}: {error}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"{shown}: not JSON: {error}; for YAML contracts name their folder") from None


def _more(data: object, path: Path) -> str:
    page = _result(data)
    cursor = page.get("nextCursor") if isinstance(page, dict) else None
    return f"{path} is one page of tools/list and not the last: what it leaves out counts as absent" if cursor else ""


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
    _within_bounds(entry["tool"], f"{path}: {entry['contract']}")
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
        limits=entry.get("limits", {}),
        error_details=entry.get("error_details", {}),
        flag=entry["flag"],
        replaced_by=entry["replaced_by"],
        list_flag=entry.get("list_flag"),
        bounds=entry.get("bounds", {}),
        failure=entry.get("failure", {}),
        error_codes=entry.get("error_codes", {}),
        error_text=entry.get("error_text"),
        text_field=entry.get("text_field"),
        file=(path.parent / entry["file"]).as_posix(),
        text=entry["text"],
        carries=True,
    )


def wire_tools(data: object, what: str) -> tuple[ToolSide, ...]:
    """Tools as the protocol shows them, from any server."""
    rows = _rows(data)
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


def _rows(data: object) -> Any:
    """From a tool, a list of tools, a tools/list result or message, or several of these (pages)."""
    data = _result(data)
    if isinstance(data, list) and data and all(isinstance(_result(each), dict) for each in data):
        pages = [_rows(each) if "tools" in _result(each) else [each] for each in data]
        return [row for page in pages for row in (page if isinstance(page, list) else [page])]
    return data.get("tools", [data]) if isinstance(data, dict) else data


def _result(data: object) -> Any:
    """What a JSON-RPC message carries, or the thing itself."""
    return data["result"] if isinstance(data, dict) and isinstance(data.get("result"), dict) else data


def _within_bounds(tool: Any, what: str) -> None:
    """What a comparison cannot end with is not begun."""
    for side in ("inputSchema", "outputSchema"):
        if found := schema_bounds.excess(tool.get(side)):
            place, why = found
            raise Unreadable(f"{what}: {dotted((side, *place[:8]))}: {why}; {schema_bounds.hint(why)}")


def _wire_side(tool: dict[str, Any], what: str) -> ToolSide:
    _within_bounds(tool, f"{what}: {tool['name']}")
    meta = tool.get("_meta")
    mark = meta.get(META_KEY) if isinstance(meta, dict) else None
    mark = mark if isinstance(mark, dict) else {}
    version = mark.get("version", tool.get("version"))
    digest = mark.get("hash")
    strict = "version" in mark or (isinstance(version, str) and _SEMVER.fullmatch(version))
    return ToolSide(
        name=tool["name"],
        wire=tool,
        # the protocol knows no version: what another server writes there may mean anything
        version=semver(version, f"{what}: {tool['name']}") if strict else None,
        hash=digest if isinstance(digest, str) else None,
    )


def semver(version: object, what: str) -> str:
    if not isinstance(version, str) or not _SEMVER.fullmatch(version):
        raise Unreadable(f"{what}: {version!r} is no semantic version such as 1.4.0")
    return version
