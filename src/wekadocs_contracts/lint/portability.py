"""What some client or its model's provider stumbles over, though the protocol allows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from wekadocs_contracts.format.schemas import Schema, properties, resolved, subschemas
from wekadocs_contracts.format.source import Pointer

from .subject import CLIENTS, Found, LintRule, Subject

_MAX_DEPTH = 10
_PORTABLE_ARGUMENT = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def _dots(subject: Subject) -> Found:
    if "." in subject.contract.name:
        yield ("contract",), f"`{subject.contract.name}` has a dot; these clients accept only letters, digits, _ and -"


def _references(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            if "$ref" in node:
                yield (side, *place, "$ref"), f"$ref {node['$ref']} stays on the wire; these clients do not follow it"


def _root_alternatives(subject: Subject) -> Found:
    for keyword in ("anyOf", "oneOf", "allOf", "not", "enum"):
        if keyword in subject.contract.input:
            yield ("input", keyword), f"{keyword} at the root of the arguments; the whole tool is refused"


def _type_lists(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            if isinstance(node.get("type"), list):
                yield (side, *place, "type"), f"type is a list, {node['type']}; these clients want one type"


def _boolean_schemas(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            for name, child in node.get("properties", {}).items():
                if isinstance(child, bool) or child == {}:
                    yield (
                        (side, *place, "properties", name),
                        f"`{name}` has no schema of its own, only {str(child).lower()}",
                    )


def _bare_lists(subject: Subject) -> Found:
    for side, schema in subject.sent:
        for place, node in subschemas(schema):
            if node.get("type") == "array" and not isinstance(node.get("items"), Mapping) and "prefixItems" not in node:
                yield (side, *place), "a list without items; these clients refuse the tool"


def _deep(subject: Subject) -> Found:
    for side, schema in subject.sent:
        deepest, place = max(_depths(schema, schema, (), 0), key=lambda found: found[0])
        if deepest > _MAX_DEPTH:
            yield (side, *place), f"nested {deepest} deep; {_MAX_DEPTH} is what these clients take"


def _depths(root: Schema, node: object, place: Pointer, depth: int) -> Iterator[tuple[int, Pointer]]:
    yield depth, place
    if not isinstance(node, Mapping) or depth > 3 * _MAX_DEPTH:
        return
    whole = resolved(root, dict(node)) if "$ref" not in node else node
    for name, child in whole.get("properties", {}).items():
        yield from _depths(root, child, (*place, "properties", name), depth + 1)
    yield from _depths(root, whole["items"], (*place, "items"), depth + 1) if "items" in whole else ()


def _argument_names(subject: Subject) -> Found:
    for name in properties(subject.contract.input):
        if not _PORTABLE_ARGUMENT.fullmatch(name):
            yield ("input", "properties", name), f"argument `{name}` has letters that these clients refuse"


RULES: tuple[LintRule, ...] = (
    LintRule("portable-dots", "warning", "they refuse dots in names", "serve with name_style: underscore", _dots,
             ("openai", "vscode", "claude"), opt_in=True),
    LintRule("portable-ref", "warning", "Gemini drops $ref, OpenAI and VS Code bound it",
             "write it out, unless it is recursive",
             _references, ("gemini", "openai", "vscode")),
    LintRule("portable-root", "warning", "OpenAI and Claude refuse alternatives at the root",
             "move them into a property",
             _root_alternatives, ("openai", "claude", "gemini")),
    LintRule("portable-type-list", "warning", "Gemini and OpenAPI readers want one type",
             "use anyOf inside the property",
             _type_lists, ("gemini",)),
    LintRule("portable-boolean-schema", "warning", "many readers expect an object there", "say which type it has",
             _boolean_schemas, ("gemini", "vscode", "openai")),
    LintRule("portable-items", "warning", "VS Code and Gemini refuse a list without items", "add items: {type: …}",
             _bare_lists, ("vscode", "gemini", "openai")),
    LintRule("portable-depth", "warning", "OpenAI bounds the nesting", "flatten it", _deep, ("openai", "gemini")),
    LintRule("portable-argument", "warning", "argument names are identifiers elsewhere", "use letters, digits, _ . -",
             _argument_names, CLIENTS),
)  # fmt: skip
