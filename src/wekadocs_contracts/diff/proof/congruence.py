"""Proofs that a set of values is empty, by induction on the size of the value.

A difference such as "a tree of the old kind that is no tree of the new kind" unfolds into parts that ask the same of
a strictly smaller value. Assuming those parts empty, and finding the whole empty then, proves it for every size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from wekadocs_contracts.diff.proof.normal.normalise import canonical_json, in_place_refs
from wekadocs_contracts.format.schemas import Schema

from . import inclusion
from .budget import Budget
from .emptiness import is_empty_array, is_empty_leaf, is_empty_object

MAX_GOALS = 80
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("not", "if", "then", "else")
_BELOW = ("additionalProperties", "items", "contains")
_BELOW_MAPS = ("properties", "patternProperties")

EmptyProof = Literal["empty-difference", "congruence"]


def prove_empty(schema: object, budget: Budget) -> EmptyProof | None:
    """How it is known that no value satisfies `schema`; None: not proven."""
    if not isinstance(schema, dict) or inclusion.is_bulky(schema):
        return None
    induction = _Induction(schema.get("$defs", {}), budget)
    if not induction.holds(schema, frozenset()):
        return None
    return "congruence" if induction.recursive else "empty-difference"


class _Induction:
    def __init__(self, definitions: Mapping[str, object], budget: Budget) -> None:
        self.definitions = definitions
        self.budget = budget
        self.goals = 0
        self.recursive = False

    def holds(self, goal: object, assumed: frozenset[str]) -> bool:
        """Is `goal` empty, given that the assumed sets have no member smaller than its own?"""
        body = _body(goal)
        key = canonical_json(body)
        if key in assumed:
            self.recursive = True
            return True
        self.goals += 1
        if self.goals > MAX_GOALS or not self.budget.spend(inclusion.effort(body)):
            return False
        unfolded = self.simplified(self.unfold(body))
        if unfolded.inhabited is not None or unfolded.schema is None or self.is_renamed(unfolded.schema):
            return unfolded.inhabited is False
        smaller = self.refine(_body(unfolded.schema), assumed | {key})
        return self.simplified(smaller).inhabited is False

    def simplified(self, schema: Schema | bool) -> inclusion.SetOf:
        if isinstance(schema, bool):
            return inclusion.SetOf(schema, schema)
        return inclusion.simplified({**schema, "$defs": self.definitions})

    def is_renamed(self, schema: Schema) -> bool:
        return not set(schema.get("$defs", ())) <= set(self.definitions)

    def unfold(self, schema: object) -> Any:
        """References that judge this very value, replaced by what they stand for."""
        if not isinstance(schema, dict):
            return schema
        out = self.in_place({k: v for k, v in schema.items() if k != "$ref"}, self.unfold)
        if "$ref" in schema:
            target = self.definitions[schema["$ref"].removeprefix("#/$defs/")]
            out["allOf"] = [*out.get("allOf", []), self.unfold(target)]
        return out

    def in_place(self, schema: Schema, change: Callable[[object], object]) -> dict[str, Any]:
        out = dict(schema)
        for keyword in _IN_PLACE_LISTS:
            if keyword in out:
                out[keyword] = [change(part) for part in out[keyword]]
        for keyword in _IN_PLACE:
            if keyword in out:
                out[keyword] = change(out[keyword])
        return out

    def refine(self, schema: object, assumed: frozenset[str]) -> Any:
        """The same set, with every part that provably has no member written as `false`."""
        if not isinstance(schema, dict):
            return schema

        def is_empty(part: object) -> bool:
            return self.holds(part, assumed)

        if is_empty_leaf(schema) or is_empty_object(schema, is_empty) or is_empty_array(schema, is_empty):
            return False
        out = self.in_place(schema, lambda part: self.refine(part, assumed))
        for keyword in _BELOW:
            if keyword in out:
                out[keyword] = self.below(out[keyword], assumed)
        for keyword in _BELOW_MAPS:
            if keyword in out:
                out[keyword] = {name: self.below(part, assumed) for name, part in out[keyword].items()}
        if "prefixItems" in out:
            out["prefixItems"] = [self.below(part, assumed) for part in out["prefixItems"]]
        return out

    def below(self, schema: object, assumed: frozenset[str]) -> Any:
        # A bare reference is a set with members; only a meeting of sets may be empty.
        if isinstance(schema, dict) and set(schema) != {"$ref"} and in_place_refs(schema):
            return False if self.holds(schema, assumed) else schema
        return self.refine(schema, assumed)


def _body(schema: object) -> Any:
    return {k: v for k, v in schema.items() if k != "$defs"} if isinstance(schema, dict) else schema
