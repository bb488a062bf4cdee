"""Does a changed schema refuse what worked, or answer what was promised not to come? Proof, witness, or neither.

    normalise → set difference → emptiness (automata, induction) → witness search, confirmed by two validators
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from wekadocs_mcp.diff import congruence, inclusion, witness
from wekadocs_mcp.diff.confirm import Judge
from wekadocs_mcp.diff.congruence import EmptyProof
from wekadocs_mcp.diff.exemption import exemption
from wekadocs_mcp.diff.inclusion import SetOf
from wekadocs_mcp.diff.model import Direction, SchemaProof
from wekadocs_mcp.diff.normalise import Normal, canonical_json, normalise
from wekadocs_mcp.diff.unusable import InvalidSchema, TooLarge, UnresolvableRef, UnusableSchema
from wekadocs_mcp.diff.witness import NOTHING, conjunction

__all__ = ["InvalidSchema", "UnresolvableRef", "UnusableSchema", "prove", "satisfiable"]


def prove(
    old: Any, new: Any, direction: Direction, *, examples: Sequence[Any] = (), budget_seconds: float = 1.0
) -> SchemaProof:
    """Raises UnusableSchema where a side is no schema or refers out of its document."""
    started = time.monotonic()
    values, judge = (old, new) if direction == "input" else (new, old)
    try:
        proof = _Pair(values, judge, examples, started + budget_seconds).proof()
    except TooLarge:
        proof = SchemaProof(None, None, "unproven")
    spent = (time.monotonic() - started) * 1000
    return SchemaProof(proof.breaking, proof.widened, proof.proof, proof.witness, round(spent, 3))


def satisfiable(schema: Any, *, budget_seconds: float = 0.3) -> bool | None:
    """Is there any value at all that the schema admits?"""
    deadline = time.monotonic() + budget_seconds
    try:
        return _Pair(False, schema, (), deadline).widened()
    except TooLarge:
        return None


class _Pair:
    """Is every value of the one side also one of the other?"""

    def __init__(self, values: Any, judge: Any, examples: Sequence[Any], deadline: float) -> None:
        self.values = normalise(values, "v")
        self.judge = normalise(judge, "j")
        self.exact = self.values.exact and self.judge.exact
        self.examples = examples
        self.deadline = deadline

    def proof(self) -> SchemaProof:
        if _are_equal(self.values, self.judge):
            return SchemaProof(False, False, "empty-difference")
        plain = self.difference(None)
        if (kind := self.is_empty(plain)) is not None:
            return SchemaProof(False, self.widened(), kind)
        exempt = exemption(self.values.schema, self.judge.schema)
        if exempt is None or not self.leaves_something(exempt):
            return self.witnessed(None, plain)
        apart = self.difference(exempt)
        if (kind := self.is_empty(apart)) is not None:
            return SchemaProof(False, True, kind)
        return self.witnessed(exempt, apart)

    def difference(self, exempt: Any | None) -> SetOf:
        values = self.values.schema
        return inclusion.difference(values if exempt is None else conjunction(values, exempt), self.judge.schema)

    def is_empty(self, apart: SetOf) -> EmptyProof | None:
        if not self.exact or apart.inhabited:
            return None
        if apart.inhabited is False:
            return "empty-difference"
        return congruence.prove_empty(apart.schema, self.deadline)

    def leaves_something(self, exempt: Any) -> bool:
        """An exemption that exempts every value would call any change safe."""
        return inclusion.simplified(conjunction(self.values.schema, exempt)).inhabited is not False

    def witnessed(self, exempt: Any | None, apart: SetOf) -> SchemaProof:
        found = self.search(self.values, self.judge, exempt, apart, self.examples)
        if found is NOTHING:
            return SchemaProof(None, None, "unproven")
        return SchemaProof(True, self.gained().inhabited, "witness", found)

    def search(self, values: Normal, judge: Normal, exempt: Any, apart: SetOf, examples: Sequence[Any]) -> Any:
        return witness.find(Judge(values, judge, exempt), apart.schema, examples, self.deadline)

    def gained(self) -> SetOf:
        return inclusion.difference(self.judge.schema, self.values.schema)

    def widened(self) -> bool | None:
        """The plain inclusion the other way round; a witness settles it where the difference cannot."""
        gained = self.gained()
        if gained.inhabited is not None and self.exact:
            return gained.inhabited
        if self.is_empty(gained) is not None:
            return False
        found = self.search(self.judge, self.values, None, gained, ())
        return True if found is not NOTHING else None


def _are_equal(first: Normal, second: Normal) -> bool:
    if canonical_json(first.raw) == canonical_json(second.raw):
        return True
    same = canonical_json(first.schema) == canonical_json(second.schema)
    return same and first.exact and second.exact and not _has_definitions(first.schema)


def _has_definitions(schema: Any) -> bool:
    # Names of definitions differ between the sides, and equal names would prove nothing.
    return isinstance(schema, dict) and "$defs" in schema
