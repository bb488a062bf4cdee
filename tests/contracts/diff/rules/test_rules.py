"""Every rule fires on its case, stays silent on its near miss, and is missed when it is switched off."""

from dataclasses import dataclass
from typing import Any

import pytest

from wekadocs_contracts.diff import compare, schema_pair
from wekadocs_contracts.diff.compare import compare as compared
from wekadocs_contracts.diff.model import ToolSide
from wekadocs_contracts.diff.operands.sides import Operand
from wekadocs_contracts.diff.pairing import leftovers
from wekadocs_contracts.diff.rules import policy
from wekadocs_contracts.diff.rules.table import RULES

S, N = {"type": "string"}, {"type": "integer"}
DRAFT_4, DRAFT_7 = (f"http://json-schema.org/draft-0{number}/schema#" for number in (4, 7))
GONE: Any = object()


@dataclass(frozen=True)
class Case:
    old: ToolSide | None
    new: ToolSide | None
    near_old: ToolSide | None
    near_new: ToolSide | None
    verdict: str = "breaking"


def tool(schema: Any = None, output: Any = None, **known: Any) -> ToolSide:
    """A tool; with anything that only a contract knows it is one of a contract."""
    wire = {"name": "t", "inputSchema": {"type": "object"} if schema is None else schema}
    wire |= {
        key: known.pop(key)
        for key in ("annotations", "title", "description", "icons", "execution", "x-note")
        if key in known
    }
    wire |= {} if output is None else {"outputSchema": output}
    return ToolSide(known.pop("name", "t"), wire, carries=bool(known), **known)


def holding(value: Any, **around: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"v": value}, "required": ["v"], **around}


