"""Notes changed in one place: every other byte stays, and nobody overwrites what they have not seen."""

from __future__ import annotations

import asyncio

import pytest

from wekadocs_mcp.calls.call import Caller

BODY = "# Head\r\n\r\nText\twith  spaces \r\n"
CRLF = f"\ufeff---\r\nid:  7   # mine\r\ntags:\r\n- a\r\n-   b # why\r\nnested: {{x: [1,2]}}\r\n---\r\n{BODY}"


def test_content_is_replaced_and_the_front_matter_stays_byte_for_byte(desk):
    desk.write("a.md", CRLF)
    shown = desk.call("update_node", id="a.md", content="One\nTwo\n")
    assert (shown["content"], shown["tags"]) == ("One\r\nTwo\r\n", ["a", "b"])
    assert desk.read("a.md").decode() == CRLF.replace(BODY, "One\r\nTwo\r\n")


def test_what_was_read_can_be_written_back_and_changes_nothing(desk):
    for text in (CRLF, "no front matter", "", "---\n---\nx", "---\na: 1\n---\n---\nb: 2\n---\n", "mixed\r\nends\n\r"):
        desk.write("a.md", text)
        content = desk.client.call("get_node", id="a.md").data["node"]["content"]
        desk.call("update_node", id="a.md", content=content)
        assert desk.read("a.md").decode() == text


def test_front_matter_that_ends_with_the_file_stays_above_new_content(desk):
    for name, end in (("a.md", "\n"), ("b.md", "\r\n")):
        desk.write(name, f"---{end}tags: [t]{end}---")
        assert desk.call("update_node", id=name, content="text")["tags"] == ["t"]
        assert desk.read(name).decode() == f"---{end}tags: [t]{end}---{end}text"


TAGS = [
    ("text", "---\ntags:\n  - x\n  - y z\n---\ntext"),
    ("---\n---\ntext", "---\ntags:\n  - x\n  - y z\n---\ntext"),
    ("---\ntags: [a, b] # c\nk: v\n---\n", "---\ntags: [x, y z] # c\nk: v\n---\n"),
    ("---\ntags: a, b\nk: v\n---\n", "---\ntags: [x, y z]\nk: v\n---\n"),
    ("---\ntags:\nk: v\n---\n", "---\ntags: [x, y z]\nk: v\n---\n"),
    ("---\ntags:\n  - a\n  - b\n# note\nk: v\n---\n", "---\ntags:\n  - x\n  - y z\n# note\nk: v\n---\n"),
    ("---\ntags:\n- a\n\nk: v\n---\n", "---\ntags:\n- x\n- y z\n\nk: v\n---\n"),
    ("---\ntag: a\n---\n", "---\ntag: [x, y z]\n---\n"),
    ("---\ntag: a\ntags: b\n---\n", "---\ntag: []\ntags: [x, y z]\n---\n"),
    ("---\n{a: 1, tags: [b]}\n---\n", "---\n{a: 1, tags: [x, y z]}\n---\n"),
    ("---\n{a: 1}\n---\n", "---\n{tags: [x, y z], a: 1}\n---\n"),
    ("---\ntags: |\n  a\n  b\nk: v\n---\n", "---\ntags: [x, y z]\nk: v\n---\n"),
    ("---\nk:\tv\ntags: [a]\n---\n", "---\nk:\tv\ntags: [x, y z]\n---\n"),
    ("---\n\ntext between rules\n\n---\n", "---\ntags:\n  - x\n  - y z\n---\n---\n\ntext between rules\n\n---\n"),
    ("---\nk: |\n  text\n\n---\n", "---\nk: |\n  text\n\ntags:\n  - x\n  - y z\n---\n"),
]


def test_tags_are_set_in_the_way_they_are_written_there(desk):
    for number, (before, after) in enumerate(TAGS):
        desk.write(f"{number}.md", before)
        assert desk.call("update_node", id=f"{number}.md", tags=["x", "y z"])["tags"] == ["x", "y z"]
        assert desk.read(f"{number}.md").decode() == after


def test_no_tags_are_an_empty_list_and_the_same_tags_no_change(desk):
    desk.write("a.md", "---\ntags: # why\n  - a\nk: v\n---\n")
    desk.write("b.md", "---\ntags:  'a,  b'\n---\n")
    assert desk.call("update_node", id="a.md", tags=[])["tags"] == []
    assert desk.read("a.md") == b"---\ntags: [] # why\nk: v\n---\n"
    desk.call("update_node", id="b.md", tags=["a", "b"])
    assert desk.read("b.md") == b"---\ntags:  'a,  b'\n---\n"


def test_front_matter_that_cannot_be_read_is_left_alone(desk):
    desk.write("a.md", "---\nx: [1\n---\ntext")
    error = desk.refused("update_node", id="a.md", tags=["t"])
    assert error["code"] == "INVALID_PARAMS" and "front matter" in error["message"]
    desk.call("update_node", id="a.md", content="other")
    assert desk.read("a.md") == b"---\nx: [1\n---\nother"


