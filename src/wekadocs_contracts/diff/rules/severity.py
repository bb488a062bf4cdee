"""How much each rule weighs for a team: a file beside the contracts that lowers or raises what a rule found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, get_args

from wekadocs_contracts.diff.model import Change, Verdict
from wekadocs_contracts.diff.problems import Unreadable
from wekadocs_contracts.format.source import Source, read
from wekadocs_contracts.problems import Problem, StartError

from .table import RULES

FILE = "diff-severity.yaml"
Level = Literal["breaking", "warning", "additive", "docs", "off"]
LEVELS: tuple[Level, ...] = get_args(Level)
_WORD = "severity"


@dataclass(frozen=True)
class Severity:
    """Which level a rule has, where a team says so; and where it is said."""

    levels: dict[str, Level] = field(default_factory=dict)
    path: str = ""

    def of(self, row: Change) -> Change | None:
        """The row at its level; None where the rule is off."""
        level = self.levels.get(row.rule)
        if level is None:
            return row
        if level == "off":
            return None
        if level == "warning":
            verdict: Verdict = "additive" if row.verdict == "breaking" else row.verdict
            return replace(row, verdict=verdict, tags=tuple(dict.fromkeys((*row.tags, "warning"))))
        # What is proven to hurt nobody stays so: a level says how bad a finding is, not what is true.
        proven_safe = row.verdict == "none" and row.proof in ("empty-difference", "congruence")
        if proven_safe or row.verdict == level:
            return row
        tags = tuple(tag for tag in row.tags if tag != "warning")
        return replace(row, verdict=level, tags=tags)

    def told(self) -> str:
        """One line for every report: whoever reads it knows that the levels are not the usual ones."""
        shown = ", ".join(f"{rule} is {level}" for rule, level in sorted(self.levels.items()))
        return f"by {self.path}: {shown}" if shown else ""


def load(path: Path) -> Severity:
    """The levels, or Unreadable with everything that is wrong with the file."""
    try:
        source = read(path)
        problems = list(_problems(source))
        if problems:
            raise StartError(problems)
    except StartError as error:
        raise Unreadable(str(error)) from None
    return Severity(dict((source.data or {}).get(_WORD) or {}), path.as_posix())


def _problems(source: Source) -> Iterator[Problem]:
    data = source.data
    if data is None:
        return
    if not isinstance(data, dict) or not isinstance(data.get(_WORD, {}), dict | None):
        yield source.problem((), "a severity file is `severity:` with a level for each rule", "RULE: warning")
        return
    for key in (key for key in data if key != _WORD):
        yield source.problem((key,), f"`{key}` is unknown", f"only `{_WORD}` stands here", at_key=True)
    for rule, level in (data.get(_WORD) or {}).items():
        yield from _of_rule(source, rule, level)


def _of_rule(source: Source, rule: str, level: object) -> Iterator[Problem]:
    place = (_WORD, rule)
    if rule not in RULES:
        close = get_close_matches(rule, RULES, 1)
        hint = f"did you mean {close[0]}?" if close else "contracts diff --rules lists them all"
        yield source.problem(place, f"no rule is called `{rule}`", hint, at_key=True)
    elif RULES[rule].category == "internal":
        hint = "allow it for one run with --allow-unproven, or accept its fingerprint"
        yield source.problem(place, f"`{rule}` has no level: it says that nothing is known", hint, at_key=True)
    if level not in LEVELS:
        yield source.problem(place, f"{level!r} is no level", f"one of {', '.join(LEVELS)}")