# keyword: (what stands around it, the looser value, the tighter value, surroundings in which it says nothing)
KEYWORDS: dict[str, tuple[dict[str, Any], Any, Any, dict[str, Any]]] = {
    "type": ({}, ["string", "integer"], "string", {"const": "a"}),
    "enum": ({}, ["a", "b"], ["a"], {"const": "a"}),
    "const": ({}, GONE, "a", {"enum": ["a"]}),
    "minimum": (N, 1, 2, {"const": 5}),
    "maximum": (N, 9, 8, {"const": 5}),
    "exclusiveMinimum": (N, 1, 2, {"const": 5}),
    "exclusiveMaximum": (N, 9, 8, {"const": 5}),
    "multipleOf": (N, 2, 4, {"const": 8}),
    "minLength": (S, 1, 2, {"const": "abc"}),
    "maxLength": (S, 9, 8, {"const": "abc"}),
    "pattern": (S, GONE, "^a", {"const": "abc"}),
    "minItems": ({"type": "array"}, 1, 2, {"const": [1, 2, 3]}),
    "maxItems": ({"type": "array"}, 9, 8, {"const": [1, 2, 3]}),
    "uniqueItems": ({"type": "array"}, GONE, True, {"type": "array", "maxItems": 1}),
    "items": ({"type": "array"}, GONE, S, {"type": "array", "maxItems": 0}),
    "prefixItems": ({"type": "array"}, GONE, [S], {"type": "array", "maxItems": 0}),
    "contains": ({"type": "array"}, GONE, {"const": 1}, {"const": [1]}),
    "minContains": ({"type": "array", "contains": {"const": 1}}, 1, 2, {"contains": {"const": 1}, "const": [1, 1]}),
    "maxContains": ({"type": "array", "contains": {"const": 1}}, 3, 2, {"contains": {"const": 1}, "const": [1]}),
    "unevaluatedItems": ({"type": "array", "prefixItems": [S]}, GONE, False, {"prefixItems": [S], "const": ["a"]}),
    "minProperties": ({"type": "object"}, 1, 2, {"const": {"a": 1, "b": 2}}),
    "maxProperties": ({"type": "object"}, 3, 2, {"const": {"a": 1, "b": 2}}),
    "additionalProperties": ({"type": "object"}, GONE, False, {"const": {}}),
    "unevaluatedProperties": ({"type": "object"}, GONE, False, {"const": {}}),
    "patternProperties": ({"type": "object"}, GONE, {"^x": S}, {"const": {}}),
    "propertyNames": ({"type": "object"}, GONE, {"pattern": "^x"}, {"const": {}}),
    "required": ({"type": "object"}, GONE, ["a"], {"const": {"a": 1}}),
    "dependentRequired": ({"type": "object"}, GONE, {"a": ["b"]}, {"type": "object", "required": ["b"]}),
    "dependentSchemas": ({"type": "object"}, GONE, {"a": {"required": ["b"]}}, {"type": "object", "required": ["b"]}),
    "allOf": (S, GONE, [{"maxLength": 3}], {"const": "a"}),
    "anyOf": (S, GONE, [{"maxLength": 3}], {"const": "a"}),
    "oneOf": (S, GONE, [{"maxLength": 3}], {"const": "a"}),
    "not": (S, GONE, {"const": "b"}, {"const": "a"}),
    "if": ({**S, "then": {"pattern": "^a"}}, GONE, {"maxLength": 3}, {"const": "a", "then": {"pattern": "^a"}}),
    "then": ({**S, "if": {"maxLength": 3}}, GONE, {"pattern": "^a"}, {"const": "a", "if": {"maxLength": 3}}),
    "else": ({**S, "if": {"maxLength": 3}}, GONE, {"pattern": "^a"}, {"const": "a", "if": {"maxLength": 3}}),
}  # fmt: skip
# rule: (old, new, and the same where it says nothing)
CHANGED: dict[str, tuple[Any, Any, Any, Any]] = {
    "type-changed": (S, N, {"const": "a", **S}, {"const": "a", "type": ["string", "null"]}),
    "enum-changed": (
        {"enum": ["a"]}, {"enum": ["b"]}, {"enum": ["a", "b"], "const": "b"}, {"enum": ["b", "c"], "const": "b"},
    ),
    "const-changed": ({"const": 1}, {"const": 2}, {"const": 1}, {"const": 1.0}),
    "multiple-of-changed": (
        {**N, "multipleOf": 4}, {**N, "multipleOf": 6}, {**N, "multipleOf": 1.5}, {**N, "multipleOf": 3},
    ),
    "pattern-changed": (
        {**S, "pattern": "^a"}, {**S, "pattern": "^b"}, {**S, "pattern": "^[0-9]"}, {**S, "pattern": "^\\d"},
    ),
    "prefix-items-changed": (
        {"type": "array", "prefixItems": [S]}, {"type": "array", "prefixItems": [S, N]},
        {"type": "array", "prefixItems": [S], "items": N}, {"type": "array", "prefixItems": [S, N], "items": N},
    ),
    "one-of-changed": (
        {"oneOf": [S]}, {"oneOf": [S, {"maxLength": 3}]}, {"oneOf": [S, N]}, {"oneOf": [S, N, {"type": "null"}]},
    ),
    "if-changed": (
        {**S, "if": {"maxLength": 3}, "then": {"pattern": "^a"}},
        {**S, "if": {"maxLength": 5}, "then": {"pattern": "^a"}},
        {"const": "a", "if": {"maxLength": 3}, "then": {"pattern": "^a"}},
        {"const": "a", "if": {"maxLength": 5}, "then": {"pattern": "^a"}},
    ),
    "dependent-required-changed": (
        {"type": "object", "dependentRequired": {"a": ["b"]}}, {"type": "object", "dependentRequired": {"c": ["d"]}},
        {"type": "object", "required": ["b"], "dependentRequired": {"a": ["b"]}},
        {"type": "object", "required": ["b"], "dependentRequired": {"c": ["b"]}},
    ),
}  # fmt: skip


def _with(around: dict[str, Any], keyword: str, value: Any) -> dict[str, Any]:
    return around if value is GONE else {**around, keyword: value}


def _kebab(keyword: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in keyword)


