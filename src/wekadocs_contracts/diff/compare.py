"""Two operands → every change, each with its verdict, its place and its fingerprint."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from wekadocs_contracts.diff.operands.sides import Operand
from wekadocs_contracts.diff.pairing import leftovers, served_names
from wekadocs_contracts.diff.pairing.matching import Pair, match
from wekadocs_contracts.diff.rules import generators, offers
from wekadocs_contracts.diff.rules.causes import ORDER
from wekadocs_contracts.diff.rules.keywords import canonical, mapping, same
from wekadocs_contracts.diff.rules.policy import tool_changes
from wekadocs_contracts.diff.rules.severity import Severity
from wekadocs_contracts.diff.rules.table import RULES, Strictness

from . import places
from .model import Change, ToolSide, Verdict
from .schema_pair import schema_changes
from .survival import Watch

_TRIVIAL: tuple[Any, ...] = ({}, True)
# What tools.yaml can do to a contract; what it cannot do keeps its verdict, whatever hash the server claims.
_OVERLAY = frozenset(
    {
        "description-changed", "title-changed", "default-changed", "default-added", "maximum-narrowed",
        "max-length-narrowed",
        "max-items-narrowed", "output-schema-removed",
    }
)  # fmt: skip


Formats = Literal["assert", "annotate"]


@dataclass(frozen=True)
class _Reading:
    """How two sides are held against each other."""

    is_wire: bool  # a deployment stands between a contract and what is seen of it
    formats: bool  # they are checks
    watch: Watch


@dataclass(frozen=True)
class ToolResult:
    """One tool on both sides, with what changed."""

    label: str
    old: ToolSide | None
    new: ToolSide | None
    changes: tuple[Change, ...] = ()
    by_name: bool = False  # what a name means, beside the tools themselves

    @property
    def verdict(self) -> Verdict:
        return worst(change.verdict for change in self.changes)


@dataclass(frozen=True)
class Comparison:
    base: Operand
    head: Operand
    tools: tuple[ToolResult, ...] = ()
    not_comparable: tuple[str, ...] = field(default=())
    severity: str = ""  # which rules weigh more or less than usual, by whose file
    off: int = 0  # rows of rules that are switched off

    @property
    def changes(self) -> list[Change]:
        rows = [change for tool in self.tools for change in tool.changes]
        return sorted(rows, key=lambda row: (-ORDER[row.verdict], row.tool, row.direction, row.pointer, row.rule))


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    return max(verdicts, key=lambda verdict: ORDER[verdict], default="none")


def compare(
    base: Operand,
    head: Operand,
    strictness: Strictness = "standard",
    formats: Formats = "assert",
    severity: Severity | None = None,
    watch: Watch | None = None,
) -> Comparison:
    severity = severity or Severity()
    reading = _Reading(base.is_wire or head.is_wire, formats == "assert", watch or Watch())
    pairs, gone, came = match(base.tools, head.tools, base.is_wire or head.is_wire)
    majors = {(side.name, side.major) for side in (*base.tools, *head.tools)}
    several = {name for name, count in Counter(name for name, _ in majors).items() if count > 1}
    results = [ToolResult(_label(new, several), old, new, _pair(old, new, reading)) for old, new in pairs]
    renamed = leftovers.renamed(gone, came, several, lambda old, new: _pair(old, new, reading))
    results += [ToolResult(_label(old, several), old, None, leftovers.gone(old, head, renamed)) for old in gone]
    results += [ToolResult(_label(new, several), None, new, leftovers.came(new, base, renamed)) for new in came]
    results += [ToolResult(new.name, old, new, _moved(old, new, reading), by_name=True)
                for old, new in served_names.moved(base.tools, head.tools)]  # fmt: skip
    results += [ToolResult(_label(side, several), None, side, (row,), by_name=True)
                for side, row in served_names.clashes(base.tools, head.tools)]  # fmt: skip
    beside = tuple(offers.changes(base.offered, head.offered))
    server = ToolSide("(server)", {"name": "(server)"})
    results += [ToolResult(server.name, server, server, beside, by_name=True)] if beside else []
    finished = [
        replace(each, changes=tuple(_finish(row, each, strictness) for row in each.changes)) for each in results
    ]
    finished.sort(key=lambda each: each.label)
    weighed = tuple(_weighed(each, severity) for each in finished)
    off = sum(len(each.changes) for each in finished) - sum(len(each.changes) for each in weighed)
    return Comparison(base, head, weighed, tuple(_not_comparable(base, head)), severity.told(), off)


def _weighed(tool: ToolResult, severity: Severity) -> ToolResult:
    return replace(tool, changes=tuple(found for row in tool.changes if (found := severity.of(row))))


def _label(side: ToolSide, several: set[str]) -> str:
    return f"{side.name}.v{side.major}" if side.name in several and side.major is not None else side.name


def _pair(old: ToolSide, new: ToolSide, reading: _Reading) -> tuple[Change, ...]:
    if not old.served and not new.served:
        return ()
    if not new.served:
        return (
            Change(
                "",
                "meta",
                "breaking",
                "tool-disabled",
                "/status",
                old.status,
                new.status,
                message="the tool is disabled",
            ),
        )
    if not old.served:
        return (
            Change(
                "",
                "meta",
                "additive",
                "tool-enabled",
                "/status",
                old.status,
                new.status,
                message="the tool answers again",
            ),
        )
    rows = [*tool_changes(old, new), *_input(old, new, reading), *_output(old, new, reading)]
    if reading.is_wire and old.hash and old.hash == new.hash:
        rows = [_overlaid(row) for row in rows]
    return tuple(rows)


def _moved(old: ToolSide, new: ToolSide, reading: _Reading) -> tuple[Change, ...]:
    """The bare name, as those who call it meet it: what it stood for against what it stands for."""
    message = f"the bare name is major version {new.major} now (was {old.major})"
    move = Change("", "meta", "additive", "bare-name-moved", "/version", old.version, new.version, message=message)
    rows = _pair(old, new, reading) if old.served and new.served else ()
    way_out = f"keep version {new.major} at status: beta until callers of the bare name say {old.name}.v{old.major}"
    told = (replace(row, way_out=way_out) if row.verdict == "breaking" else row for row in rows)
    return (move, *told) if rows else ()


def _overlaid(row: Change) -> Change:
    """Same contract, other wire: the deployment did it."""
    if row.rule in _OVERLAY:
        tags = ("overlay", *row.tags)
        return replace(row, rule="overlay", verdict="none", tags=tags, message=f"by the deployment: {row.message}")
    tags = tuple(dict.fromkeys(("overlay", "security", *row.tags)))
    return replace(row, rule="overlay", tags=tags, message=f"no tools.yaml can do this ({row.rule}): {row.message}")


def _input(old: ToolSide, new: ToolSide, reading: _Reading) -> Iterator[Change]:
    schema, renamed = _with_aliases(old, new)
    examples = [each["arguments"] for side in (old, new) for each in side.examples if "arguments" in each]
    back = {theirs: mine for mine, theirs in renamed.items()}
    schema, current = generators.as_arguments(schema, new.wire.get("inputSchema", {}))
    schema, current, noted = generators.without_safe_integers(schema, current, "input")
    yield from noted
    prove = partial(schema_changes, schema, current, "input", examples, formats=reading.formats)
    for row in reading.watch.rows(new, "input", prove):
        witness = row.witness
        if isinstance(witness, dict) and back:
            witness = {back.get(name, name): value for name, value in witness.items()}
        yield replace(row, witness=witness)
    for mine, theirs in renamed.items():
        message = f"`{mine}` is called `{theirs}` now and stays valid as an alias"
        yield Change(
            "",
            "input",
            "additive",
            "argument-renamed",
            f"/inputSchema/properties/{theirs}",
            mine,
            theirs,
            message=message,
        )


def _with_aliases(old: ToolSide, new: ToolSide) -> tuple[Any, dict[str, str]]:
    """The old schema as the host reads old calls now: what became an alias is renamed before it is checked."""
    schema = old.wire.get("inputSchema", {})
    mine, theirs = (
        mapping(mapping(schema).get("properties")),
        mapping(mapping(new.wire.get("inputSchema")).get("properties")),
    )
    aliases = (new.argument_aliases or {}).items()
    renamed = {alias: name for alias, name in aliases if alias in mine and alias not in theirs and name not in mine}
    if not renamed:
        return schema, {}
    properties = {renamed.get(name, name): each for name, each in mine.items()}
    changed = {**schema, "properties": properties}
    if isinstance(schema.get("required"), list):
        changed["required"] = [renamed.get(name, name) for name in schema["required"]]
    return changed, renamed


def _output(old: ToolSide, new: ToolSide, reading: _Reading) -> list[Change]:
    before, after = old.wire.get("outputSchema"), new.wire.get("outputSchema")
    place = "/outputSchema"
    if same(before, after):
        return []
    if before is None:
        return [
            Change(
                "", "output", "additive", "output-schema-added", place, after=after, message="answers have a schema now"
            )
        ]
    if after is None or any(same(after, each) for each in _TRIVIAL):
        trivial = any(same(before, each) for each in _TRIVIAL)
        message = "answers have no schema any more" if after is None else "the schema of answers says nothing any more"
        verdict: Verdict = "docs" if trivial else "breaking"
        return [Change("", "output", verdict, "output-schema-removed", place, before, after, message=message)]
    examples = [each["expect"] for side in (old, new) for each in side.examples if "expect" in each]
    before, after, noted = generators.without_safe_integers(before, after, "output")
    prove = partial(schema_changes, before, after, "output", examples, formats=reading.formats)
    return [*noted, *reading.watch.rows(new, "output", prove)]


def _finish(row: Change, tool: ToolResult, strictness: Strictness) -> Change:
    side = tool.new or tool.old
    assert side is not None
    row = _at_level(replace(row, tool=tool.label), strictness)
    line, column = places.place_of(side, row.pointer) or (None, None)
    return replace(row, file=side.file, line=line, column=column, fingerprint=fingerprint(row))


def _at_level(row: Change, strictness: Strictness) -> Change:
    becomes = RULES[row.rule].levels.get(strictness)
    if becomes == "warning" and row.verdict == "breaking":
        return replace(row, verdict="additive", tags=(*row.tags, "warning"))
    if becomes == "breaking" and row.verdict != "breaking":
        return replace(row, verdict="breaking")
    return row


def fingerprint(row: Change) -> str:
    """The same change keeps it over commits and wordings: rule, tool, place and values. A larger one is another."""
    if row.rule.startswith("required-"):
        values = ",".join(sorted({*row.before} ^ {*row.after}))  # several names share one place
    else:
        values = canonical([row.before, row.after])
    text = "\n".join((row.rule, row.tool, row.direction, row.pointer, values))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _not_comparable(base: Operand, head: Operand) -> Iterator[str]:
    for side in (base, head):
        if side.is_wire and side.tools:
            yield f"{side.label} does not show errors, argument aliases, budgets and switches: not compared"


__all__ = ["ORDER", "Comparison", "Pair", "ToolResult", "compare", "fingerprint", "worst"]
