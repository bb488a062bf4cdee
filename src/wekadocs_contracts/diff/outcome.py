"""The whole answer: what changed, what was accepted, which versions fit, what it costs, and the exit code."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from wekadocs_contracts.diff.rules import causes

from . import tokens, versions
from .compare import Comparison, worst
from .ignore import Entry
from .model import Change, Verdict
from .problems import BREAKING, UNPROVEN
from .versions import VersionCheck

_BUG = "rules-and-proof-disagree"


@dataclass(frozen=True)
class Outcome:
    comparison: Comparison
    changes: list[Change]
    ignored: list[tuple[Change, Entry]] = field(default_factory=list)
    checks: list[VersionCheck] = field(default_factory=list)
    release: VersionCheck | None = None
    costs: list[tokens.Cost] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    allow_unproven: bool = False

    @property
    def verdict(self) -> Verdict:
        return worst(change.verdict for change in self.changes)

    @property
    def causes(self) -> list[causes.Cause]:
        return causes.causes(self.changes)

    @property
    def unproven(self) -> list[Change]:
        return [change for change in self.changes if change.proof == "unproven" or change.rule == _BUG]

    @property
    def exit_code(self) -> int:
        proven = [row for row in self.changes if row.verdict == "breaking" and row not in self.unproven]
        if proven or self.failures:
            return BREAKING
        open_cases = [row for row in self.unproven if row.rule == _BUG or not self.allow_unproven]
        return UNPROVEN if open_cases else 0


def conclude(
    comparison: Comparison,
    entries: Sequence[Entry] = (),
    *,
    allow_unproven: bool = False,
    max_tokens_increase: int | None = None,
    today: datetime.date | None = None,
) -> Outcome:
    today = today or datetime.datetime.now(datetime.UTC).date()
    valid = {entry.fingerprint: entry for entry in entries if not entry.expired(today)}
    comparison = _grouped(comparison)
    accepted = [(row, entry) for row in comparison.changes if (entry := _accepting(row, valid))]
    kept = tuple(
        replace(tool, changes=tuple(_left(row, valid) for row in tool.changes if not _accepting(row, valid)))
        for tool in comparison.tools
    )
    known = frozenset((side.name, side.major) for side in comparison.head.tools)
    checked = {tool.label: versions.check(tool, allow_unproven, known) for tool in kept}
    comparison = replace(comparison, tools=tuple(versions.with_bumps(tool, checked[tool.label]) for tool in kept))
    checks = [check for check in checked.values() if check is not None]
    release = versions.check_set(comparison, allow_unproven)
    costs = tokens.costs(comparison)
    return Outcome(
        comparison, comparison.changes, accepted, checks, release, costs,
        failures=[
            *(check.message for check in (*checks, release) if check and check.fails),
            *_expired(entries, today),
            *_too_costly(costs, max_tokens_increase),
        ],
        warnings=_warnings(comparison, checks, release, entries, valid, {entry.fingerprint for _, entry in accepted}),
        allow_unproven=allow_unproven,
    )  # fmt: skip


def _grouped(comparison: Comparison) -> Comparison:
    known = {(row.tool, row.fingerprint): row for row in causes.grouped(comparison.changes)}
    return replace(comparison, tools=tuple(
        replace(tool, changes=tuple(known[row.tool, row.fingerprint] for row in tool.changes))
        for tool in comparison.tools
    ))  # fmt: skip


def _accepting(row: Change, valid: dict[str, Entry]) -> Entry | None:
    """By its own fingerprint, or by that of the group, which covers exactly what was done; words are never covered."""
    by_group = valid.get(row.group or "") if row.rule != causes.WORDS else None
    return valid.get(row.fingerprint) or by_group


def _left(row: Change, valid: dict[str, Entry]) -> Change:
    """What is left of a group that was accepted stands for itself."""
    return replace(row, group=None) if row.group in valid else row


def _expired(entries: Sequence[Entry], today: datetime.date) -> list[str]:
    return [
        f"{entry.place}: the exception for {entry.fingerprint} ended on {entry.expires} ({entry.owner}): "
        "fix it, or renew it"
        for entry in entries
        if entry.expired(today)
    ]


def _too_costly(costs: Sequence[tokens.Cost], limit: int | None) -> list[str]:
    all_tools = tokens.total(costs)
    if limit is None or all_tools.increase <= limit:
        return []
    worst_tool = max(costs, key=lambda cost: cost.increase)
    return [
        f"tools/list grows by {all_tools.increase} tokens ({all_tools.before} → {all_tools.after}), "
        f"{limit} are allowed; most of it in {worst_tool.tool} (+{worst_tool.increase})"
    ]


def _warnings(
    comparison: Comparison,
    checks: Sequence[VersionCheck],
    release: VersionCheck | None,
    entries: Sequence[Entry],
    valid: dict[str, Entry],
    used: set[str],
) -> list[str]:
    found = [check.message for check in (*checks, release) if check and check.state == "too big"]
    found += [f"{row.tool}: {row.message}" for row in comparison.changes if "warning" in row.tags]
    found += [
        f"{entry.place}: nothing has the fingerprint {entry.fingerprint}; remove the entry"
        for entry in entries
        if entry.fingerprint in valid and entry.fingerprint not in used
    ]
    return found
