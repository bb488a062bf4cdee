"""`eval`: a golden set through the real tools."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli

SAMPLE = Path(__file__).parents[3] / "docs" / "sample"
MOUNT = {"id": "mount", "question": "How do I mount a filesystem?", "document": "filesystems/mount.md"}


@pytest.fixture
def evaluated(sample, tmp_path):
    """`evaluated(questions, *options)`: the command's result on the sample documentation."""

    def run(questions, *options):
        file = tmp_path / "golden.yaml"
        text = questions if isinstance(questions, str) else json.dumps({"questions": questions})
        file.write_text(text, "utf-8")
        command = ["eval", str(file), "--data", str(sample), *map(str, options)]
        return CliRunner().invoke(cli, command, prog_name="wekadocs-mcp")

    return run


def figures(result):
    assert result.exit_code in (0, 1), result.output
    return json.loads(result.stdout)["figures"]


def test_the_samples_figures_are_no_worse_than_the_committed_ones(sample):
    command = ["eval", SAMPLE / "golden.yaml", "--data", sample, "--baseline", SAMPLE / "baseline.json"]
    result = CliRunner().invoke(cli, [*map(str, command), "--fail-under", "0.02"], prog_name="wekadocs-mcp")
    assert result.exit_code == 0, result.output
    assert "60 questions" in result.stdout


def test_a_question_that_is_answered_counts_everywhere(evaluated):
    found = figures(evaluated([{**MOUNT, "answer": "strata  MOUNT <filesystem>", "keywords": ["root"]}], "--json"))
    for name in ("hit@5", "mrr", "page_in_evidence", "answer_in_evidence", "answered", "keyword_recall"):
        assert found[name] == 1.0
    assert found["tool_calls"] == 1.0
    assert 0 < found["text_tokens"] <= 1200
    assert found["bytes"] > found["json_tokens"]


def test_a_wrong_page_and_missing_words_count_nowhere(evaluated):
    asked = [{**MOUNT, "document": "no/such-page.md", "answer": "no such words", "keywords": ["xyzzy", "strata"]}]
    found = figures(evaluated(asked, "--json"))
    assert [found[name] for name in ("hit@5", "mrr", "page_in_evidence", "answer_in_evidence", "answered")] == [0] * 5
    assert found["keyword_recall"] == 0.5
    assert found["tool_calls"] == 3.0


def test_of_several_pages_all_or_any_must_be_found(evaluated):
    pages = {"document": ["filesystems/mount.md", "no/such-page.md"]}
    found = evaluated([{**MOUNT, **pages}, {**MOUNT, **pages, "id": "any", "needs": "any"}], "--json")
    assert figures(found)["hit@5"] == 0.5
    assert figures(found)["mrr"] == 1.0


def test_what_cannot_be_answered_should_be_refused(evaluated):
    asked = [MOUNT, {"id": "none", "question": "Who won the chess olympiad in 1972?", "document": None}]
    found = figures(evaluated(asked, "--json"))
    assert [found[name] for name in ("answerable_precision", "answerable_recall", "refused")] == [1, 1, 1]


def test_wishes_of_a_question_are_told_when_they_are_not_kept(evaluated):
    wishes = {"first": True, "max_calls": 1, "max_bytes": 100, "answer": "no such words"}
    result = evaluated([{**MOUNT, "document": "limits.md", **wishes}])
    assert result.exit_code == 0
    assert "unmet: mount: the page came" in result.stdout
    assert "unmet: mount: no answer within 1 calls" in result.stdout
    assert "bytes, not at most 100" in result.stdout


def test_cursors_are_followed_to_the_end_of_the_list(evaluated, tmp_path):
    config = tmp_path / "tools.yaml"
    scope = {"project_id": "wekadocs-matrix", "environment": "prod"}
    small = {"kb.search": {"defaults": {"page_size": 2}}}
    plugins = {"corpus": {}, "scratch": {}, "kb": {}}
    config.write_text(yaml.safe_dump({"plugins": plugins, "scope": scope, "overlays": small}), "utf-8")
    found = figures(evaluated([MOUNT], "--json", "--config", config))
    assert found["cursor_use"] == 2
    assert found["hit@5"] == 1


