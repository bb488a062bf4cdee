"""JSON, as contracts/_schema/diff.schema.json describes it. In ASCII: what hides in a text cannot hide in a log."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wekadocs_contracts.diff import tokens
from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_contracts.diff.versions import VersionCheck
from wekadocs_text import as_json, one_line, printed

_FIELDS = (
    "tool", "direction", "verdict", "rule", "pointer", "file", "line", "column", "before", "after", "witness", "proof",
    "fingerprint", "group", "tags", "bump_required", "bump_found", "message", "explanation",
)  # fmt: skip


def write(outcome: Outcome) -> str:
    return as_json(as_dict(outcome), indent=1, ensure_ascii=True)


def as_dict(outcome: Outcome) -> dict[str, Any]:
    return {
        "verdict": outcome.verdict,
        "changes": [row(change) for change in outcome.changes],
        "exit_code": outcome.exit_code,
        "base": outcome.comparison.base.label,
        "head": outcome.comparison.head.label,
        "summary": counts(outcome),
        "failures": outcome.failures,
        "warnings": outcome.warnings,
        "ignored": [
            {**row(change), "reason": entry.reason, "owner": entry.owner, "expires": entry.expires.isoformat()}
            for change, entry in outcome.ignored
        ],
        "versions": [version(check) for check in outcome.checks],
        "release": version(outcome.release) if outcome.release else None,
        "tokens": {
            "estimator": tokens.ESTIMATOR,
            **{key: value for key, value in tokens.total(outcome.costs).as_dict().items() if key != "tool"},
            "tools": [cost.as_dict() for cost in outcome.costs],
        },
        "not_comparable": list(outcome.comparison.not_comparable),
        "severity": outcome.comparison.severity,
    }


def row(change: Change) -> dict[str, Any]:
    rule = RULES[change.rule]
    known = {name: getattr(change, name) for name in _FIELDS}
    return {**known, "tags": list(change.tags), "why": rule.reason, "fix": change.way_out or rule.fix, "url": rule.url}


def version(check: VersionCheck) -> dict[str, Any]:
    return {key: value for key, value in asdict(check).items() if value != "" or key == "tool"}


def counts(outcome: Outcome) -> dict[str, int]:
    verdicts = [change.verdict for change in outcome.changes]
    found: dict[str, int] = {name: verdicts.count(name) for name in ("breaking", "additive", "docs", "none")}
    return {
        **found,
        "unproven": len(outcome.unproven),
        "ignored": len(outcome.ignored),
        "tools": len(outcome.comparison.tools),
        "causes": len(outcome.causes),
        "off": outcome.comparison.off,
    }


def summary_line(outcome: Outcome) -> str:
    numbers = counts(outcome)
    shown = [
        f"{numbers[name]} {name}" for name in ("breaking", "additive", "docs", "unproven", "ignored") if numbers[name]
    ]
    sides = f"{outcome.comparison.base.label} → {outcome.comparison.head.label}"
    return printed(one_line(f"{sides}: {', '.join(shown) or 'no change'}"))


def headline(outcome: Outcome) -> str:
    """The first line of every report for people: the worst, and how much there is of everything."""
    numbers = counts(outcome)
    kinds = ("breaking", "unproven", "additive", "docs", "none")
    parts = [f"{numbers[name]} {'safe' if name == 'none' else name}" for name in kinds if numbers[name]]
    total, causes = len(outcome.changes), numbers["causes"]
    of = f" of {causes} cause{'s' if causes > 1 else ''}" if causes < total else ""
    worst = "safe" if outcome.verdict == "none" else outcome.verdict
    return f"{worst.upper()}: {total} change{'s' if total != 1 else ''}{of}: {', '.join(parts)}"


def notes(outcome: Outcome) -> list[str]:
    """What has to be known to read the rest rightly."""
    comparison = outcome.comparison
    off = [f"{comparison.off} more by rules that are off"] if comparison.off else []
    release = [outcome.release.message] if outcome.release and outcome.release.state == "ok" and outcome.changes else []
    levels = [comparison.severity] if comparison.severity else []
    sides = (side.note for side in (comparison.base, comparison.head) if side.note)
    # Where neither side could show it, there is nothing to miss.
    missed = comparison.not_comparable if comparison.base.is_wire != comparison.head.is_wire else ()
    return [*sides, *missed, *levels, *off, *release]
