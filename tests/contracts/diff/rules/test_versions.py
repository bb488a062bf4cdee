"""The bump that a change demands, the bump that was made, and the one that --fix writes."""

import pytest

from wekadocs_contracts.diff import versions

NOTHING, WORDS, MORE, LESS = (
    (),
    ("How often.", "How many times."),
    ("maximum: 5", "maximum: 9"),
    ("maximum: 5", "maximum: 3"),
)


@pytest.mark.parametrize(
    ("edit", "before", "after", "code", "state"),
    [
        (NOTHING, "1.0.0", "1.0.0", 0, "ok"),
        (NOTHING, "1.0.0", "1.0.1", 0, "too big"),
        (NOTHING, "1.2.0", "1.1.9", 1, "down"),
        (WORDS, "1.0.0", "1.0.0", 1, "too small"),
        (WORDS, "1.0.9", "1.0.10", 0, "ok"),
        (MORE, "1.0.0", "1.0.1", 1, "too small"),
        (MORE, "1.9.0", "1.10.0", 0, "ok"),
        (LESS, "1.0.0", "1.1.0", 1, "too small"),
        (WORDS, "0.1.0", "0.1.1", 0, "ok"),
        (MORE, "0.1.0", "0.1.1", 1, "too small"),
        (MORE, "0.1.0", "0.2.0", 0, "ok"),
        (LESS, "0.1.0", "0.2.0", 1, "ok"),
        (LESS, "0.1.0", "0.1.1", 1, "too small"),
    ],
)
def test_the_bump_found_is_held_against_the_bump_demanded(repository, edit, before, after, code, state):
    major = before.split(".")[0]
    home = repository.contract.rename(repository.contract.with_name(f"hello.v{major}.yaml"))
    repository.edit(("version: 1.0.0", f"version: {before}"), file=home)
    repository.commit("base")
    repository.edit((f"version: {before}", f"version: {after}"), *([edit] if edit else []), file=home)
    done = repository.diff("git:HEAD", "--format", "json")
    assert done.json["versions"][0]["state"] == state
    assert done.code == code, done.out


def test_each_row_says_what_it_demands_and_what_was_found(released):
    released.edit(LESS, ("version: 1.0.0", "version: 1.0.1"))
    rows = {row["rule"]: row for row in released.diff("--format", "json").json["changes"]}
    assert (rows["maximum-narrowed"]["bump_required"], rows["maximum-narrowed"]["bump_found"]) == ("major", "patch")
    assert rows["description-changed"]["bump_required"] == "patch"


def test_a_tool_without_a_version_demands_no_bump(wire):
    new = {"type": "object", "properties": {"a": {}}}
    done = wire(wire.tool(), wire.tool(new))
    assert (done.code, done.json["versions"]) == (0, [])
    assert done.json["changes"][0]["bump_required"] is None


def test_a_version_that_is_none_is_unreadable(wire):
    marked = wire.tool(_meta={"dev.wekadocs/contract": {"version": "latest", "hash": "x"}})
    assert wire(marked, wire.tool()).code == 2


def test_a_breaking_edit_of_a_published_file_is_told_to_go_beside_it(released):
    released.edit(LESS)
    done = released.diff()
    assert "leave it as it was and make hello.v2.yaml beside it with version 2.0.0" in done.out


def test_fix_puts_the_next_major_beside_the_published_file(released):
    published = released.contract.read_text("utf-8")
    released.edit(LESS, ("contract: demo.hello", "contract: demo.hello    # kept"))
    done = released.diff("--fix", "--format", "json")
    assert (done.code, done.json["verdict"], done.rules) == (0, "additive", {"major-added": "additive"})
    assert released.contract.read_text("utf-8") == published
    made = released.contract.with_name("hello.v2.yaml").read_text("utf-8")
    assert "version: 2.0.0\n" in made
    assert "contract: demo.hello    # kept\n" in made
    assert "maximum: 3" in made


def test_fix_writes_the_bump_and_keeps_everything_else(released):
    released.edit(MORE, ("version: 1.0.0", "version:   '1.0.0'   # of this promise"))
    before = released.contract.read_text("utf-8")
    done = released.diff("--fix")
    assert done.code == 0
    assert released.contract.read_text("utf-8") == before.replace("'1.0.0'", "'1.1.0'")


def test_fix_writes_only_into_a_folder(released):
    released.edit(LESS)
    released.commit("less")
    assert released.diff("git:v1.0.0", "git:HEAD", "--fix").code == 2


def test_replacing_a_major_shows_what_breaks_for_those_who_stay(released):
    released.git("mv", "contracts/hello.v1.yaml", "contracts/hello.v2.yaml")
    released.edit(LESS, ("version: 1.0.0", "version: 2.0.0"), file=released.contract.with_name("hello.v2.yaml"))
    done = released.diff("--format", "json")
    assert (done.code, done.json["versions"][0]["state"]) == (1, "ok")
    assert done.rules["maximum-narrowed"] == "breaking"


def test_a_major_beside_another_is_additive_and_taking_one_away_breaks(released):
    two = released.contract.with_name("hello.v2.yaml")
    two.write_text(
        released.contract.read_text("utf-8").replace("1.0.0", "2.0.0").replace("maximum: 5", "maximum: 3"), "utf-8"
    )
    assert released.diff("--format", "json").rules["major-added"] == "additive"
    released.commit("two majors")
    released.contract.unlink()
    done = released.diff("git:HEAD", "--format", "json")
    assert (done.code, done.rules) == (1, {"major-removed": "breaking"})
    assert done.json["changes"][0]["tool"] == "demo.hello.v1"


def test_the_set_is_held_against_its_release_tags(released):
    released.edit(LESS)
    released.commit("less")
    released.git("tag", "v1.0.1")
    released.git("tag", "v2.0.0")
    small = released.diff("git:v1.0.0", "git:v1.0.1", "--format", "json").json["release"]
    assert (small["required"], small["found"], small["state"]) == ("major", "patch", "too small")
    assert released.diff("git:v1.0.0", "git:v2.0.0", "--format", "json").json["release"]["state"] == "ok"


@pytest.mark.parametrize(
    ("before", "after", "bump"),
    [("1.9.0", "1.10.0", "minor"), ("1.0.0-rc.1", "1.0.0", "patch"), ("1.0.0", "1.0.0-rc.1", "down"), ("1.0.0", "1.0.0+b", "none"),
     ("1.0.0-rc.2", "1.0.0-rc.10", "patch")],
)  # fmt: skip
def test_versions_are_ordered_as_semver_says(before, after, bump):
    assert versions.found(before, after) == bump
