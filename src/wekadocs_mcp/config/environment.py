"""The environment put into tools.yaml: ${NAME} and ${NAME:-default}, read as the schema wants it, and never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from wekadocs_contracts.format.explain import Checker, Violation
from wekadocs_contracts.format.source import Pointer, dotted, plain_scalar
from wekadocs_contracts.problems import Problem

_ENV = re.compile(r"\$(\$)?\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def expand(
    value: object,
    pointer: Pointer,
    environment: dict[str, str | None],
    expanded: dict[str, str],
    problems: list[Problem],
    problem: Callable[..., Problem],
) -> Any:
    """Put ${NAME} and ${NAME:-default} in; $${NAME} stays as ${NAME}."""
    if isinstance(value, dict):
        return {
            key: expand(child, (*pointer, key), environment, expanded, problems, problem)
            for key, child in value.items()
        }
    if isinstance(value, list):
        return [
            expand(child, (*pointer, index), environment, expanded, problems, problem)
            for index, child in enumerate(value)
        ]
    if not isinstance(value, str) or "${" not in value:
        return value

    def put(match: re.Match[str]) -> str:
        escaped, name, default = match.groups()
        if escaped:
            return match.group(0)[1:]
        environment[name] = found = os.environ.get(name)
        if not found and default is None:
            hint = f"set {name}, or give a default: ${{{name}:-…}}"
            problems.append(problem(pointer, f"the environment variable {name} is not set", hint))
        return found or default or ""

    expanded[dotted(pointer)] = value
    return _ENV.sub(put, value)


def names_in(text: str) -> list[str]:
    """The environment variables that a value of the file names."""
    return [name for escaped, name, _ in _ENV.findall(text) if not escaped]


def violations(checker: Checker, data: object, base: Pointer, expanded: Mapping[str, str]) -> list[Violation]:
    """What is wrong with a part of tools.yaml, once what the environment gave is read as what the schema wants."""
    found = checker.violations(data)
    for violation in found:
        if dotted((*base, *violation.pointer)) in expanded:
            _retype(data, violation.pointer)
    if expanded and found:
        found = checker.violations(data)
    return [replace(each, message=without_secrets(each, base, expanded)) for each in found]


def without_secrets(violation: Violation, base: Pointer, expanded: Mapping[str, str]) -> str:
    """What came from the environment may be a secret: its text is never shown."""
    place = dotted((*base, *violation.pointer))
    inside = [raw for where, raw in expanded.items() if where == place or where.startswith((f"{place}.", f"{place}["))]
    if violation.at_key or not inside:
        return violation.message
    return f"the value of {', '.join(inside)} does not fit ({violation.keyword})"


def _retype(data: object, pointer: Pointer) -> None:
    """An environment variable is text; where the schema wants a number or a switch, read it as one."""
    holder: Any = data
    for part in pointer[:-1]:
        holder = holder[part]
    if isinstance(holder[pointer[-1]], str):
        holder[pointer[-1]] = plain_scalar(holder[pointer[-1]])
