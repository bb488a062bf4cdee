"""Annotations for GitHub Actions: workflow commands, with everything escaped that could start another one."""

from __future__ import annotations

import os
from pathlib import Path

from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_text import one_line

from .json_format import counts, headline, summary_line
from .rows import Row, call, rows

_LEVELS = {"breaking": "error", "additive": "notice", "docs": "notice", "none": "debug"}


def write(outcome: Outcome) -> str:
    _tell_the_job(outcome)
    lines = [_annotation(row) for row in rows(outcome) if row.lead.verdict != "none"]
    lines += [f"::error title=contract version::{_data(each)}" for each in outcome.failures]
    lines += [f"::warning title=contracts::{_data(each)}" for each in outcome.warnings]
    return "\n".join([headline(outcome), *lines, summary_line(outcome)])


def _annotation(row: Row) -> str:
    """One a cause: GitHub shows ten of a kind in a run."""
    lead = row.lead
    level = "warning" if "warning" in lead.tags else _LEVELS[lead.verdict]
    where = {"title": f"{row.rule.id}: {row.who}"}
    at = row.cause.placed
    if at.file:
        where |= {"file": at.file, "line": str(at.line or 1), "col": str(at.column or 1)}
    lines = [
        f"{lead.direction}: {row.sentence}",
        f"in {row.names}" if row.names else "",
        f"{row.story}: {call(lead)}" if row.story else "",
        lead.explanation,
        f"why: {row.why}" if row.why else "",
        f"fix: {row.fix}" if row.fix else "",
        row.rule.url if row.why else "",
        f"fingerprint {row.cause.fingerprint}",
    ]
    text = "%0A".join(_data(line) for line in lines if line)
    return f"::{level} {','.join(f'{key}={_property(value)}' for key, value in where.items())}::{text}"


def _data(text: str) -> str:
    return one_line(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _tell_the_job(outcome: Outcome) -> None:
    """Counts for later steps of the job."""
    target = os.environ.get("GITHUB_OUTPUT")
    if not target:
        return
    numbers = counts(outcome)
    lines = [f"verdict={outcome.verdict}", f"exit_code={outcome.exit_code}"]
    lines += [f"{name}_count={numbers[name]}" for name in ("breaking", "additive", "docs", "unproven")]
    with Path(target).open("a", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")