def test_figures_are_kept_and_compared(evaluated, tmp_path):
    kept = tmp_path / "kept.json"
    assert evaluated([MOUNT], "--write-baseline", kept).exit_code == 0
    written = json.loads(kept.read_text("utf-8"))
    assert written["figures"]["hit@5"] == 1
    assert "latency" not in kept.read_text("utf-8")
    assert evaluated([MOUNT], "--baseline", kept, "--fail-under", "0").exit_code == 0
    worse = evaluated([{**MOUNT, "document": "no/such-page.md"}], "--baseline", kept, "--fail-under", "0.5")
    assert worse.exit_code == 1
    assert "worse: hit@5 is 0, the baseline 1" in worse.stderr


def test_a_figure_below_its_limit_is_exit_1(evaluated):
    assert evaluated([MOUNT], "--fail-under", "hit@5=1").exit_code == 0
    result = evaluated([MOUNT], "--fail-under", "hit@5=1.1", "--fail-under", "text_tokens=1", "--json")
    assert result.exit_code == 1
    assert [line.split(" is ")[0] for line in json.loads(result.stdout)["failed"]] == ["hit@5", "text_tokens"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--fail-under", "hits=1"), "no figure is called `hits`"),
        (("--fail-under", "hit@5=much"), "is neither NAME=NUMBER nor a number"),
        (("--fail-under", "0.1"), "name it with --baseline FILE"),
        (("--baseline", "none.json"), "none.json: cannot be read"),
        (("--fail-under", "hit@5=nan"), "is neither NAME=NUMBER nor a number"),
        (("--fail-under", "hit@5=inf"), "is neither NAME=NUMBER nor a number"),
        (("--fail-under", "-1"), "a distance cannot be negative"),
        (("--write-baseline", "nowhere/figures.json"), "--write-baseline nowhere/figures.json: cannot be written"),
    ],
)
def test_options_that_make_no_sense_say_so(evaluated, options, said):
    result = evaluated([MOUNT], *options)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("figure", ["NaN", "Infinity"])
def test_a_baseline_that_nothing_can_be_compared_with_is_none(evaluated, tmp_path, figure):
    (tmp_path / "figures.json").write_text(f'{{"questions": 1, "figures": {{"mrr": {figure}}}}}')
    result = evaluated([MOUNT], "--baseline", tmp_path / "figures.json", "--fail-under", "0")
    assert result.exit_code == 2
    assert "is no baseline of `eval`" in result.stderr


def test_a_baseline_of_other_questions_is_told(evaluated, tmp_path):
    (tmp_path / "figures.json").write_text('{"questions": 60, "figures": {"mrr": 0.5}}')
    result = evaluated([MOUNT], "--baseline", tmp_path / "figures.json", "--fail-under", "0")
    assert result.exit_code == 0
    assert "figures.json is of 60 questions" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("questions:\n  - id: a\n    question: b\n    documnt: c.md\n", "unknown name `documnt`"),
        ("questions:\n  - {id: a, question: b}\n", "`document` is required"),
        ("questions:\n  - {id: a, question: b, document: c, max_calls: 0}\n", "0 is below the minimum of 1"),
        ("questions: []\n", "has fewer than 1 items"),
        (
            "questions:\n  - {id: a, question: b, document: c}\n  - {id: a, question: b, document: c}\n",
            "the id `a` is there twice",
        ),
        ("questions:\n  - {id: a, question: b, document: null, answer: d}\n", "`answer` without a page that holds it"),
    ],
)
def test_a_mistake_in_the_golden_set_is_shown_where_it_is(evaluated, text, said):
    result = evaluated(text)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "golden.yaml:" in result.stderr
    assert "^" in result.stderr
    assert "fix: " in result.stderr


def test_nothing_indexed_is_told_with_the_way_out(tmp_path):
    file = tmp_path / "golden.yaml"
    file.write_text(yaml.safe_dump({"questions": [MOUNT]}), "utf-8")
    result = CliRunner().invoke(cli, ["eval", str(file), "--data", str(tmp_path / "none")], prog_name="wekadocs-mcp")
    assert result.exit_code == 2
    assert "wekadocs-mcp ingest DIR" in result.stderr
