"""Files, index and graph tell one story: whatever editors do, while the server runs and while it does not."""

import json
import os
import random
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
import qdrant_fake
from reading_room import Room, config

from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_mcp.testing import client_for
from wekadocs_notes.index import KeptVault, Watcher
from wekadocs_notes.index import kept as keeping
from wekadocs_notes.index.drives import kind_of, tells_events
from wekadocs_notes.vault import Vault, read_note


@contextmanager
def opened(root: Path, data: Path, corpus=None, **settings):
    given = config(str(root), **{"watch": "off", **settings})
    given["plugins"]["corpus"] = corpus or {}
    with client_for(given, toolsets=["roux"], data_dir=data) as client:
        yield Room(client, root)


def story(room: Room) -> dict:
    """All that the tools tell of a vault."""
    nodes = room.call("list_nodes", limit=1000, properties=True)
    ids = [node["id"] for node in nodes["nodes"]]
    searches = {query: room.call("search", query=query, limit=50) for query in ("alpha beta", "gamma", "note")}
    searches["beta in a"] = room.call("search", query="beta", tags=["a"])
    return {
        "nodes": nodes,
        "each": [room.node(id, depth=1) for id in ids],
        "hubs": [room.call("get_hubs", metric=each, limit=50) for each in ("in_degree", "out_degree", "pagerank")],
        "ways": [room.call("find_path", source=a, target=b) for a in ids[:5] for b in ids[-5:]],
        "tags": room.call("list_tags"),
        "found": searches,
    }


