"""Deleted notes lie in the vault's trash unless told otherwise."""

from __future__ import annotations


def test_a_note_goes_to_the_trash_under_its_own_path(desk):
    desk.write("notes/Old.md", "one")
    desk.write("b.md", "[[Old]]")
    assert desk.call("delete_node", id="notes/old.md")["deleted"] is True
    assert desk.files() == {".trash/notes/Old.md": b"one", "b.md": b"[[Old]]"}
    desk.write("notes/Old.md", "two")
    desk.call("delete_node", id="notes/Old.md")
    assert desk.files()[".trash/notes/Old 2.md"] == b"two"
    assert desk.client.call("get_node", id="notes/Old.md").data == {"node": None}


def test_the_answer_is_the_seeds_and_a_note_that_is_not_there_no_error(desk):
    desk.write("a.md", "")
    assert desk.client.call("delete_node", id="a.md").content[0]["text"] == '{"deleted":true}'
    assert desk.client.call("delete_node", id="a.md").content[0]["text"] == '{"deleted":false}'
    assert desk.refused("delete_node", id="../a.md")["code"] == "INVALID_PARAMS"
    assert desk.refused("delete_node", id=".trash/a.md")["code"] == "INVALID_PARAMS"


def test_permanently_is_permanently_and_not_over_an_edit_that_was_not_seen(desk):
    desk.write("a.md", "one")
    desk.client.call("get_node", id="a.md")
    desk.write("a.md", "two")
    assert desk.refused("delete_node", id="a.md", permanent=True)["code"] == "STALE"
    desk.client.call("get_node", id="a.md")
    assert desk.call("delete_node", id="a.md", permanent=True) == {"deleted": True}
    assert desk.files() == {}


def test_to_try_deletes_nothing(desk):
    desk.write("a.md", "one\n")
    gone = desk.call("delete_node", id="a.md", permanent=True, dry_run=True)
    assert (gone["deleted"], gone["dry_run"]) == (False, True) and "-one" in gone["diff"]
    assert "rename to .trash/a.md" in desk.call("delete_node", id="a.md", dry_run=True)["diff"]
    assert desk.files() == {"a.md": b"one\n"}


def test_a_trash_that_leads_elsewhere_gets_nothing(desk, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (desk.root / ".trash").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    desk.write("a.md", "one")
    assert desk.refused("delete_node", id="a.md")["code"] == "PROVIDER_ERROR"
