"""Does a changed schema refuse what worked, or answer what was promised not to come? Proof, witness, or neither.

normalise → set difference → emptiness (automata, induction) → witness search, confirmed by two validators
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from wekadocs_contracts.diff.model import Direction, SchemaProof
from wekadocs_contracts.diff.proof.normal.normalise import Normal, canonical_json, normalise
from wekadocs_contracts.diff.proof.witnesses import witness
from wekadocs_contracts.diff.proof.witnesses.witness import NOTHING, Search, conjunction

from . import congruence, inclusion, structure
from .budget import Budget
from .confirm import Judge
from .congruence import EmptyProof
from .exemption import exemption
from .inclusion import SetOf
from .unusable import InvalidSchema, TooLarge, UnresolvableRef, UnusableSchema

STEPS = 40_000
SHORT_SEARCH = 300
STRUCTURE_STEPS = 4_000
WIDENED_STEPS = 4_000
LEAST_STEPS = 4_000

__all__ = ["InvalidSchema", "UnresolvableRef", "UnusableSchema", "judge", "prove", "satisfiable"]


def prove(
    old: object,
    new: object,
    direction: Direction,
    *,
    examples: Sequence[object] = (),
    steps: int = STEPS,
    budget: Budget | None = None,
    also: Judge | None = None,
) -> SchemaProof:
    """Raises UnusableSchema where a side is no schema or refers out of its document.

    A witness has to convince `also` as well, where somebody else judges too.
    """
    started = time.monotonic()
    values, judge = (old, new) if direction == "input" else (new, old)
    try:
        proof = _Pair(values, judge, examples, budget or Budget(steps), also).proof()
    except TooLarge:
        proof = SchemaProof(None, None, "unproven")
    spent = (time.monotonic() - started) * 1000
    return SchemaProof(proof.breaking, proof.widened, proof.proof, proof.witness, round(spent, 3))


def satisfiable(schema: object, *, steps: int = 6_000) -> bool | None:
    """Is there any value at all that the schema admits?"""
    try:
        return _Pair(False, schema, (), Budget(steps)).widened()
    except TooLarge:
        return None


def judge(old: object, new: object, direction: Direction) -> Judge:
    """Who decides whether a value shows that this pair breaks."""
    values, other = (old, new) if direction == "input" else (new, old)
    pair = _Pair(values, other, (), Budget(0))
    return Judge(pair.values, pair.judge, pair.exempt())


class _Pair:
    """Is every value of the one side also one of the other?"""

    def __init__(
        self, values: object, judge: object, examples: Sequence[object], budget: Budget, also: Judge | None = None
    ) -> None:
        self.values = normalise(values, "v")
        self.judge = normalise(judge, "j")
        self.exact = self.values.exact and self.judge.exact
        self.examples = examples
        self.budget = budget
        self.also = also

    def proof(self) -> SchemaProof:
        if _are_equal(self.values, self.judge):
            return SchemaProof(False, False, "empty-difference")
        plain = self.difference(None)
        if (kind := self.is_empty(plain)) is not None:
            return SchemaProof(False, self.widened(), kind)
        exempt = self.exempt()
        if exempt is None:
            return self.settled(None, plain)
        apart = self.difference(exempt)
        if (kind := self.is_empty(apart)) is not None:
            return SchemaProof(False, True, kind)
        return self.settled(exempt, apart)

    def settled(self, exempt: object | None, apart: SetOf) -> SchemaProof:
        """A short search, then keyword by keyword where the set operations gave up, then a long search."""
        search = Search(Judge(self.values, self.judge, exempt, self.also), apart.schema, self.examples, self.budget)
        # The set operations may have used up the budget; the likeliest calls are tried all the same.
        self.budget.left = max(self.budget.left, LEAST_STEPS)
        found = witness.find(search, self.budget, SHORT_SEARCH)
        if found is NOTHING and (kind := self.is_covered(exempt, apart)) is not None:
            return SchemaProof(False, self.widened() if exempt is None else True, kind)
        if found is NOTHING:
            found = witness.find(search, self.budget)
        if found is NOTHING:
            return SchemaProof(None, None, "unproven")
        return SchemaProof(True, self.gained().inhabited, "witness", found)

    def difference(self, exempt: object | None) -> SetOf:
        values = self.values.schema
        return inclusion.difference(values if exempt is None else conjunction(values, exempt), self.judge.schema)

    def is_empty(self, apart: SetOf) -> EmptyProof | None:
        if not self.exact or apart.inhabited:
            return None
        if apart.inhabited is False:
            return "empty-difference"
        return congruence.prove_empty(apart.schema, self.budget)

    def is_covered(self, exempt: object | None, apart: SetOf) -> EmptyProof | None:
        """Keyword by keyword, only where the set operations gave up."""
        if not self.exact or apart.inhabited is not None:
            return None
        values = self.values.schema if exempt is None else conjunction(self.values.schema, exempt)
        return _structural(values, self.judge.schema, self.budget)

    def exempt(self) -> Any | None:
        """An exemption that exempts every value would call any change safe: that is none."""
        found = exemption(self.values.schema, self.judge.schema)
        if found is None or inclusion.simplified(conjunction(self.values.schema, found)).inhabited is False:
            return None
        return found

    def gained(self) -> SetOf:
        return inclusion.difference(self.judge.schema, self.values.schema)

    def widened(self) -> bool | None:
        """The plain inclusion the other way round; a witness settles it where the difference cannot."""
        gained = self.gained()
        if gained.inhabited is not None and self.exact:
            return gained.inhabited
        if self.is_empty(gained) is not None:
            return False
        search = Search(Judge(self.judge, self.values, None), gained.schema, (), self.budget)
        found = witness.find(search, self.budget, SHORT_SEARCH)
        if found is NOTHING and self.exact and _structural(self.judge.schema, self.values.schema, self.budget):
            return False
        if found is NOTHING:
            found = witness.find(search, self.budget.part(WIDENED_STEPS))
        return True if found is not NOTHING else None


def _structural(inner: object, outer: object, budget: Budget) -> EmptyProof | None:
    definitions = {**_definitions(inner), **_definitions(outer)}
    return "congruence" if structure.covered(inner, outer, definitions, budget.part(STRUCTURE_STEPS)) else None


def _definitions(schema: object) -> dict[str, Any]:
    return dict(schema.get("$defs", {})) if isinstance(schema, dict) else {}


def _are_equal(first: Normal, second: Normal) -> bool:
    if canonical_json(first.raw) == canonical_json(second.raw):
        return True
    # Names of definitions differ between the sides: equal texts would prove nothing there.
    same = canonical_json(first.schema) == canonical_json(second.schema)
    return same and first.exact and second.exact and not _definitions(first.schema)
