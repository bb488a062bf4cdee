"""What every name that can be called accepts: a new major, a base that is missing, an exception that would grow."""

import json

import pytest

LESS = ("maximum: 5", "maximum: 3")


def beside(repository, *edits, status="stable", version="2.0.0"):
    """The next major's file beside the published one."""
    path = repository.contract.with_name("hello.v2.yaml")
    path.write_text(repository.contract.read_text("utf-8"), "utf-8")
    repository.edit(
        ("version: 1.0.0", f"version: {version}"), ("status: stable", f"status: {status}"), *edits, file=path
    )
    return path


def of(done, tool):
    return {row["rule"]: row for row in done.json["changes"] if row["tool"] == tool}


def test_a_new_stable_major_that_takes_the_bare_name_breaks_whoever_calls_it(released):
    beside(released, LESS)
    done = released.diff("--format", "json")
    assert done.code == 1
    rows = of(done, "demo.hello")
    assert rows["maximum-narrowed"]["verdict"] == "breaking"
    assert rows["maximum-narrowed"]["witness"]["times"] > 3
    assert rows["bare-name-moved"]["verdict"] == "additive"
    assert of(done, "demo.hello.v2")["major-added"]["verdict"] == "additive"


def test_a_new_stable_major_that_takes_everything_the_old_one_took_breaks_nobody(released):
    beside(released, ("maximum: 5", "maximum: 9"))
    done = released.diff("--format", "json")
    assert (done.code, done.json["verdict"]) == (0, "additive")


def test_a_beta_major_leaves_the_bare_name_alone_and_its_promotion_does_not(released):
    path = beside(released, LESS, status="beta")
    assert released.diff("--format", "json").code == 0
    released.commit("v2 as beta")
    released.edit(("status: beta", "status: stable"), ("version: 2.0.0", "version: 2.1.0"), file=path)
    done = released.diff("git:HEAD", "--format", "json")
    assert (done.code, of(done, "demo.hello")["maximum-narrowed"]["verdict"]) == (1, "breaking")


def test_a_deprecated_major_gives_the_bare_name_to_the_next_one(released):
    beside(released, LESS, status="beta")
    released.commit("v2 as beta")
    released.edit(("status: stable", "status: deprecated"), ("version: 1.0.0", "version: 1.0.1"))
    done = released.diff("git:HEAD", "--format", "json")
    assert of(done, "demo.hello")["maximum-narrowed"]["verdict"] == "breaking", "the highest of two that are not stable"


def test_a_major_that_replaces_another_takes_its_versioned_name_away(released):
    released.git("mv", "contracts/hello.v1.yaml", "contracts/hello.v2.yaml")
    released.edit(("version: 1.0.0", "version: 2.0.0"), file=released.contract.with_name("hello.v2.yaml"))
    done = released.diff("--format", "json")
    assert (done.code, of(done, "demo.hello.v1")["major-removed"]["verdict"]) == (1, "breaking")


def test_two_tools_with_one_underscore_form_cannot_be_served(released):
    other = released.contract.with_name("hello.v3.yaml")
    other.write_text(released.contract.read_text("utf-8"), "utf-8")
    released.edit(("contract: demo.hello", "contract: demo_hello"), ("version: 1.0.0", "version: 3.0.0"), file=other)
    other.rename(released.contract.with_name("demo_hello.v3.yaml"))
    done = released.diff("--format", "json")
    assert (done.code, done.rules["name-taken"]) == (1, "breaking"), done.err


def test_fix_makes_the_next_major_a_beta_and_names_the_old_handlers_version(released):
    released.edit(LESS)
    done = released.diff("--fix")
    assert done.code == 0, done.out
    assert "status: beta" in released.contract.with_name("hello.v2.yaml").read_text("utf-8")
    assert "version=2), and write version=1 into the @tool of the handler that is there" in done.err


@pytest.mark.parametrize("operand", ["git:v1.0.0:nofolder", "git:v1.0.0:contracs", "empty"])
def test_a_base_without_contracts_is_no_base(released, operand):
    (released.folder / "empty").mkdir()
    done = released.diff(operand, "contracts")
    assert done.code == 2, done.out
    assert "null" in done.err or "git:v1.0.0:contracts" in done.err


def test_contracts_that_moved_to_another_folder_are_found_where_they_stood(released):
    released.git("mv", "contracts", "tools")
    released.edit(LESS, file=released.folder / "tools" / "hello.v1.yaml")
    done = released.diff("git:v1.0.0", "tools", "--format", "json")
    assert (done.code, done.rules["maximum-narrowed"]) == (1, "breaking"), done.err
    assert "stood in contracts" in released.diff("git:v1.0.0", "tools").out


def test_an_exception_covers_its_values_and_nothing_larger(released):
    def accepted(top):
        released.contract.write_text(
            published.replace("maximum: 5", f"maximum: {top}").replace("1.0.0", "1.0.1"), "utf-8"
        )
        return released.diff("--format", "json")

    published = released.contract.read_text("utf-8")
    row = next(row for row in accepted(4).json["changes"] if row["verdict"] == "breaking")
    entry = f"ignore:\n  - {{fingerprint: {row['fingerprint']}, reason: r, owner: o, expires: '2999-01-01'}}\n"
    (released.folder / "contracts" / "diff-ignore.yaml").write_text(entry, "utf-8")
    assert accepted(4).code == 0
    assert "maximum lowered 5 → 4" in released.diff().out, "the accepted values are shown"
    assert accepted(1).code == 1


