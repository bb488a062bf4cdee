"""One cause is one row for people: the same edit in many tools, and all that one edit shows in one tool."""

import json

import pytest
from click.testing import CliRunner

from wekadocs_contracts.diff.command import diff_command

STRING, PAGE = {"type": "string"}, {"type": "integer", "description": "Which page."}
BASE = {"query": STRING, "limit": {"type": "integer", "maximum": 50}, "filter": {"type": "object"}}


def tool(name, required=(), output=None, **properties):
    schema = {"type": "object", "properties": properties, "required": [*required]}
    found = {"name": name, "description": f"Does {name}.", "inputSchema": schema}
    return {**found, "outputSchema": output} if output else found


@pytest.fixture
def diff(tmp_path):
    """Two lists of tools → the report, in any format."""

    def run(old, new, form="json", *options):
        for name, tools in (("old", old), ("new", new)):
            (tmp_path / f"{name}.json").write_text(json.dumps({"tools": tools}, indent=1), "utf-8")
        operands = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
        done = CliRunner().invoke(diff_command(), [*operands, "--format", form, *options])
        return json.loads(done.stdout) if form == "json" else done.stdout

    return run


def heads(text):
    """The first line of every row."""
    return [line for line in text.splitlines() if line.startswith(("BREAKING ", "ADDITIVE ", "DOCS ", "UNPROVEN "))]


def groups(report):
    found = {}
    for row in report["changes"]:
        found.setdefault(row["group"], []).append((row["tool"], row["rule"]))
    return found


def test_twenty_two_tools_that_need_one_more_argument_are_one_row(diff):
    names = [f"get_{number}" for number in range(22)]
    old = [tool(name, **BASE) for name in names]
    new = [tool(name, ["pageId"], **BASE, pageId={**PAGE, "description": f"Of {name}."}) for name in names]
    text = diff(old, new, "text")
    assert text.startswith("BREAKING: 44 changes of 1 cause: 22 breaking, 22 additive\n")
    assert len(heads(text)) == 1
    assert "22 tools  input  `pageId` added, and required  " in heads(text)[0]
    assert "in get_0, get_1, get_10" in text
    report = diff(old, new)
    assert {row["tool"] for row in report["changes"]} == {*names}
    ((group, rows),) = groups(report).items()
    assert (len(rows), report["summary"]["causes"], bool(group)) == (44, 1, True)
    for form, row in (("markdown", "| 🔴 breaking |"), ("html", "<article"), ("github", "::error title=")):
        assert diff(old, new, form).count(row) == 1, form


def test_what_differs_from_tool_to_tool_is_told_for_each(diff):
    old = [tool(name, **BASE) for name in "ab"]
    new = [tool("a", **{**BASE, "limit": {"type": "integer", "maximum": 40}}),
           tool("b", **{**BASE, "limit": {"type": "integer", "maximum": 30}})]  # fmt: skip
    assert set(groups(diff(old, new))) == {None}


def test_an_argument_that_was_renamed_is_one_row_with_a_call_that_fails(diff):
    old, new = [tool("find", ["q"], q=STRING, limit=PAGE)], [tool("find", ["query"], query=STRING, limit=PAGE)]
    text = diff(old, new, "text")
    assert heads(text)[0].startswith("BREAKING  find  input  `q` renamed to `query`  ")
    assert len(heads(text)) == 1
    assert 'find {"q": "x"}' in text
    assert "add an argument alias" in text
    assert {rule for _, rule in groups(diff(old, new)).popitem()[1]} == {
        "argument-removed", "argument-added", "required-narrowed", "required-widened",
    }  # fmt: skip


def test_fields_deep_in_an_answer_are_told_with_their_whole_name(diff):
    rows = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object", "properties": {}}}}}
    old, new = json.loads(json.dumps(rows)), json.loads(json.dumps(rows))
    old["properties"]["rows"]["items"]["properties"] = {"userName": {"type": "string", "maxLength": 9}}
    new["properties"]["rows"]["items"]["properties"] = {"user_name": {"type": "string", "maxLength": 9}}
    text = diff([tool("t", output=old)], [tool("t", output=new)], "text")
    assert "output  `rows[].userName` renamed to `user_name`" in heads(text)[0]


@pytest.mark.parametrize("new", [
    {"title": {"type": "integer"}}, {"body": {"type": "array", "items": STRING}}, {"body": STRING, "author": STRING},
])  # fmt: skip
def test_what_is_not_alike_was_not_renamed(diff, new):
    assert "renamed" not in diff([tool("t", q=STRING)], [tool("t", **new)], "text")


