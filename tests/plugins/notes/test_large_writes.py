"""Large notes: a write that was done is never told as a failure, and a diff does not take for ever."""

from __future__ import annotations


def test_an_answer_without_room_for_all_of_it_says_so_after_the_write(desk):
    content = " ".join(f"#tag-{number}-{'x' * 40}" for number in range(9_000))
    made = desk.call("create_node", title="Tags", content=content)
    assert made["tagCount"] == 9_000 and len(made["tags"]) == 500
    assert desk.read("tags.md") == content.encode()


def test_a_link_as_long_as_a_note_makes_no_answer_too_large(desk):
    desk.write("a.md", "".join(f"[[{number}{'x' * 60_000}]]\n" for number in range(30)))
    made = desk.call("create_node", title="B", content="")
    assert made["_warnings"] and all(len(each) <= 300 for each in made["_warnings"])


def test_a_file_that_nobody_could_read_any_more_is_not_written(desk):
    desk.write("a.md", "x" * 9_500_000)
    error = desk.refused("append", id="a.md", content="y" * 900_000)
    assert (error["code"], error["details"]["path"]) == ("INVALID_PARAMS", "/content")


def test_the_diff_of_a_note_of_many_lines_is_bounded_in_time_and_size(desk):
    lines = [f"line {number}" for number in range(60_000)]
    desk.write("a.md", "\n".join(lines))
    changed = [f"{line}!" if 10 < place < 59_000 else line for place, line in enumerate(lines)]
    tried = desk.call("update_node", id="a.md", content="\n".join(changed), dry_run=True)
    assert len(tried["diff"]) <= 50_100 and tried["diff"].endswith("more lines")
    assert "@@ -12,58989 +12,58989 @@" in tried["diff"]
    one = desk.call("update_node", id="a.md", content="x" * 900_000, dry_run=True)
    assert len(one["diff"]) <= 50_100


def test_a_section_of_a_note_with_endless_lines_and_headings_is_changed_in_no_time(desk):
    picture = f"![](data:image/png;base64,{'iVBORw0KGgo' * 10_000})"
    rest = "\n".join([picture, f"# Odd {'# ' * 60_000}x", "-" * 100_000, *["## Same"] * 5_000, "x"])
    desk.write("a.md", f"# Plan\n\nold\n\n## Part ##\n\nstays\n\n# Next\n{rest}")
    desk.call("patch_section", id="a.md", heading="Plan > Part", content="new")
    assert desk.read("a.md").startswith(b"# Plan\n\nold\n\n## Part ##\n\nnew\n\n# Next\n![](data:")
    assert desk.refused("patch_section", id="a.md", heading="Same", content="x")["code"] == "INVALID_PARAMS"
