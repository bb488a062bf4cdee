"""Another title or folder: every link follows, in its author's way, and all files change at once or none does."""

from __future__ import annotations

import json

import pytest

LINKS = [
    ("[[graphcore]]", "[[graph-engine]]"),
    ("[[Graphcore]]", "[[Graph Engine]]"),
    ("[[GRAPHCORE]]", "[[graph-engine]]"),
    ("[[graphcore|the  Core]]", "[[graph-engine|the  Core]]"),
    ("[[ graphcore #A head|x]]", "[[ graph-engine #A head|x]]"),
    ("![[graphcore#^block]]", "![[graph-engine#^block]]"),
    ("[[graphcore.md]]", "[[graph-engine.md]]"),
    ("[[notes/graphcore]]", "[[notes/graph-engine]]"),
    ("[[Notes/GraphCore.md#x]]", "[[Notes/graph-engine.md#x]]"),
    ("[[/notes/graphcore]]", "[[/notes/graph-engine]]"),
    ("| [[graphcore\\|c]] |", "| [[graph-engine\\|c]] |"),
    ("[[core]]", "[[core]]"),  # an alias, which the note keeps
    ("`[[graphcore]]`", "`[[graphcore]]`"),
    ("\\[[graphcore]]", "\\[[graphcore]]"),
    ("[[graphcore2]]", "[[graphcore2]]"),
    ("[graphcore](graphcore.md)", "[graphcore](graphcore.md)"),
]
NOTE = "---\naliases: [core]\n---\nSelf [[graphcore#x]]\n"


@pytest.fixture
def linked(desk):
    desk.write("notes/graphcore.md", NOTE)
    desk.write("links.md", "\r\n".join(before for before, _ in LINKS))
    desk.write("sub/front.md", '---\nup: "[[graphcore]]"\n---\n')
    return desk


def test_every_link_follows_in_the_way_its_author_wrote_it(linked):
    told = linked.call("update_node", id="notes/graphcore.md", title="Graph Engine")
    assert (told["id"], told["title"], told["renamedFrom"]) == (
        "notes/graph-engine.md",
        "Graph Engine",
        "notes/graphcore.md",
    )
    assert told["updatedFiles"] == ["links.md", "notes/graph-engine.md", "sub/front.md"]
    assert told["updatedLinks"] == sum(before != after for before, after in LINKS) + 2
    assert linked.files() == {
        "links.md": "\r\n".join(after for _, after in LINKS).encode(),
        "notes/graph-engine.md": NOTE.replace("graphcore", "graph-engine").encode(),
        "sub/front.md": b'---\nup: "[[graph-engine]]"\n---\n',
    }
    assert linked.client.call("get_node", id="links.md").data["node"]["links"][0]["id"] == "notes/graph-engine.md"


def test_a_link_with_composed_accents_is_one_to_a_file_whose_name_has_them_apart(desk):
    desk.write("Cafe\u0301.md", "x")  # as macOS writes names
    desk.write("a.md", "[[Caf\u00e9]] [[Cafe\u0301]] [[caf\u00e9]]")
    assert desk.call("update_node", id="Caf\u00e9.md", title="Tea")["updatedLinks"] == 3
    assert desk.files() == {"a.md": b"[[Tea]] [[Tea]] [[tea]]", "tea.md": b"x"}


def test_links_by_title_become_links_by_the_new_title(desk):
    desk.write("ml.md", "---\ntitle: 'Machine Learning'\n---\n")
    desk.write("a.md", "[[Machine Learning]] [[machine learning]] [[ml]]")
    desk.call("update_node", id="ml.md", title="Deep: Learning")
    assert desk.files() == {
        "a.md": b"[[Deep: Learning]] [[deep: learning]] [[deep-learning]]",
        "deep-learning.md": b"---\ntitle: 'Deep: Learning'\n---\n",
    }


def test_a_title_that_no_link_can_hold_is_linked_by_the_files_name(desk):
    desk.write("ml.md", "---\ntitle: Machine\n---\n")
    desk.write("a.md", "[[Machine]]")
    desk.call("update_node", id="ml.md", title="C# [draft]")
    assert desk.read("a.md") == b"[[c-draft]]"