def test_a_live_list_that_leaves_tools_out_is_no_break_for_its_own_contracts(released, cli):
    cli("contracts", "lock", cwd=released.folder)
    entry = json.loads((released.folder / "contracts" / "contracts.lock.json").read_text("utf-8"))["contracts"][0]
    hidden = released.contract.with_name("bye.v1.yaml")
    hidden.write_text(released.contract.read_text("utf-8"), "utf-8")
    released.edit(("contract: demo.hello", "contract: demo.bye"), file=hidden)
    listed = released.folder / "tools.json"
    listed.write_text(json.dumps({"tools": [entry["tool"]]}), "utf-8")
    done = released.diff("contracts", "tools.json", "--format", "json")
    assert (done.code, done.rules) == (0, {"not-served": "none"})
    assert released.diff("contracts", "tools.json", "--strictness", "strict").code == 1
    del entry["tool"]["_meta"]
    listed.write_text(json.dumps({"tools": [entry["tool"]]}), "utf-8")
    assert released.diff("contracts", "tools.json").code == 1, "another server's list is all there is of it"


def test_limits_that_come_and_go_are_seen(released):
    released.edit(("errors: [NO_NAME]", "errors: [NO_NAME]\nlimits: {answer_tokens: 900}"))
    assert released.diff("--format", "json").rules["limit-added"] == "breaking"
    released.commit("a limit")
    released.edit(("\nlimits: {answer_tokens: 900}", ""))
    assert released.diff("git:HEAD", "--format", "json").rules["limit-removed"] == "additive"


@pytest.mark.parametrize(("bound", "rule"), [("maximum: 9", "bound-vacuous"), ("maximum: 2", "bound-tightened")])
def test_a_bound_breaks_only_if_it_refuses_something(released, bound, rule):
    released.edit(("errors: [NO_NAME]", f"errors: [NO_NAME]\nbounds: {{times: {{{bound}}}}}"))
    verdict = "breaking" if rule == "bound-tightened" else "docs"
    assert released.diff("--format", "json").rules[rule] == verdict


def test_what_is_declared_of_an_error_is_a_promise(released):
    released.edit(("errors: [NO_NAME]", "errors: [NO_NAME]\nerror_details: {NO_NAME: {retryable: true}}"))
    assert released.diff("--format", "json").rules["error-details-changed"] == "docs"
    released.commit("retryable")
    released.edit(("{retryable: true}", "{retryable: false}"))
    assert released.diff("git:HEAD", "--format", "json").rules["error-details-changed"] == "breaking"


@pytest.mark.parametrize(("before", "after", "code"), [
    ("1.0.0-rc.1", "1.0.0-rc.1", 1), ("1.0.0-rc.1", "1.0.0-rc.2", 1), ("1.0.0+build.7", "1.0.0+build.8", 1),
])  # fmt: skip
def test_versions_with_pre_release_and_build_are_read(released, before, after, code):
    released.edit(("version: 1.0.0", f"version: {before}"))
    released.commit("pre")
    released.edit((f"version: {before}", f"version: {after}"), LESS)
    done = released.diff("git:HEAD", "--format", "json")
    assert done.code == code, done.err
    state = {"1.0.0-rc.2": "ok"}.get(after, "too small")
    assert done.json["versions"][0]["state"] == state
    for broken in ("1.0.0-01", "1.0.0-", "1.0", "1.0.0+", "1.0.0-a..b"):
        released.edit((f"version: {after}", f"version: {broken}"))
        assert released.diff("git:HEAD").code == 2, broken
        released.edit((f"version: {broken}", f"version: {after}"))


def test_what_the_bare_name_breaks_has_a_way_out_of_its_own(released):
    beside(released, LESS)
    row = of(released.diff("--format", "json"), "demo.hello")["maximum-narrowed"]
    assert row["fix"] == "keep version 2 at status: beta until callers of the bare name say demo.hello.v1"
    text = released.diff().out
    assert "fix: keep version 2 at status: beta" in text
    assert "needs: 2.0.0" not in text, "it is 2.0.0"


def test_a_major_beside_the_one_that_is_listed_costs_a_model_nothing(released):
    beside(released, LESS, status="beta")
    done = released.diff("--format", "json", "--max-tokens-increase", "0")
    assert (done.code, done.json["tokens"]["increase"]) == (0, 0)


def test_a_break_beside_a_major_that_is_there_is_not_told_to_make_it(released):
    path = beside(released, LESS, status="beta")
    released.commit("v2 as beta")
    released.edit(LESS)
    (failure,) = released.diff("git:HEAD", "--format", "json").json["failures"]
    assert "hello.v2.yaml is beside it already" in failure
    written = path.read_text("utf-8")
    assert "left      contracts/hello.v2.yaml is there already" in released.diff("git:HEAD", "--fix").err
    assert path.read_text("utf-8") == written


def test_a_tool_that_was_disabled_is_not_told_to_make_another_major(released):
    released.edit(("status: stable", "status: disabled"))
    (failure,) = released.diff("--format", "json").json["failures"]
    assert failure.startswith("demo.hello is disabled, which no version makes right")
    assert "left      contracts/hello.v1.yaml: status: disabled" in released.diff("--fix").err
