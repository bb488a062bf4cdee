"""One schema in one direction: the proof decides, the rules name, and both have to agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wekadocs_contracts.diff.proof.normal import dialects
from wekadocs_contracts.diff.proof.normal.formats import asserted
from wekadocs_contracts.diff.proof.normal.normalise import normalise
from wekadocs_contracts.diff.proof.normal.references import static
from wekadocs_contracts.diff.proof.prove import prove, satisfiable
from wekadocs_contracts.diff.proof.unusable import TooLarge, UnusableSchema
from wekadocs_contracts.diff.rules import declared, generators, texts, walk
from wekadocs_contracts.diff.rules.keywords import ABSENT, KeywordChange, canonical, mapping, same
from wekadocs_contracts.diff.rules.sentences import explanation, sentence

from .alone import Alone, around, edits, read
from .model import Change, Direction, SchemaProof, Verdict

FIELD = {"input": "inputSchema", "output": "outputSchema"}
RESPELLED = "respelled"
_DEFINITIONS = ("$defs", "definitions")


def schema_changes(
    old: object, new: object, direction: Direction, examples: Sequence[object] = (), *, formats: bool = True
) -> list[Change]:
    """What changed in one schema; `tool` is filled in by the caller."""
    old, new = static(old), static(new)
    if same(old, new):
        return []
    try:
        unusable = _unusable(old, new, direction)
        return [unusable] if unusable else _Pair(old, new, direction, examples, formats).rows()
    except (TooLarge, RecursionError):
        message = f"the {direction} schema is too large to compare"
        return [
            Change("", direction, "breaking", "not-proven", f"/{FIELD[direction]}", proof="unproven", message=message)
        ]


def _unusable(old: object, new: object, direction: Direction) -> Change | None:
    """P5: a schema that cannot be used breaks; against one that could not be used nothing can be proven."""
    reason, before = _reason(new), _reason(old)
    if direction == "input" and not reason and _is_object(old) and not _is_object(new):
        reason = "the root of inputSchema must say type: object"
    place = f"/{FIELD[direction]}"
    if reason and reason != before:
        return Change("", direction, "breaking", "schema-invalid", place, message=reason, before=old, after=new)
    if reason or before:
        message = f"the old schema could not be used ({before})"
        return Change("", direction, "breaking", "schema-repaired", place, proof="unproven", message=message)
    return None


def _reason(schema: object) -> str:
    try:
        normalise(asserted(schema, "judge", formats=False))
    except UnusableSchema as error:
        return str(error)
    return ""


def _is_object(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "object"


class _Pair:
    def __init__(
        self, old: object, new: object, direction: Direction, examples: Sequence[object], formats: bool
    ) -> None:
        self.old, self.new, self.direction, self.formats = old, new, direction, formats
        self.findings = walk.compare(old, new)
        self.asserting = [each for each in self.findings if each.effect != "docs"]
        self.proof = prove(*read(old, new, direction, formats), direction, examples=examples)
        self.alone = Alone(old, new, direction, examples, self.proof.breaking is False, formats)
        self.is_translated = dialects.of(old) != dialects.of(new)

    def rows(self) -> list[Change]:
        rows = self._judged()
        gone = self._gone()
        found = [self._final(each, rows.get(id(each)), gone) for each in self.findings]
        folded = {row.pointer: row for row in rows.values() if row.rule == RESPELLED}
        rows_found = [*(row for row in found if row), *folded.values(), *gone.values(), *self._whole()]
        return rows_found if any(row.verdict != "none" for row in rows_found) else [*rows_found, *self._notes()]

    def _judged(self) -> dict[int, Change]:
        """Every difference by itself; then what only some of them together do."""
        rows = {id(each): self._by_itself(each) for each in self.asserting}
        kept = [each for each in self.asserting if rows[id(each)].verdict != "breaking"]
        if self.proof.breaking is not False and (joint := self._joint(kept, len(rows) > len(kept))):
            best = next((each for each in kept if each.effect in (self._bad, "changed")), kept[0])
            rows[id(best)] = self._together(best, *joint)
        # Where formats are checks both sides are read with care: what then seems to be more may be the same.
        cautious = self.formats and '"format"' in canonical([self.old, self.new])
        grown = self.proof.breaking is False and self.proof.widened and not cautious
        if grown and self.asserting and not any(row.verdict == "additive" for row in rows.values()):
            first = self.asserting[0]
            rows[id(first)] = replace(rows[id(first)], verdict="additive")
        return rows

    @property
    def _is_equal(self) -> bool:
        """In the end nothing is refused that was not, and nothing allowed that was not."""
        return self.proof.breaking is False and self.proof.widened is False

    @property
    def _bad(self) -> str:
        return "narrowed" if self.direction == "input" else "widened"

    def _by_itself(self, finding: KeywordChange) -> Change:
        proof, patched = (self.proof, self.new) if len(self.asserting) == 1 else self.alone.proof(edits(finding))
        if proof.breaking is False and not (self._is_equal and proof.widened is not False):
            return self._row(finding, "additive" if self._grows(finding, proof) else "none", proof)
        if proof.breaking and self.proof.breaking is not False:
            return self._row(finding, "breaking", proof, patched)
        if folded := self._folded(finding):
            return folded
        if self.proof.breaking and self._takes_part(finding):
            return _joined(self._row(finding, "breaking", self.proof))
        return self._row(finding, "breaking", replace(proof, proof="unproven"))

    def _takes_part(self, finding: KeywordChange) -> bool:
        """It would break something by itself, but with all the other changes no call shows just that."""
        # In another dialect every keyword may mean something else: no change is one by itself.
        return self.is_translated or self.alone.proof(edits(finding), in_the_end=False)[0].breaking is True

    def _grows(self, finding: KeywordChange, proof: SchemaProof) -> bool:
        added = finding.rule == "property-added" and not self._is_known(finding)
        return added or (proof.widened is not False and finding.effect != self._bad)

    def _folded(self, finding: KeywordChange) -> Change | None:
        """What breaks nothing with a little more around it only says the same in other words."""
        for at, to, edit in around(finding, self.old, self.new):
            proof, _ = self.alone.proof([edit])
            if proof.breaking is False and (proof.widened is False or not self._is_equal):
                wider = KeywordChange(RESPELLED, "changed", to, at, edit[1], edit[2])
                return self._row(wider, "additive" if proof.widened else "none", proof)
        if self.proof.breaking is False:
            wider = KeywordChange(RESPELLED, "changed", (), (), self.old, self.new)
            return self._row(wider, "additive" if self.proof.widened else "none", self.proof)
        return None

    def _joint(self, kept: Sequence[KeywordChange], others: bool) -> tuple[SchemaProof, Any] | None:
        """What those do together that break nothing by themselves; None where that is nothing either."""
        if len(kept) < (2 if others else 1):
            return None
        whole = (self.proof, self.new)
        joint = self.alone.proof([edit for each in kept for edit in edits(each)]) if others else whole
        return None if joint[0].breaking is False else joint

    def _together(self, best: KeywordChange, proof: SchemaProof, patched: object) -> Change:
        if not proof.breaking:
            proof = replace(proof, proof="unproven", witness=None)
        return _joined(self._row(best, "breaking", proof, patched))

    def _row(
        self, finding: KeywordChange, verdict: Verdict, proof: SchemaProof | None = None, patched: object = ABSENT
    ) -> Change:
        decided = proof.proof if proof else "policy"
        witness = proof.witness if proof and verdict == "breaking" else None
        pointer = "/" + "/".join(_escaped(part) for part in (FIELD[self.direction], *finding.pointer))
        refusing = self.new if patched is ABSENT else patched
        return Change(
            "", self.direction, verdict, _rule(finding, self.direction, verdict), pointer,
            before=_shown(finding.before), after=_shown(finding.after), witness=witness, proof=decided,
            tags=_tags(finding, self.direction), message=sentence(finding),
            explanation=self._explained(refusing, witness, finding.name),
            cause=generators.TITLES if generators.is_generated_title(finding) else "",
            milliseconds=proof.milliseconds if proof else 0.0,
        )  # fmt: skip

    def _explained(self, refusing: object, witness: object, name: str) -> str:
        """By the whole new schema where that speaks of the same name: it knows what stands in its place."""
        whole = explanation(self.old, self.new, self.direction, witness, name) if name else ""
        told = f"`{name}`" in whole
        return whole if told else explanation(self.old, refusing, self.direction, witness, name)

    def _moved(self, finding: KeywordChange, schema: object) -> bool:
        return declared.collect(schema, outright=False).mentions(finding.name)

    def _is_known(self, finding: KeywordChange) -> bool:
        """The name stood in the old schema already, wherever; a map or a pattern that covers it is no name."""
        return finding.name in declared.names(self.old)

    def _gone(self) -> dict[Any, Change]:
        """P1 and P2: what was declared and is not any more, even where the set of allowed values says nothing."""
        gone: dict[Any, Change] = {}
        for path, pointer in declared.removed(self.old, self.new):
            before = _at(self.old, pointer)
            if self._was_impossible(before):
                continue
            finding = KeywordChange("property-removed", "changed", pointer, pointer, before, ABSENT, path[-1])
            gone[pointer] = self._row(finding, "breaking")
        for each in self.findings:
            # In alternatives nothing is promised outright; a name that is nowhere any more is gone all the same.
            lost = each.rule == "property-removed" and each.at not in gone and not self._moved(each, self.new)
            if lost and not self._was_impossible(each.before):
                gone[each.at] = self._row(each, "breaking")
        return gone

    def _was_impossible(self, schema: object) -> bool:
        if not isinstance(schema, Mapping):
            return schema is False
        definitions = {key: each for key, each in mapping(self.old).items() if key in _DEFINITIONS}
        try:
            return satisfiable({**asserted(schema, "values", formats=False), **definitions}) is False
        except UnusableSchema:
            return False

    def _final(self, finding: KeywordChange, row: Change | None, gone: dict[object, Change]) -> Change | None:
        added = finding.rule == "header-added" and self.direction == "input"
        removed = gone.pop(finding.at, None) if finding.rule == "property-removed" else None
        if row is not None and row.rule == RESPELLED:
            return removed or (self._row(finding, "breaking") if _breaks_by_policy(finding, self.direction) else None)
        row = row or self._row(finding, "additive" if added else "docs")
        if row.verdict == "breaking":
            return row
        if removed is not None:
            return removed
        if _breaks_by_policy(finding, self.direction):
            return self._row(finding, "breaking")
        if row.verdict == "none" and finding.rule == "format-changed":
            return replace(row, verdict="docs", proof="policy")
        if row.verdict == "none" and finding.rule in ("property-removed", "property-added"):
            return None  # it only moved to another place of the same schema
        return row

    def _notes(self) -> Iterator[Change]:
        """Words that went with what carried them."""
        before, after = texts.notes(self.old), texts.notes(self.new)
        if before != after:
            place = f"/{FIELD[self.direction]}"
            message = f"notes in the schema changed: {len(before - after)} gone, {len(after - before)} new"
            yield Change("", self.direction, "docs", "annotation-text-changed", place, message=message)

    def _whole(self) -> Iterator[Change]:
        """What cannot be pinned to one keyword."""
        place = f"/{FIELD[self.direction]}"
        if not self.asserting and self.proof.breaking is not False:
            message = "the proof finds a break that no rule can name: a bug of wekadocs-mcp"
            rule = "rules-and-proof-disagree" if self.proof.breaking else "not-proven"
            witness = self.proof.witness
            why = explanation(self.old, self.new, self.direction, witness)
            text = message if self.proof.breaking else "not proven safe"
            yield Change(
                "",
                self.direction,
                "breaking",
                rule,
                place,
                witness=witness,
                proof=self.proof.proof,
                message=text,
                explanation=why,
            )
        elif not self.asserting and self.proof.widened:
            yield Change(
                "",
                self.direction,
                "additive",
                "schema-widened",
                place,
                proof=self.proof.proof,
                message="the schema allows more",
            )
        old, new = (asserted(each, "judge", formats=False) for each in (self.old, self.new))
        if satisfiable(new) is False and satisfiable(old) is not False:
            message = "nothing at all fits this schema any more"
            yield Change("", self.direction, "breaking", "unsatisfiable", place, message=message)


def _joined(row: Change) -> Change:
    return replace(row, message=f"{row.message} (together with other changes)")


def _rule(finding: KeywordChange, direction: Direction, verdict: Verdict) -> str:
    if finding.rule in ("property-added", "property-removed"):
        noun = "argument" if direction == "input" else "field"
        closed = direction == "output" and verdict == "breaking" and finding.rule == "property-added"
        return f"{noun}-{finding.rule.split('-')[1]}{'-closed' if closed else ''}"
    return "generated-title" if generators.is_generated_title(finding) else finding.rule


def _breaks_by_policy(finding: KeywordChange, direction: Direction) -> bool:
    return finding.rule == "content-changed" or (
        direction == "input" and finding.rule in ("default-changed", "header-changed")
    )


def _tags(finding: KeywordChange, direction: Direction) -> tuple[str, ...]:
    if generators.is_generated_title(finding):
        return ()
    if finding.rule in ("description-changed", "title-changed"):
        return ("routing",) if direction == "input" else ()
    return ("behaviour",) if finding.rule == "default-changed" else ()


def _at(schema: object, pointer: Sequence[str | int]) -> Any:
    for part in pointer:
        schema = schema[int(part)] if isinstance(schema, list) else schema[part] if isinstance(schema, dict) else ABSENT
    return schema


def _shown(value: object) -> Any:
    return None if value is ABSENT else value


def _escaped(part: str | int) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")
