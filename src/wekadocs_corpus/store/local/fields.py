"""Declared fields of an index as columns: which chunks meet a condition."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wekadocs_corpus.fields import FieldCondition, Value, Values


@dataclass(frozen=True)
class Column:
    """The values of one field: a row for each that a chunk has."""

    places: np.ndarray  # of chunks
    codes: np.ndarray  # the number of the value
    spelled: np.ndarray  # the values as JSON, read when the first condition asks

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, Value]]) -> Column:
        known: dict[Value, int] = {}
        codes = [known.setdefault(value, len(known)) for _, value in pairs]
        return cls(np.array([place for place, _ in pairs], "<i4"), np.array(codes, "<i4"), _spelled(list(known)))

    @cached_property
    def values(self) -> list[Value]:
        found: list[Value] = json.loads(self.spelled.tobytes())
        return found

    def meets(self, condition: FieldCondition, count: int) -> np.ndarray:
        """A flag for each of so many chunks."""
        fits = np.array([condition.holds(value) for value in self.values], bool)
        seen = np.zeros(count, bool)
        seen[self.places[fits[self.codes]]] = True
        return seen


FIELDS = "fields"  # where a generation names its fields


def field_arrays(number: int) -> tuple[str, str, str]:
    """What the arrays of a generation's field are called."""
    return f"field-{number}-places", f"field-{number}-codes", f"field-{number}-values"


Columns = Mapping[str, Column]  # by the field's name


def columns(values: Sequence[Values]) -> dict[str, Column]:
    """Of chunks in their order."""
    pairs: dict[str, list[tuple[int, Value]]] = {}
    for place, own in enumerate(values):
        for name, value in own:
            pairs.setdefault(name, []).append((place, value))
    return {name: Column.of(each) for name, each in pairs.items()}


def joined(parts: Iterable[tuple[int, Columns]]) -> dict[str, Column]:
    """Of parts that follow each other: where each begins, and its columns."""
    found: dict[str, list[tuple[int, Column]]] = {}
    for start, part in parts:
        for name, column in part.items():
            found.setdefault(name, []).append((start, column))
    return {name: _joined(each) for name, each in found.items()}


def _joined(parts: Sequence[tuple[int, Column]]) -> Column:
    known: dict[Value, int] = {}
    codes = []
    for _, part in parts:
        numbers = [known.setdefault(value, len(known)) for value in part.values]
        codes.append(np.array(numbers, "<i4")[part.codes])
    places = [part.places + np.int32(start) for start, part in parts]
    return Column(np.concatenate(places), np.concatenate(codes), _spelled(list(known)))


def _spelled(values: Sequence[Value]) -> np.ndarray:
    return np.frombuffer(json.dumps(values).encode(), "u1")


def meets_all(own: Columns, conditions: Iterable[FieldCondition], count: int) -> np.ndarray:
    """Which of so many chunks meet every condition; none where the field is not there."""
    seen = np.ones(count, bool)
    for each in conditions:
        column = own.get(each.field)
        seen &= column.meets(each, count) if column is not None else np.zeros(count, bool)
    return seen
