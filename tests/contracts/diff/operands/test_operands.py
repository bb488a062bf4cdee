"""What can be compared, what is compared when nothing is named, and what a stranger's files cannot do."""

import json
import subprocess

LOWER = ("maximum: 5", "maximum: 3")


def test_without_arguments_the_working_tree_is_compared_with_the_last_release(released):
    released.edit(LOWER)
    released.commit("lower it")
    done = released.diff("--format", "json")
    assert done.code == 1
    assert done.json["base"] == "git:v1.0.0"
    row = next(row for row in done.json["changes"] if row["verdict"] == "breaking")
    assert (row["file"], row["line"]) == ("contracts/hello.v1.yaml", 17)
    assert row["witness"]["times"] > 3


def test_the_highest_release_counts_and_other_tags_do_not(released):
    released.edit(("maxLength: 80", "maxLength: 90"), ("version: 1.0.0", "version: 1.1.0"))
    released.commit("more")
    for tag in ("v1.9.0", "v1.10.0", "v2.0.0-rc.1", "vendor-drop", "nightly"):
        released.git("tag", tag)
    assert released.diff("--format", "json").json["base"] == "git:v1.10.0"


def test_a_release_that_is_not_reachable_is_no_base(released):
    released.git("checkout", "-q", "--orphan", "elsewhere")
    released.commit("another history")
    released.git("tag", "v9.0.0")
    released.git("checkout", "-q", "main")
    assert released.diff("--format", "json").json["base"] == "git:v1.0.0"


def test_without_a_release_the_merge_base_with_the_default_branch_is_the_base(repository):
    base = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "-b", "topic")
    repository.edit(LOWER)
    repository.commit("lower it")
    done = repository.diff("--format", "json")
    assert (done.code, done.json["base"]) == (1, f"git:{base}")


def test_a_pull_request_job_is_compared_with_its_target(repository):
    repository.git("checkout", "-q", "-b", "release-branch")
    base = repository.commit("target")
    repository.git("checkout", "-q", "-b", "topic")
    repository.edit(LOWER)
    repository.commit("lower it")
    assert repository.diff("--format", "json", GITHUB_BASE_REF="release-branch").json["base"] == f"git:{base}"


def test_a_fresh_lock_does_not_hide_a_break(released):
    released.edit(LOWER)
    from wekadocs_contracts.docs.lock import lock_text

    (released.folder / "contracts" / "contracts.lock.json").write_text(
        lock_text(released.folder / "contracts"), "utf-8"
    )
    released.commit("with a fresh lock")
    assert released.diff().code == 1
    assert released.diff("contracts/contracts.lock.json").code == 0


def test_a_shallow_clone_is_told_how_to_fetch(released, tmp_path):
    released.commit("later")
    clone = tmp_path / "shallow"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", "--no-tags", released.folder.as_uri(), str(clone)], check=True
    )
    released.folder = clone
    done = released.diff()
    assert done.code == 2
    assert "git fetch --unshallow --tags" in done.err


