"""Inclusion keyword by keyword, for what the set operations cannot write down.

Sound because every rule is monotone: if each part of the one side lies within its counterpart, so does the whole.
Recursive definitions are met by assuming the same pair for smaller values, as in `congruence`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wekadocs_contracts.diff.proof.normal.normalise import canonical_json

from . import inclusion
from .budget import Budget
from .congruence import prove_empty

MAX_PAIRS = 150
_OBJECT = ("properties", "patternProperties", "additionalProperties")
_ARRAY = ("prefixItems", "items")
_CONTAINS = ("contains", "minContains", "maxContains")
_IF = ("if", "then", "else")
_OWN_GROUP = ("anyOf", "oneOf", "not", "propertyNames", "dependentSchemas", "dependentRequired")
_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
_COMPLEX = {*_OBJECT, *_ARRAY, *_CONTAINS, *_IF, *_OWN_GROUP, *_UNEVALUATED, "allOf", "$ref", "$whole"}
_WHOLE = "$whole"
_ABOUT = (
    ("object", {*_OBJECT, "propertyNames", "dependentSchemas"}),
    ("array", {*_ARRAY, *_CONTAINS}),
)

Node = dict[str, Any]


def covered(inner: object, outer: object, definitions: Node, budget: Budget) -> bool:
    """True only if every value of `inner` is one of `outer`."""
    return _Structure(definitions, budget).covered(_body(inner), _body(outer), frozenset())


class _Structure:
    def __init__(self, definitions: Node, budget: Budget) -> None:
        self.definitions = definitions
        self.budget = budget
        self.pairs = 0

    def covered(self, inner: object, outer: object, assumed: frozenset[str]) -> bool:
        if outer is True or outer == {} or inner is False:
            return True
        key = canonical_json([inner, outer])
        if key in assumed or canonical_json(inner) == canonical_json(outer):
            return True
        self.pairs += 1
        if self.pairs > MAX_PAIRS or not self.budget.spend(inclusion.effort([inner, outer])):
            return False
        answer = self.by_sets(inner, outer)
        if answer is not None:
            return answer
        nodes = list(self.conjuncts(inner))
        listed = next((_listed(node) for node in nodes if "enum" in node or "const" in node), None)
        if listed is not None:
            return self.each_covered(listed, inner, outer)
        deeper = assumed | {key}
        return all(self.group_covered(nodes, group, deeper) for group in self.groups(outer))

    def each_covered(self, values: list[object], inner: object, outer: object) -> bool:
        mine, theirs = inclusion.validator(self.whole(inner)), inclusion.validator(self.whole(outer))
        return all(theirs(value) for value in values if mine(value))

    def by_sets(self, inner: object, outer: object) -> bool | None:
        apart = inclusion.difference(self.whole(inner), self.whole(outer))
        if apart.inhabited is not None:
            return not apart.inhabited
        return True if apart.schema is not None and prove_empty(apart.schema, self.budget) else None

    def whole(self, schema: object) -> Any:
        return {**schema, "$defs": self.definitions} if isinstance(schema, dict) and self.definitions else schema

    def conjuncts(self, schema: object) -> Iterator[Node]:
        """Everything that must hold at once, references followed."""
        if schema is False:
            yield {"not": {}}
        if isinstance(schema, dict):
            node = {k: v for k, v in schema.items() if k not in ("allOf", "$ref")}
            # `unevaluated…` looks at all that stands beside it: such a schema counts as a whole or not at all.
            yield {**node, _WHOLE: canonical_json(schema)} if any(k in schema for k in _UNEVALUATED) else node
            for part in schema.get("allOf", ()):
                yield from self.conjuncts(part)
            if "$ref" in schema:
                yield from self.conjuncts(self.definitions[schema["$ref"].removeprefix("#/$defs/")])

    def groups(self, schema: object) -> Iterator[Node]:
        """The parts of a schema that are judged together; each must be met."""
        for node in self.conjuncts(schema):
            if _WHOLE in node:
                yield {_WHOLE: node[_WHOLE]}
                continue
            for keywords in (_OBJECT, _ARRAY, _CONTAINS, _IF, *((keyword,) for keyword in _OWN_GROUP)):
                if any(keyword in node for keyword in keywords):
                    yield from _single({keyword: node[keyword] for keyword in keywords if keyword in node})
            yield {keyword: value for keyword, value in node.items() if keyword not in _COMPLEX}

    def group_covered(self, nodes: list[Node], group: Node, assumed: frozenset[str]) -> bool:
        if _WHOLE in group:
            return any(node.get(_WHOLE) == group[_WHOLE] for node in nodes)
        if "dependentRequired" in group and any(self.pair_covered(node, group, nodes, assumed) for node in nodes):
            return True
        if self.simply(nodes, group):
            return True
        if any(keyword in group for keyword in _OBJECT):
            return self.object_covered(nodes, group, assumed)
        if any(keyword in group for keyword in _ARRAY):
            return self.array_covered(nodes, group, assumed)
        return any(self.pair_covered(node, group, nodes, assumed) for node in nodes)

    def simply(self, nodes: list[Node], group: Node) -> bool:
        """By what the inner side says without subschemas alone."""
        simple = [{k: v for k, v in node.items() if k not in _COMPLEX} for node in nodes]
        kinds = _kinds(simple)
        if any(set(group) <= keywords and kind not in kinds for kind, keywords in _ABOUT):
            return True
        return self.by_sets(_all([node for node in simple if node]), group) is True

    def pair_covered(self, node: Node, group: Node, nodes: list[Node], assumed: frozenset[str]) -> bool:
        if "not" in group:
            return "not" in node and self.covered(group["not"], node["not"], assumed)
        if "anyOf" in group:
            return self.any_covered(node, group["anyOf"], nodes, assumed)
        if "oneOf" in group:
            return self.all_equal(node.get("oneOf", []), group["oneOf"], assumed)
        if "propertyNames" in group:
            return self.covered(node.get("propertyNames", True), group["propertyNames"], assumed)
        if "dependentSchemas" in group:
            mine = node.get("dependentSchemas", {})
            return all(self.covered(mine.get(k, True), v, assumed) for k, v in group["dependentSchemas"].items())
        if "dependentRequired" in group:
            mine = node.get("dependentRequired", {})
            return all(set(needed) <= set(mine.get(name, ())) for name, needed in group["dependentRequired"].items())
        if "contains" in group:
            return self.contains_covered(node, group, assumed)
        return "if" in group and self.if_covered(node, group, assumed)

    def any_covered(self, node: Node, branches: list[object], nodes: list[Node], assumed: frozenset[str]) -> bool:
        parts = node.get("anyOf") or node.get("oneOf") or [{"allOf": nodes}]
        return all(any(self.covered(part, branch, assumed) for branch in branches) for part in parts)

    def equal(self, first: object, second: object, assumed: frozenset[str]) -> bool:
        return self.covered(first, second, assumed) and self.covered(second, first, assumed)

    def all_equal(self, first: list[object], second: list[object], assumed: frozenset[str]) -> bool:
        return len(first) == len(second) and all(map(self.equal, first, second, [assumed] * len(first)))

    def contains_covered(self, node: Node, group: Node, assumed: frozenset[str]) -> bool:
        if group.get("minContains", 1) == 0 and "maxContains" not in group:
            return True
        if "contains" not in node or node.get("minContains", 1) < group.get("minContains", 1):
            return False
        if "maxContains" in group:
            fewer = node.get("maxContains", float("inf")) <= group["maxContains"]
            if not fewer or not self.covered(group["contains"], node["contains"], assumed):
                return False
        return group.get("minContains", 1) == 0 or self.covered(node["contains"], group["contains"], assumed)

    def if_covered(self, node: Node, group: Node, assumed: frozenset[str]) -> bool:
        same = "if" in node and self.equal(node["if"], group["if"], assumed)
        return same and all(
            self.covered(node.get(branch, True), group.get(branch, True), assumed) for branch in ("then", "else")
        )

    def object_covered(self, nodes: list[Node], group: Node, assumed: frozenset[str]) -> bool:
        for name, wanted in group.get("properties", {}).items():
            mine = [node.get("properties", {}).get(name, _extra(node)) for node in nodes]
            if not self.covered(_all(mine), wanted, assumed):
                return False
        for text, wanted in group.get("patternProperties", {}).items():
            mine = [node.get("patternProperties", {}).get(text, True) for node in nodes]
            if not self.covered(_all(mine), wanted, assumed):
                return False
        rest = group.get("additionalProperties", True)
        return rest is True or any(self.rest_covered(node, group, rest, assumed) for node in nodes)

    def rest_covered(self, node: Node, group: Node, rest: object, assumed: frozenset[str]) -> bool:
        """Keys that the outer side does not name, wherever the inner side puts them."""
        mine = [node.get("additionalProperties", True)]
        mine += [v for k, v in node.get("properties", {}).items() if k not in group.get("properties", {})]
        known = group.get("patternProperties", {})
        mine += [v for k, v in node.get("patternProperties", {}).items() if k not in known]
        return all(self.covered(each, rest, assumed) for each in mine)

    def array_covered(self, nodes: list[Node], group: Node, assumed: frozenset[str]) -> bool:
        width = max(len(node.get("prefixItems", ())) for node in (*nodes, group))
        positions = [*range(width), None]
        return all(
            self.covered(_all([_at(node, index) for node in nodes]), _at(group, index), assumed) for index in positions
        )


def _single(group: Node) -> Iterator[Node]:
    """Dependencies are met one by one: together they are too many cases."""
    dependencies = next((keyword for keyword in group if keyword.startswith("dependent")), None)
    if dependencies is None:
        yield group
    else:
        yield from ({dependencies: {name: needed}} for name, needed in group[dependencies].items())


def _listed(node: Node) -> list[Any]:
    return list(node["enum"]) if "enum" in node else [node["const"]]


def _at(node: Node, index: int | None) -> Any:
    prefix = node.get("prefixItems", ())
    return prefix[index] if index is not None and index < len(prefix) else node.get("items", True)


def _extra(node: Node) -> Any:
    # With patterns about, whether `additionalProperties` speaks of this name is left open.
    return True if "patternProperties" in node else node.get("additionalProperties", True)


def _all(parts: list[object]) -> Any:
    parts = [part for part in parts if part is not True]
    return True if not parts else parts[0] if len(parts) == 1 else {"allOf": parts}


def _kinds(nodes: list[Node]) -> set[str]:
    kinds = {"string", "number", "integer", "boolean", "null", "array", "object"}
    for node in nodes:
        if "type" in node:
            kinds &= {node["type"]} if isinstance(node["type"], str) else set(node["type"])
    return kinds


def _body(schema: object) -> Any:
    return {k: v for k, v in schema.items() if k != "$defs"} if isinstance(schema, dict) else schema