def test_links_by_a_file_name_with_spaces_read_on_as_words(desk):
    desk.write("Hub Note.md", "")
    desk.write("Q: what?/a.md", "[[Hub Note]] [[hub note|x]] [[Hub Note.md]]")
    told = desk.call("update_node", id="hub note.md", title="Central: Idea")
    assert told["updatedFiles"] == ["Q: what?/a.md"]
    assert desk.read("Q: what?/a.md") == b"[[Central: Idea]] [[central: idea|x]] [[central-idea.md]]"
    assert desk.call("create_node", title="b", content="", directory="q: what?")["id"] == "Q: what?/b.md"


def test_cards_of_a_canvas_follow(desk):
    board = {"nodes": [{"type": "file", "file": "old.md"}, {"type": "text", "text": 'see [[old|x]]\n"q"'}], "edges": []}
    desk.write("old.md", "")
    desk.write("board.canvas", json.dumps(board, indent="\t"))
    told = desk.call("update_node", id="old.md", title="New")
    assert (told["updatedLinks"], told["updatedFiles"]) == (2, ["board.canvas"])
    assert desk.read("board.canvas").decode() == json.dumps(board, indent="\t").replace("old", "new")


def test_links_of_odd_canvases_follow_too(desk):
    desk.write("old.md", "")
    desk.write("half.canvas", '{"nodes":[{"type":"text","text":"\\ud83d [[old]]"}]}')
    desk.write("none.canvas", '{"text": "\\q [[old]]"')
    assert desk.call("update_node", id="old.md", title="New")["updatedLinks"] == 2
    assert desk.read("half.canvas") == b'{"nodes":[{"type":"text","text":"\\ud83d [[new]]"}]}'
    assert desk.read("none.canvas") == b'{"text": "\\q [[new]]"'


def test_whatever_else_a_card_escapes_stays_escaped(desk):
    card = (
        r'{"nodes":[{"type":"text","text":"\u00e9\/ \ud83d\ude00 [[old]]\t\ud83d[[old|\u0062]] \"x\""}], "k": "\u00e9"}'
    )
    desk.write("old.md", "")
    desk.write("a.canvas", card)
    assert desk.call("update_node", id="old.md", title='"Né" \\\\ w')["updatedLinks"] == 2
    assert desk.read("a.canvas").decode() == card.replace("[[old", "[[né-w")


def test_the_same_title_or_only_another_case_renames_no_file(desk):
    desk.write("My Note.md", "")
    desk.write("a.md", "[[My Note]]")
    same = desk.call("update_node", id="My Note.md", title="My Note")
    assert same["id"] == "My Note.md" and "renamedFrom" not in same
    desk.write("graphcore.md", "")
    other = desk.call("update_node", id="graphcore.md", title="GraphCore")
    assert (other["id"], other["title"], "renamedFrom" in other) == ("graphcore.md", "GraphCore", False)
    assert desk.read("graphcore.md") == b"---\ntitle: GraphCore\n---\n"


def test_title_content_and_tags_change_together(desk):
    desk.write("a.md", "---\nk: v\n---\nold [[a]]")
    told = desk.call("update_node", id="a.md", title="B", content="new [[a]]", tags=["t"])
    assert (told["id"], told["updatedLinks"]) == ("b.md", 1)
    assert desk.files() == {"b.md": b"---\nk: v\ntags:\n  - t\n---\nnew [[b]]"}


def test_links_are_a_reason_to_reject_where_that_is_asked_for(linked):
    error = linked.refused("update_node", id="notes/graphcore.md", title="X", on_incoming="reject")
    assert (error["code"], error["details"]["files"]) == ("LINK_INTEGRITY", ["links.md", "sub/front.md"])
    linked.write("alone.md", "[[alone]]")
    assert linked.call("update_node", id="alone.md", title="X", on_incoming="reject")["id"] == "x.md"


def test_a_name_that_is_taken_is_refused_in_any_case(linked):
    linked.write("notes/Taken.md", "")
    assert linked.refused("update_node", id="notes/graphcore.md", title="taken")["code"] == "NODE_EXISTS"
    assert linked.refused("update_node", id="notes/graphcore.md", title="../x")["code"] == "INVALID_PARAMS"


def test_a_name_by_which_other_links_mean_another_note_is_refused(desk):
    desk.write("z/target.md", "")
    desk.write("old.md", "")
    desk.write("a.md", "[[target]] [[old]]")
    error = desk.refused("update_node", id="old.md", title="Target")
    assert (error["code"], error["details"]["links"]) == ("LINK_INTEGRITY", ["target"])


