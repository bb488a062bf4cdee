"""Text for people: one line a change, the failing call under it, the proof, the version it needs."""

from __future__ import annotations

import json

import click

from wekadocs_contracts.diff import tokens
from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_text import one_line, printed

from .json_format import counts, summary_line

_LABELS = {"breaking": "BREAKING", "additive": "ADDITIVE", "docs": "DOCS", "none": "SAFE"}
_COLOURS = {"breaking": "red", "additive": "green", "docs": "blue", "none": "white"}
_PROOFS = {
    "witness": "witness, 2 validators", "empty-difference": "old \u2212 new = ∅", "congruence": "congruent schemas",
    "policy": "policy", "unproven": "none found: treated as breaking",
}  # fmt: skip
_MAX_CALL = 400


def write(outcome: Outcome) -> str:
    rows = [change for change in outcome.changes if change not in _folded(outcome)]
    lines = [_headline(outcome)] if outcome.changes else []
    lines += [line for change in rows for line in _change(change, outcome)]
    lines += _not_served(outcome)
    for change, entry in outcome.ignored:
        until = f"until {entry.expires} by {entry.owner}: {entry.reason}"
        what = f"{change.tool}  {change.message}  {change.rule}  {change.fingerprint}"
        lines.append(_plain(f"ignored   {what}  {until}"))
    lines += [click.style(f"FAILED    {_plain(each)}", fg="red") for each in outcome.failures]
    lines += [click.style(f"warning   {_plain(each)}", fg="yellow") for each in outcome.warnings]
    lines += [f"note      {_plain(each)}" for each in _notes(outcome)]
    if lines:
        lines.append("")
    return "\n".join([*lines, _tokens(outcome), click.style(summary_line(outcome), bold=True)])


def _headline(outcome: Outcome) -> str:
    """The worst first, and how much there is of everything."""
    numbers = counts(outcome)
    kinds = [name for name in ("breaking", "unproven", "additive", "docs") if numbers[name]]
    told = ", ".join(f"{numbers[name]} {name}" for name in kinds) or "nothing that matters"
    return click.style(f"{_LABELS[outcome.verdict]}: {told}", bold=True)


def _folded(outcome: Outcome) -> list[Change]:
    """What a deployment leaves out is one line: there is much of it, for one reason."""
    return [change for change in outcome.changes if change.rule == "not-served" and change.verdict == "none"]


def _not_served(outcome: Outcome) -> list[str]:
    names = [change.tool for change in _folded(outcome)]
    if not names:
        return []
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    return [_plain(f"SAFE      {len(names)} not listed there, switched off or answered unlisted: {shown}")]


def _plain(text: str) -> str:
    return printed(one_line(text))


def _notes(outcome: Outcome) -> list[str]:
    sides = (outcome.comparison.base, outcome.comparison.head)
    release = [outcome.release.message] if outcome.release and outcome.release.state == "ok" and outcome.changes else []
    return [*(side.note for side in sides if side.note), *outcome.comparison.not_comparable, *release]


def _change(change: Change, outcome: Outcome) -> list[str]:
    label = "UNPROVEN" if change in outcome.unproven else _LABELS[change.verdict]
    place = f"{change.file}:{change.line}" if change.file and change.line else change.file or ""
    tags = f"  [{', '.join(change.tags)}]" if change.tags else ""
    head = f"{change.tool}  {change.direction}  {change.message}{tags}"
    lines = [click.style(f"{label:<9}", fg=_COLOURS[change.verdict], bold=True) + " " + _plain(head)]
    lines.append(_plain(f"  {change.rule}  {change.pointer}  {place}".rstrip()))
    if change.witness is not None:
        lines += [f"  {_story(change)}   {_call(change)}"]
        if change.explanation:
            lines.append(_plain(f"  → {change.explanation}"))
    lines.append(f"  proof: {_proof(change)}{_needs(change, outcome)}  fingerprint: {change.fingerprint}")
    if change.verdict == "breaking":
        lines.append(_plain(f"  why: {RULES[change.rule].reason}; fix: {RULES[change.rule].fix}"))
    return lines


def _story(change: Change) -> str:
    if change.direction == "input":
        return "this call worked and fails now:"
    return "this answer was excluded and may come now:"


def _call(change: Change) -> str:
    text = _plain(json.dumps(change.witness, ensure_ascii=False))
    text = text if len(text) <= _MAX_CALL else f"{text[:_MAX_CALL]}…"
    return f"{_plain(change.tool)} {text}"


def _proof(change: Change) -> str:
    spent = f" ({change.milliseconds:.1f} ms)" if change.milliseconds and change.proof != "witness" else ""
    return f"{_PROOFS[change.proof]}{spent}"


def _needs(change: Change, outcome: Outcome) -> str:
    check = next((each for each in outcome.checks if each.tool == change.tool), None)
    if check is None or change.bump_required in (None, "none"):
        return ""
    from wekadocs_contracts.diff.versions import bumped

    needed = bumped(check.before, change.bump_required)  # type: ignore[arg-type]
    return f"  needs: {needed} (is {check.after})"


def _tokens(outcome: Outcome) -> str:
    cost = tokens.total(outcome.costs)
    grown = [each for each in outcome.costs if each.increase]
    parts = ", ".join(f"{_plain(each.tool)} {each.increase:+d}" for each in grown[:8])
    return f"tools/list: {cost.before} → {cost.after} tokens ({cost.increase:+d}{': ' + parts if parts else ''})"
