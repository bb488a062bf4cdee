"""Fields that a plugin declares for the chunks of a project, and what filters may ask of them: every store agrees."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["keyword", "integer", "float", "prefix"]  # prefix: a keyword that may be asked for by its beginning
Value = str | int | float
Values = tuple[tuple[str, Value], ...]  # a field's name with one value; several of one name are several values

LONGEST = 1024  # bytes of a text
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_WHOLE = 1 << 63
_TYPES: Mapping[str, type | tuple[type, ...]] = {"keyword": str, "prefix": str, "integer": int, "float": (int, float)}


class Unfit(Exception):
    """Something that no field takes, or no filter; who declared the field reads the message."""


class Field(NamedTuple):
    """What a plugin declares, once for a project; its kind stays."""

    name: str
    kind: Kind


@dataclass(frozen=True)
class OneOf:
    """One of the chunk's values is one of these. Several such conditions on a field: the chunk has all of them."""

    field: str
    values: tuple[Value, ...]

    def holds(self, value: Value) -> bool:
        return value in self.values


@dataclass(frozen=True)
class Between:
    """One of the chunk's numbers is not below `least` and not above `most`."""

    field: str
    least: float | None = None
    most: float | None = None

    def holds(self, value: Value) -> bool:
        if isinstance(value, str):
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


@dataclass(frozen=True)
class BeginsWith:
    """One of the chunk's texts begins so, character by character."""

    field: str
    prefix: str

    def holds(self, value: Value) -> bool:
        return isinstance(value, str) and value.startswith(self.prefix)


FieldCondition = OneOf | Between | BeginsWith
_ASKS = {"keyword": (OneOf,), "prefix": (OneOf, BeginsWith), "integer": (OneOf, Between), "float": (OneOf, Between)}


def check_field(field: Field) -> None:
    """Names are plain words: they stand in payloads and file names."""
    if not _NAME.fullmatch(field.name):
        raise Unfit(f"field {field.name[:80]!r}: a name is up to 63 letters, digits and _, and begins with no digit")
    if field.kind not in _TYPES:
        raise Unfit(f"field {field.name}: {str(field.kind)[:80]!r} is no kind; there are {', '.join(_TYPES)}")


def check_value(field: Field, value: Value) -> None:
    """Whether the field takes this value; it is not repeated in the message, which may be logged."""
    if not isinstance(value, _TYPES[field.kind]) or isinstance(value, bool) or not _can_be_kept(value):
        kinds = {"integer": "a whole number of 64 bits", "float": "a finite number"}
        raise Unfit(f"field {field.name} takes {kinds.get(field.kind, f'a text of up to {LONGEST} bytes')}")


def _can_be_kept(value: Value) -> bool:
    if isinstance(value, str):
        return not _NO_TEXT.search(value) and len(value.encode()) <= LONGEST
    return -_WHOLE <= value < _WHOLE if isinstance(value, int) else math.isfinite(value)


def fitting(condition: FieldCondition, kind: Kind | None) -> FieldCondition | None:
    """What of it can hold for values of this kind; None for nothing, and where the field is not declared."""
    words = kind in ("keyword", "prefix")
    if kind is None or isinstance(condition, BeginsWith if not words else Between):
        return None
    if not isinstance(condition, OneOf):
        return condition
    values = tuple(each for each in condition.values if isinstance(each, str) == words)
    return OneOf(condition.field, values) if values else None


def check_conditions(declared: Iterable[Field], conditions: Iterable[FieldCondition]) -> None:
    """For whoever takes filters from a caller: a store finds nothing where a field is unknown or of another kind."""
    kinds = {field.name: field.kind for field in declared}
    for each in conditions:
        if each.field not in kinds:
            raise Unfit(f"field {each.field[:80]!r} is not declared; there are {', '.join(sorted(kinds)) or 'none'}")
        field = Field(each.field, kinds[each.field])
        if not isinstance(each, _ASKS[field.kind]):
            raise Unfit(f"field {field.name} is {field.kind}: {type(each).__name__} cannot be asked of it")
        for value in each.values if isinstance(each, OneOf) else ():
            check_value(field, value)
