"""Markdown for a pull request. Everything from a contract stands in code, where it cannot mention or link."""

from __future__ import annotations

import json

from wekadocs_contracts.diff import tokens
from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_text import one_line, printed

from .json_format import summary_line

_MARKS = {"breaking": "🔴 breaking", "additive": "🟢 additive", "docs": "🔵 docs", "none": "⚪ safe"}
_MAX_ROWS = 100


def write(outcome: Outcome) -> str:
    lines = ["## Contract diff", "", f"**{outcome.verdict}**: {_code(summary_line(outcome))}", ""]
    lines += [f"- ❌ {_code(each)}" for each in outcome.failures]
    lines += [f"- ⚠️ {_code(each)}" for each in outcome.warnings]
    rows = outcome.changes[:_MAX_ROWS]
    if rows:
        lines += [
            "",
            "| | tool | change | where | needs | fingerprint |",
            "|---|---|---|---|---|---|",
            *map(_row, rows),
        ]
    if len(outcome.changes) > _MAX_ROWS:
        lines.append(f"\n… and {len(outcome.changes) - _MAX_ROWS} more.")
    for change in rows:
        if change.witness is not None:
            lines += ["", f"{_code(change.tool)} {_code(change.rule)}: {_story(change)}", *_fenced(change)]
            lines += [f"Fix: {RULES[change.rule].fix}."]
    cost = tokens.total(outcome.costs)
    lines += ["", f"`tools/list`: {cost.before} → {cost.after} tokens ({cost.increase:+d})"]
    return "\n".join(lines)


def _row(change: Change) -> str:
    mark = "🟠 not proven" if change.proof == "unproven" else _MARKS[change.verdict]
    place = f"{change.file}:{change.line}" if change.file and change.line else change.file or change.pointer
    tags = "".join(f" **{tag}**" for tag in change.tags)
    cells = (
        mark,
        _code(change.tool),
        _code(change.message) + tags,
        _code(place),
        change.bump_required or "",
        _code(change.fingerprint),
    )
    return f"| {' | '.join(cells)} |"


def _story(change: Change) -> str:
    return (
        "this call worked and fails now" if change.direction == "input" else "this answer was excluded and may come now"
    )


def _code(text: str) -> str:
    """One line of code that nothing in it can end; a table cell needs its bars escaped too."""
    clean = printed(one_line(text)).replace("|", "\\|")
    runs = max((len(run) for run in _ticks(clean)), default=0)
    fence = "`" * (runs + 1)
    return f"{fence} {clean} {fence}" if runs else f"`{clean}`" if clean else ""


def _ticks(text: str) -> list[str]:
    return [run for run in "".join(letter if letter == "`" else " " for letter in text).split() if run]


def _fenced(change: Change) -> list[str]:
    body = printed(json.dumps(change.witness, ensure_ascii=False, indent=1))
    why = [printed(one_line(f"→ {change.explanation}"))] if change.explanation else []
    fence = "`" * max(3, *(len(run) + 1 for run in [*_ticks(body), *_ticks("".join(why)), ""]))
    return [f"{fence}text", *body.split("\n"), *why, fence]