def test_no_repository_is_unreadable_and_says_what_to_do(cli, tmp_path):
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "hello.v1.yaml").write_text("contract: demo.hello\n", "utf-8")
    done = cli("contracts", "diff", cwd=tmp_path, GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert done.code == 2
    assert "name one" in done.err


def test_an_unknown_or_hostile_ref_is_an_argument_never_an_option_or_a_command(released, tmp_path):
    bait = tmp_path / "bait"
    for ref in ("nowhere", "--output=" + str(bait), f"$(touch {bait})", f"HEAD;touch {bait}", "", "@{-9}"):
        assert released.diff(f"git:{ref}").code == 2, ref
    assert not bait.exists()


def test_two_refs_and_another_folder_can_be_compared(released):
    released.git("mv", "contracts", "tools")
    released.edit(LOWER, file=released.folder / "tools" / "hello.v1.yaml")
    released.commit("moved")
    done = released.diff("git:v1.0.0:contracts", "git:HEAD:tools", "--format", "json")
    assert done.rules["maximum-narrowed"] == "breaking"


def test_a_lock_a_folder_and_a_list_of_tools_show_the_same_tool(released, cli):
    cli("contracts", "lock", cwd=released.folder)
    listed = released.folder / "tools.json"
    entry = json.loads((released.folder / "contracts" / "contracts.lock.json").read_text("utf-8"))["contracts"][0]
    for shape in (
        entry["tool"],
        [entry["tool"]],
        {"tools": [entry["tool"]]},
        {"jsonrpc": "2.0", "result": {"tools": [entry["tool"]]}},
    ):
        listed.write_text(json.dumps(shape), "utf-8")
        for base, head in (("contracts", "tools.json"), ("tools.json", "contracts/contracts.lock.json")):
            done = released.diff(base, head, "--format", "json")
            assert (done.code, done.json["changes"]) == (0, [])
            assert "not compared" in done.json["not_comparable"][0]


def test_null_makes_everything_new_or_gone(released):
    assert released.diff("null", "contracts", "--format", "json").rules == {"tool-added": "additive"}
    gone = released.diff("contracts", "null", "--format", "json")
    assert (gone.code, gone.rules) == (1, {"tool-removed": "breaking"})


def test_what_cannot_be_read_is_exit_2(released):
    junk = {"a.json": "{", "b.json": '{"a": 1}', "c.json": '[{"name": "x"}, {"name": "x"}]', "d.json": '{"lock": 9, "contracts": []}',
            "e.json": '{"name": "x", "inputSchema": {"maximum": NaN}}', "f.json": "[" * 100_000}  # fmt: skip
    for name, text in junk.items():
        (released.folder / name).write_text(text, "utf-8")
        assert released.diff(name, "contracts").code == 2, name
    assert released.diff("missing", "contracts").code == 2
    released.edit(("type: object", "type: objekt"))
    broken = released.diff()
    assert broken.code == 2
    assert "contracts/hello.v1.yaml:13" in broken.err


def test_a_link_out_of_the_folder_is_refused_and_its_target_not_shown(released, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("token: hunter2\n", "utf-8")
    (released.folder / "contracts" / "evil.v1.yaml").symlink_to(secret)
    done = released.diff()
    assert done.code == 2
    assert "hunter2" not in done.err + done.out
    released.commit("commit the link")
    assert released.diff("null", "git:HEAD").code == 0, "a link in a commit is not followed"


def test_plugins_beside_contracts_are_never_imported(released):
    trap = released.folder / "contracts" / "hello.py"
    trap.write_text("import pathlib; pathlib.Path('imported').touch()", "utf-8")
    (released.folder / "tools.yaml").write_text("nonsense: [", "utf-8")
    assert released.diff().code == 0
    assert not (released.folder / "imported").exists()


def test_a_template_that_never_ends_is_ended(released):
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}x"
    released.edit(("returns: One line with at most {{ max.times }} greetings.", f'returns: "{loop}"'))
    done = released.diff()
    assert done.code == 2
    assert "too many steps" in done.err


def test_a_switched_off_contract_that_goes_away_breaks_nobody(released):
    released.edit(("status: stable", "status: disabled"))
    released.commit("off")
    done = released.diff("git:HEAD", "null", "--format", "json")
    assert (done.code, done.json["verdict"]) == (0, "none")


def snapshot(name, *required):
    """As other servers keep them: one file for each tool, keys sorted, no version."""
    properties = {"owner": {"type": "string"}, "repo": {"type": "string"}, "title": {"type": "string"}}
    schema = {"properties": properties, "required": list(required), "type": "object"}
    tool = {"annotations": {"title": name.title()}, "description": f"{name}.", "inputSchema": schema, "name": name}
    return json.dumps(tool, indent=2)


def test_a_folder_of_snapshots_is_a_set_of_tools_here_and_at_a_ref(released):
    folder = released.folder / "pkg" / "__toolsnaps__"
    folder.mkdir(parents=True)
    for name in ("create_issue", "get_issue", "list_issues"):
        (folder / f"{name}.snap").write_text(snapshot(name, "owner"), "utf-8")
    (folder / "README.md").write_text("not a tool", "utf-8")
    released.commit("snapshots")
    (folder / "create_issue.snap").write_text(snapshot("create_issue", "owner", "title", "repo"), "utf-8")
    (folder / "get_issue.snap").write_text(json.dumps(json.loads(snapshot("get_issue", "owner")), sort_keys=True))
    (folder / "list_issues.snap").unlink()
    done = released.diff("git:HEAD", "pkg/__toolsnaps__", "--format", "json")
    assert done.code == 1, done.err
    found = {(row["tool"], row["rule"], row["line"]) for row in done.json["changes"]}
    assert found == {("create_issue", "required-narrowed", 18), ("list_issues", "tool-removed", 1)}
    marks = [row["fingerprint"] for row in done.json["changes"]]
    assert len(set(marks)) == len(marks) == 3
    assert done.json["changes"][0]["file"] == "pkg/__toolsnaps__/create_issue.snap"


def test_pages_of_a_tool_list_are_put_together_and_a_lost_page_is_told(wire):
    def page(*names, **more):
        return {"jsonrpc": "2.0", "id": 1, "result": {"tools": [json.loads(snapshot(name)) for name in names], **more}}

    whole = [page("a", nextCursor="1"), page("b")]
    assert wire([json.loads(snapshot("a")), json.loads(snapshot("b"))], whole).json["changes"] == []
    first = page("a", nextCursor="1")
    assert wire(whole, first).rules == {"tool-removed": "breaking"}
    assert "not the last" in wire(whole, first, "--format", "text").out


def test_what_stands_unchanged_is_read_once_but_not_when_what_it_refers_to_changed(released):
    shared = released.folder / "contracts" / "_shared" / "size.yaml"
    shared.parent.mkdir()
    shared.write_text("type: integer\nminimum: 1\nmaximum: 9\n", "utf-8")
    released.edit(
        ("{type: integer, description: How often., default: 1, minimum: 1, maximum: 5}", "{$ref: wekadocs:shared/size}")
    )
    released.commit("a shared fragment")
    assert released.diff("git:HEAD", "--format", "json").json["changes"] == []
    shared.write_text("type: integer\nminimum: 1\nmaximum: 7\n", "utf-8")
    assert "breaking" in released.diff("git:HEAD", "--format", "json").rules.values()


def test_a_slip_in_an_operand_is_told_what_was_meant(released):
    for written, meant in (
        ("v1.0.0", "git:v1.0.0"),
        ("gti:v1.0.0", "git:v1.0.0"),
        ("contrcts", "contracts"),
        ("stdoi:my-server", "stdio:my-server"),
    ):
        done = released.diff(written)
        assert (done.code, f"did you mean {meant}?" in done.err) == (2, True), done.err
    assert "did you mean" not in released.diff("elsewhere").err


def test_an_operand_without_what_it_needs_is_a_slip_and_no_server_that_is_down(released):
    for operand, told in (("git:", "such as git:v1.0.0"), ("stdio:", "needs a command"), ("pypi:x@", "pypi:PACKAGE@")):
        done = released.diff(operand)
        assert (done.code, told in done.err) == (2, True), done.err


def test_a_folder_that_a_ref_does_not_have_is_told_with_the_one_it_has(released):
    done = released.diff("git:v1.0.0:nofolder")
    assert done.code == 2
    assert "git:v1.0.0 has neither contracts nor snapshots in nofolder; there it has them elsewhere" in done.err
    assert "git:v1.0.0:contracts" in done.err


def test_contracts_that_were_moved_are_found_where_they_stand_now(released):
    (released.folder / "api").mkdir()
    released.git("mv", "contracts", "api/contracts")
    done = released.diff()
    assert (done.code, "contracts diff BASE api/contracts" in done.err) == (2, True)


def test_what_another_server_calls_a_version_is_no_version_of_ours(wire):
    assert wire({**wire.tool(), "version": "2"}, {**wire.tool(), "version": 3}).code == 0
