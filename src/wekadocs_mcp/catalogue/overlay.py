"""A deployment's changes to one contract: words, defaults within caps, caps only downwards."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.defaults import unfit_defaults
from wekadocs_contracts.format.schema_checks import sub_checker
from wekadocs_contracts.format.schemas import Schema, properties, required, resolved
from wekadocs_contracts.format.source import Pointer
from wekadocs_contracts.problems import Problem, did_you_mean
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.config.environment import without_secrets

_CAP_OF_TYPE = {"integer": "maximum", "number": "maximum", "string": "maxLength", "array": "maxItems"}
_FLOOR_OF_CAP = {"maximum": "minimum", "maxLength": "minLength", "maxItems": "minItems"}


def apply(contract: Contract, config: Config, key: str) -> tuple[Schema, dict[str, Any], list[Problem]]:
    """The input schema as served, the budgets as served, and what the overlay may not do."""
    overlay = config.overlays.get(key, {})
    schema = copy.deepcopy(contract.input) if overlay else contract.input
    budgets = {**config.budgets, **contract.budgets}
    problems: list[Problem] = []
    here: Pointer = ("overlays", key)
    for path, cap in _flat(overlay.get("caps", {})):
        problems.extend(_cap(schema, path, cap, lambda *a, p=path: config.problem((*here, "caps", p), *a)))
    for path, default in _flat(overlay.get("defaults", {}), schema):
        problems.extend(_default(schema, path, default, config, (*here, "defaults", path)))
    if overlay and not problems:
        problems.extend(_left_over(schema, overlay, config, here))
    for name, value in overlay.get("budgets", {}).items():
        if value > budgets[name]:
            message = f"{name} {value} is above the contract's {budgets[name]}"
            problems.append(config.problem((*here, "budgets", name), message, "an overlay can only lower a budget"))
        budgets[name] = min(value, budgets[name])
    return schema, budgets, problems


Report = Callable[..., Problem]


def _flat(changes: Mapping[str, object], schema: Schema | None = None, prefix: str = "") -> list[tuple[str, Any]]:
    """`{options: {mode: x}}` and `{options.mode: x}` mean the same, unless `options` takes an object as its default."""
    flat: list[tuple[str, Any]] = []
    for name, value in changes.items():
        if isinstance(value, Mapping) and (schema is None or properties(schema, _find(schema, prefix + name))):
            flat.extend(_flat(value, schema, f"{prefix}{name}."))
        else:
            flat.append((f"{prefix}{name}", value))
    return flat


def _find(schema: Schema, path: str) -> Schema | None:
    node: Schema | None = schema
    for part in path.split("."):
        found = properties(schema, node).get(part) if node is not None else None
        node = resolved(schema, found) if found is not None else None
    return node


def _place(schema: Schema, path: str) -> tuple[Schema, Pointer] | None:
    """The property's own place, made beside the $ref or allOf that it is declared behind; None for no argument."""
    if _find(schema, path) is None:
        return None
    node: Schema = schema
    pointer: Pointer = ()
    for part in path.split("."):
        node = node.setdefault("properties", {}).setdefault(part, {})
        pointer = (*pointer, "properties", part)
    return node, pointer


def _cap(schema: Schema, path: str, cap: object, report: Report) -> list[Problem]:
    found = _find(schema, path)
    place = _place(schema, path)
    if place is None or found is None:
        return [report(*_unknown(schema, path))]
    kinds = [found["type"]] if isinstance(found.get("type"), str) else found.get("type", [])
    keyword = next((_CAP_OF_TYPE[kind] for kind in kinds if kind in _CAP_OF_TYPE), None)
    if keyword is None:
        return [report(f"`{path}` has no size to cap", "caps are for numbers, strings and arrays")]
    if keyword != "maximum" and not (isinstance(cap, int) and cap >= 0):
        return [report(f"{cap} is no length", "write a whole number")]
    caps = [found[each] for each in (keyword, "exclusiveMaximum") if each in found]
    floor = found.get(_FLOOR_OF_CAP[keyword])
    if caps and cap > min(caps):
        return [report(f"{cap} is above the contract's cap of {min(caps)}", "an overlay can only lower a cap")]
    if floor is not None and cap < floor:
        return [report(f"{cap} is below the contract's minimum of {floor}", f"choose {floor} or more")]
    place[0][keyword] = cap
    return []


_WITHIN = "choose a value within the contract's limits and caps"


def _default(schema: Schema, path: str, default: object, config: Config, here: Pointer) -> list[Problem]:
    place = _place(schema, path)
    if place is None:
        return [config.problem(here, *_unknown(schema, path))]
    for violation in sub_checker(schema, place[1]).violations(default):
        return [config.problem(here, f"default {without_secrets(violation, here, config.expanded)}", _WITHIN)]
    place[0]["default"] = default
    if _is_required(schema, path):
        hint = "leave it out: a contract alone says what callers may leave out"
        return [config.problem(here, f"`{path}` is required, so its default would never be used", hint)]
    return []


def _is_required(schema: Schema, path: str) -> bool:
    holder, _, name = path.rpartition(".")
    return name in required(schema, _find(schema, holder) if holder else schema)


def _left_over(schema: Schema, overlay: Mapping[str, Any], config: Config, here: Pointer) -> list[Problem]:
    """Defaults, the contract's or the overlay's, that the limits no longer allow once all is put together."""
    problems = []
    changed = dict(_flat(overlay.get("defaults", {}), schema))
    for violation in unfit_defaults(schema):
        path = ".".join(map(str, violation.pointer))
        if path in changed:
            message = (
                f"default {without_secrets(replace(violation, pointer=()), (*here, 'defaults', path), config.expanded)}"
            )
            problems.append(config.problem((*here, "defaults", path), message, _WITHIN))
        else:
            message = f"the default of `{path}` does not fit the new cap: {violation.message}"
            problems.append(config.problem((*here, "caps"), message, f"lower the default too: defaults: {{{path}: …}}"))
    return problems


def _unknown(schema: Schema, path: str) -> tuple[str, str]:
    names = list(properties(schema))
    return f"`{path}` is no argument{did_you_mean(path, names)}", f"arguments: {', '.join(names)}"
