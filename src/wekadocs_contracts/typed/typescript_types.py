"""TypeScript: an interface an object, and one that has the arguments and the result of every tool by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from .shapes import AnyOf, Field, ListOf, Made, MapOf, Named, OneOfValues, Plain, Shape

_PLAIN = {"integer": "number", "anything": "unknown"}
_RANK = {"stable": 2, "disabled": 0}
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_HEAD = "// Types of {count}, made by `wekadocs-mcp contracts types --language typescript`: do not edit.\n"
_TAIL = """
export type ToolName = keyof Tools;

/** What a client needs to call these tools by name; `structuredContent` of the answer is the result. */
export type CallTool = <Name extends ToolName>(
  name: Name,
  args: Tools[Name]["arguments"],
) => Promise<Tools[Name]["result"]>;
"""


def typescript(tools: Sequence[Made]) -> str:
    count = f"{len(tools)} contract{'s' if len(tools) != 1 else ''}"
    parts = [_HEAD.format(count=count), *(_of(each) for each in tools)]
    rows = "".join(f"  {json.dumps(_key(each, tools))}: {_entry(each)};\n" for each in tools)
    return "".join(parts) + f"\nexport interface Tools {{\n{rows}}}\n{_TAIL}"


def _key(made: Made, tools: Sequence[Made]) -> str:
    """The bare name is the highest stable major's, as the host serves it."""
    majors = [each.contract for each in tools if each.contract.name == made.contract.name]
    served = max(majors, key=lambda each: (_RANK.get(each.status, 1), each.major))
    return made.contract.name if made.contract is served else f"{made.contract.name}.v{made.contract.major}"


def _entry(made: Made) -> str:
    result = "{ [key: string]: unknown }" if made.result is None else _type(made.result)
    return f"{{ arguments: {made.stem}Arguments; result: {result} }}"


def _of(made: Made) -> str:
    used = {name: fields for name, fields in made.objects.items() if not name.startswith(f"{made.stem}Handled")}
    return "".join(
        _interface(name, fields) for name, fields in {**used, f"{made.stem}Arguments": made.arguments}.items()
    )


def _interface(name: str, fields: Sequence[Field]) -> str:
    rows = "".join(f"{_told(each)}  {_member(each)}: {_type(each.shape)};\n" for each in fields)
    return f"\nexport interface {name} {{\n{rows}}}\n"


def _told(each: Field) -> str:
    text = " ".join(each.told.split()).replace("*/", "* /")
    return f"  /** {text} */\n" if text else ""


def _member(each: Field) -> str:
    name = each.name if _NAME.fullmatch(each.name) else json.dumps(each.name)
    return name if each.is_there else f"{name}?"


def _type(shape: Shape) -> str:
    match shape:
        case Plain(name):
            return _PLAIN.get(name, name)
        case OneOfValues(values):
            return " | ".join(json.dumps(value) for value in values)
        case ListOf(item):
            return f"Array<{_type(item)}>"
        case MapOf(value):
            return f"{{ [key: string]: {_type(value)} }}"
        case Named(name):
            return name
        case AnyOf(options):
            return " | ".join(_type(each) for each in options)
