"""A deployment's changes to one contract: words, defaults within caps, caps only downwards."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from .config import Config
from .contracts import Contract
from .errors import Problem, did_you_mean
from .schemas import Schema, properties, resolved, sub_checker
from .source import Pointer

_CAP_OF_TYPE = {"integer": "maximum", "number": "maximum", "string": "maxLength", "array": "maxItems"}
_FLOOR_OF_CAP = {"maximum": "minimum", "maxLength": "minLength", "maxItems": "minItems"}


def apply(contract: Contract, config: Config) -> tuple[Schema, dict[str, Any], list[Problem]]:
    """The input schema as served, the budgets as served, and what the overlay may not do."""
    overlay = config.overlays.get(contract.name, {})
    schema = copy.deepcopy(contract.input) if overlay else contract.input
    budgets = {**config.budgets, **contract.budgets}
    problems: list[Problem] = []
    here: Pointer = ("overlays", contract.name)
    for path, cap in _flat(overlay.get("caps", {})):
        problems.extend(_cap(schema, path, cap, lambda *a, p=path: config.problem((*here, "caps", p), *a)))
    for path, default in _flat(overlay.get("defaults", {}), schema):
        problems.extend(_default(schema, path, default, lambda *a, p=path: config.problem((*here, "defaults", p), *a)))
    if not problems:
        problems.extend(_left_over(schema, overlay, lambda *a: config.problem((*here, "caps"), *a)))
    for name, value in overlay.get("budgets", {}).items():
        if value > budgets[name]:
            message = f"{name} {value} is above the contract's {budgets[name]}"
            problems.append(config.problem((*here, "budgets", name), message, "an overlay can only lower a budget"))
        budgets[name] = min(value, budgets[name])
    return schema, budgets, problems


Report = Callable[..., Problem]


def _flat(changes: Mapping[str, Any], schema: Schema | None = None, prefix: str = "") -> list[tuple[str, Any]]:
    """`{options: {mode: x}}` and `{options.mode: x}` mean the same, unless `options` takes an object as its default."""
    flat: list[tuple[str, Any]] = []
    for name, value in changes.items():
        nested = isinstance(value, Mapping) and (schema is None or properties(schema, _find(schema, prefix + name)))
        flat.extend(_flat(value, schema, f"{prefix}{name}.") if nested else [(f"{prefix}{name}", value)])
    return flat


def _find(schema: Schema, path: str) -> Schema | None:
    node: Schema | None = schema
    for part in path.split("."):
        found = properties(schema, node).get(part) if node is not None else None
        node = resolved(schema, found) if found is not None else None
    return node


def _place(schema: Schema, path: str) -> tuple[Schema, Pointer] | None:
    """The property's own place in the schema, made writable there; None for what stands behind a $ref."""
    node, pointer = schema, ()
    for part in path.split("."):
        holder = node.get("properties", {})
        if part not in holder:
            return None
        node, pointer = holder[part], (*pointer, "properties", part)
    return node, pointer


def _cap(schema: Schema, path: str, cap: Any, report: Report) -> list[Problem]:
    place, found = _place(schema, path), _find(schema, path)
    if place is None or found is None:
        return [report(*_unknown(schema, path))]
    kind = found.get("type")
    keyword = _CAP_OF_TYPE.get(kind) if isinstance(kind, str) else None
    if keyword is None:
        return [report(f"`{path}` has no size to cap", "caps are for numbers, strings and arrays")]
    current, floor = found.get(keyword), found.get(_FLOOR_OF_CAP[keyword])
    if current is not None and cap > current:
        return [report(f"{cap} is above the contract's cap of {current}", "an overlay can only lower a cap")]
    if floor is not None and cap < floor:
        return [report(f"{cap} is below the contract's minimum of {floor}", f"choose {floor} or more")]
    place[0][keyword] = cap
    return []


def _default(schema: Schema, path: str, default: Any, report: Report) -> list[Problem]:
    place = _place(schema, path)
    if place is None:
        return [report(*_unknown(schema, path))]
    found = sub_checker(schema, place[1]).violations(default)
    if found:
        return [report(f"default {found[0].message}", "choose a value within the contract's limits and caps")]
    place[0]["default"] = default
    return []


def _left_over(schema: Schema, overlay: Mapping[str, Any], report: Report) -> list[Problem]:
    """A contract's default that the lowered cap no longer allows."""
    problems = []
    for path, _ in _flat(overlay.get("caps", {})):
        place = _place(schema, path)
        if place is not None and "default" in place[0]:
            for violation in sub_checker(schema, place[1]).violations(place[0]["default"]):
                hint = f"lower the default too: defaults: {{{path}: …}}"
                problems.append(report(f"the default of `{path}` does not fit the new cap: {violation.message}", hint))
    return problems


def _unknown(schema: Schema, path: str) -> tuple[str, str]:
    names = list(properties(schema))
    return f"`{path}` is no argument{did_you_mean(path, names)}", f"arguments: {', '.join(names)}"