def test_a_file_that_is_write_protected_is_no_place_to_rewrite_links(linked):
    (linked.root / "links.md").chmod(0o444)
    error = linked.refused("update_node", id="notes/graphcore.md", title="X")
    assert (error["code"], error["details"]["files"]) == ("LINK_INTEGRITY", ["links.md"])


def test_a_note_moves_with_the_links_that_name_its_folder(linked):
    told = linked.call("move_node", id="notes/graphcore.md", directory="archive/2024")
    assert (told["id"], told["renamedFrom"]) == ("archive/2024/graphcore.md", "notes/graphcore.md")
    text = linked.read("links.md").decode()
    assert "[[graphcore|the  Core]]" in text and "[[archive/2024/graphcore]]" in text
    assert "[[archive/2024/graphcore.md#x]]" in text and "[[/archive/2024/graphcore]]" in text
    assert told["updatedLinks"] == 3
    back = linked.call("move_node", id="archive/2024/graphcore.md", directory="")
    assert back["id"] == "graphcore.md"
    assert "archive" not in linked.read("links.md").decode()
    assert linked.call("move_node", id="graphcore.md", directory=".")["updatedLinks"] == 0
    assert linked.refused("move_node", id="graphcore.md", directory="../x")["code"] == "INVALID_PARAMS"


def test_to_try_a_rename_shows_every_file_and_changes_none(linked):
    before = linked.files()
    tried = linked.call("update_node", id="notes/graphcore.md", title="Graph Engine", dry_run=True)
    assert (tried["id"], tried["updatedFiles"]) == (
        "notes/graph-engine.md",
        ["links.md", "notes/graph-engine.md", "sub/front.md"],
    )
    assert "rename from notes/graphcore.md" in tried["diff"] and "+| [[graph-engine\\|c]] |" in tried["diff"]
    assert linked.files() == before and not (linked.root / ".wekadocs").exists()


def test_a_ghost_is_promoted_by_the_title_its_links_have(desk):
    desk.write("a.md", "[[Wished For]]")
    desk.write("b.md", "")
    desk.call("update_node", id="b.md", title="Wished For")
    assert desk.client.call("get_node", id="a.md").data["node"]["links"] == [
        {"id": "wished-for.md", "title": "Wished For"}
    ]


def test_a_note_that_is_a_link_to_another_file_is_changed_there_and_not_renamed(desk):
    desk.write("real.md", "one")
    (desk.root / "link.md").symlink_to("real.md")
    desk.call("update_node", id="link.md", content="two")
    assert desk.read("real.md") == b"two" and (desk.root / "link.md").is_symlink()
    assert desk.refused("update_node", id="link.md", title="Other")["code"] == "INVALID_PARAMS"


def test_a_link_by_the_file_name_with_dashes_stays_one(desk):
    desk.write("Old Name.md", "x")
    desk.write("a.md", "[[old-name]] [[Old Name]] [[old name]]")
    desk.call("update_node", id="Old Name.md", title="New Title")
    assert desk.read("a.md") == b"[[new-title]] [[New Title]] [[new title]]"


def test_a_rename_that_is_tried_shows_the_links_as_they_would_be(desk):
    desk.write("old.md", "[[old]] [[a]] [[not there]] [[Nor This]]")
    desk.write("a.md", "[[Not there]]")
    tried = desk.call("update_node", id="old.md", title="New Name", dry_run=True)
    done = desk.call("update_node", id="old.md", title="New Name")
    assert tried["links"] == done["links"]
    assert [each["title"] for each in done["links"]] == ["New Name", "A", "Not there", "Nor This"]
    made = {"title": "Self", "content": "[[self]] [[gone now]]"}
    assert desk.call("create_node", **made, dry_run=True)["links"] == desk.call("create_node", **made)["links"]


def test_what_was_wrong_with_notes_whose_links_follow_is_not_told_anew(desk):
    desk.write("old.md", "[[also lost]]")
    desk.write("a.md", "[[old]] [[lost]]")
    assert desk.client.call("get_hubs").data["_warnings"] == ["Broken link: [[lost]]", "Broken link: [[also lost]]"]
    assert "_warnings" not in desk.call("update_node", id="old.md", title="New", dry_run=True)
    assert "Broken link: [[lost]]" not in desk.call("update_node", id="old.md", title="New").get("_warnings", [])
    desk.write("a.md", "[[new]] [[lost]] [[another]]")
    told = desk.client.call("get_hubs").data["_warnings"]
    assert told == ["Broken link: [[lost]]", "Broken link: [[another]]"]
