"""Python: a TypedDict an object, and for each tool a decorator that takes only a handler of the right signature."""

from __future__ import annotations

import json
import keyword
from collections.abc import Sequence

from .shapes import AnyOf, Field, ListOf, Made, MapOf, Named, OneOfValues, Plain, Shape

_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "anything": "Any"}
_HEAD = '''\
"""Types of {count}, made by `wekadocs-mcp contracts types`: do not edit.

A decorator here takes the place of `@tool("…")`; mypy and pyright then tell where handler and contract disagree.
"""

# ruff: noqa
from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, Literal, NotRequired, Protocol, TypedDict, TypeVar

from wekadocs_mcp import Answer, Call, InputRequired, tool
'''


def python(tools: Sequence[Made]) -> str:
    count = f"{len(tools)} contract{'s' if len(tools) != 1 else ''}"
    return _HEAD.format(count=count) + "".join(_of(each) for each in tools)


def _of(made: Made) -> str:
    parts = [_typed_dict(name, fields) for name, fields in made.objects.items()]
    parts.append(_typed_dict(f"{made.stem}Arguments", made.arguments))
    return "".join(f"\n\n{part}\n" for part in (*parts, _handler(made), _decorator(made)))


def _typed_dict(name: str, fields: Sequence[Field]) -> str:
    """By calling it where a key is no Python name."""
    types = {each.name: _type(each.shape) if each.is_there else f"NotRequired[{_type(each.shape)}]" for each in fields}
    if all(_is_name(key) for key in types):
        return f"class {name}(TypedDict):\n" + (
            "\n".join(f"    {key}: {type}" for key, type in types.items()) or "    pass"
        )
    inner = ", ".join(f"{json.dumps(key)}: {json.dumps(type)}" for key, type in types.items())
    return f"{name} = TypedDict({json.dumps(name)}, {{{inner}}})"


def _handler(made: Made) -> str:
    """Every argument by keyword; None where it may be absent."""
    named = [each for each in made.handled if _is_name(each.name)]
    parameters = [f"{each.name}: {_type(each.shape)}{'' if each.is_there else _or_none(each.shape)}" for each in named]
    self, call, others = (_free(name, named) for name in ("self", "call", "rest"))
    rest = [f"**{others}: Any"] if len(named) < len(made.handled) else []
    given = ", ".join([self, f"{call}: Call[Any]", "/", *(["*", *parameters] if parameters else []), *rest])
    result = "Mapping[str, Any]" if made.result is None else _type(made.result)
    returned = f"{result} | Answer | InputRequired"
    return f"class {made.stem}Handler(Protocol):\n    def __call__({given}) -> {returned} | Awaitable[{returned}]: ..."


def _free(name: str, taken: Sequence[Field]) -> str:
    """An argument may be called like what every handler is given."""
    while any(each.name == name for each in taken):
        name += "_"
    return name


def _decorator(made: Made) -> str:
    name, major = made.contract.name, made.contract.major
    function = decorator_name(name, major if made.has_others else None)
    handler = f"_{made.stem}"
    return (
        f'{handler} = TypeVar("{handler}", bound={made.stem}Handler)\n\n\n'
        f"def {function}(handler: {handler}) -> {handler}:\n"
        f'    """The handler of {name}, version {made.contract.version}: {_sentence(made.contract.title)}"""\n'
        f"    tool({json.dumps(name)}, version={major})(handler)\n"
        "    return handler"
    )


def decorator_name(tool: str, major: int | None = None) -> str:
    function = tool.replace(".", "_").replace("-", "_") + (f"_v{major}" if major is not None else "")
    return function if _is_name(function) else f"t_{function}"


def _sentence(title: str) -> str:
    told = " ".join(title.replace("\\", " ").replace('"', "'").split())
    return told if told.endswith(".") else f"{told}."


def _type(shape: Shape) -> str:
    match shape:
        case Plain(name):
            return _PLAIN[name]
        case OneOfValues(values):
            return f"Literal[{', '.join(repr(value) for value in values)}]"
        case ListOf(item):
            return f"list[{_type(item)}]"
        case MapOf(value):
            return f"dict[str, {_type(value)}]"
        case Named(name):
            return name
        case AnyOf(options):
            return " | ".join(_type(each) for each in options)


def _or_none(shape: Shape) -> str:
    told = _type(shape)
    return "" if told == "Any" or told.endswith("None") else " | None"


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)
