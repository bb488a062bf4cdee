"""Values made from a schema in canonical form: the likely members, simplest and most natural first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, islice, zip_longest
from typing import Any

from wekadocs_contracts.diff.proof import inclusion
from wekadocs_contracts.diff.proof.budget import Budget
from wekadocs_contracts.diff.proof.emptiness import demands, places
from wekadocs_contracts.diff.proof.normal.normalise import canonical_json
from wekadocs_contracts.diff.proof.numbers import Numbers, plain
from wekadocs_contracts.diff.proof.strings import regexes
from wekadocs_contracts.diff.proof.strings.regex_parser import Undecided
from wekadocs_contracts.diff.proof.strings.regexes import And, Language, Length, Literals, Not
from wekadocs_contracts.format.schemas import Schema

from .hints import Hints

MAX_VALUES = 6
MAX_DEPTH = 40
MAX_MERGES = 60
MAX_SIZE = 40
MAX_BRANCHES = 8
MAX_CASES = 128

SAMPLES: dict[str, list[Any]] = {
    "string": ["x", "", "a1"],
    "integer": [1, 0, -1, 2],
    "number": [1, 0, 1.5, -1],
    "boolean": [True, False],
    "null": [None],
    "array": [[], ["x"], [1]],
    "object": [{}, {"extra": "x"}],
}
TYPES = ("string", "integer", "object", "array", "boolean", "null", "number")


class Maker:
    def __init__(self, definitions: Mapping[str, object], hints: Hints, budget: Budget) -> None:
        self.definitions = definitions
        self.hints = hints
        self.budget = budget
        self.merges = 0
        # Keeps the schemas alive too: an identity is only a key while its object lives.
        self.known: dict[tuple[int, str, int], tuple[Any, list[Any]]] = {}

    def make(self, schema: Any, name: str = "", depth: int = 0) -> list[Any]:
        """At most a few values, most of them valid."""
        if schema is False or depth > MAX_DEPTH or (depth and self.budget.is_spent):
            return []
        if schema is True or not schema:
            return [*self.hints.get(name, []), *(SAMPLES[kind][0] for kind in TYPES)]
        key = (id(schema), name, depth)
        if key not in self.known:
            self.budget.spend()
            self.known[key] = (schema, _distinct(islice(self.values(schema, name, depth), MAX_VALUES * 2)))
        return self.known[key][1]

    def values(self, schema: Schema, name: str, depth: int) -> Iterator[Any]:
        if _needs_merge(schema):
            yield from self.merged(schema, name, depth)
        elif "const" in schema:
            yield schema["const"]
        elif "enum" in schema:
            yield from schema["enum"]
        elif branches := schema.get("anyOf", schema.get("oneOf")):
            rest = {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf")}
            if "anyOf" not in schema:
                branches = [*only_one(branches), *branches]
            yield from _in_turn(self.make(_joined(rest, branch), name, depth + 1) for branch in branches)
        else:
            kinds = schema.get("type", TYPES)
            kinds = [kinds] if isinstance(kinds, str) else kinds
            yield from _in_turn(self.typed(kind, schema, name, depth) for kind in kinds)

    def merged(self, schema: Schema, name: str, depth: int) -> Iterator[Any]:
        """Conjunctions are brought into one form first; what cannot be is tried part by part."""
        self.merges += 1
        parts = [{k: v for k, v in schema.items() if k not in ("allOf", "$ref")}, *schema.get("allOf", ())]
        if "$ref" in schema:
            parts.append(self.definitions.get(schema["$ref"].removeprefix("#/$defs/"), False))
        flat = {"allOf": [self.target(part) for part in parts], "$defs": self.definitions}
        small = self.may_merge() and inclusion.cases(flat) <= MAX_CASES and self.budget.spend(inclusion.effort(flat))
        whole = inclusion.simplified(flat) if small else inclusion.UNKNOWN
        if isinstance(whole.schema, dict) and not _has_plain_conjunction(whole.schema):
            yield from self.make({k: v for k, v in whole.schema.items() if k != "$defs"}, name, depth + 1)
        else:
            tried = [{k: v for k, v in p.items() if k != "not"} if isinstance(p, dict) else p for p in parts]
            yield from _in_turn(self.make(part, name, depth + 2) for part in tried if part)

    def may_merge(self) -> bool:
        return self.merges < MAX_MERGES and not self.budget.is_spent

    def target(self, schema: object) -> Any:
        if isinstance(schema, dict) and set(schema) == {"$ref"}:
            return self.definitions.get(schema["$ref"].removeprefix("#/$defs/"), schema)
        return schema

    def typed(self, kind: str, schema: Schema, name: str, depth: int) -> Iterable[Any]:
        if kind in ("integer", "number"):
            return self.numbers(kind, schema, name)
        if kind == "string":
            return self.strings(schema, name)
        if kind == "array":
            return self.arrays(schema, name, depth)
        return self.objects(schema, depth) if kind == "object" else SAMPLES[kind]

    def numbers(self, kind: str, schema: Mapping[str, object], name: str) -> Iterator[Any]:
        try:
            numbers = Numbers({**{k: v for k, v in schema.items() if k in _NUMERIC}, "type": kind})
            yield from (v for v in self.hints.get(name, []) if _is_number(v) and numbers.holds_plain(v))
            yield from map(plain, islice(numbers.members(), 4))
        except (Undecided, ArithmeticError, ValueError):
            yield from SAMPLES[kind]

    def strings(self, schema: Schema, name: str) -> Iterator[Any]:
        hinted = [value for value in self.hints.get(name, []) if isinstance(value, str)]
        try:
            language = regexes.of_schema({k: v for k, v in schema.items() if k in _TEXTUAL})
            if _TEXTUAL.isdisjoint(schema):
                yield from (*hinted, *SAMPLES["string"])
                return
            yield from (text for text in [*hinted, "x"] if regexes.holds(language, text))
            yield from members(language)
        except Undecided:
            least = min(int(schema.get("minLength", 0)), 3000)
            yield from (*hinted, "x" * max(1, least), *SAMPLES["string"], "abc-123", "A1", "1")

    def arrays(self, schema: Schema, name: str, depth: int) -> Iterator[Any]:
        prefix = schema.get("prefixItems", [])
        items = schema.get("items", True)
        wanted = int(schema.get("minContains", 1)) if "contains" in schema else 0
        least = max(int(schema.get("minItems", 0)), wanted)
        if least > MAX_SIZE:
            return
        inside = (
            self.make(schema["contains"] if items is True else {"allOf": [schema["contains"], items]}, name, depth + 1)
            if wanted
            else []
        )
        repeated = "uniqueItems" in str(schema.get("not", "")) + str(schema.get("allOf", ""))
        pool = self.make(items, name, depth + 1)
        for shift in range(4):
            heads = [_nth(self.make(part, name, depth + 1), shift) for part in prefix]
            some = least + 1 + repeated
            first = (some, least) if isinstance(items, dict) and not least else (least, some)
            for length in dict.fromkeys((*first, len(prefix) + 1 if prefix else least)):
                row = [*heads[: max(length, 0)]]
                row += [_nth(inside, number + shift) for number in range(wanted)]
                while len(row) < length:
                    row.append(_nth(pool, len(row) if schema.get("uniqueItems") else shift))
                yield row
                if repeated and row:
                    yield [*row[:-1], row[0]] if len(row) > 1 else row * 2

    def objects(self, schema: Schema, depth: int) -> Iterator[Any]:
        named = schema.get("properties", {})
        base: dict[str, Any] = {}
        for key in schema.get("required", ()):
            made = self.make(self.at_key(schema, key), key, depth + 1)
            if not made:
                return
            base[key] = made[0]
        self.fill(base, schema, depth)
        forced = list(islice(self.broken(base, schema, depth), MAX_VALUES))
        yield from forced
        yield base
        for key in [*schema.get("required", ()), *(key for key in named if key not in base)]:
            for value in self.make(self.at_key(schema, key), key, depth + 1)[: 4 if key in base else 2]:
                yield {**base, key: value}

    def at_key(self, schema: Schema, key: str) -> Any:
        named = schema.get("properties", {})
        parts = [named[key]] if key in named else []
        parts += [p for text, p in schema.get("patternProperties", {}).items() if regexes.matches(text, key)]
        parts = parts or [schema.get("additionalProperties", True)]
        return parts[0] if len(parts) == 1 else {"allOf": parts}

    def fill(self, base: dict[str, object], schema: Schema, depth: int) -> None:
        """Further keys up to `minProperties`."""
        least = min(int(schema.get("minProperties", 0)), MAX_SIZE)
        if len(base) >= least:
            return
        for key in [*schema.get("properties", {}), *self.fresh_keys(schema, least)]:
            if len(base) >= least:
                return
            if key not in base and (made := self.make(self.at_key(schema, key), key, depth + 1)):
                base[key] = made[0]

    def fresh_keys(self, schema: Schema, count: int) -> list[str]:
        try:
            allowed = regexes.of_schema(schema.get("propertyNames", True))
            known = [key for key in ("extra", "other", "more") if regexes.holds(allowed, key)]
            others = And((allowed, Length(1, None), Not(Literals(frozenset(known)))))
            return [*known, *members(others, count + len(known)), ""]
        except Undecided:
            return ["extra", "other", "more"]

    def broken(self, base: dict[str, object], schema: Schema, depth: int) -> Iterator[Any]:
        """Objects with a key that breaks a negated rule about keys."""
        try:
            allowed = regexes.of_schema(schema.get("propertyNames", True))
            for ways in demands(schema):
                for keys, value in ways:
                    for place, inner in places(schema):
                        key = a_key(And((keys, allowed, place)))
                        if key is not None:
                            made = self.make({"allOf": [value, *inner]}, key, depth + 1)
                            yield from ({**base, key: each} for each in made[:3])
        except Undecided:
            return


_TEXTUAL = {"pattern", "minLength", "maxLength", "not", "allOf"}
_NUMERIC = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "not", "allOf")


def a_key(language: Language) -> str | None:
    """A name that reads like one, where one fits; the empty name only where nothing else does."""
    readable = next((name for name in ("extra", "other", "more") if regexes.holds(language, name)), None)
    return readable or regexes.shortest(And((language, Length(1, None)))) or regexes.shortest(language)


def members(language: Language, count: int = 4) -> Iterator[str]:
    """Members of a language, shortest first."""
    found: list[str] = []
    while len(found) < count:
        text = regexes.shortest(And((language, Not(Literals(frozenset(found))))))
        if text is None:
            return
        found.append(text)
        yield text
        if text.endswith("\n"):
            yield f"{text}x"  # Python's `$` looks past a newline at the end, so only this convinces both validators


def only_one(branches: list[object]) -> list[Any]:
    """Exactly one of the branches, spelled out while they are few."""
    if not 1 < len(branches) <= MAX_BRANCHES:
        return []
    return [
        {"allOf": [branch, *({"not": other} for index, other in enumerate(branches) if index != number)]}
        for number, branch in enumerate(branches)
    ]


def two_at_once(branches: list[object]) -> list[Any]:
    return [{"allOf": list(pair)} for pair in islice(combinations(branches, 2), MAX_BRANCHES)]


def _needs_merge(schema: Schema) -> bool:
    if "$ref" in schema or _has_plain_conjunction(schema):
        return True
    negated = schema.get("not")
    return isinstance(negated, dict) and ("type" not in schema or "$ref" in negated)


def _has_plain_conjunction(schema: Schema) -> bool:
    return any(not isinstance(part, dict) or set(part) != {"not"} for part in schema.get("allOf", ()))


def _joined(rest: Mapping[str, object], branch: object) -> Any:
    return branch if not rest else {"allOf": [rest, branch]}


def _nth(values: list[object], index: int) -> Any:
    return values[index % len(values)] if values else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _in_turn(sources: Iterable[Iterable[object]]) -> Iterator[Any]:
    gap = object()
    for row in zip_longest(*sources, fillvalue=gap):
        yield from (value for value in row if value is not gap)


def _distinct(values: Iterable[object]) -> list[Any]:
    return list({canonical_json(value): value for value in values}.values())
