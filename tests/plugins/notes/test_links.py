"""What links are, what they mean, and the ghosts they make."""

import hashlib
from base64 import urlsafe_b64encode

import pytest


def ghost(title):
    return "ghost_" + urlsafe_b64encode(hashlib.sha256(title.encode()).digest()).decode()[:12]


def test_links_in_code_escaped_and_empty_ones_are_none(room):
    room.write(
        "a.md",
        "[[one]] [[two|shown]] [[three#Heading]] [[four#^block|x]] ![[five]] | [[six\\|in a table]] |\n"
        "`[[no1]]` ``x ` [[no2]]`` \\[[no3]] [[]] [[ ]] [[#Here]]\n"
        "```\n[[no4]]\n```\n~~~ md\n[[no5]]\n~~~\n> ```\n> [[no6]]\n> ```\n"
        "[[ seven ]] [[ONE]] `open [[eight]]\n\n[[nine]]`\n",
    )
    assert [link["title"] for link in room.node("a.md")["links"]] == [
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    ]


def test_links_of_quoted_front_matter_count_and_lists_in_lists_do_not(room):
    room.write("a.md", '---\nup: "[[parent]]"\nlist: [[x, y]]\n---\n')
    assert [link["title"] for link in room.node("a.md")["links"]] == ["parent"]


@pytest.mark.parametrize(
    ("files", "target", "meant"),
    [
        (["x.md", "a/x.md"], "x", "x.md"),
        (["b/x.md", "a/x.md"], "x", "a/x.md"),
        (["X.md", "x.md"], "X", "X.md"),
        (["X.md", "x.md"], "x", "x.md"),
        (["a/Deep Note.md"], "deep note", "a/Deep Note.md"),
        (["a/deep-note.md"], "Deep Note", "a/deep-note.md"),
        (["a/deep note.md"], "deep-note", "a/deep note.md"),
        (["a/b/x.md"], "a/b/x", "a/b/x.md"),
        (["a/b/x.md"], "A/B/X.md", "a/b/x.md"),
        (["a/b/x.md"], "a\\b\\x", "a/b/x.md"),
        (["a/b/x.md"], "b/x", None),
        (["x.md", "a/x.md"], "/x", "x.md"),
        (["a/x.md"], "/x", None),
        (["report.2024.md"], "report.2024", "report.2024.md"),
        (["Node.js.md"], "node.js", "Node.js.md"),
        (["image.png.md"], "image.png", None),
        (["a/x.md"], "x.md", "a/x.md"),
        (["e\u0301t\u00e9.md"], "\u00e9t\u00e9", "e\u0301t\u00e9.md"),
    ],
)
def test_a_target_is_found_by_path_name_and_spelling(room, files, target, meant):
    for file in files:
        room.write(file, "x")
    room.write("zz.md", f"[[{target}]]")
    assert room.links("zz.md") == [meant or ghost(target.lower())]


def test_titles_and_aliases_are_names_and_the_files_own_is_nearer(room):
    room.write("a/1.md", "---\ntitle: Big Idea\naliases: [Grand Plan, scheme]\n---\n")
    room.write("b.md", "[[big idea]] [[grand plan]] [[SCHEME]]")
    assert room.links("b.md") == ["a/1.md"]
    room.write("z/big idea.md")
    assert room.links("b.md") == ["z/big idea.md", "a/1.md"]


def test_a_picture_that_is_there_is_no_node_and_one_that_is_not_is_a_ghost(room):
    room.write("img/cat.png", b"png")
    room.write("a.md", "![[cat.png]] ![[dog.png]]")
    assert room.links("a.md") == [ghost("dog.png")]


def test_a_ghost_is_seen_by_the_graph_promoted_by_its_note_and_gone_with_its_last_link(room):
    room.write("a.md", "[[New Idea]]")
    room.write("b.md", "[[new idea ]]")
    id = ghost("new idea")
    assert room.node(id) == {"id": id, "title": "New Idea", "content": None, "tags": [], "links": []}
    assert room.call("get_hubs")[0] == {"id": id, "title": "New Idea", "score": 2}
    assert [node["id"] for node in room.call("get_neighbors", id=id)] == ["a.md", "b.md"]
    assert room.call("find_path", source="a.md", target=id) == {"path": ["a.md", id], "length": 1}
    room.write("notes/new-idea.md", "here")
    assert room.node(id) is None and room.links("a.md") == ["notes/new-idea.md"]
    (room.root / "notes/new-idea.md").unlink()
    assert room.node(id)["content"] is None
    room.write("a.md", "")
    room.write("b.md", "")
    assert room.node(id) is None and room.call("get_hubs") == []


def test_links_out_of_the_vault_and_hidden_folders_are_not_read(room):
    outside = room.root.parent / f"{room.root.name}-outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret #secret")
    (room.root / "link.md").symlink_to(outside / "secret.md")
    (room.root / "folder").symlink_to(outside)
    room.write("real.md", "x")
    (room.root / "inside.md").symlink_to(room.root / "real.md")
    for folder in (".obsidian", ".git", ".trash", "node_modules"):
        room.write(f"{folder}/x.md", "#hidden")
    assert [node["id"] for node in room.call("list_nodes")["nodes"]] == ["inside.md", "real.md"]
    assert room.node("link.md") is None and room.node("folder/secret.md") is None
    assert room.call("list_tags") == {"tags": [], "total": 0}


def test_a_page_of_brackets_and_backticks_is_read_in_no_time(room):
    room.write("a.md", "[[" * 50_000)
    room.write("b.md", "`[[x]]" * 50_000)
    room.write("c.md", "#" * 100_000 + "\n" + "`" * 100_000)
    assert room.call("list_nodes", ghosts="exclude")["total"] == 3


def test_links_to_files_that_differ_in_case_only_lead_to_both(room):
    room.write("Case.md", "upper")
    room.write("case.md", "lower")
    room.write("a.md", "[[Case]] [[case]] [[CASE|any]]")
    assert room.warnings() == ["Ambiguous link: [[CASE]] is Case.md, not case.md"]
    assert room.links("a.md") == ["Case.md", "case.md"]
    assert {each["id"] for each in room.call("get_neighbors", id="case.md", direction="in")} == {"a.md"}


def test_a_link_that_breaks_because_its_note_goes_is_told_once(room):
    room.write("a.md", "[[Target]] [[target|again]] [[never was]]")
    goal = room.write("target.md", "x")
    assert room.warnings() == ["Broken link: [[never was]]"]
    goal.unlink()
    assert room.warnings() == ["Broken link: [[Target]]"] and room.warnings() == []
    goal.write_text("back")
    assert room.warnings() == []
    assert room.ask("delete_node", id="target.md") == ({"deleted": True}, ["Broken link: [[Target]]"])


def test_a_link_that_becomes_ambiguous_by_another_note_is_told(room):
    room.write("a.md", "[[x]]")
    room.write("one/x.md", "1")
    assert room.warnings() == []
    room.write("two/x.md", "2")
    assert room.warnings() == ["Ambiguous link: [[x]] is one/x.md, not two/x.md"]


def test_a_link_that_is_broken_only_while_somebody_renames_is_not_told(room):
    room.write("a.md", "[[old]] [[lost]]")
    old = room.write("old.md", "x")
    assert room.warnings() == ["Broken link: [[lost]]"]
    old.rename(room.root / "new.md")
    assert room.refused("update_node", id="nope.md", content="x")["code"] == "NODE_NOT_FOUND"
    room.write("a.md", "[[new]]")
    assert room.warnings() == []
