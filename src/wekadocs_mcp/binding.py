"""A handler's parameters and its contract: whether they agree, and how checked arguments become keywords."""

from __future__ import annotations

import inspect
import keyword
from dataclasses import dataclass
from typing import Any

from .contracts import Contract
from .errors import did_you_mean
from .schemas import Schema, properties
from .tools import Handler


@dataclass(frozen=True)
class Binding:
    """How checked arguments become keyword arguments."""

    names: tuple[str, ...]
    optional: frozenset[str]
    rest: bool
    # Declared, but taken by **rest only.
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, handler: Handler, schema: Schema) -> Binding:
        parameters = list(inspect.signature(handler).parameters.values())[1:]
        rest = any(each.kind is each.VAR_KEYWORD for each in parameters)
        named = [each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
        optional = frozenset(each.name for each in named if each.default is not each.empty)
        names = tuple(each.name for each in named)
        others = tuple(name for name in properties(schema) if name != "scope" and name not in names)
        return cls(names, optional, rest, others if rest else ())

    def keywords(self, arguments: dict[str, Any]) -> dict[str, Any]:
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


def signature_problem(handler: Handler, contract: Contract) -> str | None:
    """A mismatch between a handler's parameters and its contract, in one sentence."""
    try:
        parameters = list(inspect.signature(handler).parameters.values())
    except (TypeError, ValueError):
        return "its parameters cannot be read"
    if not parameters or parameters[0].kind not in (parameters[0].POSITIONAL_ONLY, parameters[0].POSITIONAL_OR_KEYWORD):
        return "its first parameter must be `call`"
    declared = [name for name in properties(contract.input) if name != "scope"]
    rest = any(each.kind is each.VAR_KEYWORD for each in parameters)
    first = parameters[0]
    if first.name in declared and first.kind is not first.POSITIONAL_ONLY:
        return f"`{first.name}` is both its first parameter and an argument: write `{first.name}, /` and take **rest"
    for each in parameters[1:]:
        if each.kind in (each.VAR_POSITIONAL, each.POSITIONAL_ONLY):
            return f"parameter `{each.name}` cannot be passed by name; arguments are keywords"
        if each.kind is not each.VAR_KEYWORD and each.name not in declared:
            return f"parameter `{each.name}` is no property of its input{did_you_mean(each.name, declared)}"
    taken = {each.name for each in parameters[1:]}
    missing = [name for name in declared if name not in taken]
    if missing and not rest:
        odd = [name for name in missing if not name.isidentifier() or keyword.iskeyword(name)]
        way = "take **rest for what is no Python name" if odd else f"add the parameter `{missing[0]}`, or **rest"
        return f"it does not take `{missing[0]}`: {way}"
    return None
