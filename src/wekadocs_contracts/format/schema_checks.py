"""What cannot be right in a JSON Schema: it does not compile, a keyword is misspelt, a default breaks its own limit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wekadocs_contracts.problems import Problem, did_you_mean, nearest

from .explain import Checker
from .schemas import Schema, subschemas
from .source import Pointer, Source

_WORDS = (
    "$schema $id $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions "
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern "
    "maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired "
    "properties patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties "
    "items prefixItems contains allOf anyOf oneOf not if then else dependentSchemas "
    "title description default deprecated readOnly writeOnly examples format "
    "contentEncoding contentMediaType contentSchema"
)
KEYWORDS = frozenset(_WORDS.split())


def check(schema: Schema, source: Source, pointer: Pointer) -> list[Problem]:
    """The schema compiles, and every default in it satisfies its own schema."""
    try:
        Checker(schema)
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        return [source.problem(pointer, f"not a usable JSON Schema: {first}", "see https://json-schema.org")]
    return [
        problem
        for place, node in subschemas(schema)
        for problem in (
            *_bad_default(schema, node, place, source, pointer),
            *_misspelt(node, (*pointer, *place), source),
            *_never_fits(node, (*pointer, *place), source),
        )
    ]


def _misspelt(node: Schema, place: Pointer, source: Source) -> Iterator[Problem]:
    """JSON Schema ignores what it does not know: a limit with a slip of the pen would limit nothing."""
    for name in node:
        if name not in KEYWORDS and not name.startswith("x-"):
            meant = nearest(name, KEYWORDS)
            if meant is not None:
                message = f"`{name}` is no JSON Schema keyword — did you mean `{meant}`?"
                hint = "correct it; keywords of your own begin with x-"
                yield source.problem((*place, name), message, hint, at_key=True)


def _never_fits(node: Schema, place: Pointer, source: Source) -> Iterator[Problem]:
    """An object that demands what it forbids."""
    closed = node.get("additionalProperties") is False and "patternProperties" not in node
    declared = node.get("properties", {})
    for name in node.get("required", []) if closed and isinstance(declared, Mapping) else ():
        if name not in declared:
            message = f"`{name}` is required, but is no property and no other is allowed{did_you_mean(name, declared)}"
            yield source.problem((*place, "required"), message, "declare it under properties, or correct the name")


def _bad_default(root: Schema, node: Schema, place: Pointer, source: Source, base: Pointer) -> Iterator[Problem]:
    if "default" not in node:
        return
    for violation in sub_checker(root, place).violations(node["default"]):
        hint = "change the default, or the limit it breaks"
        where = (*base, *place, "default")
        yield source.problem(where, f"default {violation.message}", hint)


def sub_checker(root: Schema, place: Pointer) -> Checker:
    escaped = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)
    resource = {key: value for key, value in root.items() if key != "$schema"}
    return Checker(
        {"$defs": {"root": {**resource, "$id": "urn:contract"}}, "$ref": f"urn:contract#{_percent(escaped)}"}
    )


def _percent(pointer: str) -> str:
    from urllib.parse import quote

    return quote(pointer, safe="/~$!&'()*+,;=:@-._")
