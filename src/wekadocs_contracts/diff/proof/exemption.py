"""The one exemption: a property that one side declares where the other says nothing about further properties.

`exemption(values, judge)` describes the values that do not use such properties: properties that `judge` declares
and `values` never mentions, at objects where `values` is silent. A caller cannot have meant them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wekadocs_contracts.diff.proof.strings.regexes import matches

MAX_PLACES = 300
_DECLARING = ("allOf", "anyOf", "oneOf")
_BRANCHES = ("then", "else")
_TESTS = ("if", "not")

Schemas = list[dict[str, Any]]


def exemption(values: object, judge: object) -> Any | None:
    """A schema for the values that count, or None where all do."""
    walk = _Walk(values, judge)
    walk.place([values], [judge])
    return walk.schema()


@dataclass
class _Place:
    """One place in an instance: keys that must be absent, and what follows below."""

    absent: list[str] = field(default_factory=list)
    properties: dict[str, int] = field(default_factory=dict)
    patterns: dict[str, int] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    other_patterns: list[str] = field(default_factory=list)
    extra: int | None = None
    prefix: list[int] = field(default_factory=list)
    items: int | None = None

    def below(self) -> list[int]:
        single = [place for place in (self.extra, self.items) if place is not None]
        return [*self.properties.values(), *self.patterns.values(), *self.prefix, *single]


class _Walk:
    def __init__(self, values: object, judge: object) -> None:
        self.value_defs = values.get("$defs", {}) if isinstance(values, dict) else {}
        self.judge_defs = judge.get("$defs", {}) if isinstance(judge, dict) else {}
        self.known: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self.places: list[_Place] = []

    def place(self, values: list[object], judges: list[object]) -> int:
        mentioned = in_place(values, self.value_defs, tests=True)
        asserted = in_place(values, self.value_defs, tests=False)
        declaring = in_place(judges, self.judge_defs, tests=False)
        key = (frozenset(map(id, mentioned)), frozenset(map(id, declaring)))
        if key in self.known:
            return self.known[key]
        self.known[key] = number = len(self.places)
        self.places.append(here := _Place())
        if declaring and number < MAX_PLACES:
            self.object_below(here, mentioned, asserted, declaring)
            self.array_below(here, mentioned, declaring)
        return number

    def object_below(self, here: _Place, mentioned: Schemas, asserted: Schemas, declaring: Schemas) -> None:
        spoken_of = _mentions(mentioned)
        silent = all(map(_is_silent, asserted))
        offered = {name for schema in declaring for name in schema.get("properties", {})}
        for name in sorted(offered):
            if silent and name not in spoken_of and not _is_forbidden(declaring, name):
                here.absent.append(name)
            else:
                here.properties[name] = self.place(of_key(mentioned, name), of_key(declaring, name))
        for text in _shared(mentioned, declaring):
            parts = ([s.get("patternProperties", {}).get(text) for s in side] for side in (mentioned, declaring))
            here.patterns[text] = self.place(*parts)
        extras = [_extras(mentioned), _extras(declaring)]
        if all(extras):
            here.named = sorted({n for s in (*mentioned, *declaring) for n in s.get("properties", {})})
            here.other_patterns = sorted({p for s in (*mentioned, *declaring) for p in s.get("patternProperties", {})})
            here.extra = self.place(*extras)

    def array_below(self, here: _Place, mentioned: Schemas, declaring: Schemas) -> None:
        width = max((len(schema.get("prefixItems", ())) for schema in (*mentioned, *declaring)), default=0)
        for index in range(width):
            here.prefix.append(self.place(of_index(mentioned, index), of_index(declaring, index)))
        if any("items" in schema or "contains" in schema for schema in declaring):
            here.items = self.place(of_index(mentioned, None), of_index(declaring, None))

    def schema(self) -> Any | None:
        useful = self.useful()
        if 0 not in useful:
            return None
        definitions = {f"e{number}": self.written(number, useful) for number in sorted(useful)}
        return {"$ref": "#/$defs/e0", "$defs": definitions}

    def useful(self) -> set[int]:
        """The places that ask for something, here or below."""
        useful = {number for number, place in enumerate(self.places) if place.absent}
        grown = True
        while grown:
            more = {n for n, place in enumerate(self.places) if not useful.isdisjoint(place.below())}
            grown = not more <= useful
            useful |= more
        return useful

    def written(self, number: int, useful: set[int]) -> dict[str, Any]:
        place = self.places[number]

        def below(inner: int) -> Any:
            return {"$ref": f"#/$defs/e{inner}"} if inner in useful else {}

        named = {name: below(inner) for name, inner in place.properties.items()} | dict.fromkeys(place.absent, False)
        patterns = {text: below(inner) for text, inner in place.patterns.items()}
        out: dict[str, Any] = {}
        if place.extra in useful:
            named = {name: {} for name in place.named} | named
            patterns = {text: {} for text in place.other_patterns} | patterns
            out["additionalProperties"] = below(place.extra)
            out["properties"], out["patternProperties"] = named, patterns
        else:
            out["properties"] = {name: schema for name, schema in named.items() if schema != {}}
            out["patternProperties"] = {text: schema for text, schema in patterns.items() if schema != {}}
        if any(inner in useful for inner in place.prefix):
            out["prefixItems"] = [below(inner) for inner in place.prefix]
        if place.items in useful:
            out["items"] = below(place.items)
            out.setdefault("prefixItems", [below(inner) for inner in place.prefix])
        return {keyword: value for keyword, value in out.items() if value not in ({}, [])}


def in_place(schemas: list[object], definitions: Mapping[str, object], *, tests: bool) -> Schemas:
    """Every schema that judges the same value; with `tests` also those that only ask (`if`, `not`)."""
    found: dict[int, dict[str, Any]] = {}
    todo = list(schemas)
    while todo:
        schema = todo.pop()
        if not isinstance(schema, dict) or id(schema) in found:
            continue
        found[id(schema)] = schema
        if "$ref" in schema:
            todo.append(definitions.get(schema["$ref"].removeprefix("#/$defs/")))
        for keyword in _DECLARING:
            todo.extend(schema.get(keyword, ()))
        todo.extend(schema.get(keyword) for keyword in (*_BRANCHES, *(_TESTS if tests else ())))
        todo.extend(schema.get("dependentSchemas", {}).values())
    return list(found.values())


def _mentions(schemas: Schemas) -> set[str]:
    names: set[str] = set()
    for schema in schemas:
        names.update(schema.get("properties", ()), schema.get("required", ()), schema.get("dependentSchemas", ()))
        for name, needed in schema.get("dependentRequired", {}).items():
            names.update((name, *needed))
    return names


def _is_silent(schema: Mapping[str, object]) -> bool:
    # `false` closes an object and so admits no further property anyway; it promises nothing about one.
    if schema.get("patternProperties") or "propertyNames" in schema:
        return False
    return not any(schema.get(k, False) is not False for k in ("additionalProperties", "unevaluatedProperties"))


def _is_forbidden(schemas: Schemas, name: str) -> bool:
    """To forbid a name is to close the object to it, not to declare it."""
    named = [schema["properties"][name] for schema in schemas if name in schema.get("properties", {})]
    return all(part is False or part == {"not": {}} for part in named)


def of_key(schemas: Schemas, name: str) -> list[Any]:
    found: list[Any] = []
    for schema in schemas:
        here = [schema["properties"][name]] if name in schema.get("properties", {}) else []
        here += [part for text, part in schema.get("patternProperties", {}).items() if matches(text, name) is not False]
        found += here or [schema.get("additionalProperties"), schema.get("unevaluatedProperties")]
    return found


def of_index(schemas: Schemas, index: int | None) -> list[Any]:
    """The schemas of one position of a tuple, or (None) of every position after it."""
    found: list[Any] = []
    for schema in schemas:
        prefix = schema.get("prefixItems", ())
        found.append(prefix[index] if index is not None and index < len(prefix) else schema.get("items"))
        found.append(schema.get("contains"))
    return found


def _extras(schemas: Schemas) -> list[Any]:
    keywords = ("additionalProperties", "unevaluatedProperties")
    return [s[keyword] for s in schemas for keyword in keywords if isinstance(s.get(keyword), dict)]


def _shared(first: Schemas, second: Schemas) -> list[str]:
    sides = [{text for schema in side for text in schema.get("patternProperties", {})} for side in (first, second)]
    return sorted(sides[0] & sides[1])