def test_a_tool_that_was_renamed_is_found_by_likeness_and_told_once(diff):
    stays = tool("other", **BASE)
    old = {**tool("search_docs", ["query"], **BASE), "description": "Search the documentation by words."}
    new = {**tool("docs_search", ["query"], **{**BASE, "limit": {"type": "integer", "maximum": 20}}),
           "description": "Search the documentation by words."}  # fmt: skip
    text = diff([stays, old], [stays, new], "text")
    assert len(heads(text)) == 1
    assert "BREAKING  search_docs  meta  `search_docs` renamed to `docs_search` (beside its name: " in text
    assert "`limit`: maximum lowered 50 → 20 (breaking)" in heads(text)[0]
    assert "new.json:" not in heads(text)[0] or "old.json:" not in heads(text)[0]
    ((group, rows),) = groups(diff([stays, old], [stays, new])).items()
    assert {*rows} == {("search_docs", "tool-removed"), ("docs_search", "tool-added")}
    assert group


def test_a_tool_that_only_shares_a_word_is_another_tool(diff):
    old, new = [tool("get_user", id=STRING)], [tool("get_weather", city=STRING, unit=STRING)]
    assert "renamed" not in diff(old, new, "text")
    assert len(heads(diff(old, new, "text"))) == 2


def test_a_description_that_only_repeats_the_new_number_is_no_row_of_its_own(released):
    released.edit(("maximum: 5", "maximum: 3"))
    assert len(heads(released.diff().out)) == 1
    rows = released.diff("--format", "json").json["changes"]
    assert {row["rule"] for row in rows} == {"maximum-narrowed", "description-changed"}
    assert len({row["group"] for row in rows}) == 1
    released.edit(("somebody should be greeted", "anybody should be greeted"))
    assert len(heads(released.diff().out)) == 2, "other words are told"


def test_a_group_is_accepted_as_a_whole_and_never_grows(diff, tmp_path):
    def pair(count):
        names = [f"t{number}" for number in range(count)]
        return [tool(name, **BASE) for name in names], [tool(name, ["page"], **BASE, page=PAGE) for name in names]

    (group,) = {row["group"] for row in diff(*pair(3))["changes"]}
    accepted = tmp_path / "accepted.yaml"
    entry = f"{{fingerprint: {group}, reason: agreed, owner: docs, expires: 2999-01-01}}"
    accepted.write_text(f"ignore:\n  - {entry}\n", "utf-8")
    fine = diff(*pair(3), "json", "--ignore", str(accepted))
    assert (fine["verdict"], fine["exit_code"], len(fine["ignored"])) == ("none", 0, 6)
    grown = diff(*pair(4), "json", "--ignore", str(accepted))
    assert (grown["verdict"], len(grown["changes"])) == ("breaking", 8)


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html", "changelog", "github", "sarif", "junit"])
def test_every_format_says_why_what_to_do_and_where_to_read_more(diff, form):
    old, new = [tool("find", a=STRING, b=STRING)], [tool("find", a=STRING)]
    shown = diff(old, new, form)
    shown = json.dumps(shown) if form == "json" else shown
    for part in ("callers still send it", "keep it, add an argument alias", "diff-rules/argument-removed.md", "find"):
        assert part in shown, part


@pytest.mark.parametrize("form", ["text", "markdown", "html", "github", "junit"])
def test_the_place_in_a_json_file_can_be_clicked(diff, form):
    shown = diff([tool("x"), tool("t", a={"type": "integer"})], [tool("x"), tool("t", a=STRING)], form)
    line, column = (19, 7)
    wanted = f"line={line},col={column}" if form == "github" else f"new.json:{line}:{column}"
    assert wanted in shown


def test_a_changelog_has_what_callers_need_to_know(diff):
    old = [tool("a", **BASE), tool("gone", x=STRING)]
    new = [tool("a", **{**BASE, "limit": {"type": "integer", "maximum": 20}}), tool("fresh", y=PAGE, z=PAGE)]
    shown = diff(old, new, "changelog")
    assert shown.startswith("### Breaking\n\n- `a`: `` `limit`: maximum lowered 50 → 20 ``.\n")
    assert (
        '  This call worked and fails now: `a {"limit": 21}`, because `limit: 21 is above the maximum of 20`.' in shown
    )
    assert "### Added\n\n- `fresh`: `a new tool`." in shown
    assert diff(old, old, "changelog").strip() == "No change of tools."


def test_html_is_one_file_that_asks_nobody_and_runs_nothing(diff):
    bad = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    old, new = [tool("t", a=STRING)], [tool("t", **{bad: {"enum": [bad]}}), tool(bad)]
    shown = diff(old, new, "html")
    assert "<script" not in shown
    assert "<img" not in shown
    assert "&lt;script&gt;" in shown
    assert "default-src 'none'" in shown
    assert not [part for part in ("src=", "@import", "url(", "<link") if part in shown.replace("src=x", "")]
