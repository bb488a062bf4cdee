"""Rules that no schema decides, each with a change that fires it and one that only looks like it."""

import pytest


def hints(wire, **given):
    return wire.tool(annotations=given)


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ({"readOnlyHint": True}, {}, "breaking"),
        ({"destructiveHint": False}, {}, "breaking"),
        ({"idempotentHint": True}, {"idempotentHint": False}, "breaking"),
        ({"openWorldHint": False}, {}, "breaking"),
        ({}, {"readOnlyHint": True}, "additive"),
        ({}, {"openWorldHint": False}, "additive"),
    ],
)
def test_a_moved_hint_is_judged_after_defaults_and_tagged_security(wire, old, new, verdict):
    done = wire(hints(wire, **old), hints(wire, **new))
    assert done.json["verdict"] == verdict
    assert done.json["changes"][0]["tags"] == ["security"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}),
        ({"readOnlyHint": True}, {"readOnlyHint": True, "destructiveHint": True, "idempotentHint": False}),
    ],
)
def test_writing_a_default_down_is_no_change(wire, old, new):
    assert wire(hints(wire, **old), hints(wire, **new)).json["changes"] == []


def test_a_new_description_shows_its_words_and_what_hides_in_it(wire):
    done = wire(wire.tool(description="Finds pages."), wire.tool(description="Finds all\u200b pages\u202e."))
    row = done.json["changes"][0]
    assert (row["verdict"], row["tags"]) == ("docs", ["routing", "security"])
    assert "{+all\\u{200b} pages\\u{202e}.+}" in row["message"]
    assert done.code == 0


def test_a_name_that_only_looks_like_another_is_flagged(wire):
    old = {"type": "object", "properties": {"scope": {}}}
    new = {"type": "object", "properties": {"scope": {}, "sc\u043epe": {}}}
    assert wire(wire.tool(old), wire.tool(new)).rules["confusable-name"] == "docs"
    plain = {"type": "object", "properties": {"scope": {}, "scopes": {}}}
    assert "confusable-name" not in wire(wire.tool(old), wire.tool(plain)).rules


def test_an_answer_schema_may_come_but_not_go(wire):
    shape = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert wire(wire.tool(), wire.tool(output=shape)).rules == {"output-schema-added": "additive"}
    for nothing in (None, {}, True):
        assert wire(wire.tool(output=shape), wire.tool(output=nothing)).rules == {"output-schema-removed": "breaking"}


def test_removed_names_break_even_where_the_set_does_not_shrink(wire):
    both = {"type": "object", "properties": {"a": {}, "b": {}}}
    one = {"type": "object", "properties": {"a": {}}}
    moved = {"type": "object", "allOf": [both]}
    assert wire(wire.tool(both), wire.tool(one)).rules == {"argument-removed": "breaking"}
    assert wire(wire.tool(output=both), wire.tool(output=one)).rules == {"field-removed": "breaking"}
    assert wire(wire.tool(both), wire.tool(moved)).json["verdict"] == "none"
    assert wire(wire.tool(output=both), wire.tool(output=moved)).json["verdict"] == "none"


def test_a_changed_default_breaks_calls_and_only_documents_answers(wire):
    def schema(default):
        return {"type": "object", "properties": {"n": {"type": "integer", "default": default}}}

    row = wire(wire.tool(schema(1)), wire.tool(schema(2))).json["changes"][0]
    assert (row["rule"], row["verdict"], row["witness"], row["proof"]) == (
        "default-changed",
        "breaking",
        None,
        "policy",
    )
    assert wire(wire.tool(output=schema(1)), wire.tool(output=schema(2))).json["verdict"] == "docs"
    assert wire(wire.tool(schema(1)), wire.tool(schema(1.0))).json["verdict"] == "none"


def test_headers_for_gateways(wire):
    def schema(header=None):
        return {
            "type": "object",
            "properties": {"r": {"type": "string", **({"x-mcp-header": header} if header else {})}},
        }

    assert wire(wire.tool(schema()), wire.tool(schema("Region"))).rules == {"header-added": "additive"}
    assert wire(wire.tool(schema("Region")), wire.tool(schema("Zone"))).rules == {"header-changed": "breaking"}
    assert wire(wire.tool(schema("Region")), wire.tool(schema())).rules == {"header-changed": "breaking"}
    assert wire(wire.tool(schema()), wire.tool(schema("no token"))).rules["header-invalid"] == "breaking"


