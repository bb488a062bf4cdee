"""Tools that stand on one side only: gone, new, not served by a deployment, or the same under another name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from wekadocs_contracts.diff.model import Change, ToolSide
from wekadocs_contracts.diff.operands.sides import Operand
from wekadocs_contracts.diff.rules.causes import ORDER
from wekadocs_contracts.diff.rules.likeness import renamed_tools
from wekadocs_text import one_line

_NOTHING = "beside its name nothing changed"
Compared = Callable[[ToolSide, ToolSide], Iterable[Change]]


@dataclass(frozen=True)
class Renamed:
    old: ToolSide
    new: ToolSide
    besides: str

    @property
    def told(self) -> str:
        return f"`{one_line(self.old.name)}` renamed to `{one_line(self.new.name)}`"

    @property
    def cause(self) -> str:
        return self.told if self.besides == _NOTHING else f"{self.told} ({self.besides})"


def renamed(gone: Sequence[ToolSide], came: Sequence[ToolSide], several: set[str], compared: Compared) -> list[Renamed]:
    """What has other majors beside it was not renamed."""
    left, right = ([side for side in sides if side.served and side.name not in several] for sides in (gone, came))
    found = renamed_tools(left, right)
    pairs = [(old, found[id(old)]) for old in left if id(old) in found]
    return [Renamed(old, new, _besides(compared(old, replace(new, name=old.name)))) for old, new in pairs]


def _besides(rows: Iterable[Change]) -> str:
    ordered = sorted(rows, key=lambda row: -ORDER[row.verdict])
    told = [f"{row.message} ({row.verdict})" for row in ordered if row.verdict != "none"]
    more = f" and {len(told) - 3} more" if len(told) > 3 else ""
    return f"beside its name: {'; '.join(told[:3])}{more}" if told else _NOTHING


def gone(old: ToolSide, head: Operand, known: Sequence[Renamed]) -> tuple[Change, ...]:
    if not old.served:
        return ()
    left = [side for side in head.tools if side.name == old.name and side.served]
    if old.carries and head.is_wire and (left or _may_be_unlisted(old, head)):
        message = "not listed there: switched off, in no chosen toolset, or answered without being listed"
        # a deployment lists other majors only when it is told to
        return () if left else (Change("", "meta", "none", "not-served", "", before=old.name, message=message),)
    rule = "major-removed" if left else "tool-removed"
    flag = f" (it is behind the switch {old.flag})" if old.flag and head.kind == "live" else ""
    message = f"{'major version ' + str(old.major) if left else 'the tool'} is gone{flag}"
    row = Change("", "meta", "breaking", rule, "", before=old.name, message=message)
    for each in (each for each in known if each.old is old):
        way_out = "keep the old name as deprecated with replaced_by"
        told = f"{message}: {each.told}, as it seems; {each.besides}; {way_out}"
        row = replace(row, message=told, cause=each.cause)
    return (row,)


def _may_be_unlisted(side: ToolSide, head: Operand) -> bool:
    """A host of these contracts decides what it lists; another server's list is all there is of it."""
    return bool(side.flag or side.list_flag) or any(each.hash for each in head.tools)


def came(new: ToolSide, base: Operand, known: Sequence[Renamed]) -> tuple[Change, ...]:
    if not new.served:
        return ()
    beside = any(side.name == new.name for side in base.tools)
    rule, message = ("major-added", f"major version {new.major} beside it") if beside else ("tool-added", "a new tool")
    row = Change("", "meta", "additive", rule, "", after=new.name, message=message)
    for each in (each for each in known if each.new is new):
        row = replace(row, message=f"{message}, like `{one_line(each.old.name)}`", cause=each.cause)
    return (row,)
