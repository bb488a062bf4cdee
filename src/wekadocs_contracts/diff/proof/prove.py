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
from .confirm import Judge
from .congruence import EmptyProof
from .exemption import exemption
from .inclusion import SetOf
from .unusable import InvalidSchema, TooLarge, UnresolvableRef, UnusableSchema

SHORT_SEARCH = 300
STRUCTURE_SECONDS = 0.2
WIDENED_SECONDS = 0.25
LEAST_SECONDS = 0.25

__all__ = ["InvalidSchema", "UnresolvableRef", "UnusableSchema", "judge", "prove", "satisfiable"]


def prove(
    old: object, new: object, direction: Direction, *, examples: Sequence[object] = (), budget_seconds: float = 1.0
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


def satisfiable(schema: object, *, budget_seconds: float = 0.3) -> bool | None:
    """Is there any value at all that the schema admits?"""
    deadline = time.monotonic() + budget_seconds
    try:
        return _Pair(False, schema, (), deadline).widened()
    except TooLarge:
        return None


def judge(old: object, new: object, direction: Direction) -> Judge:
    """Who decides whether a value shows that this pair breaks."""
    values, other = (old, new) if direction == "input" else (new, old)
    pair = _Pair(values, other, (), time.monotonic())
    return Judge(pair.values, pair.judge, pair.exempt())


class _Pair:
    """Is every value of the one side also one of the other?"""

    def __init__(self, values: object, judge: object, examples: Sequence[object], deadline: float) -> None:
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
        exempt = self.exempt()
        if exempt is None:
            return self.settled(None, plain)
        apart = self.difference(exempt)
        if (kind := self.is_empty(apart)) is not None:
            return SchemaProof(False, True, kind)
        return self.settled(exempt, apart)

    def settled(self, exempt: object | None, apart: SetOf) -> SchemaProof:
        """A short search, then keyword by keyword where the set operations gave up, then a long search."""
        search = Search(Judge(self.values, self.judge, exempt), apart.schema, self.examples, self.deadline)
        # The set operations may have used up the time; the likeliest calls are tried all the same.
        deadline = max(self.deadline, time.monotonic() + LEAST_SECONDS)
        found = witness.find(search, deadline, SHORT_SEARCH)
        if found is NOTHING and (kind := self.is_covered(exempt, apart)) is not None:
            return SchemaProof(False, self.widened() if exempt is None else True, kind)
        if found is NOTHING:
            found = witness.find(search, deadline)
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
        return congruence.prove_empty(apart.schema, self.deadline)

    def is_covered(self, exempt: object | None, apart: SetOf) -> EmptyProof | None:
        """Keyword by keyword, only where the set operations gave up."""
        if not self.exact or apart.inhabited is not None:
            return None
        values = self.values.schema if exempt is None else conjunction(self.values.schema, exempt)
        return _structural(values, self.judge.schema, self.deadline)

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
        search = Search(Judge(self.judge, self.values, None), gained.schema, (), self.deadline)
        found = witness.find(search, self.deadline, SHORT_SEARCH)
        if found is NOTHING and self.exact and _structural(self.judge.schema, self.values.schema, self.deadline):
            return False
        if found is NOTHING:
            found = witness.find(search, min(self.deadline, time.monotonic() + WIDENED_SECONDS))
        return True if found is not NOTHING else None


def _structural(inner: object, outer: object, deadline: float) -> EmptyProof | None:
    definitions = {**_definitions(inner), **_definitions(outer)}
    return "congruence" if structure.covered(inner, outer, definitions, _half(deadline)) else None


def _half(deadline: float) -> float:
    """Leaves time for the search."""
    now = time.monotonic()
    return now + min((deadline - now) / 2, STRUCTURE_SECONDS)


def _definitions(schema: object) -> dict[str, Any]:
    return dict(schema.get("$defs", {})) if isinstance(schema, dict) else {}


def _are_equal(first: Normal, second: Normal) -> bool:
    if canonical_json(first.raw) == canonical_json(second.raw):
        return True
    # Names of definitions differ between the sides: equal texts would prove nothing there.
    same = canonical_json(first.schema) == canonical_json(second.schema)
    return same and first.exact and second.exact and not _definitions(first.schema)
