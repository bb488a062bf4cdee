"""Leaves and keys that a set difference leaves open: strings by automata, numbers by arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import Any

from wekadocs_contracts.diff.proof.strings import regexes
from wekadocs_contracts.diff.proof.strings.regex_parser import Undecided
from wekadocs_contracts.diff.proof.strings.regexes import And, Language, Literals, Not
from wekadocs_contracts.format.schemas import Schema

from .numbers import Numbers

MAX_PATTERNS = 5
_STRING_TESTS = {"pattern", "not", "allOf"}
_NUMBER_TESTS = {"not", "allOf"}
_KEY_KEYWORDS = {"propertyNames", "properties", "patternProperties", "additionalProperties"}

IsEmpty = Callable[[Any], bool]


def is_empty_leaf(schema: Schema) -> bool:
    """A string or number schema that provably has no member."""
    try:
        match schema.get("type"):
            case "string" if not _STRING_TESTS.isdisjoint(schema):
                return regexes.shortest(regexes.of_schema(schema)) is None
            case "integer" | "number" if not _NUMBER_TESTS.isdisjoint(schema):
                return next(Numbers(schema).members(), None) is None
    except (Undecided, ArithmeticError, ValueError):
        return False
    return False


def is_empty_array(schema: Schema, is_empty: IsEmpty) -> bool:
    """Something must be contained that no position may hold."""
    if schema.get("type") != "array" or "contains" not in schema or schema.get("minContains") == 0:
        return False
    positions = {"anyOf": [*schema.get("prefixItems", ()), schema.get("items", {})]}
    return is_empty({"allOf": [schema["contains"], positions]})


def is_empty_object(schema: Schema, is_empty: IsEmpty) -> bool:
    """Some key must break a rule about keys, and no key that is allowed can."""
    if schema.get("type") != "object":
        return False
    try:
        return any(all(_is_impossible(schema, *way, is_empty) for way in ways) for ways in demands(schema))
    except Undecided:
        return False


def demands(schema: Schema) -> Iterator[list[tuple[Language, Any]]]:
    """For every `not` about keys: the ways to break it, as (which key, what its value must be)."""
    negated = [schema.get("not"), *(part.get("not") for part in schema.get("allOf", ()) if isinstance(part, dict))]
    for rule in negated:
        if isinstance(rule, dict) and _is_about_keys(rule):
            yield list(_ways(rule))


def _is_about_keys(rule: Mapping[str, object]) -> bool:
    return bool(rule) and _KEY_KEYWORDS | {"type"} >= set(rule) and rule.get("type", "object") == "object"


def _ways(rule: Schema) -> Iterator[tuple[Language, Any]]:
    if "propertyNames" in rule:
        yield Not(regexes.of_schema(rule["propertyNames"])), {}
    for name, inner in rule.get("properties", {}).items():
        yield Literals(frozenset([name])), {"not": inner}
    for text, inner in rule.get("patternProperties", {}).items():
        yield regexes.pattern(text), {"not": inner}
    if "additionalProperties" in rule:
        yield _others(rule), {"not": rule["additionalProperties"]}


def _others(schema: Schema) -> Language:
    """The keys that `additionalProperties` is about."""
    named = Literals(frozenset(schema.get("properties", ())))
    return And((Not(named), *(Not(regexes.pattern(text)) for text in schema.get("patternProperties", ()))))


def _is_impossible(schema: Schema, keys: Language, value: object, is_empty: IsEmpty) -> bool:
    allowed = And((keys, regexes.of_schema(schema.get("propertyNames", True))))
    for place, inner in places(schema):
        if regexes.shortest(And((allowed, place))) is not None and not is_empty({"allOf": [value, *inner]}):
            return False
    return True


def places(schema: Schema) -> Iterator[tuple[Language, list[Any]]]:
    """Every kind of key an object may have, and what is asked of its value."""
    patterns = schema.get("patternProperties", {})
    if len(patterns) > MAX_PATTERNS:
        raise Undecided("too many patterns")
    named = schema.get("properties", {})
    for name, inner in named.items():
        matching = [part for text, part in patterns.items() if regexes.holds(regexes.pattern(text), name)]
        yield Literals(frozenset([name])), [inner, *matching]
    unnamed = Not(Literals(frozenset(named)))
    for count in range(len(patterns) + 1):
        for chosen in combinations(patterns, count):
            tests = (regexes.pattern(text) if text in chosen else Not(regexes.pattern(text)) for text in patterns)
            inner = [patterns[text] for text in chosen] or [schema.get("additionalProperties", True)]
            yield And((unnamed, *tests)), inner
