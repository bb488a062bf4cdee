"""What the disk does not take, or leads elsewhere in the moment of a write: nothing half written, nothing outside."""

from __future__ import annotations

import os

import pytest

from wekadocs_corpus import CorpusError
from wekadocs_notes.index.tables import NoteRows
from wekadocs_notes.writing.files.disk import Disk
from wekadocs_notes.writing.files.places import Place, place

pytestmark = pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="this system has no calls by descriptor")

WRITES = [
    ("create_node", {"title": "New", "content": "text", "directory": "sub"}),
    ("create_node", {"title": "New", "content": "text", "directory": "sub/deep/er"}),
    ("update_node", {"id": "sub/a.md", "content": "text"}),
    ("update_node", {"id": "sub/a.md", "title": "Other"}),
    ("append", {"id": "sub/a.md", "content": "text"}),
    ("move_node", {"id": "b.md", "directory": "sub"}),
]


@pytest.mark.parametrize("call", ["link", "replace", "fsync"])
@pytest.mark.parametrize(("tool", "arguments"), WRITES)
def test_a_folder_that_becomes_a_link_in_the_moment_of_a_write_is_not_followed(
    desk, tmp_path, monkeypatch, tool, arguments, call
):
    desk.write("sub/a.md", "a")
    desk.write("b.md", "[[a]]")
    outside, real = tmp_path / "outside", getattr(os, call)
    outside.mkdir()
    (outside / "a.md").write_text("a")

    def swapping(*given, **more):
        if not (desk.root / "sub").is_symlink():
            (desk.root / "sub").rename(tmp_path / "aside")
            (desk.root / "sub").symlink_to(outside, target_is_directory=True)
        return real(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, call, swapping)
        desk.client.call(tool, **arguments)
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"a.md": "a"}


def test_a_trash_that_becomes_a_link_in_the_moment_of_a_deletion_gets_nothing(desk, tmp_path, monkeypatch):
    desk.write("a.md", "a")
    (tmp_path / "outside").mkdir()
    real = Disk.move

    def moved(disk, old, new):
        (desk.root / ".trash").symlink_to(tmp_path / "outside", target_is_directory=True)
        real(disk, old, new)

    monkeypatch.setattr(Disk, "move", moved)
    reply = desk.client.call("delete_node", id="a.md")
    assert reply.error is not None and reply.error["code"] == "PROVIDER_ERROR"
    assert desk.read("a.md") == b"a" and list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize("room", [0, 1, 3])
def test_a_full_disk_changes_nothing_and_is_left_as_full_as_it_was(desk, monkeypatch, room):
    desk.write("old.md", "text")
    for number in range(3):
        desk.write(f"{number}.md", "[[old]]")
    written, real = [], Place.write_new

    def full(place, data):
        written.append(place.name)
        real(place, data if len(written) <= room else data[:1])
        if len(written) > room:
            raise OSError(28, "No space left on device")

    desk.call("create_node", title="First", content="makes the server's own folder")
    with monkeypatch.context() as patched:
        patched.setattr(Place, "write_new", full)
        error = desk.refused("update_node", id="old.md", title="New")
    assert error["code"] == "PROVIDER_ERROR" and "Nothing was changed" in error["message"]
    assert list((desk.root / ".wekadocs" / "staged").iterdir()) == []
    assert desk.call("update_node", id="old.md", title="New")["updatedLinks"] == 3


def test_what_is_written_while_the_index_cannot_follow_is_told_as_written(desk, monkeypatch):
    desk.write("a.md", "a")
    desk.write("b.md", "see [[a]]")
    desk.client.call("get_hubs")

    def full(*_):
        raise CorpusError("corpus.db: the disk is full")

    for tool, arguments in (
        ("create_node", {"title": "New", "content": "[[a]]"}),
        ("update_node", {"id": "a.md", "title": "Apple"}),
        ("delete_node", {"id": "b.md"}),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(NoteRows, "write", full)
            done = desk.call(tool, **arguments)
        assert "written" in done["_warnings"][0]
        desk.client.call("get_hubs")
    assert desk.files() == {".trash/b.md": b"see [[apple]]", "apple.md": b"a", "new.md": b"[[apple]]"}
    assert desk.client.call("get_neighbors", id="apple.md").data["results"][0]["id"] == "new.md"


@pytest.fixture
def saved_meanwhile(desk, tmp_path, monkeypatch):
    """An editor that saves a note in the very moment in which it is replaced, so many times."""
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
    with place(tmp_path, "one") as one, place(tmp_path, "two") as two:
        if not one.exchange(two):
            pytest.skip("files cannot take each other's name here")

    def saving(id: str, *texts: str) -> None:
        waiting, real = list(texts), Place.exchange

        def exchange(here, other):
            if waiting and other.name == id:
                desk.write("saved.tmp", waiting.pop(0))
                (desk.root / "saved.tmp").replace(desk.root / id)
            return real(here, other)

        monkeypatch.setattr(Place, "exchange", exchange)

    return saving


@pytest.mark.parametrize("times", [1, 2, 3])
def test_what_an_editor_saves_in_the_moment_of_a_write_stays(desk, saved_meanwhile, times):
    desk.write("a.md", "old")
    saved_meanwhile("a.md", *(f"by hand {number}" for number in range(times)))
    reply = desk.client.call("append", id="a.md", content="new")
    assert reply.error is not None and reply.error["code"] == "STALE"
    assert desk.files() == {"a.md": f"by hand {times - 1}".encode()}
    assert list((desk.root / ".wekadocs" / "staged").iterdir()) == []


@pytest.mark.parametrize("times", [1, 2, 3])
def test_what_an_editor_saves_in_the_moment_of_a_rename_stays_and_its_links_follow(desk, saved_meanwhile, times):
    desk.write("old.md", "")
    desk.write("a.md", "[[old]]")
    saved_meanwhile("a.md", *(f"by hand {number} [[old#x]]" for number in range(times)))
    assert desk.call("update_node", id="old.md", title="New")["updatedFiles"] == ["a.md"]
    assert desk.files() == {"new.md": b"", "a.md": f"by hand {times - 1} [[new#x]]".encode()}


def test_a_drive_on_which_files_cannot_take_each_others_name_is_written_too(desk, monkeypatch):
    monkeypatch.setattr(Place, "exchange", lambda *_: False)
    desk.write("a.md", "old")
    desk.write("b.md", "[[a]]")
    assert desk.call("append", id="a.md", content="new")["content"] == "old\nnew"
    assert desk.call("update_node", id="a.md", title="C")["updatedLinks"] == 1
    assert desk.read("b.md") == b"[[c]]" and desk.read("c.md").endswith(b"old\nnew")