def test_files_in_utf_16_stay_so(desk):
    desk.write("a.md", "Text [[b]]".encode("utf-16"))
    desk.write("b.md", "")
    desk.call("update_node", id="b.md", title="See")
    assert desk.read("a.md") == "Text [[see]]".encode("utf-16")


def test_a_file_that_is_no_text_is_not_changed_and_can_be_deleted(desk):
    desk.write("latin.md", "caf\xe9".encode("latin-1"))
    assert desk.refused("update_node", id="latin.md", content="x")["code"] == "PROVIDER_ERROR"
    assert desk.refused("create_node", title="Latin", content="x")["code"] == "NODE_EXISTS"
    assert desk.call("delete_node", id="latin.md")["deleted"] is True
    assert list(desk.files()) == [".trash/latin.md"]


def test_a_note_that_was_read_as_a_resource_was_read(desk):
    desk.write("a.md", "one")
    client = desk.client
    client._run(client._session.read_resource("note://vault/a.md"))
    desk.write("a.md", "two")
    assert desk.refused("update_node", id="a.md", content="x")["code"] == "STALE"


def test_what_one_session_read_is_nothing_to_another(opened):
    first, second = opened("legacy", 1), opened("legacy", 2)
    first.write("a.md", "one")
    first.client.call("get_node", id="a.md")
    second.call("update_node", id="a.md", content="two")
    assert first.refused("update_node", id="a.md", content="three")["code"] == "STALE"
    assert second.call("update_node", id="a.md", content="four")["content"] == "four"


def test_something_must_be_changed_and_the_note_must_be_there(desk):
    desk.write("a.md", "text")
    desk.write("board.canvas", '{"nodes":[]}')
    assert desk.refused("update_node", id="a.md")["code"] == "INVALID_PARAMS"
    missing = desk.refused("update_node", id="b.md", content="")
    assert missing["code"] == "NODE_NOT_FOUND"
    assert desk.refused("update_node", id="board.canvas", content="")["code"] == "INVALID_PARAMS"
    for hostile in ("../a.md", "/etc/passwd", "a\u0000.md", ".obsidian/app.md"):
        assert desk.refused("update_node", id=hostile, content="")["code"] == "INVALID_PARAMS"


def test_permissions_of_a_file_stay(desk):
    desk.write("a.md", "text")
    (desk.root / "a.md").chmod(0o640)
    desk.call("update_node", id="a.md", content="other")
    assert (desk.root / "a.md").stat().st_mode & 0o777 == 0o640
    desk.call("create_node", title="b", content="")
    assert (desk.root / "b.md").stat().st_mode & 0o400


def test_a_hash_that_is_no_longer_the_files_is_stale(desk):
    desk.write("a.md", "one")
    hash = desk.client.call("get_node", id="a.md").data["node"]["hash"]
    desk.write("a.md", "two")
    for tool, more in (("update_node", {"content": "x"}), ("append", {"content": "x"}), ("delete_node", {})):
        error = desk.refused(tool, id="a.md", expected_hash=hash, **more)
        assert error["code"] == "STALE" and error["details"]["hash"] != hash
    again = desk.client.call("get_node", id="a.md").data["node"]["hash"]
    assert desk.call("update_node", id="a.md", content="x", expected_hash=again)["content"] == "x"


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_file_that_was_edited_since_it_was_read_is_refused_and_one_never_read_is_not(opened, era):
    desk = opened(era)
    desk.write("a.md", "one")
    desk.write("b.md", "one")
    desk.client.call("get_node", id="a.md")
    desk.write("a.md", "edited by hand")
    assert desk.refused("update_node", id="a.md", content="x")["code"] == "STALE"
    assert desk.refused("update_node", id="a.md", tags=["x"], dry_run=True)["code"] == "STALE"
    assert desk.call("update_node", id="b.md", content="x")["content"] == "x"  # never read
    desk.client.call("get_node", id="a.md")
    desk.call("update_node", id="a.md", content="y")
    desk.call("update_node", id="a.md", content="z")  # what one wrote oneself is no news
    desk.write("a.md", "edited again")
    assert desk.refused("update_node", id="a.md", content="x")["code"] == "STALE"
    assert desk.call("append", id="a.md", content="!")["content"] == "edited again\n!"


def test_what_was_read_is_known_after_a_restart_and_only_to_who_read_it(opened):
    first = opened()
    first.write("a.md", "one")
    first.client.call("get_node", id="a.md")
    first.write("a.md", "edited by hand")
    again = opened()
    assert again.refused("update_node", id="a.md", content="x")["code"] == "STALE"
    call = again.client.app.dispatcher.call
    other = asyncio.run_coroutine_threadsafe(
        call("update_node", {"id": "a.md", "content": "x"}, Caller("bob")), again.client._loop
    ).result(30)
    assert other.error is None


