"""One row for people: what was done and by which tools, where, why it matters, what to do about it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.causes import Cause
from wekadocs_contracts.diff.rules.table import RULES, Rule

MAX_NAMES = 30


@dataclass(frozen=True)
class Row:
    cause: Cause
    is_unproven: bool

    @property
    def lead(self) -> Change:
        return self.cause.lead

    @property
    def rule(self) -> Rule:
        """Of a name that is gone, whatever shows it; else of the row itself."""
        gone = self.cause.gone
        return RULES[gone.rule if gone else self.lead.rule]

    @property
    def verdict(self) -> str:
        return "unproven" if self.is_unproven else self.lead.verdict

    @property
    def who(self) -> str:
        tools = self._tools
        return tools[0] if len(tools) == 1 else f"{len(tools)} tools"

    @property
    def names(self) -> str:
        """Of the tools, where there are several."""
        tools = self._tools
        more = f" and {len(tools) - MAX_NAMES} more" if len(tools) > MAX_NAMES else ""
        return ", ".join(tools[:MAX_NAMES]) + more if len(tools) > 1 else ""

    @property
    def _tools(self) -> list[str]:
        """A tool that was renamed is one, and told with both names."""
        return [self.lead.tool] if self.lead.rule == "tool-removed" else self.cause.tools

    @property
    def sentence(self) -> str:
        return self.cause.sentence

    @property
    def rules(self) -> str:
        return ", ".join(dict.fromkeys([self.rule.id, *(row.rule for row in self.cause.rows)]))

    @property
    def place(self) -> str:
        return place(self.cause.placed)

    @property
    def tags(self) -> list[str]:
        """Words that only echo the change need no second look."""
        tags = dict.fromkeys(tag for row in self.cause.rows for tag in row.tags)
        return [tag for tag in tags if tag != "routing" or tag in self.lead.tags]

    @property
    def why(self) -> str:
        """For what breaks, or may: the others need no reason."""
        return self.rule.reason if self.verdict in ("breaking", "unproven") else ""

    @property
    def fix(self) -> str:
        return fix(self.lead, self.rule) if self.verdict in ("breaking", "unproven") else ""

    @property
    def story(self) -> str:
        if self.lead.witness is None:
            return ""
        if self.lead.direction == "input":
            return "this call worked and fails now"
        return "this answer was excluded and may come now"


def rows(outcome: Outcome) -> list[Row]:
    unproven = {row.fingerprint for row in outcome.unproven}
    return [Row(cause, cause.lead.fingerprint in unproven) for cause in outcome.causes]


def fix(change: Change, rule: Rule | None = None) -> str:
    return change.way_out or (rule or RULES[change.rule]).fix


def place(change: Change) -> str:
    """As terminals and editors open it."""
    parts = [change.file, change.line, change.column if change.line else None]
    return ":".join(str(part) for part in parts if part)


def call(change: Change, most: int = 400) -> str:
    text = json.dumps(change.witness, ensure_ascii=False)
    return f"{change.tool} {text if len(text) <= most else f'{text[:most]}…'}"
