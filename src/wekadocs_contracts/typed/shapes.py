"""What a schema allows, as type systems can say it: plain shapes, and objects with names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from wekadocs_contracts.format.contracts import Contract
from wekadocs_contracts.format.schemas import Schema, at_pointer, properties, required, resolved

_DEEPEST = 24


@dataclass(frozen=True)
class Plain:
    """One of JSON's own: string, integer, number, boolean, null, or anything."""

    name: str


@dataclass(frozen=True)
class OneOfValues:
    values: tuple[str | int | bool | None, ...]


@dataclass(frozen=True)
class ListOf:
    item: Shape


@dataclass(frozen=True)
class MapOf:
    value: Shape


@dataclass(frozen=True)
class Named:
    """An object that stands among the others by its name, so that it may hold itself."""

    name: str


@dataclass(frozen=True)
class AnyOf:
    options: tuple[Shape, ...]


Shape: TypeAlias = Plain | OneOfValues | ListOf | MapOf | Named | AnyOf
ANYTHING = Plain("anything")
NULL = Plain("null")


@dataclass(frozen=True)
class Field:
    name: str
    shape: Shape
    is_there: bool  # always
    told: str = ""


@dataclass(frozen=True)
class Made:
    """The types of one contract. A handler's arguments have their defaults, a caller's need not."""

    contract: Contract
    stem: str
    arguments: tuple[Field, ...]
    handled: tuple[Field, ...]
    result: Shape | None
    objects: dict[str, tuple[Field, ...]]
    has_others: bool  # majors of the same name


@dataclass
class _Maker:
    root: Schema
    filled: bool  # whether defaults have been put in
    objects: dict[str, tuple[Field, ...]]
    taken: dict[str, str] = field(default_factory=dict)  # reference → name

    def shape(self, schema: object, name: str, depth: int = 0) -> Shape:
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            return ANYTHING
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#"):
            return self._referred(ref, name, depth)
        if "const" in schema or "enum" in schema:
            return _values(schema["enum"] if "enum" in schema else [schema["const"]])
        options = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(options, list) and "properties" not in schema:
            parts = [self.shape(each, f"{name}{_letter(index)}", depth + 1) for index, each in enumerate(options)]
            return union(parts)
        kinds = schema.get("type")
        if isinstance(kinds, list):
            return union([self._of_kind(str(kind), schema, name, depth) for kind in kinds])
        kind = kinds or ("object" if properties(self.root, schema) else "anything")
        return self._of_kind(str(kind), schema, name, depth)

    def _referred(self, ref: str, name: str, depth: int) -> Shape:
        target = at_pointer(self.root, ref[1:])
        if not isinstance(target, Mapping) or not properties(self.root, target):
            return self.shape(target, name, depth + 1)
        if ref not in self.taken:
            self.taken[ref] = self._free(name)
            self._object(target, self.taken[ref], depth)
        return Named(self.taken[ref])

    def _of_kind(self, kind: str, schema: Mapping[str, object], name: str, depth: int) -> Shape:
        if kind == "array":
            return ListOf(self.shape(schema.get("items"), f"{name}Item", depth + 1))
        if kind != "object":
            return Plain(kind) if kind in ("string", "integer", "number", "boolean", "null") else ANYTHING
        if properties(self.root, schema):
            free = self._free(name)
            self._object(schema, free, depth)
            return Named(free)
        return MapOf(self.shape(schema.get("additionalProperties"), f"{name}Value", depth + 1))

    def _object(self, schema: Mapping[str, object], name: str, depth: int) -> None:
        self.objects[name] = ()  # its place, before what it holds
        self.objects[name] = tuple(self.fields(schema, name, depth))

    def fields(self, schema: object, name: str, depth: int = 0, leave: tuple[str, ...] = ()) -> Iterator[Field]:
        demanded = required(self.root, schema)
        kept = ((key, child) for key, child in properties(self.root, schema).items() if key not in leave)
        for key, child in kept:
            shape = self.shape(child, f"{name}{pascal(key)}", depth + 1)
            there = key in demanded or (self.filled and self.has_default(child))
            yield Field(key, shape, there, str(resolved(self.root, child).get("description", "")))

    def has_default(self, schema: Schema, depth: int = 0) -> bool:
        """Whether it is there although nobody gave it: by its own default, or by one of something in it."""
        if "default" in resolved(self.root, schema):
            return True
        inner = properties(self.root, schema) if depth < _DEEPEST else {}
        return any(self.has_default(each, depth + 1) for each in inner.values())

    def _free(self, name: str) -> str:
        number, free = 1, name
        while free in self.objects:
            number, free = number + 1, f"{name}{number + 1}"
        return free


def all_made(contracts: list[Contract]) -> list[Made]:
    names = [contract.name for contract in contracts]
    return [_made(each, names.count(each.name) > 1) for each in contracts]


def _made(contract: Contract, has_others: bool) -> Made:
    stem = pascal(contract.name) + (f"V{contract.major}" if has_others else "")
    objects: dict[str, tuple[Field, ...]] = {}
    given = tuple(_Maker(contract.input, False, objects).fields(contract.input, f"{stem}Arguments"))
    filled = _Maker(contract.input, True, objects)
    handled = tuple(filled.fields(contract.input, f"{stem}Handled", leave=("scope",)))  # the host consumes it
    result = None
    if contract.output is not None:
        maker = _Maker(contract.output, False, objects)
        result = maker.shape({"type": "object", **contract.output}, f"{stem}Result")
    return Made(contract, stem, given, handled, result, objects, has_others)


def union(parts: list[Shape]) -> Shape:
    flat = [each for part in parts for each in (part.options if isinstance(part, AnyOf) else (part,))]
    found = tuple(dict.fromkeys(flat))
    return ANYTHING if ANYTHING in found or not found else found[0] if len(found) == 1 else AnyOf(found)


def _values(values: list[object]) -> Shape:
    if all(value is None or isinstance(value, str | int) for value in values) and values:
        return OneOfValues(tuple(values))  # type: ignore[arg-type]
    return ANYTHING


def pascal(name: str) -> str:
    words = re.split(r"[^A-Za-z0-9]+", name)
    whole = "".join(word[:1].upper() + word[1:] for word in words)
    return whole if whole and not whole[0].isdigit() else f"T{whole}"


def _letter(index: int) -> str:
    return chr(ord("A") + index % 26)
