"""Scope: what tools.yaml allows, and what a caller may narrow it to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wekadocs_contracts.problems import did_you_mean
from wekadocs_mcp.errors import ToolError

from .call import Scope

_SCOPE_KINDS: dict[str, type] = {"project_id": str, "environment": str, "doc_tags": list, "repositories": list}


def _check_scope(asked: object) -> None:
    """However open a contract leaves `scope`: a key nobody looks at would look like a narrower scope, and be none."""
    if not isinstance(asked, Mapping):
        message = f"scope is an object with {', '.join(_SCOPE_KINDS)}."
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/scope"})
    for key, value in asked.items():
        kind = _SCOPE_KINDS.get(key)
        if kind is None:
            message = f"scope: unknown name `{key}`{did_you_mean(key, _SCOPE_KINDS)}"
            raise ToolError("INVALID_ARGUMENT", message, {"path": f"/scope/{key}"})
        texts = value if kind is list and isinstance(value, list) else [value] if kind is str else [None]
        if value is not None and not all(isinstance(each, str) for each in texts):
            message = f"scope.{key} is {'a list of strings' if kind is list else 'a string'}."
            raise ToolError("INVALID_ARGUMENT", message, {"path": f"/scope/{key}"})


def narrowed(ceiling: Scope, asked: Mapping[str, Any] | None) -> Scope:
    """A caller may only narrow: another project or environment, or tags outside the ceiling, are refused."""
    if asked is None:
        return ceiling
    _check_scope(asked)
    for key in ("project_id", "environment"):
        if asked.get(key) is not None and asked[key] != getattr(ceiling, key):
            message = f"This server answers for {key} {getattr(ceiling, key)!r} only: leave scope.{key} out."
            raise ToolError("SCOPE_VIOLATION", message, {"path": f"/scope/{key}"})
    scope = ceiling
    for key in ("doc_tags", "repositories"):
        wanted, allowed = tuple(asked.get(key) or ()), getattr(ceiling, key)
        outside = [each for each in wanted if allowed and each not in allowed]
        if outside:
            message = f"scope.{key} may only name: {', '.join(allowed)}."
            raise ToolError("SCOPE_VIOLATION", message, {"path": f"/scope/{key}", "outside": outside[:5]})
        if wanted:
            scope = replace(scope, doc_tags=wanted) if key == "doc_tags" else replace(scope, repositories=wanted)
    return scope
