"""One difference by itself: the old schema with nothing but that change, and what is proven of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from wekadocs_contracts.diff.proof.budget import Budget
from wekadocs_contracts.diff.proof.confirm import Judge
from wekadocs_contracts.diff.proof.normal.formats import Side, asserted
from wekadocs_contracts.diff.proof.prove import judge, prove
from wekadocs_contracts.diff.proof.unusable import TooLarge, UnusableSchema
from wekadocs_contracts.diff.rules.keywords import ABSENT, KeywordChange, Pointer, canonical, listed, resolve, same

from .model import Direction, SchemaProof

STEPS_ALONE = 20_000
STEPS_IN_ALL = 600_000
_NEW = "(the new schema)"
_OPEN = SchemaProof(None, None, "unproven")
_CANNOT = (UnusableSchema, TooLarge, LookupError, TypeError, AttributeError, ValueError, RecursionError)

Edit = tuple[Pointer, Any, Any]  # where in the old schema, what stands there, what comes


class Alone:
    """What each difference does by itself, within one budget for all of them; what is not reached stays open."""

    def __init__(
        self, old: object, new: object, direction: Direction, examples: Sequence[object], safe: bool, formats: bool
    ) -> None:
        self.formats = formats
        self.old, self.new, self.direction, self.examples = old, new, direction, examples
        self.budget = Budget(STEPS_IN_ALL)
        # Where the whole change breaks something, a call counts only if it fails in the end too.
        self.whole: Judge | None = None if safe else judge(*self._read(old, new), direction)

    def patched(self, edits: Iterable[Edit]) -> Any:
        """The old schema with these changes; LookupError where one of them has no place of its own."""
        schema = _unshared(self.old)
        for place, before, after in edits:
            schema = _put(schema, place, before, self._carried(before, after))
        if isinstance(schema, dict) and _NEW in str(schema):
            schema.setdefault("$defs", {})[_NEW] = rebased(self.new, f"#/$defs/{_NEW}")
        return schema

    def _carried(self, before: object, after: object) -> Any:
        """What comes from the new schema refers to the new definitions, wherever it is put."""
        if isinstance(before, list) and isinstance(after, list):
            known = set(map(canonical, before))
            return [each if canonical(each) in known else self._carried(ABSENT, each) for each in after]
        return rebased(after, f"#/$defs/{_NEW}") if "$ref" in str(after) else after

    def proof(self, edits: Sequence[Edit], *, in_the_end: bool = True) -> tuple[SchemaProof, Any]:
        """Of the old schema against itself with these changes; and that schema."""
        try:
            patched = self.patched(edits)
            return self._prove(patched, self.whole if in_the_end else None), patched
        except _CANNOT:
            return _OPEN, self.new

    def _prove(self, patched: object, also: Judge | None) -> SchemaProof:
        if self.budget.is_spent:
            return _OPEN
        budget = self.budget.part(STEPS_ALONE)
        sides = self._read(self.old, patched)
        return prove(*sides, self.direction, examples=self.examples, budget=budget, also=also)

    def _read(self, old: object, new: object) -> tuple[Any, Any]:
        return read(old, new, self.direction, self.formats)


def read(old: object, new: object, direction: Direction, formats: bool) -> tuple[Any, Any]:
    """Both schemas as they are proven: formats are checks, or only notes."""
    sides: tuple[Side, Side] = ("values", "judge") if direction == "input" else ("judge", "values")
    return asserted(old, sides[0], formats=formats), asserted(new, sides[1], formats=formats)


def edits(finding: KeywordChange) -> list[Edit]:
    return [(finding.at, finding.before, finding.after), *finding.also]


def around(finding: KeywordChange, old: object, new: object) -> Iterator[tuple[Pointer, Pointer, Edit]]:
    """The same change with ever more around it: each place that holds it, in both schemas."""
    at, to = finding.at, finding.pointer
    while at and to and at[-1] == to[-1]:
        at, to = at[:-1], to[:-1]
        if at and to:
            yield at, to, (at, _at(old, at), _at(new, to))


def _unshared(schema: object) -> Any:
    """A copy in which no part stands in two places: to change one must not change the other."""
    if isinstance(schema, dict):
        return {key: _unshared(each) for key, each in schema.items()}
    return [_unshared(each) for each in schema] if isinstance(schema, list) else schema


def rebased(schema: object, home: str) -> Any:
    """A copy whose references start from where the whole document is put."""
    if isinstance(schema, dict):
        return {
            key: f"{home}{each[1:]}" if key == "$ref" and isinstance(each, str) and _is_pointer(each)
            else rebased(each, home)
            for key, each in schema.items()
        }  # fmt: skip
    return [rebased(each, home) for each in schema] if isinstance(schema, list) else schema


def _is_pointer(ref: str) -> bool:
    return ref == "#" or ref.startswith("#/")


def _at(schema: object, place: Pointer) -> Any:
    for part in place:
        if isinstance(schema, list):
            schema = schema[int(part)]
        elif isinstance(schema, dict):
            schema = schema.get(part, ABSENT)
        else:
            return ABSENT
    return schema


def _put(schema: Any, place: Pointer, before: object, after: Any) -> Any:
    if not place:
        return _unshared(after)
    holder = _with(schema, _holder(schema, place, before), place[-1])
    key = int(place[-1]) if isinstance(holder, list) else place[-1]
    found = holder.get(key, ABSENT) if isinstance(holder, dict) else holder[key]
    if isinstance(before, list) and isinstance(after, list):
        after = _moved(listed(found), before, after)
    elif not same(found, before):
        raise LookupError(place)  # it stands somewhere else
    if after is ABSENT:
        del holder[key]
    else:
        holder[key] = _unshared(after)
    return schema


def _moved(found: list[Any], before: list[object], after: list[object]) -> list[Any]:
    """What came is put in and what went is taken out, whatever else was done to the list."""
    old, new = set(map(canonical, before)), set(map(canonical, after))
    gone = old - new
    came = [each for each in after if canonical(each) not in old]
    left = [each for each in found if canonical(each) not in gone]
    if len({canonical(each) for each in found} & gone) < len(gone):
        raise LookupError("not what stood there")
    return [*left, *came]


def _holder(schema: Any, place: Pointer, before: object) -> Any:
    root = schema
    for part in place[:-1]:
        schema = _with(root, schema, part)
        if isinstance(schema, list):
            schema = schema[int(part)]
        else:
            schema = schema.setdefault(part, {}) if before in (ABSENT, []) else schema[part]
    return schema


def _with(root: object, node: Any, part: str | int) -> Any:
    """The node that has this part: what a reference stands for, where only that has it."""
    while isinstance(node, dict) and part not in node and "$ref" in node:
        target = resolve(root, node["$ref"])
        if target is None or not isinstance(target[0], dict) or not {part, "$ref"} & set(target[0]):
            break
        node = target[0]
    return node
