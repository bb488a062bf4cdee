"""The words of the contract diff: what a side is made of, what a change is, what a proof says."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Direction = Literal["input", "output"]
Verdict = Literal["breaking", "additive", "docs", "none"]
ProofKind = Literal["witness", "empty-difference", "congruence", "policy", "unproven"]


@dataclass(frozen=True)
class SchemaProof:
    """What can be said of one schema pair in one direction.

    `breaking`: some call that worked is refused now (input), or some answer appears that was promised not to (output).
    `widened`: the other way round; not breaking, but more than before. None: could not be decided.
    """

    breaking: bool | None
    widened: bool | None
    proof: ProofKind
    witness: Any = None
    milliseconds: float = 0.0


@dataclass(frozen=True)
class ToolSide:
    """One tool as one operand shows it. None means: this operand cannot carry it (not comparable, never 'removed')."""

    name: str
    wire: dict[str, Any]
    version: str | None = None
    status: str | None = None
    hash: str | None = None
    errors: tuple[str, ...] | None = None
    any_error: bool = False
    argument_aliases: dict[str, str] | None = None
    budgets: dict[str, Any] | None = None
    flag: str | None = None
    replaced_by: str | None = None
    list_flag: str | None = None
    bounds: dict[str, dict[str, int]] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    error_details: dict[str, dict[str, Any]] = field(default_factory=dict)
    failure: dict[str, Any] = field(default_factory=dict)
    error_codes: dict[str, str] = field(default_factory=dict)
    error_text: str | None = None
    text_field: str | None = None
    examples: tuple[dict[str, Any], ...] = ()
    file: str | None = None
    lines: dict[str, int] = field(default_factory=dict)
    text: str | None = None
    carries: bool = (
        False  # errors, aliases, budgets, flag, text and status are known (contracts and locks; never the wire)
    )
    source: Path | None = None  # the file itself, which for a git ref is not at `file`
    inside: tuple[str | int, ...] = ()  # where the tool stands in it, if it is a file of several

    @property
    def major(self) -> int | None:
        return int(self.version.split(".")[0]) if self.version else None

    @property
    def served(self) -> bool:
        return self.status != "disabled"


@dataclass(frozen=True)
class Change:
    """One row of the answer; its fields are fixed: other programs read them."""

    tool: str
    direction: Literal["input", "output", "meta"]
    verdict: Verdict
    rule: str
    pointer: str
    before: Any = None
    after: Any = None
    witness: Any = None
    proof: ProofKind = "policy"
    tags: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    column: int | None = None
    group: str | None = None  # shared by all rows of one cause, where there are several
    message: str = ""
    fingerprint: str = ""
    bump_required: str | None = None
    bump_found: str | None = None
    explanation: str = ""  # why the new side refuses the witness
    milliseconds: float = 0.0
    way_out: str = ""  # where the rule's own fix does not fit
    cause: str = ""  # what was done, where it shows in several tools at once
