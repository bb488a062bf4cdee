"""Markdown for a pull request. Everything from a contract stands in code, where it cannot mention or link."""

from __future__ import annotations

import json

from wekadocs_contracts.diff import tokens
from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_text import one_line, printed

from .json_format import headline, notes, summary_line
from .rows import Row, rows

_MARKS = {"breaking": "🔴 breaking", "additive": "🟢 additive", "docs": "🔵 docs", "none": "⚪ safe"}
_MAX_ROWS = 100


def write(outcome: Outcome) -> str:
    lines = ["## Contract diff", "", f"**{headline(outcome)}**", "", code(summary_line(outcome)), ""]
    lines += [f"- ❌ {code(each)}" for each in outcome.failures]
    lines += [f"- ⚠️ {code(each)}" for each in outcome.warnings]
    lines += [f"- {code(each)}" for each in notes(outcome)]
    told = rows(outcome)
    if told:
        lines += [
            "",
            "| | tool | change | where | needs | fingerprint |",
            "|---|---|---|---|---|---|",
            *map(_row, told[:_MAX_ROWS]),
        ]
    if len(told) > _MAX_ROWS:
        lines.append(f"\n… and {len(told) - _MAX_ROWS} more.")
    for row in (each for each in told[:_MAX_ROWS] if each.why):
        lines += ["", f"{code(row.who)} {code(row.sentence)}" + (f": {row.story}" if row.story else "")]
        lines += _fenced(row.lead) if row.story else []
        lines += ["", f"Why: {row.why}. Fix: {row.fix}. [{row.rule.id}]({row.rule.url})"]
    cost = tokens.total(outcome.costs)
    lines += ["", f"`tools/list`: {cost.before} → {cost.after} tokens ({cost.increase:+d})"]
    return "\n".join(lines)


def _row(row: Row) -> str:
    tags = "".join(f" **{tag}**" for tag in row.tags)
    names = f" ({code(row.names)})" if row.names else ""
    cells = (
        "🟠 not proven" if row.is_unproven else _MARKS[row.lead.verdict],
        code(row.who) + names,
        code(row.sentence) + tags,
        code(row.place or row.lead.pointer),
        row.lead.bump_required or "",
        code(row.cause.fingerprint),
    )
    return f"| {' | '.join(cells)} |"


def code(text: str) -> str:
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
