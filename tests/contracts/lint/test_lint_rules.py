"""Each lint rule with a contract that it stops and one that only looks like it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wekadocs_contracts.lint.rules import RULES

ROOT = Path(__file__).parents[3]
SAMPLE = (ROOT / "docs" / "sample" / "tools" / "hello.v1.yaml").read_text("utf-8")
RUN = "from wekadocs_mcp.entry import main; main()"
TIMES = "times: {type: integer, description: How often., default: 1, minimum: 1, maximum: 5}"


def write(folder, *edits, name="hello"):
    text = SAMPLE.replace("contract: demo.hello", f"contract: demo.{name}")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    (folder / f"{name}.v1.yaml").write_text(text, "utf-8")


def lint(folder, *options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, "contracts", "lint", "--json", *options, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout)
    return done.returncode, {each["rule"]: each for each in found}


def extra(text):
    return (TIMES, f"{TIMES}\n    x: {text}")


def deep(levels):
    return "{type: object, properties: {a: " * levels + "{type: string}" + "}}" * levels


CASES = {
    "name-shape": ([("contract: demo.hello", "contract: 1demo.hello")], [("contract: demo.hello", "contract: demo1.hello")]),
    "thin-routing": ([("somebody should be greeted by name", "greeting")], [("somebody should be greeted by name", "greeting a person")]),
    "left-alone": ([("somebody should be greeted by name", "you hold a name from {{ tool('demo.hello') }} and greet")],
                   [("somebody should be greeted by name", "you hold a name{% if served('demo.hello') %} from {{ tool('demo.hello') }}{% endif %} and greet")]),
    "unknown-tool": ([("Nothing follows", "Call {{ tool('demo.bye') }}")], [("Nothing follows", "Call {{ tool('demo.hello') }}")]),
    "number-by-hand": ([("at most {{ max.times }}", "at most 5")], [("at most {{ max.times }}", "at most {{ max.times }} of 7")]),
    "contradiction": ([extra("{type: string, enum: [a, 1]}")], [extra("{type: string, enum: [a, '1']}")]),
    "required-undeclared": (
        [("required: [greeting]", "required: [greeting, mood]")], [("greeting: {type: string}", "greeting: {type: string}\n    mood: {}")],
    ),
    "tool-tokens": ([("How often.", "How often " * 450)], [("How often.", "How often " * 100)]),
    "portable-ref": (
        [extra("{$ref: '#/$defs/x'}"), ("input:\n  type: object", "input:\n  type: object\n  $defs: {x: {type: string}}")],
        [extra("{type: string}"), ("input:\n  type: object", "input:\n  type: object\n  $defs: {x: {type: string}}")],
    ),
    "portable-root": (
        [("  required: [name]", "  anyOf: [{required: [name]}]")], [extra("{anyOf: [{type: string}, {type: integer}]}")],
    ),
    "portable-type-list": ([extra("{type: [string, 'null']}")], [extra("{anyOf: [{type: string}, {type: 'null'}]}")]),
    "portable-boolean-schema": ([extra("true")], [extra("{type: boolean}")]),
    "portable-items": ([extra("{type: array}")], [extra("{type: array, items: {type: string}}")]),
    "portable-depth": ([extra(deep(11))], [extra(deep(8))]),
    "portable-argument": ([(TIMES, f"{TIMES}\n    'a b': {{type: string}}")], [(TIMES, f"{TIMES}\n    a-b: {{type: string}}")]),
}  # fmt: skip


@pytest.mark.parametrize("rule", CASES)
def test_the_rule_stops_what_hurts_and_lets_the_rest_pass(tmp_path, rule):
    bad, good = CASES[rule]
    write(tmp_path, *bad)
    code, found = lint(tmp_path)
    assert rule in found
    assert found[rule]["line"] > 0
    assert found[rule]["fix"]
    assert code == (1 if found[rule]["severity"] == "error" else 0)
    write(tmp_path, *good)
    assert rule not in lint(tmp_path)[1]


def test_two_names_that_differ_in_a_dot_are_twins(tmp_path):
    write(tmp_path, ("contract: demo.he_llo", "contract: demo.he_llo"), name="he_llo")
    (tmp_path / "llo.v1.yaml").write_text(SAMPLE.replace("demo.hello", "demo.he.llo"), "utf-8")
    assert "name-twins" in lint(tmp_path)[1]
    (tmp_path / "llo.v1.yaml").write_text(SAMPLE.replace("demo.hello", "demo.she.llo"), "utf-8")
    assert "name-twins" not in lint(tmp_path)[1]


def test_two_tools_with_one_description_are_ambiguous(tmp_path):
    write(tmp_path)
    write(tmp_path, name="goodbye")
    assert "demo.hello" in lint(tmp_path)[1]["similar-routing"]["message"]
    write(
        tmp_path,
        ("somebody should be greeted by name", "a conversation ends and wants a farewell"),
        ("you only need a fact; this tool knows none", "it goes on"),
        name="goodbye",
    )
    assert "similar-routing" not in lint(tmp_path)[1]


def test_dots_matter_only_to_the_client_that_is_named(tmp_path):
    write(tmp_path)
    assert lint(tmp_path)[1] == {}
    assert set(lint(tmp_path, "--client", "openai")[1]) == {"portable-dots"}
    assert lint(tmp_path, "--client", "gemini")[1] == {}
    write(tmp_path, extra("{type: [string, 'null']}"))
    assert "portable-type-list" not in lint(tmp_path, "--client", "claude")[1]


def test_every_rule_has_a_case_a_reason_and_a_fix():
    assert {rule.id for rule in RULES} == {*CASES, "name-twins", "similar-routing", "portable-dots"}
    assert all(rule.reason and rule.fix for rule in RULES)
    done = subprocess.run([sys.executable, "-c", RUN, "contracts", "lint", "--rules"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "src")})  # fmt: skip
    assert all(rule.id in done.stdout for rule in RULES)