def _of_keyword(keyword: str) -> dict[str, Case]:
    around, loose, tight, masked = KEYWORDS[keyword]
    wide, narrow = (holding(_with(around, keyword, value)) for value in (loose, tight))
    near = [holding(_with(masked, keyword, value)) for value in (loose, tight)]
    return {
        f"{_kebab(keyword)}-narrowed": Case(tool(wide), tool(narrow), tool(near[0]), tool(near[1])),
        f"{_kebab(keyword)}-widened": Case(
            tool(output=narrow), tool(output=wide), tool(output=near[1]), tool(output=near[0])
        ),
    }


def _schemas(old: Any, new: Any, near_old: Any, near_new: Any, verdict: str = "breaking") -> Case:
    return Case(*(tool(schema) for schema in (old, new, near_old, near_new)), verdict)


def _outputs(old: Any, new: Any, near_old: Any, near_new: Any, verdict: str = "breaking") -> Case:
    return Case(*(tool(output=schema) for schema in (old, new, near_old, near_new)), verdict)


def _sides(key: str, old: Any, new: Any, near_old: Any, near_new: Any, verdict: str = "breaking") -> Case:
    return Case(*(tool(**{key: value}) for value in (old, new, near_old, near_new)), verdict)


OPEN = {"type": "object", "properties": {"a": S, "b": S}}
LESS = {"type": "object", "properties": {"a": S}}
MOVED = {"type": "object", "allOf": [OPEN]}
CLOSED, CLOSED_LESS = ({**schema, "additionalProperties": False} for schema in (OPEN, LESS))
IMPOSSIBLE = holding({**S, "minLength": 3, "maxLength": 2})
HEADED = {"type": "object", "properties": {"a": {**S, "x-mcp-header": "Region"}}}
TUPLE = {"type": "object", "properties": {"v": {"type": "array", "items": [S]}}, "$schema": DRAFT_7}
OTHER_TUPLE = {"type": "object", "properties": {"v": {"type": "array", "items": [N]}}, "$schema": DRAFT_7}
SHORT_TUPLE = {
    "type": "object",
    "properties": {"v": {"type": "array", "items": [S], "maxItems": 0}},
    "$schema": DRAFT_7,
}


def _bound(keyword: str, limit: str, strict: bool, **other: Any) -> dict[str, Any]:
    return {"$schema": DRAFT_4, **holding({**N, limit: 5, keyword: strict, **other})}


def _default(value: Any = GONE) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": _with(N, "default", value)}}


