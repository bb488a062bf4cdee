"""Contracts: read from YAML, checked strictly, compiled to plain data.

Every mistake of every file is found in one pass and reported together. What comes out needs no YAML any more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from wekadocs_contracts import shipped
from wekadocs_contracts.problems import HOST_CODES, Problem, Refused, StartError

from . import schema_checks, schemas
from .schemas import Schema
from .source import Pointer, Source, dotted, read

META_KEY = "dev.wekadocs/contract"
_UNHASHED = ("examples", "file", "hash")
_HASHED_WHERE_SAID = (
    "bounds",
    "environment",
    "error_codes",
    "error_details",
    "error_text",
    "failure",
    "limits",
    "list_flag",
    "task",
    "text_alone",
    "text_field",
    "view",
)  # whoever says nothing keeps the hash they had before these


@dataclass(frozen=True)
class Contract:
    """One tool, one major version: everything its callers may rely on."""

    name: str
    version: str
    status: str
    title: str
    routing: dict[str, str]
    annotations: dict[str, bool]
    input: dict[str, Any]
    output: dict[str, Any] | None = None
    text: str | None = None
    text_field: str | None = None
    text_alone: str | None = None
    flag: str | None = None
    list_flag: str | None = None
    bounds: dict[str, dict[str, int]] = field(default_factory=dict)
    failure: dict[str, Any] = field(default_factory=dict)
    budgets: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    task: str | None = None
    errors: list[str] | None = None
    error_codes: dict[str, str] = field(default_factory=dict)
    error_details: dict[str, dict[str, Any]] = field(default_factory=dict)
    error_text: str | None = None
    argument_aliases: dict[str, str] = field(default_factory=dict)
    replaced_by: str | None = None
    icons: list[dict[str, Any]] | None = None
    view: str | None = None
    examples: list[dict[str, Any]] = field(default_factory=list)
    file: str = ""
    hash: str = ""

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    @property
    def bounded_input(self) -> dict[str, Any]:
        """The arguments as descriptions tell them: also the limits that the published schema leaves out."""
        return schemas.bounded(self.input, self.bounds)

    @property
    def codes(self) -> frozenset[str] | None:
        """Every code a failure of this tool may carry; None is any."""
        return None if self.errors is None else host_codes(self.error_codes) | frozenset(self.errors)

    @property
    def stem(self) -> str:
        return self.name.rsplit(".", 1)[-1]

    @property
    def key(self) -> tuple[str, int]:
        return (self.name, self.major)


def host_codes(named: Mapping[str, str]) -> frozenset[str]:
    """The codes of the host, under the names a contract has for them."""
    return frozenset(named.get(code, code) for code in HOST_CODES)


def wire_form(
    contract: Contract, name: str, title: str, description: str, schema: Mapping[str, object], structured: bool = True
) -> dict[str, Any]:
    """A tool as tools/list shows it: what a deployment may change is given, the rest is the contract's."""
    tool: dict[str, Any] = {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": _as_it_was(schema) if contract.bounds else schema,
        "annotations": contract.annotations,
        "_meta": {META_KEY: {"version": contract.version, "hash": contract.hash}},
    }
    if contract.output is not None and structured:
        tool["outputSchema"] = contract.output
    if contract.view:
        tool["_meta"]["ui"] = {"resourceUri": contract.view}
    if contract.icons:
        tool["icons"] = contract.icons
    return tool


def _as_it_was(schema: Mapping[str, object]) -> dict[str, Any]:
    """A schema that must not change for its readers: that others are welcome, silence says in JSON Schema too."""
    return {key: value for key, value in schema.items() if (key, value) != ("additionalProperties", True)}


