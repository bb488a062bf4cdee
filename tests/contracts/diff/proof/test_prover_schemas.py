"""Dialects, references, hostile input, realistic witnesses."""

import itertools
import subprocess
import sys
import time

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_contracts.diff.proof import structure
from wekadocs_contracts.diff.proof.budget import Budget
from wekadocs_contracts.diff.proof.normal.normalise import canonical_json, normalise
from wekadocs_contracts.diff.proof.prove import InvalidSchema, UnresolvableRef, prove, satisfiable

DRAFTS = ["http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#"]
DRAFTS += ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"]
OLD_KEYWORDS = [
    {"items": [{"type": "integer"}, {"type": "string"}]},
    {"items": [{"type": "integer"}], "additionalItems": False},
    {"items": {"type": "integer"}, "additionalItems": False},
    {"additionalItems": False},
    {"dependencies": {"a": ["b"]}},
    {"dependencies": {"a": {"required": ["b"]}, "b": ["c"]}},
    {"definitions": {"x": {"type": "integer"}}, "properties": {"a": {"$ref": "#/definitions/x", "maximum": 1}}},
    {"const": 1},
    {"if": {"type": "integer"}, "then": {"minimum": 1}, "else": {"type": "string"}},
    {"contains": {"type": "integer"}, "minContains": 2},
    {"propertyNames": {"maxLength": 1}},
    {"dependentRequired": {"a": ["b"]}},
    {"properties": {"a": {}}, "unevaluatedProperties": False},
    {"prefixItems": [{"type": "string"}]},
    {"type": "object", "properties": {"n": {"$ref": "#"}}, "required": ["a"]},
    {"$ref": "#/definitions/x", "minimum": 5, "definitions": {"x": {"type": "integer"}}},
]
VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, 2, 7, "", "a", "ab"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c", "n"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(DRAFTS), st.sampled_from(OLD_KEYWORDS), VALUES)
@settings(max_examples=400, deadline=None)
def test_a_translated_schema_means_what_it_meant(dialect, keywords, value):
    schema = {"$schema": dialect, **keywords}
    translated = normalise(schema).schema
    judged = jsonschema.validators.validator_for(schema)(schema).is_valid(value)
    assert jsonschema_rs.Draft202012Validator(translated).is_valid(value) == judged, translated


def test_draft_04_bounds_change_with_their_flag():
    schema = {"$schema": DRAFTS[0], "minimum": 1, "exclusiveMinimum": True, "maximum": 5, "exclusiveMaximum": False}
    assert normalise(schema).schema == {"exclusiveMinimum": 1, "maximum": 5}


@pytest.mark.parametrize(
    "ref", ["http://example.com/x", "other.json", "#/$defs/missing", "#nowhere", "#/$defs/data", "file:///etc/passwd"]
)
def test_a_reference_out_of_the_document_is_refused_and_never_fetched(ref, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("the network was asked"))
    broken = {"type": "object", "properties": {"a": {"$ref": ref}}, "$defs": {"data": 5, "b": {}}}
    with pytest.raises((UnresolvableRef, InvalidSchema)):
        prove({"type": "object"}, broken, "input")


@pytest.mark.parametrize(
    "broken",
    [
        *(
            {"type": "strin"},
            {"minimum": "1"},
            {"exclusiveMinimum": True},
            {"items": [{}]},
            {"pattern": "["},
            5,
            None,
            [],
        ),
        *({"$schema": "https://example.com/own"}, {"$ref": "#"}, {"const": float("nan")}, {"enum": ["\ud800"]}),
        {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {}]}}, "$ref": "#/$defs/a"},
    ],
)
def test_what_is_no_schema_is_refused(broken):
    with pytest.raises(InvalidSchema):
        prove({"type": "object"}, broken, "input")


def laughs(leaf):
    chain = {f"d{n}": {"properties": {k: {"$ref": f"#/$defs/d{n + 1}"} for k in "ab"}} for n in range(25)}
    return {"$ref": "#/$defs/d0", "$defs": {**chain, "d25": leaf}}


def deep(levels):
    schema = {"type": "string"}
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    return schema


def shared(levels):
    schema = {"type": "string"}
    for _ in range(levels):
        schema = {"properties": {"a": schema, "b": schema}}
    return schema


def choices(count, extra):
    either = [{"anyOf": [{"required": [f"a{n}"]}, {"required": [f"b{n}"]}]} for n in range(count)]
    return {"type": "object", "allOf": [*either, *extra]}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(laughs({"type": "string"}), laughs({"type": "integer"}), id="references double at each level"),
        pytest.param(deep(400), deep(401), id="deep"),
        pytest.param(shared(40), shared(41), id="YAML aliases"),
        pytest.param(choices(12, []), choices(12, [{"minProperties": 1}]), id="combinations"),
        pytest.param({"pattern": "^(a+)+$"}, {"pattern": "^(a|a)*b?$"}, id="backtracking"),
        pytest.param({"pattern": "^(a+)+$"}, {"maxLength": 40}, id="backtracking over a long text"),
        pytest.param({"minLength": 10**9}, {"minLength": 10**9 + 1}, id="long text"),
        pytest.param({"type": "array", "minItems": 10**6}, {"type": "array", "minItems": 10**6 + 1}, id="long array"),
        pytest.param({"enum": list(range(5000))}, {"enum": list(range(4999))}, id="many values"),
        pytest.param({"multipleOf": 1e-9}, {"multipleOf": 1e9}, id="far steps"),
    ],
)
def test_hostile_schemas_end_within_their_budget(old, new):
    proof = prove(old, new, "input", steps=10_000)
    assert proof.proof in ("unproven", "witness", "empty-difference", "congruence")
    assert proof.breaking is not False or proof.proof != "unproven"