def test_edits_while_the_server_was_down_are_known_at_the_first_answer(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("About walruses. [[b]]")
    (root / "gone.md").write_text("About dodos.")
    with opened(root, tmp_path / "data") as room:
        assert room.call("search", query="walruses")[0]["id"] == "a.md"
    (root / "a.md").write_text("About narwhals. [[b]]")
    (root / "b.md").write_text("New.")
    (root / "gone.md").unlink()
    with opened(root, tmp_path / "data") as room:
        assert room.call("search", query="narwhals")[0]["id"] == "a.md"
        assert room.links("a.md") == ["b.md"] and room.node("gone.md") is None
        assert room.call("search", query="dodos", threshold=0.4) == []


def test_a_vault_that_is_away_is_a_provider_error_and_nothing_is_forgotten(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("About walruses.")
    with opened(root, tmp_path / "data") as room:
        assert room.node("a.md")
        root.rename(tmp_path / "away")
        for tool, arguments in (("get_node", {"id": "a.md"}), ("search", {"query": "x"}), ("get_hubs", {})):
            error = room.refused(tool, **arguments)
            assert error["code"] == "PROVIDER_ERROR" and error["retryable"] and str(tmp_path) not in error["message"]
        (tmp_path / "away").rename(root)
        assert room.call("search", query="walruses")[0]["id"] == "a.md"


def test_without_a_vault_every_tool_says_what_to_set(tmp_path):
    given = {"extends": "shipped", "plugins": {"notes": {"enabled": True}}}
    with client_for(given, toolsets=["roux"], data_dir=tmp_path) as client:
        error = client.call("get_hubs").error
        assert error["code"] == "PROVIDER_ERROR" and "plugins.notes.vault" in error["message"]


def test_without_embedding_there_is_no_search_and_everything_else(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("x")
    with opened(root, tmp_path / "data", embedding="none") as room:
        names = [tool["name"] for tool in room.client.tools()]
        assert "search" not in names and "get_node" in names
        assert room.refused("search", query="x")["details"]["switch"] == "plugins.notes.embedding"
        assert room.refused("resolve_nodes", names=["a"], strategy="semantic")["code"] == "PROVIDER_ERROR"
        assert room.call("resolve_nodes", names=["a"])[0]["match"] == "a.md"


def test_two_vaults_are_told_apart_and_the_first_is_meant_where_none_is_named(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"About {name}.")
    given = config({name: str(tmp_path / name) for name in ("one", "two")}, watch="off")
    with client_for(given, toolsets=["roux"], data_dir=tmp_path / "data") as client:
        assert client.call("get_node", id="one.md").data["node"]["title"] == "One"
        assert client.call("get_node", id="two.md").data["node"] is None
        assert client.call("get_node", id="two.md", vault="two").data["node"]["title"] == "Two"
        found = client.call("search", query="about", vault="two").data["results"]
        assert [each["id"] for each in found] == ["two.md"]
        assert "one, two" in client.call("get_node", id="x", vault="three").error["message"]


def test_a_qdrant_server_gives_the_same_answers(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    rng = random.Random(3)
    for number in range(30):
        (root / f"n{number}.md").write_text(_text(rng))
    with opened(root, tmp_path / "data") as room:
        here = story(room)
    with qdrant_fake.running() as fake, opened(root, tmp_path / "two", {"qdrant": {"url": fake.url}}) as room:
        assert story(room) == here
        assert fake.engine.names()


WORDS = ("alpha", "beta", "gamma", "delta", "Émile", "x y", "z")


def _text(rng: random.Random) -> str:
    links = " ".join(f"[[{rng.choice(WORDS)}{rng.choice(['', '|shown', '#part'])}]]" for _ in range(rng.randrange(4)))
    front = f"---\ntitle: {rng.choice(WORDS)}\ntags: [{rng.choice(WORDS)}]\n---\n" if rng.random() < 0.3 else ""
    return f"{front}Note about {rng.choice(WORDS)} and {rng.choice(WORDS)}. {links} #{rng.choice(['a', 'B/c'])}\n"


def _name(rng: random.Random) -> str:
    folder = rng.choice(["", "", "Sub/", "sub/deep/"])
    return f"{folder}{rng.choice([*WORDS, 'Alpha', 'x-y'])}.md"


def change(rng: random.Random, root: Path) -> None:
    """What people and editors do to files."""
    there = sorted(path for path in root.rglob("*.md"))
    kind = rng.choice([*["create"] * 6, "edit", "edit", "atomic", "rename", "move", "delete", "folder", "case"])
    target = root / _name(rng)
    target.parent.mkdir(parents=True, exist_ok=True)
    if kind == "create" or not there:
        target.write_text(_text(rng))
        return
    path = rng.choice(there)
    if kind == "edit":
        path.write_text(path.read_text() + _text(rng))
    elif kind == "atomic":
        path.with_suffix(".tmp").write_text(_text(rng))
        path.with_suffix(".tmp").replace(path)
    elif kind in ("rename", "move"):
        path.replace(target)
    elif kind == "case":
        path.replace(path.with_name(path.name.swapcase().replace(".MD", ".md")))
    elif kind == "delete":
        path.unlink()
    elif (root / "Sub").is_dir():
        (root / "Sub").replace(root / f"sub{rng.randrange(1000)}")


def write(rng: random.Random, room: Room) -> None:
    """What agents do through the tools; a refusal is as good as any answer, as long as the story stays one."""
    ids = [node["id"] for node in room.call("list_nodes", ghosts="exclude")["nodes"]]
    kind = rng.choice(["create", "create", "content", "title", "move", "append", "delete"])
    id = rng.choice(ids) if ids else ""
    asked = {
        "create": ("create_node", {"title": f"{rng.choice(WORDS)} {rng.choice(WORDS)}", "content": _text(rng)}),
        "content": ("update_node", {"id": id, "content": _text(rng)}),
        "title": ("update_node", {"id": id, "title": rng.choice([*WORDS, "New Name"])}),
        "move": ("move_node", {"id": id, "directory": rng.choice(["", "Sub", "else/where"])}),
        "append": ("append", {"id": id, "content": "More of gamma. [[alpha]]"}),
        "delete": ("delete_node", {"id": id}),
    }
    tool, arguments = asked[kind if id else "create"]
    error = room.client.call(tool, **arguments).error
    known = {None, "NODE_EXISTS", "LINK_INTEGRITY", "STALE", "INVALID_PARAMS", "NODE_NOT_FOUND"}
    assert (error["code"] if error else None) in known, error


@pytest.mark.parametrize("seed", range(4))
def test_random_changes_leave_the_story_a_rebuild_tells(tmp_path, seed):
    rng, root = random.Random(seed), tmp_path / "vault"
    root.mkdir()
    with opened(root, tmp_path / "data") as room:
        for step in range(40):
            change(rng, root)
            if seed % 2:
                write(rng, room)
            if rng.random() < 0.5:
                room.call(rng.choice(["get_hubs", "list_tags", "random_node"]))
            if step % 13 == 12:
                room.call("search", query="alpha")
        kept = story(room)
    with opened(root, tmp_path / "data") as room:
        assert story(room) == kept
    with opened(root, tmp_path / "fresh") as room:
        assert story(room) == kept
    assert len(kept["nodes"]["nodes"]) > 3, json.dumps(kept["nodes"])


@pytest.mark.parametrize("how", ["events", "poll"])
def test_a_watcher_notices_every_kind_of_change_by_itself(tmp_path, how):
    root = tmp_path / "Vault"
    (root / "Sub").mkdir(parents=True)
    (root / "A.md").write_text("one")
    truth, news = SqliteTruth(tmp_path / "data"), threading.Event()
    kept = KeptVault(Vault("v", root), truth)
    watcher = Watcher(kept, how, news.set)
    watcher.start()

    def until(holds):
        while not holds():
            assert news.wait(20), sorted(kept.vault.notes)
            news.clear()

    def ids():
        return sorted(kept.vault.notes)

    try:
        until(lambda: ids() == ["A.md"])
        (root / "Capital.md").write_text("[[A]]")
        until(lambda: ids() == ["A.md", "Capital.md"])
        (root / "Capital.md").rename(root / "Sub" / "capital.md")
        until(lambda: ids() == ["A.md", "Sub/capital.md"])
        before = kept.vault.notes["A.md"].hash
        (root / "A.md.tmp").write_text("two")
        (root / "A.md.tmp").replace(root / "A.md")
        until(lambda: kept.vault.notes["A.md"].hash != before)
        (tmp_path / "New").mkdir()
        for number in range(50):
            (tmp_path / "New" / f"n{number}.md").write_text("x")
        (tmp_path / "New").rename(root / "New")
        until(lambda: len(ids()) == 52)
        (root / "New" / "n1.md").write_text("[[A]]")
        until(lambda: "New/n1.md" in kept.vault.incoming.get("A.md", ()))
        (tmp_path / "In.md").mkdir()
        (tmp_path / "In.md" / "x.md").write_text("a folder that is called as a note is")
        (tmp_path / "In.md").rename(root / "In.md")
        until(lambda: "In.md/x.md" in ids())
        (root / "In.md").rename(tmp_path / "In.md")
        until(lambda: len(ids()) == 52)
        (root / "New").rename(tmp_path / "Gone")
        until(lambda: len(ids()) == 2)
    finally:
        watcher.stop()
        watcher.join()
        truth.close()


def test_another_folder_in_the_vaults_place_is_read_by_the_next_call(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "_CHEAP", -1.0)  # as in a vault of many notes: calls leave looks to the watcher
    root = tmp_path / "vault"
    for folder, note in ((root, "a.md"), (tmp_path / "other", "b.md")):
        folder.mkdir()
        (folder / note).write_text("x")
    kept = KeptVault(Vault("v", root), SqliteTruth(tmp_path / "data"))
    kept.fresh()
    kept.is_watched = True
    root.rename(tmp_path / "old")
    (tmp_path / "other").rename(root)
    kept.fresh()
    assert list(kept.vault.notes) == ["b.md"]


def test_a_vaults_folder_may_go_and_come_back(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("one")
    truth, news = SqliteTruth(tmp_path / "data"), threading.Event()
    kept = KeptVault(Vault("v", root), truth)
    watcher = Watcher(kept, "events", news.set)
    watcher.start()
    try:
        assert news.wait(20)
        news.clear()
        root.rename(tmp_path / "away")
        (tmp_path / "new").mkdir()
        (tmp_path / "new" / "b.md").write_text("two")
        (tmp_path / "new").rename(root)
        while sorted(kept.vault.notes) != ["b.md"]:
            assert news.wait(20)
            news.clear()
    finally:
        watcher.stop()
        watcher.join()
        truth.close()


def test_network_drives_are_looked_at(tmp_path):
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "1 0 8:1 / / rw - ext4 /dev/sda rw\n2 1 0:5 / /mnt/my\\040notes rw - nfs4 host:/x rw\n"
        "3 1 0:6 / /mnt/ssh rw - fuse.sshfs host: rw\n"
    )
    assert [kind_of(Path(each), mounts) for each in ("/home/x", "/mnt/my notes/v", "/mnt/ssh", "/mnt/sshx")] == [
        *("ext4", "nfs4", "fuse.sshfs", "ext4")
    ]
    assert kind_of(Path("/x"), tmp_path / "none") == "" and tells_events(tmp_path)


def test_what_changed_last_is_searched_first(tmp_path):
    for number in range(5):
        (tmp_path / f"{number}.md").write_text("x")
    kept = KeptVault(Vault("v", tmp_path), SqliteTruth(tmp_path / ".data"))
    kept.look()
    assert sorted(kept.waiting(5)) == ["0.md", "1.md", "2.md", "3.md", "4.md"]
    for id in ("2.md", "new.md", "0.md"):
        (tmp_path / id).write_text("changed")
        kept.in_step([id])
    assert kept.waiting(3) == ["0.md", "new.md", "2.md"]


def test_a_file_that_a_clock_ahead_has_stamped_is_not_read_for_ever(tmp_path, monkeypatch):
    root = tmp_path / "vault"
    root.mkdir()
    note = root / "a.md"
    note.write_text("one")
    os.utime(note, (4_000_000_000, 4_000_000_000))
    kept, read = KeptVault(Vault("v", root), SqliteTruth(tmp_path / "data")), []
    monkeypatch.setattr(keeping, "read_note", lambda id, data: read.append(id) or read_note(id, data))
    kept.look()
    kept.look()
    assert len(read) == 2  # it may have changed within the same tick of that clock
    monkeypatch.setattr(keeping, "_TOO_FRESH_NS", -1)  # time goes by
    for _ in range(3):
        kept.look()
    assert len(read) == 3
    note.write_text("two")
    kept.look()
    assert len(read) == 4


def test_two_processes_on_one_store_see_each_others_work(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("[[b]]")
    with opened(root, tmp_path / "data") as one, opened(root, tmp_path / "data") as two:
        assert one.call("get_hubs")[0]["title"] == "b" and two.call("get_hubs")[0]["title"] == "b"
        (root / "b.md").write_text("About walruses.")
        assert one.call("search", query="walruses")[0]["id"] == "b.md"
        assert two.call("search", query="walruses")[0]["id"] == "b.md" and two.links("a.md") == ["b.md"]
        (root / "b.md").unlink()
        assert two.call("search", query="walruses", threshold=0.4) == []
        assert one.call("search", query="walruses", threshold=0.4) == []
