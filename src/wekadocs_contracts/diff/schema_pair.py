"""One schema in one direction: the proof decides, the rules name, and both have to agree."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from wekadocs_contracts.diff.proof.confirm import Judge
from wekadocs_contracts.diff.proof.normal.normalise import normalise
from wekadocs_contracts.diff.proof.prove import judge, prove, satisfiable
from wekadocs_contracts.diff.proof.unusable import TooLarge, UnusableSchema
from wekadocs_contracts.diff.rules import declared, texts, walk
from wekadocs_contracts.diff.rules.keywords import ABSENT, KeywordChange, mapping, same
from wekadocs_contracts.diff.rules.sentences import explanation, sentence

from .model import Change, Direction, SchemaProof, Verdict

FIELD = {"input": "inputSchema", "output": "outputSchema"}
_MAX_ALONE = 12  # beyond that many differences in one schema, one failing call has to do for all
_SECONDS_ALONE, _SECONDS_OF_BLAME = 0.25, 1.0
_DEFINITIONS = ("$defs", "definitions")


def schema_changes(old: object, new: object, direction: Direction, examples: Sequence[object] = ()) -> list[Change]:
    """What changed in one schema; `tool` is filled in by the caller."""
    if same(old, new):
        return []
    try:
        unusable = _unusable(old, new, direction)
        return [unusable] if unusable else _Pair(old, new, direction, examples).rows()
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
        normalise(schema)
    except UnusableSchema as error:
        return str(error)
    return ""


def _is_object(schema: object) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "object"


class _Pair:
    def __init__(self, old: object, new: object, direction: Direction, examples: Sequence[object]) -> None:
        self.old, self.new, self.direction, self.examples = old, new, direction, examples
        self.findings = walk.compare(old, new)
        self.asserting = [each for each in self.findings if each.effect != "docs"]
        bad = "narrowed" if direction == "input" else "widened"
        self.suspects = [each for each in self.asserting if each.effect in (bad, "changed")] or self.asserting
        self.alone: dict[int, SchemaProof] = {}
        self.proof = prove(old, new, direction, examples=examples)
        self.deadline = time.monotonic() + _SECONDS_OF_BLAME

    def rows(self) -> list[Change]:
        blamed = self._blame() if self.proof.breaking is not False else {}
        rows = {id(each): blamed.get(id(each)) or self._by_proof(each) for each in self.asserting}
        if (
            not blamed
            and self.proof.widened
            and self.asserting
            and not any(row.verdict == "additive" for row in rows.values())
        ):
            first = self.asserting[0]
            rows[id(first)] = replace(rows[id(first)], verdict="additive")
        gone = self._gone()
        found = [self._final(each, rows.get(id(each)), gone) for each in self.findings]
        rows_found = [*(row for row in found if row), *gone.values(), *self._whole()]
        return rows_found if any(row.verdict != "none" for row in rows_found) else [*rows_found, *self._notes()]

    def _row(self, finding: KeywordChange, verdict: Verdict, proof: SchemaProof | None = None) -> Change:
        decided = proof.proof if proof else "policy"
        witness = proof.witness if proof and verdict == "breaking" else None
        pointer = "/" + "/".join(_escaped(part) for part in (FIELD[self.direction], *finding.pointer))
        return Change(
            "", self.direction, verdict, _rule(finding, self.direction, verdict), pointer,
            before=_shown(finding.before), after=_shown(finding.after), witness=witness, proof=decided,
            tags=_tags(finding, self.direction), message=sentence(finding),
            explanation=explanation(self.old, self.new, self.direction, witness, finding.name),
            milliseconds=proof.milliseconds if proof else 0.0,
        )  # fmt: skip

    def _by_proof(self, finding: KeywordChange) -> Change:
        """A difference that is not to blame: more than before, or only another spelling."""
        good = "widened" if self.direction == "input" else "narrowed"
        proof = self.proof if self.proof.breaking is False else self._alone(finding)
        grown = proof.widened is not False and finding.effect in (good, "changed")
        added = finding.rule == "property-added" and not self._is_known(finding)
        if proof.breaking is not False:
            proof = replace(proof, proof="policy", witness=None)
        return self._row(finding, "additive" if grown or added else "none", proof)

    def _blame(self) -> dict[int, Change]:
        """Which differences break, each with a call of its own where it breaks alone."""
        if len(self.suspects) == 1:
            return {id(self.suspects[0]): self._row(self.suspects[0], "breaking", self.proof)}
        alone = {id(each): self._alone(each) for each in self.suspects[:_MAX_ALONE]}
        blamed = {
            id(each): self._row(each, "breaking", alone[id(each)])
            for each in self.suspects[:_MAX_ALONE]
            if alone[id(each)].breaking and self.judge.is_witness(alone[id(each)].witness)
        }
        if not blamed and self.suspects:
            open_cases = [each for each in self.suspects[:_MAX_ALONE] if alone[id(each)].breaking is not False]
            best = (open_cases or self.suspects)[0]
            blamed[id(best)] = self._row(best, "breaking", self.proof)
        return blamed

    def _alone(self, finding: KeywordChange) -> SchemaProof:
        """The proof for the old schema with nothing but this one change."""
        if len(self.asserting) > _MAX_ALONE or time.monotonic() > self.deadline:
            return SchemaProof(None, None, "unproven")
        if id(finding) not in self.alone:
            self.alone[id(finding)] = self._prove_alone(finding)
        return self.alone[id(finding)]

    def _prove_alone(self, finding: KeywordChange) -> SchemaProof:
        patched = copy.deepcopy(self.old)
        if not isinstance(patched, dict) or not isinstance(self.new, dict):
            return SchemaProof(None, None, "unproven")
        holder: Any = patched
        try:
            for part in finding.at[:-1]:
                holder = holder.setdefault(part, {}) if isinstance(holder, dict) else holder[int(part)]
            if finding.after is ABSENT:
                del holder[finding.at[-1]]
            else:
                holder[finding.at[-1]] = copy.deepcopy(finding.after)
            for keyword in _DEFINITIONS:
                for name, each in (self.new.get(keyword) or {}).items():
                    patched.setdefault(keyword, {}).setdefault(name, each)
            return prove(self.old, patched, self.direction, examples=self.examples, budget_seconds=_SECONDS_ALONE)
        except (UnusableSchema, LookupError, TypeError, AttributeError, ValueError):
            return SchemaProof(None, None, "unproven")

    @cached_property
    def judge(self) -> Judge:
        """What breaks one difference alone counts only if it breaks the whole change too."""
        return judge(self.old, self.new, self.direction)

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
            return satisfiable({**schema, **definitions}) is False
        except UnusableSchema:
            return False

    def _final(self, finding: KeywordChange, row: Change | None, gone: dict[object, Change]) -> Change | None:
        added = finding.rule == "header-added" and self.direction == "input"
        row = row or self._row(finding, "additive" if added else "docs")
        removed = gone.pop(finding.at, None) if finding.rule == "property-removed" else None
        if row.verdict == "breaking":
            return row
        if removed is not None:
            return removed
        if _breaks_by_policy(finding, self.direction):
            return self._row(finding, "breaking")
        if row.verdict == "none" and finding.rule == "format-changed":
            return replace(row, verdict="additive", proof="policy")
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
        if satisfiable(self.new) is False and satisfiable(self.old) is not False:
            message = "nothing at all fits this schema any more"
            yield Change("", self.direction, "breaking", "unsatisfiable", place, message=message)


def _rule(finding: KeywordChange, direction: Direction, verdict: Verdict) -> str:
    if finding.rule in ("property-added", "property-removed"):
        noun = "argument" if direction == "input" else "field"
        closed = direction == "output" and verdict == "breaking" and finding.rule == "property-added"
        return f"{noun}-{finding.rule.split('-')[1]}{'-closed' if closed else ''}"
    return finding.rule


def _breaks_by_policy(finding: KeywordChange, direction: Direction) -> bool:
    if finding.rule == "format-changed":
        return finding.effect in ("changed", "narrowed" if direction == "input" else "widened")
    return finding.rule == "content-changed" or (
        direction == "input" and finding.rule in ("default-changed", "header-changed")
    )


def _tags(finding: KeywordChange, direction: Direction) -> tuple[str, ...]:
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
