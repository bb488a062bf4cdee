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


def test_an_argument_that_was_renamed_and_narrowed_is_one_row_that_says_both(diff):
    told = {"type": "integer", "description": "How many results are returned at most."}
    old, new = tool("t", ["maxResults"], maxResults=told), tool("t", ["limit"], limit={**told, "maximum": 50})
    (head,) = heads(diff([old], [new], "text"))
    assert "`maxResults` renamed to `limit`, and its schema changed" in head


def test_optional_of_a_generator_is_one_row_in_either_direction(diff):
    plain, optional = {"type": "string"}, {"anyOf": [{"type": "string"}, {"type": "null"}]}
    (grown,) = heads(diff([tool("t", a=plain)], [tool("t", a=optional)], "text"))
    assert grown.startswith("ADDITIVE  t  input  `a`: null is allowed too")
    (shrunk,) = heads(diff([tool("t", a=optional)], [tool("t", a=plain)], "text"))
    assert shrunk.startswith("BREAKING  t  input  `a`: null is no longer allowed")


def test_another_type_beside_alternatives_is_no_matter_of_null(diff):
    numbers = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert "null is" not in diff([tool("t", a={"type": "string"})], [tool("t", a=numbers)], "text")


def test_titles_that_a_generator_makes_of_names_are_one_row_of_a_rule_that_can_be_off(diff, tmp_path):
    names = ("first", "second")
    old = [tool(name, top_k={"type": "integer"}) for name in names]
    new = [tool(name, top_k={"type": "integer", "title": "Top K"}) for name in names]
    for each in new:
        each["inputSchema"]["title"] = f"{each['name']}Arguments"
    text = diff(old, new, "text")
    (head,) = heads(text)
    assert "2 tools  input  titles that are made of names" in head
    assert "[routing]" not in head
    (tmp_path / "weights.yaml").write_text("severity: {generated-title: off}\n", "utf-8")
    assert diff(old, new, "json", "--severity", str(tmp_path / "weights.yaml"))["changes"] == []
    named = [{**each, "title": each["name"].title()} for each in old]
    assert {row["rule"] for row in diff(old, named)["changes"]} == {"generated-title"}
    assert {row["rule"] for row in diff(old, [{**each, "title": "Ask me"} for each in old])["changes"]} == {
        "title-changed"
    }
    new[0]["inputSchema"]["properties"]["top_k"]["title"] = "Send it to me"
    assert {row["rule"] for row in diff(old[:1], new[:1])["changes"]} == {"generated-title", "title-changed"}


def test_a_tool_that_was_renamed_is_shown_where_it_stands_now(diff):
    old, new = tool("get_user", **BASE), {**tool("fetch_user", **BASE), "description": "Does get_user."}
    (head,) = heads(diff([tool("a"), old], [tool("a"), new], "text"))
    assert "new.json:" in head


def test_two_lists_are_not_told_what_neither_of_them_can_show(diff):
    old, new = tool("t", **BASE), tool("t", ["query"], **BASE)
    assert len(diff([old], [new])["not_comparable"]) == 2
    assert "not compared" not in diff([old], [new], "text")


def test_what_is_left_of_an_accepted_cause_has_its_own_fingerprint(diff, tmp_path):
    def limited(most):
        return {**tool("t", limit={"type": "integer", "maximum": most}), "description": f"At most {most}."}

    first = diff([limited(50)], [limited(20)])
    (cause,) = {row["group"] for row in first["changes"]}
    accepted = f"ignore: [{{fingerprint: {cause}, reason: a, owner: b, expires: 2999-01-01}}]"
    (tmp_path / "accepted.yaml").write_text(accepted, "utf-8")
    (left,) = diff([limited(50)], [limited(20)], "json", "--ignore", str(tmp_path / "accepted.yaml"))["changes"]
    assert (left["rule"], left["group"]) == ("description-changed", None)
    assert left["fingerprint"] in diff(
        [limited(50)], [limited(20)], "text", "--ignore", str(tmp_path / "accepted.yaml")
    )


def described(name, description, **properties):
    return {**tool(name, **properties), "description": description}


def test_a_tool_with_another_name_and_other_words_is_matched_where_nothing_else_is_near(diff):
    code = {"type": "string", "description": "A JavaScript function with the code to execute."}
    old = [described("run_code", "Run a code snippet", code=code), described("install", "Install the browser")]
    new = [
        described("run_code_unsafe", "Run a code snippet. Unsafe: it runs in the server", code=code, filename=STRING),
        described("drop", "Drop files or data onto an element", element=STRING, paths={"type": "array"}),
    ]
    told = heads(diff(old, new, "text"))
    assert any("`run_code` renamed to `run_code_unsafe`" in head for head in told)
    assert any("install  meta  the tool is gone" in head for head in told)


def test_two_tools_of_one_family_are_not_taken_for_one(diff):
    family = {"element": STRING, "ref": STRING}
    old, new = described("browser_click", "Press it", **family), described("browser_hover", "Move over it", **family)
    assert "renamed" not in "".join(heads(diff([old], [new], "text")))


def test_a_description_with_other_spaces_says_so(diff):
    old, new = described("t", "Lists  pages."), described("t", "Lists pages.\n")
    assert "description: only white space changed" in diff([old], [new], "text")


def test_an_unknown_name_is_explained_by_what_stands_in_its_place(diff):
    old, new = (tool("t", element=STRING, **{name: STRING}) for name in ("startRef", "startTarget"))
    for each in (old, new):
        each["inputSchema"]["additionalProperties"] = False
    row = next(row for row in diff([old], [new])["changes"] if row["rule"] == "argument-removed")
    assert "did you mean `startTarget`?" in row["explanation"]


def test_a_description_that_repeats_the_numbers_of_two_edits_is_an_echo_of_both(diff):
    def limited(most, length):
        query, limit = {"type": "string", "maxLength": length}, {"type": "integer", "maximum": most}
        return described("t", f"At most {most}. Max: query={length}.", query=query, limit=limit)

    assert len(heads(diff([limited(50, 80)], [limited(20, 90)], "text"))) == 2
    unlike = {**limited(20, 90), "description": "At most 20. Max: query=90. Ask twice."}
    assert len(heads(diff([limited(50, 80)], [unlike], "text"))) == 3
