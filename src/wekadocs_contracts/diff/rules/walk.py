"""Two schemas side by side: every keyword that differs, where it stands, and which way it seems to go.

Only a name and a place come from here. A wrong guess makes a poor message, never a wrong verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from wekadocs_contracts.diff.proof.normal import dialects

from .keywords import (  # fmt: skip
    ABSENT,
    FLIPPED,
    NOTES,
    Effect,
    KeywordChange,
    Pointer,
    boolean,
    canonical,
    finding,
    get,
    leaf,
    listed,
    mapping,
    required,
    resolve,
    same,
    turned,
    values,
)
from .table import kebab

_SINGLE = (
    "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items", "contains", "propertyNames",
    "not", "if", "then", "else",
)  # fmt: skip
_KEYED = ("patternProperties", "dependentSchemas")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
_BESIDE = frozenset({"properties", "required", "enum", "const"})
_PLUMBING = _BESIDE | {
    "$ref", "$defs", "definitions", "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
    "$vocabulary",
}  # fmt: skip
_ADDED_EFFECT: dict[str, Effect] = {"anyOf": "widened", "oneOf": "changed", "prefixItems": "changed"}
_MAX_DEPTH = 100


def compare(old: object, new: object) -> list[KeywordChange]:
    found = [*_dialect(old, new), *_Walker(old, new).walk(old, new, (), (), False)]
    return list({(each.rule, each.pointer, each.name): each for each in found}.values())


def _together(target: Mapping[str, object], beside: Mapping[str, object]) -> dict[str, Any]:
    """A reference and what stands beside it both hold; where both say something of one thing, neither is dropped."""
    if any(key in target and not same(target[key], beside[key]) for key in beside if key not in NOTES):
        return {**beside, "allOf": [*listed(beside.get("allOf")), target]}
    return {**target, **beside}


def _dialect(old: object, new: object) -> Iterator[KeywordChange]:
    """The same keywords can mean something else in another dialect."""
    if dialects.of(old) != dialects.of(new):
        yield finding("schema", "changed", get(old, "$schema"), get(new, "$schema"), ("$schema",), ("$schema",))


class _Walker:
    def __init__(self, old: object, new: object) -> None:
        self.roots = (old, new)
        self.seen: set[tuple[Pointer, Pointer]] = set()
        # With `unevaluated…` about, even `additionalProperties: true` says something: it evaluates.
        self.counts_evaluated = any('"unevaluated' in canonical(each) for each in (old, new))
        self.same_definitions = all(same(get(old, key), get(new, key)) for key in ("$defs", "definitions")) and not any(
            '"$ref": "#"' in canonical(each) for each in (old, new)
        )

    def walk(self, old: object, new: object, at: Pointer, to: Pointer, negated: bool) -> Iterator[KeywordChange]:
        for each in self._node(old, new, at, to):
            yield replace(each, effect=FLIPPED[each.effect], rule=turned(each)) if negated else each

    def _node(self, old: object, new: object, at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
        if self.same_definitions and same(old, new):
            return
        old, at = self._resolve(old, at, 0)
        new, to = self._resolve(new, to, 1)
        if (at, to) in self.seen or len(to) > _MAX_DEPTH:
            return
        self.seen.add((at, to))
        if not isinstance(old, Mapping) or not isinstance(new, Mapping):
            yield from boolean(old, new, at, to)
            return
        yield from values(old, new, at, to)
        yield from required(old, new, at, to)
        yield from self._properties(old, new, at, to)
        for keyword in dict.fromkeys([*old, *new]):
            if keyword not in _PLUMBING:
                yield from self._keyword(keyword, get(old, keyword), get(new, keyword), (*at, keyword), (*to, keyword))

    def _resolve(self, node: object, pointer: Pointer, side: int) -> tuple[Any, Pointer]:
        for _ in range(16):
            found = resolve(self.roots[side], get(node, "$ref"))
            if found is None:
                break
            beside = {key: value for key, value in mapping(node).items() if key not in _PLUMBING or key in _BESIDE}
            if beside:
                target = {} if found[0] is True else {"not": {}} if found[0] is False else found[0]
                node = _together(mapping(target), beside)
            else:
                node, pointer = found
        return node, pointer

    def _properties(
        self, old: Mapping[str, object], new: Mapping[str, object], at: Pointer, to: Pointer
    ) -> Iterator[KeywordChange]:
        mine, theirs = mapping(old.get("properties")), mapping(new.get("properties"))
        for name in dict.fromkeys([*mine, *theirs]):
            here, there = (*at, "properties", name), (*to, "properties", name)
            if name not in theirs:
                yield KeywordChange("property-removed", "changed", there, here, mine[name], ABSENT, name)
            elif name not in mine:
                yield KeywordChange("property-added", "changed", there, here, ABSENT, theirs[name], name)
            else:
                yield from self.walk(mine[name], theirs[name], here, there, False)

    def _keyword(self, keyword: str, old: object, new: object, at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
        if keyword in _SINGLE and not isinstance(old, list) and not isinstance(new, list):
            yield from self._single(keyword, old, new, at, to)
        elif keyword in _KEYED and isinstance(old if old is not ABSENT else new, Mapping):
            yield from self._keyed(keyword, mapping(old), mapping(new), at, to)
        elif keyword in _LISTED:
            yield from self._listed(keyword, listed(old), listed(new), at, to)
        elif not same(old, new):
            yield from leaf(keyword, old, new, at, to)

    def _single(self, keyword: str, old: object, new: object, at: Pointer, to: Pointer) -> Iterator[KeywordChange]:
        if old is ABSENT or new is ABSENT:
            if self._says_nothing(keyword, old) and self._says_nothing(keyword, new):
                return
            yield finding(keyword, "narrowed" if old is ABSENT else "widened", old, new, at, to)
        elif keyword == "if":
            if not same(old, new):
                yield finding(keyword, "changed", old, new, at, to)
            else:
                yield from self.walk(old, new, at, to, False)  # what it refers to may be another
        elif isinstance(old, bool) or isinstance(new, bool):
            if not same(old, new):
                narrowed = new is False or (old is True)
                yield finding(keyword, "narrowed" if narrowed else "widened", old, new, at, to)
        else:
            yield from self.walk(old, new, at, to, keyword == "not")

    def _says_nothing(self, keyword: str, value: object) -> bool:
        if keyword in ("contains", "not", "if") or self.counts_evaluated:
            return value is ABSENT
        return value is ABSENT or value is True or value == {}

    def _keyed(
        self, keyword: str, old: Mapping[str, object], new: Mapping[str, object], at: Pointer, to: Pointer
    ) -> Iterator[KeywordChange]:
        for name in dict.fromkeys([*old, *new]):
            here, there = (*at, name), (*to, name)
            if name in old and name in new:
                yield from self.walk(old[name], new[name], here, there, False)
            else:
                effect: Effect = "narrowed" if name in new else "widened"
                yield finding(keyword, effect, old.get(name, ABSENT), new.get(name, ABSENT), here, there)

    def _listed(
        self, keyword: str, old: list[object], new: list[object], at: Pointer, to: Pointer
    ) -> Iterator[KeywordChange]:
        if keyword == "prefixItems":
            pairs = {index: index for index in range(min(len(old), len(new)))}
        else:
            pairs = _pairs(old, new)
        for mine, theirs in pairs.items():
            yield from self.walk(old[mine], new[theirs], (*at, mine), (*to, theirs), False)
        added = _ADDED_EFFECT.get(keyword, "narrowed")
        if not old or not new:
            # The keyword itself came or went: even alternatives limit what was free before.
            effect: Effect = "narrowed" if new else "widened"
            if old or new:
                yield finding(keyword, effect, old or ABSENT, new or ABSENT, at, to)
            return
        if len(pairs) < len(new):
            missing = next(index for index in range(len(new)) if index not in pairs.values())
            came = [each for index, each in enumerate(new) if index not in pairs.values()]
            yield KeywordChange(f"{kebab(keyword)}-{added}", added, (*to, missing), at, old, [*old, *came])
        if len(pairs) < len(old):
            effect = FLIPPED[added]
            left = [each for index, each in enumerate(old) if index in pairs]
            yield KeywordChange(f"{kebab(keyword)}-{effect}", effect, to, at, old, left)


def _pairs(old: list[object], new: list[object]) -> dict[int, int]:
    """Which alternative became which: equal ones first, then the most alike."""
    pairs: dict[int, int] = {}
    texts = [canonical(each) for each in new]
    for index, each in enumerate(old):
        found = next(
            (at for at, text in enumerate(texts) if text == canonical(each) and at not in pairs.values()), None
        )
        if found is not None:
            pairs[index] = found
    for index in (index for index in range(len(old)) if index not in pairs):
        free = [at for at in range(len(new)) if at not in pairs.values()]
        scores = {at: len(_leaves(old[index]) & _leaves(new[at])) for at in free}
        best = max(scores, key=lambda at: scores[at], default=None)
        if best is not None and (scores[best] or len(old) == len(new)):
            pairs[index] = best
    return pairs


def _leaves(node: object, path: str = "") -> set[str]:
    if isinstance(node, Mapping):
        return {leaf for key, each in node.items() if key not in NOTES for leaf in _leaves(each, f"{path}/{key}")} or {
            path
        }
    return {f"{path}={canonical(node)}"}