def contract_hash(contract: Contract) -> str:
    """The identity of a promise: everything but its examples and where its file is."""
    promise = {
        key: value
        for key, value in asdict(contract).items()
        if key not in _UNHASHED and (value or key not in _HASHED_WHERE_SAID)
    }
    canonical = json.dumps(promise, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()[:32]


def problem_in(contract: Contract, message: str, hint: str, pointer: Pointer = ("contract",)) -> Problem:
    """A caret error at a place of a contract's file, read again because a compiled contract has no lines."""
    try:
        return read(contract.file).problem(pointer, message, hint)
    except StartError:
        return Problem(contract.file, message, hint, pointer=dotted(pointer))


def contract_files(folder: Path) -> list[Path]:
    """The contract files below a folder; names that begin with _ or . are not contracts."""
    if not folder.is_dir():
        return [folder] if folder.exists() else []
    found = [path for pattern in ("*.yaml", "*.yml") for path in folder.rglob(pattern)]
    kept = [path for path in found if path.name not in ("diff-ignore.yaml", "diff-severity.yaml")]
    return sorted(path for path in kept if not any(part[0] in "_." for part in path.relative_to(folder).parts))


def load(files: Iterable[Path]) -> list[Contract]:
    """Read contract files, or raise one StartError with every mistake in all of them."""
    problems: list[Problem | str] = []
    loaded: dict[tuple[str, int], Contract] = {}
    for path in files:
        try:
            contract, source = _load_one(path)
        except Refused:
            raise
        except StartError as error:
            problems.extend(error.problems)
            continue
        if contract.key in loaded:
            other = loaded[contract.key].file
            message = f"{contract.name} v{contract.major} is declared twice: here and in {other}"
            problems.append(source.problem(("contract",), message, "remove one, or give it another major version"))
        loaded.setdefault(contract.key, contract)
    if problems:
        raise StartError(problems)
    return sorted(loaded.values(), key=lambda contract: contract.key)


def _load_one(path: Path) -> tuple[Contract, Source]:
    """One file: its shape, then all that can still be checked of what has the right shape."""
    from . import checks  # a start from the cache parses no contract

    source = read(path, keep_going=True)
    data = source.data
    if not isinstance(data, dict):
        hint = "start with `contract: NAME`; see contracts new"
        raise StartError(source.with_own([source.problem((), "a contract is a mapping", hint)]))
    problems, spoiled = checks.shape(source, data)
    bundled: dict[str, Any] = {}
    for side in ("input", "output"):
        if isinstance(data.get(side), dict):
            bundled[side], found = _bundle(source, side, data[side], side in spoiled)
            problems.extend(found)
    if "input" in bundled and "input" not in spoiled:
        # As written: a shared fragment may have a default for those who do not require it.
        problems.extend(checks.idle_defaults(source, data["input"]))
        problems.extend(checks.aliases(source, data, bundled["input"], spoiled))
        problems.extend(checks.bounds(source, data, bundled["input"], spoiled))
        problems.extend(checks.routing_and_text(source, data, bundled["input"], spoiled))
    problems.extend(checks.environment(source, data, spoiled))
    problems.extend(checks.text_field(source, data, bundled.get("output"), spoiled))
    if "input" in bundled and not problems_at(problems, "input"):
        problems.extend(checks.defaults(source, bundled["input"]))
        problems.extend(checks.examples(source, data, bundled["input"], spoiled))
    if problems or source.problems:
        raise StartError(source.with_own(problems))
    rest = {key: value for key, value in data.items() if key not in ("contract", "input", "output")}
    contract = Contract(name=data["contract"], **bundled, **rest, file=source.path)
    return replace(contract, hash=contract_hash(contract)), source


def problems_at(problems: Iterable[Problem], key: str) -> bool:
    return any(problem.pointer.startswith(f"$.{key}") for problem in problems)


def _bundle(source: Source, side: str, schema: Schema, spoiled: bool) -> tuple[dict[str, Any], list[Problem]]:
    from . import bundling, schema_bounds

    bundler = bundling.Bundler(source, _Fragments(Path(source.path)))
    bundled = bundler.bundle(schema, (side,))
    if too_much := schema_bounds.excess(bundled):
        place, why = too_much
        raise Refused([source.problem((side, *place), why, schema_bounds.hint(why))])
    if side == "input":
        bundled = bundling.tighten(bundled)
    checked = [] if spoiled else schema_checks.check(bundled, source, (side,))
    return schemas.in_order(bundled), [*bundler.problems, *checked]


class _Fragments:
    """Finds `wekadocs:shared/NAME`: beside the contract's own tree first, then among the shipped ones."""

    def __init__(self, contract_file: Path) -> None:
        self.folders = [folder / "_shared" for folder in contract_file.resolve().parents[:3]]
        self.folders.append(Path(shipped.CONTRACTS) / "_shared")

    def __call__(self, name: str) -> Source | None:
        if not name or any(part in ("", ".", "..") for part in name.split("/")) or "\\" in name:
            return None
        for folder in self.folders:
            path = folder / f"{name}.yaml"
            if path.is_file():
                return read(_inside(path, folder))
        return None


def _inside(path: Path, folder: Path) -> Path:
    if not path.resolve().is_relative_to(folder.parent.resolve()) and folder != Path(shipped.CONTRACTS) / "_shared":
        raise Refused([Problem(str(path), f"a link that leads out of {folder.parent}", "put the file itself there")])
    return path


def to_plain(contracts: Sequence[Contract]) -> list[dict[str, Any]]:
    return [asdict(contract) for contract in contracts]


def from_plain(rows: Sequence[dict[str, Any]]) -> list[Contract]:
    return [Contract(**row) for row in rows]