REGION = {"type": "string", "x-mcp-header": "Region"}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": REGION}},
        {"properties": {"properties": {"properties": {"b": REGION}}}},
        {"properties": {"a": REGION, "b": {**REGION, "x-mcp-header": "region"}}},
        {"properties": {"a": {"items": REGION}}},
        {"properties": {"a": {"allOf": [REGION]}}},
        {"patternProperties": {"a": REGION}},
        {"$defs": {"a": REGION}},
        {"default": REGION, "properties": {"a": {"enum": [REGION]}}},
        REGION,
        *(
            {"properties": {"a": {**REGION, "type": kind}}}
            for kind in ("number", "integer", "boolean", ["string"], None)
        ),
        *({"properties": {"a": {**REGION, "x-mcp-header": header}}} for header in ("", "no token", "naïve", 1, None)),
        None,
    ],
)
def test_a_header_is_invalid_where_the_sdk_says_so(schema):
    from mcp.shared.inbound import find_invalid_x_mcp_header

    from wekadocs_contracts.diff.rules.headers import invalid_header

    assert (invalid_header(schema) is None) == (find_invalid_x_mcp_header(schema) is None)


@pytest.mark.parametrize(
    "broken", [{"type": "objekt"}, {"type": "object", "$ref": "https://example.org/x"}, {"properties": {}}]
)
def test_a_schema_that_cannot_be_used_breaks(wire, broken):
    assert wire(wire.tool(), wire.tool(broken)).rules == {"schema-invalid": "breaking"}
    assert wire(wire.tool(broken), wire.tool(broken)).json["verdict"] == "none"


def test_an_answer_that_nothing_can_satisfy_breaks(wire):
    impossible = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 2}},
    }
    possible = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string", "minLength": 1, "maxLength": 2}},
    }
    assert wire(wire.tool(output=possible), wire.tool(output=impossible)).rules["unsatisfiable"] == "breaking"


@pytest.mark.parametrize(
    ("edit", "rule", "verdict"),
    [
        (("errors: [NO_NAME]", "errors: [NOT_NAMED]"), "error-removed", "breaking"),
        (("errors: [NO_NAME]", "errors: [NO_NAME, TOO_LONG]"), "error-added", "additive"),
        (("who: name, ", ""), "alias-removed", "breaking"),
        (("count: times", "count: times, person: name"), "alias-added", "additive"),
        (("who: name, count: times", "who: name, count: name"), "alias-changed", "breaking"),
        (("status: stable", "status: disabled"), "tool-disabled", "breaking"),
        (("status: stable", "status: beta"), "status-weakened", "breaking"),
        (("status: stable", "status: deprecated"), "status-changed", "docs"),
        (("errors: [NO_NAME]", "errors: [NO_NAME]\nbudgets: {timeout_seconds: 2}"), "budget-lowered", "breaking"),
        (("errors: [NO_NAME]", "errors: [NO_NAME]\nbudgets: {timeout_seconds: 90}"), "budget-raised", "additive"),
        (("errors: [NO_NAME]", "errors: [NO_NAME]\nflag: SOME_SWITCH"), "flag-changed", "breaking"),
        (('text: "{{ greeting }}"', 'text: "{{ greeting }}!"'), "text-changed", "docs"),
        (("title: Greet somebody", "title: Greet anybody"), "title-changed", "docs"),
    ],
)
def test_what_only_a_contract_can_say(released, edit, rule, verdict):
    released.edit(edit)
    assert released.diff("--format", "json").rules[rule] == verdict


def test_host_codes_and_written_defaults_are_no_change(released):
    released.edit(("errors: [NO_NAME]", "errors: [NO_NAME, TIMEOUT]\nbudgets: {timeout_seconds: 30}"))
    assert released.diff("--format", "json").json["changes"] == []


def test_an_argument_that_became_an_alias_still_works(released):
    released.edit(
        ("required: [name]", "required: [person]"),
        ("    name: {type", "    person: {type"),
        ("{who: name, ", "{who: person, name: person, "),
        ("version: 1.0.0", "version: 1.1.0"),
    )
    done = released.diff("--format", "json")
    assert done.rules["argument-renamed"] == "additive"
    assert (done.code, done.json["verdict"]) == (0, "additive")


@pytest.mark.parametrize(
    ("level", "verdict"), [("strict", "breaking"), ("standard", "breaking"), ("lenient", "additive")]
)
def test_one_knob_turns_defaults_into_warnings(released, level, verdict):
    released.edit(("default: 1", "default: 2"), ("version: 1.0.0", "version: 1.1.0"))
    done = released.diff("--format", "json", "--strictness", level)
    assert done.rules["default-changed"] == verdict
    assert bool([each for each in done.json["warnings"] if "default" in each]) == (level == "lenient")


def test_strict_counts_a_new_error_code_as_a_break(released):
    released.edit(("errors: [NO_NAME]", "errors: [NO_NAME, TOO_LONG]"), ("version: 1.0.0", "version: 1.1.0"))
    assert released.diff().code == 0
    assert released.diff("--strictness", "strict").code == 1