def test_equal_numbers_are_one_value_and_true_is_none_of_them():
    assert canonical_json({"b": 1.0, "a": [True]}) == canonical_json({"a": [True], "b": 1})
    assert canonical_json([1]) != canonical_json([True])
    assert canonical_json(["1"]) != canonical_json([1])


SEARCH = {"query": {"type": "string", "minLength": 3}, "top_k": {"type": "integer", "maximum": 50}}


def call(**properties):
    return {"type": "object", "properties": {**SEARCH, **properties}, "required": ["query"]}


def test_a_witness_grows_from_an_example():
    lowered = call(top_k={"type": "integer", "maximum": 20})
    proof = prove(call(), lowered, "input", examples=[{"query": "kernel panic", "top_k": 5}])
    assert proof.witness == {"query": "kernel panic", "top_k": 21}


def test_a_witness_uses_defaults_examples_and_formats_of_the_schema():
    old = call(query={"type": "string", "examples": ["raid rebuild"]}, mail={"type": "string", "format": "email"})
    old["required"] = ["query", "mail"]
    proof = prove(old, {**old, "required": ["query", "mail", "top_k"]}, "input")
    assert proof.witness == {"query": "raid rebuild", "mail": "ada@example.com"}


def test_a_witness_of_an_output_is_an_answer_that_was_not_promised():
    old = {"type": "object", "properties": {"state": {"enum": ["on", "off"]}}, "required": ["state"]}
    new = {"type": "object", "properties": {"state": {"enum": ["on", "off", "unknown"]}}, "required": ["state"]}
    assert prove(old, new, "output").witness == {"state": "unknown"}


def test_the_exemption_does_not_hide_a_closed_object():
    assert prove({"type": "object"}, {"type": "object", "additionalProperties": False}, "input").witness == {
        "extra": "x"
    }


def test_an_exemption_that_would_exempt_everything_is_none():
    old = {"type": "object", "minProperties": 1, "propertyNames": {"const": "c"}}
    new = {"type": "object", "properties": {"c": {"type": "string"}}}
    assert prove(old, new, "input").breaking


@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        (True, True),
        (False, False),
        ({"type": "string", "minLength": 2, "maxLength": 1}, False),
        ({"type": "string", "pattern": "^a$", "minLength": 2}, False),
        ({"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}, False),
        ({"type": "object", "properties": {"next": {"$ref": "#"}}}, True),
        ({"type": "integer", "multipleOf": 4, "not": {"multipleOf": 2}}, False),
        ({"enum": []}, False),
        ({"type": "object", "required": ["a"], "properties": {"a": False}}, False),
        ({"oneOf": [{"type": "string"}, {"type": "string"}]}, False),
    ],
)
def test_satisfiable(schema, answer):
    assert satisfiable(schema) is answer


def test_dynamic_references_are_not_proven_but_may_be_refuted():
    inner = {"$id": "inner", "$dynamicAnchor": "n", "type": "object", "properties": {"a": {"$dynamicRef": "#n"}}}
    old = {"$id": "https://example.com/o", "$dynamicAnchor": "n", "$ref": "inner", "$defs": {"i": inner}}
    assert prove(old, {**old, "maxProperties": 9, "minProperties": 0}, "input").breaking is not False
    refuted = prove(old, {**old, "required": ["a"]}, "input")
    assert (refuted.breaking, refuted.proof) == (True, "witness")


def test_a_schema_with_unevaluated_keywords_counts_as_a_whole():
    def closed(name):
        return {"allOf": [{"properties": {name: {}}}], "unevaluatedProperties": False}

    assert structure.covered(closed("a"), closed("a"), {}, Budget(1_000))
    assert not structure.covered(closed("a"), closed("b"), {}, Budget(1_000))


def test_a_proof_is_quick():
    pairs = [(call(), call(top_k={"type": "integer", "maximum": 60})), (call(), call(page={"type": "integer"}))] * 15
    spent = sorted(prove(old, new, "input").milliseconds for old, new in pairs)
    assert spent[len(spent) // 2] < 10, "the aim is 2 ms; the rest is for busy machines"


def test_importing_the_prover_loads_no_validator():
    script = (
        "import sys, wekadocs_contracts.diff.proof.prove\n"
        "print({'jsonschema', 'jsonschema_rs', 'referencing'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_constant_that_is_spelled_out_does_not_hide_from_unevaluated_keywords():
    old = {"type": ["object", "array"], "unevaluatedProperties": {"type": "integer"}}
    old |= {"oneOf": [{"type": "string"}, {"enum": [{"b": "a"}, ["a"], {}]}]}
    new = {**old, "unevaluatedProperties": True}
    for steps in (1, 300, 20_000):
        proof = prove(old, new, "input", steps=steps)
        assert proof.widened is not False, "{'b': 'a'} is allowed now"
        assert prove(new, old, "input", steps=steps).breaking is not False


@pytest.mark.parametrize("steps", [50, 500, 5_000])
def test_the_clock_does_not_decide(steps, monkeypatch):
    """The same pair gets the same answer on a machine that is a thousand times slower."""
    old = {"type": "object", "properties": {f"a{n}": {"enum": list(range(2_000))} for n in range(3)}}
    new = {"type": "object", "properties": {f"a{n}": {"enum": list(range(1_999))} for n in range(3)}}
    first = prove(old, new, "input", steps=steps)
    ticks = itertools.count(0, 1000)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(ticks)))
    second = prove(old, new, "input", steps=steps)
    assert (first.breaking, first.proof, first.witness) == (second.breaking, second.proof, second.witness)
