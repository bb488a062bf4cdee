"""What each rule weighs is a team's own choice, in a file that is read strictly."""

from pathlib import Path

import pytest

from wekadocs_contracts.diff.rules.severity import LEVELS
from wekadocs_contracts.diff.rules.table import RULES

REFERENCE = Path(__file__).parents[4] / "docs" / "reference" / "diff-rules"
TWO, ONE = ({"type": "object", "properties": {name: {"type": "string"} for name in names}} for names in ("ab", "a"))


@pytest.fixture
def weighed(wire, tmp_path):
    """An argument that is gone, judged with a severity file."""

    def run(text, old=TWO, new=ONE):
        path = tmp_path / "severity.yaml"
        path.write_text(text, "utf-8")
        return wire(wire.tool(old), wire.tool(new), "--severity", str(path))

    return run


@pytest.mark.parametrize("level", LEVELS)
def test_a_rule_is_as_bad_as_the_file_says(weighed, level):
    done = weighed(f"severity:\n  argument-removed: {level}\n")
    assert done.code == (1 if level == "breaking" else 0)
    assert done.rules == ({} if level == "off" else {"argument-removed": "additive" if level == "warning" else level})
    assert f"argument-removed is {level}" in done.json["severity"], "whoever reads it knows"
    assert done.json["summary"]["off"] == (level == "off")
    assert bool(done.json["warnings"]) == (level == "warning")


def test_a_finding_can_weigh_more_than_usual_but_what_is_proven_safe_stays_safe(weighed):
    assert weighed("severity: {argument-added: breaking}", ONE, TWO).code == 1
    old = {"type": "object", "properties": {"a": {"type": "integer", "exclusiveMinimum": 0}}}
    new = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}}
    every = "\n".join(f"  {name}: breaking" for name, rule in RULES.items() if rule.category == "schema")
    assert weighed(f"severity:\n{every}\n", old, new).code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("severity: {argument-remove: off}", "did you mean argument-removed?"),
        ("severity:\n  argument-removed: ignore\n", "one of breaking, warning, additive, docs, off"),
        ("severity: {not-proven: off}", "it says that nothing is known"),
        ("severities: {argument-removed: off}", "`severities` is unknown"),
        ("- argument-removed", "`severity:` with a level for each rule"),
        ("severity: [", "not YAML"),
    ],
)
def test_a_mistake_in_the_file_is_shown_with_its_line(weighed, text, said):
    done = weighed(text)
    assert done.code == 2
    assert said in done.err
    assert "severity.yaml:" in done.err
    assert "^" in done.err


def test_the_file_beside_the_contracts_counts_and_is_told(released):
    released.edit(("maximum: 5", "maximum: 3"), ("version: 1.0.0", "version: 1.1.0"))
    (released.folder / "contracts" / "diff-severity.yaml").write_text("severity: {maximum-narrowed: warning}", "utf-8")
    done = released.diff()
    assert done.code == 0, done.out
    assert "note      by contracts/diff-severity.yaml: maximum-narrowed is warning" in done.out


def test_every_rule_is_listed_with_its_page(cli, tmp_path):
    done = cli("contracts", "diff", "--rules", cwd=tmp_path)
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == [*RULES]
    pages = [REFERENCE / line.rsplit("/", 1)[-1] for line in done.out.splitlines()]
    assert not [page for page in pages if not page.is_file()]