def test_text_is_added_on_a_line_of_its_own(desk):
    desk.write("a.md", "one\r\ntwo")
    assert desk.call("append", id="A.md", content="three\nfour\n")["content"] == "one\r\ntwo\r\nthree\r\nfour\r\n"
    desk.call("append", id="a.md", content="five")
    assert desk.read("a.md") == b"one\r\ntwo\r\nthree\r\nfour\r\nfive"
    assert desk.refused("append", id="b.md", content="x")["code"] == "NODE_NOT_FOUND"


INNER = "text\n\n## Tasks\n\n- one\n\n```\n# no heading\n```\n\n## Later\nthen\n"
SECTIONS = f"intro\n\n# Plan\n\n{INNER}# Log\n\nTasks\n-----\nold\n"


PATCHES = [
    ("Plan > Tasks", "replace", "- two\n", "- one\n\n```\n# no heading\n```", "- two"),
    ("## later", "replace", "\nsoon", "then\n", "soon\n"),
    ("LATER", "append", "and then", "then\n", "then\nand then\n"),
    ("Later", "prepend", "first", "then\n", "first\nthen\n"),
    ("Log#Tasks", "replace", "new", "old\n", "new\n"),
    ("Later", "replace", "", "## Later\nthen\n", "## Later\n\n"),
    ("Plan", "replace", "all", INNER, "all\n"),
]


def test_what_stands_under_a_heading_is_changed_and_nothing_else(desk):
    for number, (heading, mode, content, before, after) in enumerate(PATCHES):
        desk.write(f"{number}.md", SECTIONS)
        desk.call("patch_section", id=f"{number}.md", heading=heading, content=content, mode=mode)
        assert desk.read(f"{number}.md").decode() == SECTIONS.replace(before, after)


def test_a_heading_that_is_not_there_or_not_alone_is_named(desk):
    desk.write("a.md", SECTIONS)
    error = desk.refused("patch_section", id="a.md", heading="Tasks", content="x")
    assert error["details"]["headings"] == ["Plan > Tasks", "Log > Tasks"]
    error = desk.refused("patch_section", id="a.md", heading="no heading", content="x")
    assert (error["code"], error["details"]["headings"][0]) == ("INVALID_PARAMS", "Plan")


def test_of_headings_that_are_alike_one_is_meant_by_its_number(desk):
    desk.write("a.md", "\ufeff## Log\none\n## Log\ntwo\n")
    error = desk.refused("patch_section", id="a.md", heading="Log", content="x")
    assert "occurrence" in error["message"]
    refusal = desk.refused("patch_section", id="a.md", heading="Log", content="x", occurrence=3)
    assert refusal["code"] == "INVALID_PARAMS"
    desk.call("patch_section", id="a.md", heading="Log", content="new", occurrence=2)
    desk.call("patch_section", id="a.md", heading="Log", content="first", occurrence=1)
    assert desk.read("a.md").decode() == "\ufeff## Log\nfirst\n## Log\nnew\n"


def test_a_heading_without_anything_under_it_gets_it(desk):
    desk.write("a.md", "# A\n# B")
    desk.call("patch_section", id="a.md", heading="A", content="one")
    desk.call("patch_section", id="a.md", heading="B", content="two")
    assert desk.read("a.md") == b"# A\none\n# B\ntwo"


def test_nothing_that_writes_is_there_where_the_server_is_read_only(opened):
    desk = opened(read_only=True)
    names = {tool["name"] for tool in desk.client.tools()}
    assert "get_node" in names
    assert not names & {"create_node", "update_node", "delete_node", "move_node", "append", "patch_section"}
    assert desk.refused("create_node", title="x", content="y")["details"]["reason"] == "disabled"


def test_hints_are_honest(desk):
    hints = {tool["name"]: tool["annotations"] for tool in desk.client.tools()}
    destroying = {name for name, each in hints.items() if each["destructiveHint"]}
    assert destroying == {"update_node", "delete_node", "patch_section"}
    assert not any(hints[name]["readOnlyHint"] for name in (*destroying, "create_node", "move_node", "append"))


def test_a_note_is_written_under_its_own_id_and_not_through_a_linked_folder(desk):
    desk.write("a.md", "one")
    desk.write("b.md", "[[a]]")
    (desk.root / "here").symlink_to(".")
    for tool, arguments in {"append": {"content": "x"}, "update_node": {"content": "x"}, "delete_node": {}}.items():
        before = desk.read("a.md")
        reply = desk.client.call(tool, id="here/here/a.md", **arguments)
        assert (reply.error or {}).get("code") == "NODE_NOT_FOUND" or reply.data == {"deleted": False}
        assert desk.read("a.md") == before
    assert [each["id"] for each in desk.call("list_nodes")["nodes"]] == ["a.md", "b.md"]
