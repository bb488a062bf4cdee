"""`contracts lint`: the strict loader, and what is legal but will hurt. Each rule has an id, a reason and a fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wekadocs_contracts.format import contracts, templates
from wekadocs_contracts.format.contracts import Contract, problem_in
from wekadocs_contracts.format.schemas import Schema, resolved
from wekadocs_contracts.problems import HOST_CODES, Problem, Refused, StartError

from . import mentions, rules

_LONG_DESCRIPTION = 1600


@dataclass(frozen=True)
class LintFinding:
    rule: str
    severity: str
    problem: Problem

    def as_dict(self) -> dict[str, Any]:
        each = self.problem
        return {
            "rule": self.rule, "severity": self.severity, "file": each.file, "line": each.line,
            "pointer": each.pointer, "message": each.message, "fix": each.hint,
        }  # fmt: skip


def count(folders: Sequence[Path]) -> int:
    return sum(len(contracts.contract_files(folder)) for folder in folders)


def lint(
    folders: Sequence[Path], clients: Sequence[str] = (), elsewhere: mentions.Elsewhere = mentions.nowhere
) -> list[LintFinding]:
    """Every finding; `elsewhere` tells names of further tools that contracts may point to."""
    files = list(dict.fromkeys(path for folder in folders for path in contracts.contract_files(folder)))
    try:
        loaded = contracts.load(files)
    except Refused:
        raise
    except StartError as error:
        problems = [each if isinstance(each, Problem) else Problem("contracts", each) for each in error.problems]
        return [LintFinding("load", "error", each) for each in problems]
    found = [finding for contract in loaded for finding in _one(contract)]
    found += [LintFinding(rule.id, rule.severity, problem) for rule, problem in rules.check(loaded, clients, elsewhere)]
    return sorted(found, key=lambda finding: (finding.severity, finding.problem.file, finding.problem.line))


def _one(contract: Contract) -> Iterator[LintFinding]:
    yield from _text_renders(contract)
    yield from _error_text_renders(contract)
    context = templates.routing_context(contract.bounded_input, contract.budgets, lambda name: name)
    description = templates.describe(contract.routing, context, contract.bounded_input)
    if len(description) > _LONG_DESCRIPTION:
        message = f"the description has {len(description)} characters; every client sends it to its model every time"
        yield LintFinding(
            "long-description", "warning", Problem(contract.file, message, f"keep it under {_LONG_DESCRIPTION}")
        )
    if "." not in contract.name and contract.status != "deprecated":  # nobody can rename what others still call
        message = f"`{contract.name}` has no namespace; a bare name collides with other servers' tools"
        yield LintFinding(
            "bare-name", "warning", Problem(contract.file, message, "name it area.verb, such as docs.search")
        )


def _text_renders(contract: Contract) -> Iterator[LintFinding]:
    """The text template on an answer with everything in it, and on an empty one."""
    if contract.text is None:
        return
    for kind, items in (("a full", 1), ("an empty", 0)):
        answer = sample(contract.output or {}, contract.output or {}, items)
        yield from _renders(contract, "text", contract.text, answer, f"{kind} answer")


def _error_text_renders(contract: Contract) -> Iterator[LintFinding]:
    """On a failure of every code, with nothing in its details."""
    if contract.error_text is None:
        return
    for code in sorted(contract.codes or HOST_CODES):
        failure = {"code": code, "message": "text", "details": {}, "retryable": False}
        yield from _renders(contract, "error_text", contract.error_text, failure, code)


def _renders(contract: Contract, key: str, source: str, over: dict[str, Any], what: str) -> Iterator[LintFinding]:
    from jinja2.exceptions import SecurityError

    try:
        templates.render_answer(source, templates.answers().from_string(source), over)
    except Exception as error:
        message = f"the {key} template fails on {what}: {error}"
        if isinstance(error, SecurityError):
            raise Refused([problem_in(contract, message, "say it with less", (key,))]) from None
        hint = "guard what may be absent: {% if x is defined %}"
        yield LintFinding("text-template", "error", Problem(contract.file, message, hint, pointer=f"$.{key}"))


_OF_TYPE: dict[str, Any] = {"string": "text", "integer": 1, "number": 1.0, "boolean": True, "null": None}


def sample(root: Schema, schema: Schema, items: int, depth: int = 0) -> Any:
    """An answer of this shape; lists have `items` elements."""
    node = resolved(root, schema) if isinstance(schema, dict) else {}
    for keyword in ("const", "default"):
        if keyword in node:
            return node[keyword]
    if node.get("enum"):
        return node["enum"][0]
    for keyword in ("anyOf", "oneOf"):
        if node.get(keyword):
            return sample(root, node[keyword][0], items, depth + 1)
    kind = node.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if (kind == "object" or "properties" in node) and depth < 12:
        return {name: sample(root, child, items, depth + 1) for name, child in node.get("properties", {}).items()}
    if kind == "array" and depth < 12:
        return [sample(root, node.get("items", {}), items, depth + 1)] * items
    return _OF_TYPE.get(str(kind), {} if kind == "object" else "text")
