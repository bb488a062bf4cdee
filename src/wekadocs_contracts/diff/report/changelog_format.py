"""Lines for a CHANGELOG: what callers have to know, by kind, the calls that fail among them."""

from __future__ import annotations

from collections.abc import Iterator

from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_text import one_line, printed

from .markdown_format import code
from .rows import Row, call, rows

_HEADS = {"breaking": "Breaking", "unproven": "Breaking, perhaps", "additive": "Added", "docs": "Changed in words only"}


def write(outcome: Outcome) -> str:
    """Empty but for a word where nothing changed: it is pasted."""
    told = rows(outcome)
    parts = [_part(title, [row for row in told if row.verdict == kind]) for kind, title in _HEADS.items()]
    return "\n\n".join(part for part in parts if part) or "No change of tools."


def _part(title: str, told: list[Row]) -> str:
    return "\n".join([f"### {title}", "", *(line for row in told for line in _lines(row))]) if told else ""


def _lines(row: Row) -> Iterator[str]:
    names = ", ".join(code(name) for name in row.cause.tools) if row.names else code(row.lead.tool)
    what = " of answers" if row.lead.direction == "output" else ""
    yield f"- {names}{what}: {code(row.sentence)}."
    if row.story:
        told = f", because {code(row.lead.explanation)}" if row.lead.explanation else ""
        yield f"  {row.story[0].upper()}{row.story[1:]}: {code(call(row.lead, 200))}{told}."
    if row.why:
        yield printed(one_line(f"  Why: {row.why}. Fix: {row.fix}. See {row.rule.url}"))
