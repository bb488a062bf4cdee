"""Every format: complete, valid, and safe against what a contract's author writes into it."""

import json
import xml.etree.ElementTree as xml
from pathlib import Path

import jsonschema
import pytest

from wekadocs_contracts.diff.command import FORMATS

SCHEMA = Path(__file__).parents[4] / "contracts" / "_schema" / "diff.schema.json"
FIXED = {"tool", "direction", "verdict", "rule", "pointer", "file", "line", "before", "after", "witness", "proof", "fingerprint",
         "tags", "bump_required", "bump_found"}  # fmt: skip
EVIL = "Evil\u202e ::error file=x::pwned\\n | `code` @team <script> \u001b[31m"


@pytest.fixture
def changed(released):
    released.edit(("maximum: 5", "maximum: 3"), ("maxLength: 80", "maxLength: 90"))
    return released


def test_text_shows_the_failing_call_the_reason_the_proof_and_the_version(changed):
    shown = changed.diff().out
    assert "BREAKING  demo.hello  input  `times`: maximum lowered 5 → 3  contracts/hello.v1.yaml:17:" in shown
    assert 'this call worked and fails now:   demo.hello {"name": "Ada", "times": 4}' in shown
    assert "→ times: 4 is above the maximum of 3" in shown
    assert "proof: witness, 2 validators  needs: 2.0.0 (is 1.0.0)" in shown
    assert "tools/list:" in shown
    assert "\x1b[" not in shown
    assert "\x1b[31m" in changed.diff("--color", "always").out


def test_json_is_as_its_published_schema_says(changed, wire):
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    for answer in (
        changed.diff("--format", "json").json,
        wire(None, wire.tool()).json,
        wire(wire.tool(), wire.tool()).json,
    ):
        check.validate(answer)
        assert all(set(row) >= FIXED for row in answer["changes"])


def test_the_same_change_keeps_its_fingerprint(changed):
    first = {row["rule"]: row["fingerprint"] for row in changed.diff("--format", "json").json["changes"]}
    changed.edit(
        ("contract: demo.hello", "\n# a line more\ncontract: demo.hello"), ("title: Greet somebody", "title: Greet")
    )
    second = {row["rule"]: row["fingerprint"] for row in changed.diff("--format", "json").json["changes"]}
    assert all(second[rule] == mark for rule, mark in first.items())
    assert len(set(second.values())) == len(second)


def test_markdown_has_a_row_per_change_and_the_call(changed):
    shown = changed.diff("--format", "markdown").out
    assert "| 🔴 breaking | `demo.hello` | `` `times`: maximum lowered 5 → 3 `` |" in shown
    assert ' "times": 4' in shown


def test_github_annotates_the_line_and_tells_the_job(changed, tmp_path):
    output = tmp_path / "output"
    shown = changed.diff("--format", "github", GITHUB_OUTPUT=str(output)).out
    assert (
        "::error title=maximum-narrowed%3A demo.hello,file=contracts/hello.v1.yaml,line=17,col=77::input: `times`: maximum lowered"
        in shown
    )
    assert "breaking_count=1\n" in output.read_text("utf-8")


def test_sarif_has_rules_places_and_fingerprints(changed):
    run = json.loads(changed.diff("--format", "sarif").out)["runs"][0]
    result = next(each for each in run["results"] if each["level"] == "error")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 17
    assert result["partialFingerprints"]
    assert {each["ruleId"] for each in run["results"]} == {each["id"] for each in run["tool"]["driver"]["rules"]}


def test_sarif_is_what_its_standard_says(changed, wire, tmp_path):
    """The schema is Microsoft's, from the npm package @microsoft/sarif-multitool (MIT), without its descriptions."""
    check = jsonschema.Draft202012Validator(json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text("utf-8")))
    lists = [wire.tool({"type": "object", "properties": {name: {"type": "string"}}}) for name in "ab"]
    two = [{"tools": [each, wire.tool(name="two words/ü")]} for each in lists]
    of_json = json.loads(wire(*two, "--format", "sarif").out)
    for document in (json.loads(changed.diff("--format", "sarif").out), of_json):
        assert document["runs"][0]["results"]
        assert not [error.message for error in check.iter_errors(document)]
    places = [each["locations"][0]["physicalLocation"] for each in of_json["runs"][0]["results"]]
    assert {place["artifactLocation"]["uri"] for place in places} == {(tmp_path / "new.json").as_uri()}
    assert all(place["region"]["startColumn"] > 1 for place in places)


def test_junit_fails_the_tool_that_breaks(changed):
    suite = xml.fromstring(changed.diff("--format", "junit").out)
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite.find("testcase/failure").get("type") == "maximum-narrowed"


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_a_contract_says_escapes_from_the_report(wire, tmp_path, cli, form):
    old = wire.tool(description="x", name="t")
    new = wire.tool(
        {"type": "object", "properties": {EVIL: {"type": "string"}}}, description=EVIL + "\n::error::x", name="t"
    )
    wire(old, new)
    done = cli("contracts", "diff", "old.json", "new.json", "--format", form, cwd=tmp_path)
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    if form in ("json", "sarif"):
        json.loads(done.out)
    if form == "github":
        assert not [line for line in done.out.splitlines() if line.startswith("::error")]
    if form == "junit":
        xml.fromstring(done.out)


def test_growth_of_the_tool_list_is_counted_and_gated(released):
    released.edit(("How often.", "How often. " + "Very often. " * 40), ("version: 1.0.0", "version: 1.0.1"))
    cost = released.diff("--format", "json").json["tokens"]
    assert 100 < cost["increase"] == cost["tools"][0]["increase"] < 140
    assert released.diff("--max-tokens-increase", "200").code == 0
    stopped = released.diff("--max-tokens-increase", "50")
    assert stopped.code == 1
    assert "50 are allowed; most of it in demo.hello" in stopped.out


def test_a_report_can_go_to_a_file(changed):
    assert changed.diff("--format", "json", "--output", "report.json").code == 1
    assert json.loads((changed.folder / "report.json").read_text("utf-8"))["verdict"] == "breaking"
