"""One change to a value: at every place, what the two schemas find interesting there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from wekadocs_contracts.diff.proof.exemption import in_place, of_index, of_key
from wekadocs_contracts.diff.proof.normal.normalise import canonical_json
from wekadocs_contracts.diff.proof.numbers import plain
from wekadocs_contracts.diff.proof.strings import regexes
from wekadocs_contracts.diff.proof.strings.regex_parser import Undecided
from wekadocs_contracts.diff.proof.strings.regexes import And, Not
from wekadocs_contracts.format.schemas import Schema

from .members import SAMPLES, TYPES, Maker, a_key, members, two_at_once

MAX_TEXT = 3_000
MAX_ROW = 60

Schemas = list[dict[str, Any]]
Put = Callable[[Any], Any]


class Editor:
    """`values` must stay satisfied, `judge` is to be violated; `deep` also tries whole members of the schemas."""

    def __init__(
        self, values: object, judge: object, makers: tuple[Maker, Maker], *, deep: bool, everywhere: bool = True
    ) -> None:
        self.roots = (values, judge)
        self.makers = makers
        self.deep = deep
        self.everywhere = everywhere  # also where both schemas say the same

    def edits(self, value: object) -> Iterator[Any]:
        yield from self.at(value, [self.roots[0]], [self.roots[1]], "", lambda new: new)

    def at(self, value: object, values: list[object], judges: list[object], name: str, put: Put) -> Iterator[Any]:
        if not self.everywhere and _say_the_same(values, judges):
            return
        mine = in_place(values, self.makers[0].definitions, tests=True)
        theirs = in_place(judges, self.makers[1].definitions, tests=True)
        yield from map(put, self.replacements(value, mine, theirs, name))
        if isinstance(value, dict):
            yield from self.in_object(value, mine, theirs, put)
        elif isinstance(value, list):
            yield from self.in_array(value, mine, theirs, name, put)

    def replacements(self, value: object, mine: Schemas, theirs: Schemas, name: str) -> Iterator[Any]:
        seen = {canonical_json(value)}
        for candidate in self.pool(mine, theirs, name):
            if (key := canonical_json(candidate)) not in seen:
                seen.add(key)
                yield candidate

    def pool(self, mine: Schemas, theirs: Schemas, name: str) -> Iterator[Any]:
        yield from _no_longer_listed(mine, theirs)
        for schema in (*theirs, *mine):
            yield from schema.get("enum", ())
            yield from [schema["const"]] if "const" in schema else []
            yield from _near_bounds(schema)
        yield from _strings(mine, theirs)
        yield from self.makers[0].hints.get(name, ())
        for kind in TYPES:
            yield from SAMPLES[kind]
        if self.deep:
            for maker, schemas in zip(self.makers, (mine, theirs), strict=True):
                for schema in schemas[:4]:
                    yield from maker.make(schema, name)
                    for twice in two_at_once(schema.get("oneOf", [])):
                        yield from maker.make(twice, name)

    def in_object(self, value: Mapping[str, object], mine: Schemas, theirs: Schemas, put: Put) -> Iterator[Any]:
        for key in value:
            yield put({k: v for k, v in value.items() if k != key})
        for key, item in value.items():
            yield from self.at(item, of_key(mine, key), of_key(theirs, key), key, _put_key(value, key, put))
        for key in self.absent_keys(value, mine, theirs):
            if not self.everywhere and _say_the_same(of_key(mine, key), of_key(theirs, key)):
                continue
            inner, outer = (
                in_place(of_key(side, key), maker.definitions, tests=True)
                for side, maker in zip((mine, theirs), self.makers, strict=True)
            )
            for item in self.pool(inner, outer, key):
                yield put({**value, key: item})

    def fillers(self, value: list[object], inner: Schemas, name: str) -> list[Any]:
        """What a longer list may be made of."""
        made = [each for schema in inner[:2] for each in self.makers[0].make(schema, name)[:1]]
        return [*value[-1:], *made] or ["x"]

    def absent_keys(self, value: Mapping[str, object], mine: Schemas, theirs: Schemas) -> list[str]:
        keys: dict[str, None] = {}
        for schema in (*theirs, *mine):
            keys |= dict.fromkeys((*schema.get("properties", ()), *schema.get("required", ())))
            keys |= dict.fromkeys(schema.get("dependentSchemas", ()))
            for name, needed in schema.get("dependentRequired", {}).items():
                keys |= dict.fromkeys((name, *needed))
        keys |= dict.fromkeys(_odd_keys(mine, theirs))
        return [key for key in keys if key not in value]

    def in_array(self, value: list[object], mine: Schemas, theirs: Schemas, name: str, put: Put) -> Iterator[Any]:
        for index in range(len(value)):
            yield put(value[:index] + value[index + 1 :])
        for index, item in enumerate(value[:5]):
            inner, outer = of_index(mine, index), of_index(theirs, index)
            yield from self.at(item, inner, outer, name, _put_index(value, index, put))
        if value:
            yield put([*value, value[0]])
        position = len(value)
        inner, outer = (
            in_place(of_index(side, position), maker.definitions, tests=True)
            for side, maker in zip((mine, theirs), self.makers, strict=True)
        )
        for item in self.pool(inner, outer, name):
            yield put([*value, item])
        for item in self.fillers(value, inner, name):
            yield from map(put, _longer(value, [*mine, *theirs], item))


def _say_the_same(values: list[object], judges: list[object]) -> bool:
    first, second = ([part for part in parts if part not in (None, True)] for parts in (values, judges))
    if "$ref" in str(first):  # definitions have other names on the other side
        return False
    return canonical_json(first) == canonical_json(second)


def _no_longer_listed(mine: Schemas, theirs: Schemas) -> list[Any]:
    known = {canonical_json(value) for schema in theirs for value in schema.get("enum", ())}
    listed = (value for schema in mine for value in schema.get("enum", ()))
    return [value for value in listed if canonical_json(value) not in known][:40] if known else []


def _put_key(value: Mapping[str, object], key: str, put: Put) -> Put:
    return lambda new: put({**value, key: new})


def _put_index(value: list[object], index: int, put: Put) -> Put:
    return lambda new: put([*value[:index], new, *value[index + 1 :]])


def _near_bounds(schema: Schema) -> Iterator[Any]:
    for keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"):
        if keyword in schema:
            bound = Fraction(str(schema[keyword]))
            steps = (1, 0, -1, Fraction(1, 2), Fraction(-1, 2))
            # The far side of a bound first: that is where it bites.
            yield from (plain(bound + (step if "max" in keyword.lower() else -step)) for step in steps)
            if keyword == "multipleOf":
                yield from (plain(bound * times) for times in (2, 3, -1, 5, 7, Fraction(1, 2)))
    for keyword in ("minLength", "maxLength"):
        if keyword in schema and schema[keyword] < MAX_TEXT:
            yield from ("x" * max(0, int(schema[keyword]) + step) for step in (1, 0, -1))


def _strings(mine: Schemas, theirs: Schemas) -> Iterator[str]:
    """Strings that tell the two sides apart."""
    if not any("pattern" in schema for schema in (*mine, *theirs)):
        return
    yield from _long_ones(mine, theirs)
    for first in mine or [{}]:
        for second in theirs:
            if "pattern" in first or "pattern" in second:
                try:
                    rules = (_own(first), _own(second))
                    yield from members(And((regexes.of_schema(rules[0]), Not(regexes.of_schema(rules[1])))), 2)
                    yield from members(And((regexes.of_schema(rules[0]), regexes.of_schema(rules[1]))), 1)
                except Undecided:
                    continue


def _long_ones(mine: Schemas, theirs: Schemas) -> Iterator[str]:
    """Just too long for the other side, and still what the patterns of this one ask for."""
    tops = sorted({int(schema["maxLength"]) for schema in theirs if "maxLength" in schema})
    texts = [schema["pattern"] for schema in mine if "pattern" in schema]
    try:
        language = And(tuple(map(regexes.pattern, texts)))
        yield from filter(None, (regexes.pumped(language, top + 1) for top in tops if texts and top < MAX_TEXT))
    except Undecided:
        return


def _own(schema: Mapping[str, object]) -> dict[str, Any]:
    return {k: v for k, v in schema.items() if k in ("pattern", "minLength", "maxLength")}


def _odd_keys(mine: Schemas, theirs: Schemas) -> Iterator[str]:
    yield "extra"
    for schema in (*theirs, *mine):
        try:
            if "propertyNames" in schema:
                names = regexes.of_schema(schema["propertyNames"])
                yield from filter(None, (a_key(names), a_key(Not(names))))
                yield from (*members(names, 1), *members(Not(names), 1))
            for text in schema.get("patternProperties", ()):
                yield from filter(None, [a_key(regexes.pattern(text))])
                yield from members(regexes.pattern(text), 2)
        except Undecided:
            continue
    texts = [text for schema in mine for text in schema.get("patternProperties", ())]
    others = [text for schema in theirs for text in schema.get("patternProperties", ())]
    for text in texts:
        for other in others:
            try:
                yield from members(And((regexes.pattern(text), Not(regexes.pattern(other)))), 1)
                yield from members(And((regexes.pattern(other), Not(regexes.pattern(text)))), 1)
                yield from members(And((regexes.pattern(other), regexes.pattern(text))), 1)
            except Undecided:
                continue


def _longer(value: list[object], schemas: Schemas, item: object) -> Iterator[list[Any]]:
    lengths = {int(s[k]) + step for s in schemas for k in ("minItems", "maxItems") if k in s for step in (0, 1)}
    for length in sorted(lengths):
        if len(value) < length <= MAX_ROW:
            yield [*value, *[item] * (length - len(value))]
            yield [*value, *range(length - len(value))]
            yield [*value, *(f"x{number}" for number in range(length - len(value)))]
