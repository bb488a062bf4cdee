"""A function's parameters and the arguments it is promised: whether they agree, and how arguments become keywords."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wekadocs_contracts.format.schemas import Schema, properties
from wekadocs_contracts.problems import did_you_mean


@dataclass(frozen=True)
class Binding:
    """How checked arguments become keyword arguments."""

    names: tuple[str, ...]
    optional: frozenset[str]
    rest: bool
    # Declared, but taken by **rest only.
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, function: Callable[..., object], declared: Iterable[str]) -> Binding:
        parameters = list(inspect.signature(function).parameters.values())[1:]
        rest = any(each.kind is each.VAR_KEYWORD for each in parameters)
        named = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
        optional = frozenset(each.name for each in named if each.default is not each.empty)
        names = tuple(each.name for each in named)
        others = tuple(name for name in declared if name not in names)
        return cls(names, optional, rest, others if rest else ())

    def keywords(self, arguments: dict[str, object]) -> dict[str, Any]:
        """Absent is None, unless the parameter has its own default."""
        keywords = {}
        for name in self.names:
            if name in arguments:
                keywords[name] = arguments.pop(name)
            elif name not in self.optional:
                keywords[name] = None
        if self.rest:
            keywords.update(dict.fromkeys(self.others))
            keywords.update(arguments)
        return keywords


def arguments_of(schema: Schema) -> list[str]:
    """What a handler is passed: the host itself consumes `scope`."""
    return [name for name in properties(schema) if name != "scope"]


def takes(function: Callable[..., object] | None, name: str) -> bool:
    """Whether it has a parameter of this name, where that can be told."""
    try:
        return function is not None and name in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def where(function: Callable[..., object]) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(function)


def signature_problem(function: Callable[..., object], declared: Iterable[str]) -> str | None:
    """A mismatch between a function's parameters and the arguments it will be called with, in one sentence."""
    declared = list(declared)
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return "its parameters cannot be read"
    if _yields(function):
        return "it yields, and an answer comes in one piece: return it (`call.progress()` tells how far it is)"
    return _first_problem(list(parameters.values()), declared) or _others_problem(parameters, declared)


def _yields(function: Callable[..., object]) -> bool:
    callables = (function, type(function).__call__)
    return any(inspect.isgeneratorfunction(each) or inspect.isasyncgenfunction(each) for each in callables)


def _first_problem(parameters: list[inspect.Parameter], declared: list[str]) -> str | None:
    first = parameters[0] if parameters else None
    if first is None or first.kind not in (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD):
        return "its first parameter must be `call`"
    if first.name not in declared or first.kind is first.POSITIONAL_ONLY:
        return None
    if first.name != "call" and "call" not in declared:
        return f"its first parameter must be `call`, and `{first.name}` is an argument: write `call, {first.name}`"
    return f"`{first.name}` is both its first parameter and an argument: write `{first.name}, /` and take **rest"


def _others_problem(parameters: Mapping[str, inspect.Parameter], declared: list[str]) -> str | None:
    others = list(parameters.values())[1:]
    for each in others:
        if each.kind in (each.VAR_POSITIONAL, each.POSITIONAL_ONLY):
            return f"parameter `{each.name}` cannot be passed by name; arguments are keywords"
        if each.kind is not each.VAR_KEYWORD and each.name not in declared:
            scope = ": the host consumes it, and it comes as `call.scope`" if each.name == "scope" else ""
            return f"parameter `{each.name}` is none of its arguments{scope or did_you_mean(each.name, declared)}"
    missing = [name for name in declared if name not in {each.name for each in others}]
    if not missing or any(each.kind is each.VAR_KEYWORD for each in others):
        return None
    odd = [name for name in missing if not name.isidentifier() or keyword.iskeyword(name)]
    way = "take **rest for what is no Python name" if odd else f"add the parameter `{missing[0]}`, or **rest"
    return f"it does not take `{missing[0]}`: {way}"