def _noted(**notes: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": {**S, **notes}}}


DIALECTS = [
    {"type": "object", "properties": {"a": S}, "dependentRequired": {"a": ["b"]}, "$schema": uri}
    for uri in (DRAFT_7, "https://json-schema.org/draft/2020-12/schema")
]
NUMBERED = {"type": "object", "properties": {"a": {**N, "maximum": 50}}}
RENAMED = {"type": "object", "properties": {"b": S}, "required": ["b"]}
NAMED = {"type": "object", "properties": {"a": S}, "required": ["a"]}

CASES: dict[str, Case] = {
    **{rule: case for keyword in KEYWORDS for rule, case in _of_keyword(keyword).items()},
    **{rule: _schemas(*(holding(each) for each in four)) for rule, four in CHANGED.items()},
    "items-changed": _schemas(TUPLE, OTHER_TUPLE, SHORT_TUPLE, {**SHORT_TUPLE, "$comment": "x"}),
    "exclusive-minimum-changed": _schemas(
        _bound("exclusiveMinimum", "minimum", False), _bound("exclusiveMinimum", "minimum", True),
        _bound("exclusiveMinimum", "minimum", False, enum=[7]), _bound("exclusiveMinimum", "minimum", True, enum=[7]),
    ),
    "exclusive-maximum-changed": _schemas(
        _bound("exclusiveMaximum", "maximum", False), _bound("exclusiveMaximum", "maximum", True),
        _bound("exclusiveMaximum", "maximum", False, enum=[3]), _bound("exclusiveMaximum", "maximum", True, enum=[3]),
    ),
    "schema-narrowed": _schemas(holding(True), holding(False), holding(True), holding({})),
    "schema-widened": _outputs(holding(S, properties={"v": False}), holding(True), holding({}), holding(True)),
    "schema-changed": _schemas(*DIALECTS, {**LESS, "$schema": DRAFT_7}, LESS),
    "argument-removed": _schemas(OPEN, LESS, OPEN, MOVED),
    "argument-added": _schemas(LESS, OPEN, MOVED, OPEN, "additive"),
    "argument-renamed": Case(
        tool(NAMED, argument_aliases={"x": "a"}), tool(RENAMED, argument_aliases={"x": "b", "a": "b"}),
        tool(NAMED, argument_aliases={"x": "a"}), tool(RENAMED, argument_aliases={"x": "b"}), "additive",
    ),
    "field-removed": _outputs(OPEN, LESS, OPEN, MOVED),
    "field-added": _outputs(LESS, OPEN, MOVED, OPEN, "additive"),
    "field-added-closed": _outputs(CLOSED_LESS, CLOSED, LESS, OPEN),
    "default-changed": _schemas(_default(1), _default(2), _default(1), _default(1.0)),
    "default-added": _schemas(_default(), _default(1), _default(1), _default(1), "docs"),
    "default-removed": _schemas(_default(1), _default(), _default(), _default(), "docs"),
    "unsatisfiable": _outputs(holding(S), IMPOSSIBLE, holding(S), holding({**S, "minLength": 2, "maxLength": 2})),
    "schema-invalid": _schemas(LESS, holding({"type": "strin"}), LESS, {**LESS, "$defs": {"unused": S}}),
    "schema-repaired": _schemas(holding({"type": "strin"}), LESS, LESS, LESS),
    "format-changed": _schemas(
        _noted(format="date"), _noted(format="time"), _noted(format="date"), _noted(format="date", title="x"),
    ),
    "content-changed": _schemas(
        _noted(contentEncoding="base64"), _noted(contentEncoding="base32"), _noted(), _noted(contentType="x"),
    ),
    "tool-removed": Case(tool(), None, tool(status="disabled"), None),
    "tool-disabled": _sides("status", "stable", "disabled", "stable", "deprecated"),
    "tool-enabled": _sides("status", "disabled", "stable", "beta", "stable", "additive"),
    "tool-added": Case(None, tool(), None, tool(status="disabled"), "additive"),
    "status-weakened": _sides("status", "stable", "beta", "beta", "stable"),
    "status-changed": _sides("status", "stable", "deprecated", "stable", "stable", "docs"),
    "flag-changed": _sides("flag", None, "SWITCH", "SWITCH", None),
    "flag-removed": _sides("flag", "SWITCH", None, None, "SWITCH", "additive"),
    "alias-removed": _sides("argument_aliases", {"q": "a"}, {}, {"q": "a"}, {"q": "a", "p": "a"}),
    "alias-changed": Case(
        tool(OPEN, argument_aliases={"q": "a"}), tool(OPEN, argument_aliases={"q": "b"}),
        tool(OPEN, argument_aliases={"q": "a"}), tool(OPEN, argument_aliases={"q": "a", "p": "b"}),
    ),
    "alias-added": _sides("argument_aliases", {}, {"q": "a"}, {"q": "a"}, {"q": "a"}, "additive"),
    "annotation-loosened": _sides("annotations", {"readOnlyHint": True}, {}, {}, {"readOnlyHint": False}),
    "annotation-tightened": _sides("annotations", {}, {"readOnlyHint": True}, {}, {"openWorldHint": True}, "additive"),
    "description-changed": _sides("description", "Finds.", "Finds all.", "Finds.", "Finds.", "docs"),
    "title-changed": _sides("title", "Find", "Search", "Find", "Find", "docs"),
    "generated-title": _schemas(
        holding(S), holding({**S, "title": "V"}), holding(S), holding({**S, "title": "Way"}), "docs",
    ),
    "text-changed": _sides("text", "{{ a }}", "{{ b }}", "{{ a }}", "{{ a }}", "docs"),
    "annotation-text-changed": _schemas(_noted(), _noted(deprecated=True), _noted(), LESS, "docs"),
    "confusable-name": _schemas(
        LESS, {"type": "object", "properties": {"a": S, "\u0430": S}}, LESS,
        {"type": "object", "properties": {"a": S, "e": S}}, "docs",
    ),
    "output-schema-added": Case(tool(), tool(output=LESS), tool(output=LESS), tool(output=LESS), "additive"),
    "output-schema-removed": Case(tool(output=LESS), tool(output={}), tool(output=LESS), tool(output=CLOSED_LESS)),
    "budget-lowered": _sides("budgets", {"timeout_seconds": 9}, {"timeout_seconds": 8}, {"timeout_seconds": 30}, {}),
    "budget-raised": _sides(
        "budgets", {"timeout_seconds": 8}, {"timeout_seconds": 9}, {}, {"timeout_seconds": 30}, "additive",
    ),
    "bound-tightened": Case(
        tool(NUMBERED, bounds={"a": {"maximum": 9}}), tool(NUMBERED, bounds={"a": {"maximum": 8}}),
        tool(NUMBERED, bounds={"a": {"minimum": 2}}), tool(NUMBERED, bounds={}),
    ),
    "bound-vacuous": Case(
        tool(NUMBERED, bounds={"a": {"minimum": 0}}), tool(NUMBERED, bounds={"a": {"minimum": 0, "maximum": 99}}),
        tool(NUMBERED, bounds={"a": {"minimum": 0}}), tool(NUMBERED, bounds={"a": {"minimum": 0, "maximum": 9}}),
        "docs",
    ),
    "limit-added": _sides("limits", {}, {"tokens": 9}, {"tokens": 8}, {"tokens": 9}),
    "limit-removed": _sides("limits", {"tokens": 9}, {}, {"tokens": 9}, {"tokens": 9}, "additive"),
    "error-details-changed": _sides(
        "error_details", {"A": {"retryable": True}}, {"A": {"retryable": False}}, {"A": {}}, {"A": {"retryable": True}},
    ),
    "bound-loosened": _sides(
        "bounds", {"a": {"minimum": 2}}, {"a": {"minimum": 1}}, {}, {"a": {"maximum": 8}}, "additive",
    ),
    "listing-changed": _sides("list_flag", None, "SWITCH", "SWITCH", None),
    "listing-kept": _sides("list_flag", "SWITCH", None, None, "SWITCH", "additive"),
    "failure-field-changed": _sides("failure", {"rows": []}, {}, {"rows": []}, {"rows": [], "more": 1}),
    "failure-field-added": _sides("failure", {}, {"rows": []}, {"rows": []}, {"rows": []}, "additive"),
    "error-text-changed": _sides("error_text", None, "[ERROR]", "[ERROR]", "[ERROR] {{ code }}"),
    "text-field-changed": _sides("text_field", "results", "rows", "results", "results"),
    "error-removed": _sides("errors", ("A", "B"), ("A",), ("A", "TIMEOUT"), ("A",)),
    "error-added": _sides("errors", ("A",), ("A", "B"), ("A",), ("A", "TIMEOUT"), "additive"),
    "header-added": _schemas(LESS, HEADED, HEADED, HEADED, "additive"),
    "header-changed": _schemas(HEADED, LESS, LESS, HEADED),
    "header-invalid": _schemas(
        LESS, {"type": "object", "properties": {"a": {**S, "x-mcp-header": "no token"}}}, LESS, HEADED,
    ),
    "tasks-changed": _sides("execution", {}, {"taskSupport": "required"}, {}, {"taskSupport": "forbidden"}),
    "icons-changed": _sides("icons", [], [{"src": "a"}], [{"src": "a"}], [{"src": "a"}], "docs"),
    "field-changed": _sides("x-note", 1, 2, 1, 1.0, "docs"),
    "major-added": Case(tool(version="1.0.0"), tool(version="2.0.0"), None, tool(version="2.0.0"), "additive"),
    "respelled": Case(
        tool(output=holding({**N, "minimum": 1})), tool(output=holding({**N, "allOf": [{"minimum": 1}]})),
        tool(output=holding({**N, "minimum": 1})), tool(output=holding({**N, "allOf": [{"minimum": 0}]})), "none",
    ),
    "major-removed": Case(tool(version="2.0.0"), tool(version="1.0.0"), tool(version="2.0.0"), None),
}  # fmt: skip


# Shown by tests of their own: they need two servers, or a bug.
ELSEWHERE = {"overlay", "not-proven", "rules-and-proof-disagree", "bare-name-moved", "name-taken", "not-served"}
ELSEWHERE |= {"offer-removed", "offer-added", "offer-narrowed", "offer-changed", "instructions-changed"}
ELSEWHERE |= {"capability-removed", "capability-added", "safe-integer-bound"}
BESIDE = {"major-added": ("1.0.0", "old"), "major-removed": ("1.0.0", "new")}


def rows(old, new, rule):
    sides = [[side] if side else [] for side in (old, new)]
    if rule in BESIDE and old and new:  # a second major stands beside the first on one side
        sides = [[old], [old, new]] if rule == "major-added" else [[new, old], [new]]
    operands = [Operand.of("x", "directory", tuple(each)) for each in sides]
    return compared(*operands).changes


def check(rule, case: Case):
    fired = {row.rule: row.verdict for row in rows(case.old, case.new, rule)}
    assert fired.get(rule) == case.verdict, fired


@pytest.mark.parametrize("rule", sorted(CASES))
def test_a_rule_fires_and_its_near_miss_does_not(rule):
    check(rule, CASES[rule])
    near = [row for row in rows(CASES[rule].near_old, CASES[rule].near_new, "") if row.rule == rule]
    assert not [row for row in near if row.verdict == CASES[rule].verdict], near


@pytest.mark.parametrize("rule", sorted(CASES))
def test_a_rule_that_is_switched_off_is_missed(rule, monkeypatch):
    def without(function):
        return lambda *given, **named: [row for row in function(*given, **named) if row.rule != rule]

    monkeypatch.setattr(compare, "schema_changes", without(schema_pair.schema_changes))
    monkeypatch.setattr(compare, "tool_changes", without(policy.tool_changes))
    for room, names in ((compare, ("_pair", "_output", "_input")), (leftovers, ("gone", "came"))):
        for name in names:
            monkeypatch.setattr(room, name, without(getattr(room, name)))
    with pytest.raises(AssertionError):
        check(rule, CASES[rule])


def test_every_rule_has_a_case_a_reason_and_a_fix():
    assert set(CASES) | ELSEWHERE == set(RULES)
    assert all(rule.reason and rule.fix for rule in RULES.values())
    assert {rule: case.verdict for rule, case in CASES.items()} == {rule: RULES[rule].usual for rule in CASES}


def test_what_breaks_by_a_keyword_carries_a_call_that_shows_it():
    for rule, case in CASES.items():
        found = [row for row in rows(case.old, case.new, rule) if row.rule == rule]
        if RULES[rule].category == "schema" and not RULES[rule].policy and case.verdict == "breaking":
            assert [row for row in found if row.witness is not None and row.explanation], rule


def test_two_names_that_became_required_can_be_accepted_one_by_one():
    schema = {"type": "object", "properties": {"a": {}, "b": {}}}
    found = rows(tool(schema), tool({**schema, "required": ["a", "b"]}), "")
    assert len({row.fingerprint for row in found}) == len(found) == 2
    assert [row.explanation for row in found] == ["`a` is required", "`b` is required"]
