"""Annotations for GitHub Actions: workflow commands, with everything escaped that could start another one."""

from __future__ import annotations

import json
import os
from pathlib import Path

from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.table import RULES
from wekadocs_text import one_line

from .json_format import counts, summary_line

_LEVELS = {"breaking": "error", "additive": "notice", "docs": "notice", "none": "debug"}


def write(outcome: Outcome) -> str:
    _tell_the_job(outcome)
    lines = [_annotation(change) for change in outcome.changes if change.verdict != "none"]
    lines += [f"::error title=contract version::{_data(each)}" for each in outcome.failures]
    lines += [f"::warning title=contracts::{_data(each)}" for each in outcome.warnings]
    return "\n".join([*lines, summary_line(outcome)])


def _annotation(change: Change) -> str:
    level = "warning" if "warning" in change.tags else _LEVELS[change.verdict]
    place = {"title": f"{change.rule}: {change.tool}"}
    if change.file:
        place |= {"file": change.file, "line": str(change.line or 1)}
    what = "answer" if change.direction == "output" else "call"
    call = f"this {what}: {json.dumps(change.witness, ensure_ascii=False)}" if change.witness is not None else ""
    fix = f"fix: {RULES[change.rule].fix}" if change.verdict == "breaking" else ""
    mark = f"fingerprint {change.fingerprint}"
    lines = [f"{change.direction}: {change.message}", call, change.explanation, fix, mark]
    text = "%0A".join(_data(line) for line in lines if line)
    return f"::{level} {','.join(f'{key}={_property(value)}' for key, value in place.items())}::{text}"


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
