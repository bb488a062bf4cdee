"""What loading refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli

from .on_the_wire import wire

HELLO = """\
contract: demo.hello
version: 1.0.0
status: stable
title: Greet somebody
routing:
  use_when: somebody should be greeted
  do_not_use_when: you need a fact
  returns: At most {{ max.times }} greetings.
  follow_up: Nothing follows.
annotations: {readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false}
input:
  type: object
  required: [name]
  properties:
    name: {type: string, maxLength: 80}
    times: {type: integer, default: 1, minimum: 1, maximum: 5}
output:
  type: object
  properties:
    greeting: {type: string}
"""

HANDLER = (
    "from wekadocs_mcp import tool\n\n@tool('demo.hello')\nasync def hello(call, **rest):\n    return {'got': rest}\n"
)


def refused(workshop: Any, text: str | bytes, file: str = "hello.v1.yaml") -> str:
    workshop.write(f"tools/{file}", text)
    workshop.write("tools/hello.py", HANDLER)
    return workshop.refusal()


def changed(old: str, new: str) -> str:
    assert old in HELLO
    return HELLO.replace(old, new)


def test_a_mistake_is_shown_with_file_line_column_excerpt_caret_and_fix(workshop: Any) -> None:
    text = refused(workshop, changed("status: stable", "status: finished"))
    lines = text.splitlines()
    assert lines[0].startswith(f"{workshop.folder}/tools/hello.v1.yaml:3:9: $.status: ")
    assert '"finished" is not one of "beta", "stable", "deprecated", "disabled"' in lines[0]
    assert lines[1:6] == [
        "  1 | contract: demo.hello",
        "  2 | version: 1.0.0",
        "> 3 | status: finished",
        "    |         ^",
        "  4 | title: Greet somebody",
    ]
    assert lines[-1].startswith("  fix: ")


def test_the_command_line_shows_the_same_and_exits_with_2(workshop: Any) -> None:
    workshop.write("tools/hello.v1.yaml", changed("status: stable", "status: finished"))
    workshop.write("tools/hello.py", HANDLER)
    result = CliRunner().invoke(cli, ["tools", "--plugins", str(workshop.tools)])
    assert result.exit_code == 2
    assert "hello.v1.yaml:3:9" in result.stderr
    assert "1 problem to fix" in result.stderr
    assert result.stdout == ""


def test_an_unknown_key_shows_its_line_and_the_nearest_key(workshop: Any) -> None:
    text = refused(workshop, changed("title: Greet", "titel: Greet"))
    assert "hello.v1.yaml:4:1" in text
    assert "did you mean `title`?" in text
    assert "`title` is required" in text


@pytest.mark.parametrize("place", ["routing", "annotations", "budgets", "examples"])
def test_an_unknown_key_inside_is_refused_too(workshop: Any, place: str) -> None:
    data = workshop.contract(budgets={}, examples=[{"arguments": {}}])
    (data[place][0] if place == "examples" else data[place])["surprise"] = 1
    workshop.tool("@tool('demo.echo')\ndef echo(call, text): ...", **data)
    assert "unknown name `surprise`" in workshop.refusal()


def test_a_name_that_is_not_the_files_is_refused(workshop: Any) -> None:
    text = refused(workshop, changed("demo.hello", "demo.greet"))
    assert "hello.v1.yaml:1:11" in text
    assert "rename the file to greet.v1.yaml" in text


def test_a_major_that_is_not_the_files_is_refused(workshop: Any) -> None:
    text = refused(workshop, changed("1.0.0", "2.0.0"))
    assert "belongs in hello.v2.yaml" in text


@pytest.mark.parametrize("version", ["1.0", "'1'", "1.0.0-", "1.0.0-01", "1.0.0+", "v1.0.0", "01.0.0"])
def test_a_version_must_be_semantic(workshop: Any, version: str) -> None:
    text = refused(workshop, changed("version: 1.0.0", f"version: {version}"))
    assert "$.version" in text
    assert "such as 1.0.0" in text


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize("root", ["type: array", "type: [object, 'null']", "description: no type"])
def test_a_root_that_is_no_object_is_refused(workshop: Any, side: str, root: str) -> None:
    text = refused(workshop, changed(f"{side}:\n  type: object", f"{side}:\n  {root}"))
    assert f"$.{side}" in text
    assert "type: object" in text


@pytest.mark.parametrize("hint", ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
def test_each_annotation_is_demanded(workshop: Any, hint: str) -> None:
    data = workshop.contract()
    del data["annotations"][hint]
    workshop.echo(**data)
    text = workshop.refusal()
    assert f"`{hint}` is required" in text
    assert "write all four" in text


@pytest.mark.parametrize("part", ["use_when", "do_not_use_when", "returns", "follow_up"])
def test_each_routing_part_is_demanded(workshop: Any, part: str) -> None:
    data = workshop.contract()
    del data["routing"][part]
    workshop.echo(**data)
    assert f"`{part}` is required" in workshop.refusal()


@pytest.mark.parametrize("key", ["contract", "version", "status", "title", "routing", "annotations", "input"])
def test_each_key_is_demanded(workshop: Any, key: str) -> None:
    lines = HELLO.splitlines(keepends=True)
    start = next(index for index, line in enumerate(lines) if line.startswith(f"{key}:"))
    end = next((i for i in range(start + 1, len(lines)) if lines[i][0] != " "), len(lines))
    assert f"`{key}` is required" in refused(workshop, "".join(lines[:start] + lines[end:]))


@pytest.mark.parametrize(
    ("property_", "message"),
    [
        ("{type: integer, default: 9, maximum: 5}", "default 9 is above the maximum of 5"),
        ("{type: integer, default: one}", 'default "one" is not of type integer'),
        ("{type: string, default: abcdef, maxLength: 3}", 'default "abcdef" is longer than 3 characters'),
        ("{enum: [a, b], default: c}", 'default "c" is not one of "a", "b"'),
        ("{type: object, properties: {deep: {type: integer, maximum: 5, default: 6}}}", "default 6 is above"),
        ("{type: object, default: {deep: 6}, properties: {deep: {type: integer, maximum: 5}}}", "default 6 is above"),
        ("{type: array, items: {type: object, properties: {n: {maximum: 1, default: 2}}}}", "default 2 is above"),
        ("{anyOf: [{type: integer, maximum: 1, default: 2}, {type: 'null'}]}", "default 2 is above"),
        ("{$ref: '#/$defs/few', default: 4}", "default 4 is above the maximum of 3"),
        ("{$ref: 'wekadocs:shared/scope', default: {doc_tags: 7}}", "default 7 is not of type array"),
    ],
)
def test_a_default_that_breaks_its_own_schema_is_refused(workshop: Any, property_: str, message: str) -> None:
    text = changed("    name: {type: string, maxLength: 80}", f"    name: {{type: string}}\n    odd: {property_}")
    text = text.replace("  required: [name]", "  $defs: {few: {type: integer, maximum: 3}}")
    said = refused(workshop, text)
    assert message in said
    assert "hello.v1.yaml:16:" in said


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ("{type: object, required: [q], properties: {q: {type: string, default: x}}}", "$.input.properties.q.default"),
        (
            "{type: object, allOf: [{required: [q]}], properties: {q: {default: x}}}",
            "$.input.properties.q.default",
        ),
        (
            "{type: object, properties: {o: {type: object, required: [q], properties: {q: {default: x}}}}}",
            "$.input.properties.o.properties.q.default",
        ),
    ],
)
def test_a_default_of_a_required_argument_is_refused(workshop: Any, schema: str, place: str) -> None:
    text = HELLO[: HELLO.index("input:")] + f"input: {schema}\n"
    said = refused(workshop, text)
    assert f"{place}: `q` is required, so its default is never used" in said
    assert "fix: take `q` out of required, or remove the default" in said
    assert "^" in said


def test_a_required_argument_may_share_a_definition_that_has_a_default(workshop: Any) -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "$defs": {"size": {"type": "integer", "default": 5}},
        "properties": {"a": {"$ref": "#/$defs/size"}, "b": {"$ref": "#/$defs/size"}},
    }
    workshop.echo(input=schema)
    assert wire(workshop)["description"].endswith("Defaults: b=5. Max: none.")
    assert workshop.call(workshop.app(), "demo.echo", {"a": 1}).data == {"got": {"a": 1, "b": 5}}


@pytest.mark.parametrize(
    ("property_", "hint"),
    [
        ("{type: strng}", "types are string, integer, number"),
        ("{type: string, required: yes}", "required: [query]"),
        ("string", "a property is a schema: write {type: string}"),
        ("{enum: a}", "write a list of the values"),
        ("{maxLength: long}", "see https://json-schema.org"),
    ],
)
def test_a_slip_inside_a_schema_gets_a_hint_of_its_own_once(workshop: Any, property_: str, hint: str) -> None:
    said = refused(workshop, changed("{type: string, maxLength: 80}", property_))
    assert hint in said
    assert "the root of input" not in said
    assert said.count("  fix: ") == 1


def test_a_duplicate_key_hides_no_other_mistake(workshop: Any) -> None:
    text = changed("title: Greet somebody", "title: Greet somebody\ntitle: Again\nbudgest: {}")
    said = refused(workshop, text.replace("readOnlyHint: true", "readOnlyHint: maybe"))
    assert "`title` stands here and in line" in said
    assert "did you mean `budgets`?" in said
    assert '"maybe" is not of type boolean' in said


def test_a_default_over_a_cap_that_stands_elsewhere_is_refused(workshop: Any) -> None:
    cap = {"properties": {"n": {"type": "integer", "maximum": 5}}}
    workshop.echo(input={"type": "object", "allOf": [cap], "properties": {"n": {"default": 9}}})
    assert "9 is above the maximum of 5" in workshop.refusal()


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("'#/$defs/nothing'", "points to nothing"),
        ("'#nothing'", "points to nothing"),
        ("wekadocs:shared/nothing", "points to nothing"),
        ("wekadocs:shared/scope#/properties/nothing", "points to nothing"),
        ("wekadocs:shared/../_schema/x", "points to nothing"),
        ("https://example.com/schema.json", "external $ref"),
        ("other.yaml", "external $ref"),
        ("file:///etc/passwd", "external $ref"),
    ],
)
def test_a_ref_that_leads_nowhere_or_outside_is_refused(workshop: Any, ref: str, message: str) -> None:
    text = refused(workshop, changed("{type: string, maxLength: 80}", f"{{$ref: {ref}}}"))
    assert message in text
    assert "hello.v1.yaml:15:" in text
    assert "$.input.properties.name.$ref" in text


def test_a_shared_fragment_that_refers_to_itself_is_refused(workshop: Any) -> None:
    workshop.write("tools/_shared/tree.yaml", "type: object\nproperties: {child: {$ref: 'wekadocs:shared/tree'}}\n")
    text = refused(workshop, changed("{type: string, maxLength: 80}", "{$ref: wekadocs:shared/tree}"))
    assert "refers to itself" in text
    assert "_shared/tree.yaml:2:" in text


def test_a_recursive_definition_inside_a_shared_fragment_is_refused(workshop: Any) -> None:
    node = "{type: object, properties: {child: {$ref: '#/$defs/node'}}}"
    workshop.write("tools/_shared/tree.yaml", f"$ref: '#/$defs/node'\n$defs: {{node: {node}}}\n")
    text = refused(workshop, changed("{type: string, maxLength: 80}", "{$ref: wekadocs:shared/tree}"))
    assert "refers to itself" in text
    assert "under $defs" in text


def test_a_mistake_in_a_shared_fragment_is_shown_in_that_file(workshop: Any) -> None:
    workshop.write("tools/_shared/odd.yaml", "type: string\ntype: integer\n")
    text = refused(workshop, changed("{type: string, maxLength: 80}", "{$ref: wekadocs:shared/odd}"))
    assert "_shared/odd.yaml:2:1" in text


def test_a_schema_that_cannot_be_compiled_is_refused(workshop: Any) -> None:
    text = refused(workshop, changed("maxLength: 80", "pattern: '(['"))
    assert "hello.v1.yaml" in text
    assert "$.input" in text


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [("{type: strnig}", "$.input.properties.name.type"), ("{maxLength: -1}", "$.input.properties.name.maxLength")],
)
def test_a_schema_that_is_no_json_schema_is_refused_at_its_place(workshop: Any, schema: str, pointer: str) -> None:
    text = refused(workshop, changed("{type: string, maxLength: 80}", schema))
    assert pointer in text
    assert "hello.v1.yaml:15:" in text


def test_the_same_tool_twice_is_refused(workshop: Any) -> None:
    workshop.write("tools/hello.v1.yml", HELLO)
    text = refused(workshop, HELLO)
    assert "declared twice" in text
    assert "hello.v1.yaml" in text


def test_the_same_tool_in_two_folders_is_refused(workshop: Any) -> None:
    workshop.echo(folder="tools/one")
    workshop.echo(folder="tools/two")
    text = workshop.refusal()
    assert "declared twice" in text
    assert "one/echo.v1.yaml" in text
    assert "two/echo.v1.yaml" in text


@pytest.mark.parametrize(
    ("extra", "line", "message"),
    [
        ("title: Again\n", 21, "`title` stands here and in line 4"),
        ("text: &anchor x\n", 21, "anchors and aliases are not allowed"),
        ("text: *anchor\n", 21, "anchors and aliases are not allowed"),
        ("text: !!str x\n", 21, "tag"),
        ("text: !!python/object:os.system x\n", 21, "tag"),
        ("---\ncontract: other\n", 21, "second document"),
        ("text: [\n", 21, "not YAML"),
        ("? [a, b]\n: c\n", 21, "plain word"),
        ("budgets: {response_bytes: 1e999}\n", 21, "too large a number"),
        (f"budgets: {{response_bytes: {'9' * 5000}}}\n", 21, "too large a number"),
        ("text: " + "[" * 80 + "]" * 80 + "\n", 21, "deep"),
    ],
)
def test_what_makes_two_yaml_readers_disagree_is_refused(workshop: Any, extra: str, line: int, message: str) -> None:
    text = refused(workshop, HELLO + extra)
    assert message in text
    assert f"hello.v1.yaml:{line}:" in text


@pytest.mark.parametrize("raw", [b"title: caf\xe9\n", b"\xff\xfe\x00", HELLO.encode("utf-16")])
def test_a_file_that_is_not_utf_8_is_refused(workshop: Any, raw: bytes) -> None:
    text = refused(workshop, raw)
    assert "not UTF-8" in text
    assert "save the file as UTF-8" in text


@pytest.mark.parametrize("raw", ["", "# nothing\n", "just words\n", "- a list\n", "null\n", "\x00", "a: \x07\n"])
def test_a_file_that_is_no_mapping_is_refused(workshop: Any, raw: str) -> None:
    assert "hello.v1.yaml:1:1" in refused(workshop, raw)


def test_a_byte_order_mark_and_windows_lines_do_no_harm(workshop: Any) -> None:
    workshop.write("tools/hello.v1.yaml", b"\xef\xbb\xbf" + HELLO.replace("\n", "\r\n").encode())
    workshop.write("tools/hello.py", HANDLER)
    assert wire(workshop)["name"] == "demo.hello"


@pytest.mark.parametrize(
    "word", ["2024-01-31", "yes", "no", "on", "off", "True", "12:30:00", "0x1F", "1_000", "=", "NULL"]
)
def test_words_that_other_readers_reinterpret_stay_text(workshop: Any, word: str) -> None:
    workshop.write("tools/hello.v1.yaml", changed("title: Greet somebody", f"title: {word}"))
    workshop.write("tools/hello.py", HANDLER)
    assert wire(workshop)["title"] == word


@pytest.mark.parametrize(("word", "value"), [("true", True), ("null", None), ("~", None), ("3", 3), ("-2.5e1", -25.0)])
def test_plain_words_that_are_json_have_their_json_meaning(workshop: Any, word: str, value: Any) -> None:
    text = changed("{type: integer, default: 1, minimum: 1, maximum: 5}", f"{{default: {word}, maximum: 5}}")
    workshop.write("tools/hello.v1.yaml", text)
    workshop.write("tools/hello.py", HANDLER)
    found = wire(workshop)["inputSchema"]["properties"]["times"]["default"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ max.tims }}", "tims"),
        ("{{ nothing }}", "nothing"),
        ("{% if %}", "template fails"),
        ("{{ 1 / 0 }}", "template fails"),
        ("{{ 'a' * 999999999 }}", "not available"),
        ("{{ ''.__class__.__mro__ }}", "template fails"),
        ("{% include 'x' %}", "template fails"),
        ("{% for i in range(99999999) %}{% endfor %}", "template fails"),
        ("{{ tool() }}", "template fails"),
        ("{{ tool.x.y }}", "template fails"),
    ],
)
def test_a_routing_template_that_fails_is_refused(workshop: Any, template: str, message: str) -> None:
    said = refused(workshop, changed("At most {{ max.times }} greetings.", f'"{template}"'))
    assert message in said
    assert "hello.v1.yaml:8:12" in said
    assert "known: max.NAME" in said


def test_a_text_template_that_does_not_parse_is_refused(workshop: Any) -> None:
    said = refused(workshop, HELLO + 'text: "{% for r in results %}"\n')
    assert "hello.v1.yaml:21:7: $.text" in said


OUTPUT = "output: {type: object, required: [rows], properties: {rows: {}, more: {}}}\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("text: json\ntext_field: more\n", "`more` is not among what `output` requires"),
        ("text: '{{ rows }}'\ntext_field: rows\n", "text_field is of a text that is JSON"),
        ("text_field: rows\n", "text_field is of a text that is JSON"),
        ('error_text: "{% if code %}"\n', "the template fails"),
        ("error_codes: {INVALID_ARGUMENTS: INVALID_PARAMS}\n", "INVALID_ARGUMENTS"),
        ("error_codes: {TIMEOUT: too_late}\n", "too_late"),
    ],
)
def test_how_a_failure_or_a_text_reads_is_checked_at_the_start(workshop: Any, lines: str, message: str) -> None:
    assert message in refused(workshop, HELLO + OUTPUT + lines)


def test_an_example_may_be_wrong_on_purpose_by_the_contracts_own_code(workshop: Any) -> None:
    codes = "error_codes: {INVALID_ARGUMENT: INVALID_PARAMS}\n"
    example = "examples:\n  - arguments: {name: 5}\n    expect_error: "
    assert "say expect_error: INVALID_PARAMS" in refused(workshop, HELLO + codes + example + "INVALID_ARGUMENT\n")
    workshop.write("tools/hello.v1.yaml", HELLO + codes + example + "INVALID_PARAMS\n")
    workshop.write("tools/hello.py", HANDLER)
    assert wire(workshop)["name"] == "demo.hello"


def test_a_routing_template_may_name_the_budget_of_a_silent_contract(workshop: Any) -> None:
    workshop.write("tools/hello.v1.yaml", changed("greetings.", "greetings in {{ budgets.timeout_seconds }} s."))
    workshop.write("tools/hello.py", HANDLER)
    assert "greetings in 7 s." in wire(workshop, {"budgets": {"timeout_seconds": 7}})["description"]


def test_an_alias_must_stand_for_an_argument(workshop: Any) -> None:
    said = refused(workshop, HELLO + "argument_aliases: {who: nmae}\n")
    assert "`who` stands for `nmae`, which is no argument — did you mean `name`?" in said
    assert "hello.v1.yaml:21:25" in said


def test_an_alias_must_not_be_an_argument_itself(workshop: Any) -> None:
    assert "`times` is itself an argument" in refused(workshop, HELLO + "argument_aliases: {times: name}\n")


def test_an_example_must_fit_the_input(workshop: Any) -> None:
    said = refused(workshop, HELLO + "examples:\n  - arguments: {name: Ada, times: 6}\n")
    assert "6 is above the maximum of 5" in said
    assert "hello.v1.yaml:22:" in said
    assert "expect_error: INVALID_ARGUMENT" in said


def test_an_example_may_be_wrong_on_purpose_and_may_use_aliases(workshop: Any) -> None:
    text = HELLO + (
        "argument_aliases: {who: name}\n"
        "examples:\n"
        "  - {arguments: {name: Ada, times: 6}, expect_error: INVALID_ARGUMENT}\n"
        "  - {arguments: {who: Ada}}\n"
    )
    workshop.write("tools/hello.v1.yaml", text)
    workshop.write("tools/hello.py", HANDLER)
    assert wire(workshop)["name"] == "demo.hello"


def test_an_example_expects_an_answer_or_an_error_not_both(workshop: Any) -> None:
    said = refused(workshop, HELLO + "examples:\n  - {arguments: {name: A}, expect: {}, expect_error: TIMEOUT}\n")
    assert "hello.v1.yaml:22:" in said


@pytest.mark.parametrize(
    "line",
    [
        "budgets: {timeout_seconds: 0}",
        "budgets: 5",
        "budgets: [1]",
        "budgets: null",
        "errors: [not_upper]",
        "errors: [A, A]",
        "flag: lower",
        "flag: '!!A'",
        "icons: [{src: 'http://plain'}]",
        "argument_aliases: [a]",
        "argument_aliases: null",
        "examples: {a: b}",
        "examples: [1]",
        "text: 5",
        "text: ''",
        "replaced_by: 5",
    ],
)
def test_optional_parts_are_checked_too(workshop: Any, line: str) -> None:
    said = refused(workshop, f"{HELLO}{line}\n")
    assert f"$.{line.split(':', maxsplit=1)[0]}" in said
    assert "hello.v1.yaml:21:" in said


def test_all_mistakes_of_all_files_come_at_once_in_order(workshop: Any) -> None:
    first = (
        changed("status: stable", "status: finished").replace("default: 1,", "default: 9,")
        + "argument_aliases: {q: x}\n"
    )
    workshop.write("tools/hello.v1.yaml", first)
    workshop.write("tools/other.v1.yaml", "contract: other\nversion: 1.0.0\n")
    workshop.write("tools/third.v1.yaml", "a: [\n")
    said = workshop.refusal()
    places = [
        line.split(": ")[0].rsplit("/", 1)[-1] for line in said.splitlines() if line.startswith(str(workshop.folder))
    ]
    assert places[:3] == ["hello.v1.yaml:3:9", "hello.v1.yaml:16:37", "hello.v1.yaml:21:23"]
    assert len([place for place in places if place.startswith("other.v1.yaml")]) == 5
    assert places[-1].startswith("third.v1.yaml")
