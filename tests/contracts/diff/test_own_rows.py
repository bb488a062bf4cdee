"""Every row is judged by itself: its own verdict, call and reason, however many others there are."""

N = {"type": "integer"}


def schema(**properties):
    return {"type": "object", "properties": properties}


def breaks(done):
    return [row for row in done.json["changes"] if row["verdict"] == "breaking"]


def test_thirteen_breaks_of_one_tool_are_thirteen_rows_with_a_call_each(wire):
    names = [f"a{number}" for number in range(13)]
    done = wire(
        wire.tool(schema(**dict.fromkeys(names, N))), wire.tool(schema(**{n: {**N, "maximum": 10} for n in names}))
    )
    assert sorted(list(row["witness"]) for row in breaks(done)) == sorted([name] for name in names)
    assert {row["proof"] for row in breaks(done)} == {"witness"}


def test_six_large_lists_of_values_are_six_breaks(wire):
    def lists(count):
        return schema(**{f"a{n}": {"enum": [f"v{k}" for k in range(count)]} for n in range(6)})

    done = wire(wire.tool(lists(2_000)), wire.tool(lists(1_999)))
    assert sorted(list(row["witness"]) for row in breaks(done)) == [[f"a{n}"] for n in range(6)]


def test_a_row_has_its_own_reason_and_not_that_of_another(wire):
    old = schema(emulate={"enum": ["No emulation", "Fast 3G"]})
    new = {**schema(emulate={"enum": ["Fast 3G"]}, pageId={"type": "number"}), "required": ["pageId"]}
    rows = {row["rule"]: row for row in breaks(wire(wire.tool(old), wire.tool(new)))}
    assert rows["enum-narrowed"]["witness"] == {"emulate": "No emulation"}
    assert "pageId" not in rows["enum-narrowed"]["explanation"]
    assert rows["required-narrowed"]["explanation"] == "`pageId` is required"


def test_what_only_two_changes_together_break_is_told_beside_another_break(wire):
    old = schema(a={"type": "string"}, b={**N, "maximum": 9})
    new = schema(a={"type": "string", "if": {"minLength": 3}, "then": {"pattern": "^x"}}, b={**N, "maximum": 8})
    rows = {row["pointer"].split("/")[3]: row for row in breaks(wire(wire.tool(old), wire.tool(new)))}
    assert set(rows) == {"a", "b"}
    assert rows["a"]["message"].endswith("(together with other changes)")


def test_a_limit_that_only_moved_is_safe_beside_a_real_break(wire):
    def answer(**properties):
        return {**schema(**properties), "required": list(properties)}

    old = answer(a={**N, "minimum": 1}, b=N)
    new = answer(a={**N, "allOf": [{"minimum": 1}]}, b={"type": "string"})
    rows = wire(wire.tool(None, old), wire.tool(None, new)).json["changes"]
    assert {row["rule"]: row["verdict"] for row in rows} == {
        "type-changed": "breaking", "respelled": "none", "all-of-narrowed": "none",
    }  # fmt: skip


def offered(prompts=(), capabilities=("tools",), **other):
    return {"capabilities": {key: {} for key in capabilities}, "tools": [], "prompts": list(prompts), **other}


def test_what_a_server_offers_beside_its_tools_is_compared(wire):
    old = offered(
        [{"name": "p", "arguments": [{"name": "a"}]}, {"name": "q"}], ("tools", "logging"), instructions="Ask."
    )
    new = offered([{"name": "p", "arguments": [{"name": "a", "required": True}]}], instructions="Ask first.")
    rules = {"offer-removed": "breaking", "offer-narrowed": "breaking", "capability-removed": "breaking"}
    assert wire(old, new).rules == {**rules, "instructions-changed": "docs"}
    assert wire(old, old).json["changes"] == []


def test_arguments_are_an_object_though_the_root_does_not_say_so(wire):
    done = wire(wire.tool({"properties": {"a": N}}), wire.tool(schema(a=N)))
    assert (done.code, [row for row in done.json["changes"] if row["verdict"] == "breaking"]) == (0, [])


def test_the_bound_that_generators_write_beside_every_integer_has_a_rule_of_its_own(wire):
    new = schema(a={**N, "maximum": 2**53 - 1, "minimum": -(2**53) + 1})
    assert wire(wire.tool(schema(a=N)), wire.tool(new)).rules == {"safe-integer-bound": "docs"}
    assert wire(wire.tool(schema(a=N)), wire.tool(new), "--strictness", "strict").code == 1


def test_a_definition_that_only_a_condition_refers_to_is_named(wire):
    def conditioned(**small):
        definitions = {"small": {"properties": {"n": {"type": "integer", **small}}, "required": ["n"]}}
        return {"type": "object", "if": {"$ref": "#/$defs/small"}, "else": {"required": ["why"]}, "$defs": definitions}

    done = wire(wire.tool(conditioned(maximum=9)), wire.tool(conditioned(maximum=8)))
    assert done.rules == {"maximum-narrowed": "breaking"}
    assert breaks(done)[0]["witness"] == {"n": 9}


def test_a_bound_that_only_exact_arithmetic_writes_is_judged(wire):
    step = {"type": "number", "exclusiveMaximum": 2**53, "multipleOf": 0.5}
    free = {"type": "number", "exclusiveMaximum": 2**53}
    assert wire(wire.tool(schema(a=step)), wire.tool(schema(a=free))).rules == {"multiple-of-widened": "additive"}
    assert breaks(wire(wire.tool(schema(a=free)), wire.tool(schema(a=step))))[0]["proof"] == "witness"
