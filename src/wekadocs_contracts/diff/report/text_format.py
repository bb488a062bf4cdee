"""Text for people: one line a change, the failing call under it, the proof, the version it needs."""

from __future__ import annotations

import click

from wekadocs_contracts.diff import tokens
from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_text import one_line, printed

from .json_format import headline, notes, summary_line
from .rows import Row, call, rows

_LABELS = {"breaking": "BREAKING", "additive": "ADDITIVE", "docs": "DOCS", "none": "SAFE"}
_COLOURS = {"breaking": "red", "additive": "green", "docs": "blue", "none": "white"}
_PROOFS = {
    "witness": "witness, 2 validators", "empty-difference": "old \u2212 new = ∅", "congruence": "congruent schemas",
    "policy": "policy", "unproven": "none found: treated as breaking",
}  # fmt: skip


def write(outcome: Outcome) -> str:
    folded = _folded(outcome)
    lines = [click.style(headline(outcome), bold=True)] if outcome.changes else []
    lines += [line for row in rows(outcome) if row.lead not in folded for line in _row(row, outcome)]
    lines += _not_served(outcome)
    for change, entry in outcome.ignored:
        until = f"until {entry.expires} by {entry.owner}: {entry.reason}"
        what = f"{change.tool}  {change.message}  {change.rule}  {change.fingerprint}"
        lines.append(_plain(f"ignored   {what}  {until}"))
    lines += [click.style(f"FAILED    {_plain(each)}", fg="red") for each in outcome.failures]
    lines += [click.style(f"warning   {_plain(each)}", fg="yellow") for each in outcome.warnings]
    lines += [f"note      {_plain(each)}" for each in notes(outcome)]
    if lines:
        lines.append("")
    return "\n".join([*lines, _tokens(outcome), click.style(summary_line(outcome), bold=True)])


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


def _row(row: Row, outcome: Outcome) -> list[str]:
    lead = row.lead
    label = "UNPROVEN" if row.is_unproven else _LABELS[lead.verdict]
    tags = f"  [{', '.join(row.tags)}]" if row.tags else ""
    head = f"{row.who}  {lead.direction}  {row.sentence}{tags}  {row.place}".rstrip()
    lines = [click.style(f"{label:<9}", fg=_COLOURS[lead.verdict], bold=True) + " " + _plain(head)]
    lines += [_plain(f"  in {row.names}")] if row.names else []
    lines.append(_plain(f"  {row.rules}  {lead.pointer}".rstrip()))
    if row.story:
        lines.append(f"  {row.story}:   {_plain(call(lead))}")
        lines += [_plain(f"  → {lead.explanation}")] if lead.explanation else []
    lines.append(f"  proof: {_proof(lead)}{_needs(lead, outcome)}  fingerprint: {row.cause.fingerprint}")
    if row.why:
        lines.append(_plain(f"  why: {row.why}; fix: {row.fix}; {row.rule.url}"))
    return lines


def _proof(change: Change) -> str:
    spent = f" ({change.milliseconds:.1f} ms)" if change.milliseconds and change.proof != "witness" else ""
    return f"{_PROOFS[change.proof]}{spent}"


def _needs(change: Change, outcome: Outcome) -> str:
    check = next((each for each in outcome.checks if each.tool == change.tool), None)
    if check is None or change.bump_required in (None, "none"):
        return ""
    from wekadocs_contracts.diff.versions import bumped, is_met

    if is_met(change):
        return ""
    needed = bumped(check.before, change.bump_required)  # type: ignore[arg-type]
    return f"  needs: {needed} (is {check.after})"


def _tokens(outcome: Outcome) -> str:
    cost = tokens.total(outcome.costs)
    grown = [each for each in outcome.costs if each.increase]
    parts = ", ".join(f"{_plain(each.tool)} {each.increase:+d}" for each in grown[:8])
    parts += f" and {len(grown) - 8} more" if len(grown) > 8 else ""
    return f"tools/list: {cost.before} → {cost.after} tokens ({cost.increase:+d}{': ' + parts if parts else ''})"
