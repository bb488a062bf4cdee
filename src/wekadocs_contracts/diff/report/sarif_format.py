"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from wekadocs_contracts.diff.model import Change
from wekadocs_contracts.diff.outcome import Outcome
from wekadocs_contracts.diff.rules.table import PAGES, RULES
from wekadocs_text import as_json, one_line

_LEVELS = {"breaking": "error", "additive": "note", "docs": "note", "none": "none"}


def write(outcome: Outcome) -> str:
    used = list(dict.fromkeys(change.rule for change in outcome.changes))
    extra = {"id": "version", "shortDescription": {"text": "the version does not fit the change"}}
    driver = {
        "name": "wekadocs-contracts",
        "version": _version(),
        "informationUri": "https://github.com/wekadocs/wekadocs-mcp",
        "rules": [*(_rule(name) for name in used), *([extra] if outcome.failures else [])],
    }
    failures = [
        {"ruleId": "version", "level": "error", "message": {"text": one_line(each)}} for each in outcome.failures
    ]
    run = {"tool": {"driver": driver}, "results": [*(_result(change) for change in outcome.changes), *failures]}
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return as_json(document, indent=1, ensure_ascii=True)


def _version() -> str:
    """Of the distribution that these files came with: the light one, or the host's."""
    try:
        return version("wekadocs-contracts")
    except PackageNotFoundError:
        return version("wekadocs-mcp")


def _rule(name: str) -> dict[str, Any]:
    rule = RULES[name]
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.reason},
        "fullDescription": {"text": f"Why: {rule.reason}. Fix: {rule.fix}."},
        "help": {"text": rule.fix},
        "helpUri": rule.url,
        "properties": {"category": rule.category, "policy": rule.policy},
    }


def _result(change: Change) -> dict[str, Any]:
    call = f" — {json.dumps(change.witness, ensure_ascii=False)}" if change.witness is not None else ""
    result: dict[str, Any] = {
        "ruleId": change.rule,
        "level": "warning" if "warning" in change.tags else _LEVELS[change.verdict],
        "message": {"text": one_line(f"{change.tool} {change.direction}: {change.message}{call}{_advice(change)}")},
        "partialFingerprints": {"contractChange/v1": change.fingerprint},
        "properties": {
            "verdict": change.verdict,
            "proof": change.proof,
            "tags": list(change.tags),
            "pointer": change.pointer,
            "group": change.group,
        },
    }
    if change.group:
        result["correlationGuid"] = str(uuid5(NAMESPACE_URL, f"{PAGES}#{change.group}"))
    if change.file:
        region = {"startLine": change.line or 1, "startColumn": change.column or 1}
        result["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(change.file), "region": region}}]
    return result


def _advice(change: Change) -> str:
    rule = RULES[change.rule]
    return f" — why: {rule.reason}; fix: {change.way_out or rule.fix}" if change.verdict == "breaking" else ""


def _artifact(file: str) -> dict[str, str]:
    """Below the folder one stands in, as code scanning wants it; else the whole address."""
    path = PurePath(file)
    here = PurePath(Path.cwd())
    if path.is_absolute() and path.is_relative_to(here):
        path = path.relative_to(here)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}
