"""What is wrong with one contract beyond its YAML: its shape, its name, and whether its parts agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from wekadocs_contracts import shipped
from wekadocs_contracts.problems import Problem, Refused, did_you_mean

from . import schemas, templates
from .defaults import unfit_defaults
from .explain import Checker, Violation
from .schemas import Schema
from .source import Source


def shape(source: Source, data: dict[str, object]) -> tuple[list[Problem], set[str]]:
    """What the published schema says of the file, and which of its top-level keys cannot be used further."""
    found: list[Problem] = []
    spoiled = set()
    # A schema is checked against each vocabulary of JSON Schema, and most say the same of it.
    for violation in {(each.pointer, each.message): each for each in _contract_checker().violations(data)}.values():
        hint = _hint(violation.pointer, violation)
        found.append(source.problem(violation.pointer, violation.message, hint, at_key=violation.at_key))
        if violation.pointer[1:] != ("type",):
            spoiled.add(str(violation.pointer[0]) if violation.pointer else str(violation.expected))
    if not spoiled & {"contract", "version"}:
        found.extend(_name(source, data))
    return found, spoiled


@cache
def _contract_checker() -> Checker:
    return Checker(json.loads((Path(shipped.CONTRACTS) / "_schema" / "contract.schema.json").read_text("utf-8")))


_WAYS_OUT: dict[tuple[str | int, ...], str] = {
    ("annotations",): "write all four: readOnlyHint, destructiveHint, idempotentHint, openWorldHint",
    ("routing",): "write all four: use_when, do_not_use_when, returns, follow_up",
    ("version",): "write a semantic version such as 1.0.0, without quotes around parts of it",
    ("input", "type"): "MCP demands `type: object` at the root; wrap other shapes in an object",
    ("output", "type"): "MCP demands `type: object` at the root; wrap a list as {items: [...]}",
    ("input",): "the root of input must say `type: object`",
    ("output",): "the root of output must say `type: object`",
    ("flag",): "write a switch name such as MCP_KB_V2_ENABLED, or !NAME to invert it",
}

# By keyword, anywhere inside a schema.
_INSIDE = {
    "type": "types are string, integer, number, boolean, array, object and null, or a list of them",
    "required": "write a list of names beside `properties`: required: [query]",
    "properties": "write a mapping of names to schemas",
    "enum": "write a list of the values that are allowed",
}


def _hint(pointer: tuple[str | int, ...], violation: Violation) -> str:
    if violation.keyword in ("additionalProperties", "unevaluatedProperties"):
        return "rename or remove it; contracts/_schema/contract.schema.json lists every key"
    if pointer[:1] in (("input",), ("output",)) and len(pointer) > 1 and pointer[1:] != ("type",):
        if pointer[-2] == "properties":
            return "a property is a schema: write {type: string}"
        return _INSIDE.get(str(pointer[-1]), "see https://json-schema.org/draft/2020-12 for what may stand here")
    for length in range(len(pointer), 0, -1):
        if pointer[:length] in _WAYS_OUT:
            return _WAYS_OUT[pointer[:length]]
    if violation.keyword == "required":
        return f"add `{violation.expected}:`; `wekadocs-mcp contracts new` shows a complete contract"
    return "see contracts/_schema/contract.schema.json"


def _name(source: Source, data: dict[str, Any]) -> Iterator[Problem]:
    stem = data["contract"].rsplit(".", 1)[-1]
    major = data["version"].split(".")[0]
    file = Path(source.path).name
    expected = f"{stem}.v{major}.yaml"
    if file not in (expected, f"{stem}.v{major}.yml"):
        message = f"the file is called {file}, but {data['contract']} {data['version']} belongs in {expected}"
        yield source.problem(("contract",), message, f"rename the file to {expected}, or correct contract and version")


def idle_defaults(source: Source, schema: Schema) -> Iterator[Problem]:
    """A default of a required argument: whoever wrote it expects that the argument can be left out."""
    for place in schemas.idle_defaults(schema):
        message = f"`{place[-2]}` is required, so its default is never used"
        hint = f"take `{place[-2]}` out of required, or remove the default"
        yield source.problem(("input", *place), message, hint)


def defaults(source: Source, schema: Schema) -> Iterator[Problem]:
    for violation in unfit_defaults(schema):
        place = ("input", *(step for name in violation.pointer for step in ("properties", name)), "default")
        yield source.problem(place, f"default {violation.message}", "change the default, or the limit it breaks")


def aliases(source: Source, data: dict[str, Any], schema: Schema, spoiled: set[str]) -> Iterator[Problem]:
    names = schemas.properties(schema)
    for alias, target in data.get("argument_aliases", {}).items() if "argument_aliases" not in spoiled else ():
        place = ("argument_aliases", alias)
        if target not in names:
            message = f"`{alias}` stands for `{target}`, which is no argument{did_you_mean(target, names)}"
            yield source.problem(place, message, f"arguments: {', '.join(names) or 'none'}")
        if alias in names:
            yield source.problem(place, f"`{alias}` is itself an argument", "remove the alias", at_key=True)


def bounds(source: Source, data: dict[str, Any], schema: Schema, spoiled: set[str]) -> Iterator[Problem]:
    names = schemas.properties(schema)
    for name in data.get("bounds", {}) if "bounds" not in spoiled else ():
        if name not in names:
            message = f"`{name}` is no argument{did_you_mean(name, names)}"
            yield source.problem(("bounds", name), message, f"arguments: {', '.join(names) or 'none'}", at_key=True)


def environment(source: Source, data: dict[str, Any], spoiled: set[str]) -> Iterator[Problem]:
    """What a variable sets must be there to be set."""
    if spoiled & {"environment", "limits"}:
        return
    limits = data.get("limits", {})
    for name, target in data.get("environment", {}).items():
        kind, _, limit = target.partition(".")
        if kind == "limits" and limit not in limits:
            message = f"`{limit}` is no limit of this contract{did_you_mean(limit, limits)}"
            yield source.problem(("environment", name), message, f"limits: {', '.join(limits) or 'none'}")


_REFUSED = "INVALID_ARGUMENT"
_SHORTER = "say it with less: a text is one line a row"


def routing_and_text(source: Source, data: dict[str, Any], schema: Schema, spoiled: set[str]) -> Iterator[Problem]:
    import jinja2

    budgets = data.get("budgets", {}) if "budgets" not in spoiled else {}
    bounded = schemas.bounded(schema, data.get("bounds", {}) if "bounds" not in spoiled else {})
    context = templates.routing_context(bounded, budgets, lambda name: name)
    for part, text in data["routing"].items() if "routing" not in spoiled else ():
        if fault := templates.fault(text, context):
            problem = source.problem(("routing", part), f"the template fails: {fault}", templates.KNOWN)
            if isinstance(fault, templates.Excess):
                raise Refused([problem])
            yield problem
    for key in ("text", "error_text"):
        try:
            templates.answers().from_string(data[key] if isinstance(data.get(key), str) else "")
        except jinja2.exceptions.SecurityError as error:
            raise Refused([source.problem((key,), f"the template fails: {error}", _SHORTER)]) from None
        except (jinja2.TemplateError, RecursionError) as error:
            yield source.problem((key,), f"the template fails: {error}", "see https://jinja.palletsprojects.com")


def text_field(source: Source, data: dict[str, Any], output: Schema | None, spoiled: set[str]) -> Iterator[Problem]:
    """A text that is one field of the answer: only where every answer has that field."""
    name = data.get("text_field")
    if name is None or spoiled & {"text_field", "text", "output"}:
        return
    place = ("text_field",)
    if data.get("text") != "json":
        yield source.problem(place, "text_field is of a text that is JSON", "write `text: json` beside it")
    required = (output or {}).get("required", [])
    if name not in required:
        hint = f"list it there, or name one of: {', '.join(map(str, required)) or 'none'}"
        yield source.problem(place, f"`{name}` is not among what `output` requires", hint)


def examples(source: Source, data: dict[str, Any], schema: Schema, spoiled: set[str]) -> Iterator[Problem]:
    checker = Checker(schema)
    aliases = data.get("argument_aliases", {}) if "argument_aliases" not in spoiled else {}
    refused = data.get("error_codes", {}).get(_REFUSED, _REFUSED) if "error_codes" not in spoiled else _REFUSED
    for index, example in enumerate(data.get("examples", [])) if "examples" not in spoiled else ():
        if example.get("expect_error") == refused:
            continue
        renamed = {aliases.get(name, name): value for name, value in example["arguments"].items()}
        for violation in checker.violations(renamed):
            place = ("examples", index, "arguments", *violation.pointer)
            hint = f"correct the example, or say expect_error: {refused}"
            yield source.problem(place, violation.message, hint, at_key=violation.at_key)
