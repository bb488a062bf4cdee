"""New notes: where they go, what they are called, what stands in the file."""

from __future__ import annotations


def test_a_note_gets_the_titles_name_and_only_what_was_asked_for(desk):
    made = desk.call("create_node", title="Machine Learning", content="# ML\n\nText\n")
    assert (made["id"], made["title"], made["content"]) == ("machine-learning.md", "Machine Learning", "# ML\n\nText\n")
    assert (made["tags"], made["links"]) == ([], [])
    assert desk.files() == {"machine-learning.md": b"# ML\n\nText\n"}
    shown = desk.client.call("get_node", id="Machine-Learning.md").data["node"]
    assert shown["hash"] == made["hash"]


def test_a_title_that_the_name_cannot_give_back_and_tags_stand_in_the_front_matter(desk):
    arguments = {"title": "Meeting Notes 2024-01-15", "content": "# Notes", "tags": ["meeting", "project-x"]}
    made = desk.call("create_node", directory="meetings", **arguments)
    assert (made["id"], made["title"]) == ("meetings/meeting-notes-2024-01-15.md", "Meeting Notes 2024-01-15")
    text = "---\ntitle: Meeting Notes 2024-01-15\ntags:\n  - meeting\n  - project-x\n---\n# Notes"
    assert desk.read("meetings/meeting-notes-2024-01-15.md").decode() == text


USABLE = [
    ("日本語", "日本語.md"),
    ("!!!", "untitled.md"),
    ("🚀", "untitled.md"),
    ("Über Straßen", "über-straßen.md"),
    ("हिन्दी नोट", "हिन्दी-नोट.md"),
    ("C++ & Rust: a/b", "c-rust-ab.md"),
    ("  many   spaces  ", "many-spaces.md"),
    ("x" * 400, "x" * 240 + ".md"),
    ("日" * 400, "日" * 80 + ".md"),
    ("Yes: 'quoted' \"twice\" #no", "yes-quoted-twice-no.md"),
    ("2024-01-15", "2024-01-15.md"),
    ("null", "null.md"),
]


def test_every_title_makes_a_usable_file_and_is_read_back(desk):
    for title, name in USABLE:
        made = desk.call("create_node", title=title, content="text")
        assert (made["id"], made["title"], made["content"]) == (name, " ".join(title.split()), "text")
        assert desk.client.call("get_node", id=made["id"]).data["node"]["title"] == " ".join(title.split())
        (desk.root / made["id"]).unlink()


def test_a_note_that_is_there_is_not_written_over(desk):
    desk.write("Ideas/My Idea.md", "mine")
    desk.write("ideas.md", "mine")
    desk.call("create_node", title="My Idea", content="x", directory="ideas")  # another name: my-idea.md
    assert sorted(desk.files()) == ["Ideas/My Idea.md", "Ideas/my-idea.md", "ideas.md"]
    error = desk.refused("create_node", title="MY IDEA", content="x", directory="IDEAS")
    assert (error["code"], error["details"]["id"]) == ("NODE_EXISTS", "Ideas/my-idea.md")
    assert desk.refused("create_node", title="Ideas", content="x")["code"] == "NODE_EXISTS"


OUTSIDE = [
    "..",
    "a/../..",
    "/tmp",
    "\\\\host\\share",
    "C:\\x",
    "C:x",
    ".obsidian",
    "a/.git",
    ".trash",
    "node_modules",
    "a//b",
]
OUTSIDE += [
    "a./b",
    "a /b",
    "nul",
    "a/COM1.txt",
    "con.d",
    "a\u0000b",
    "a\nb",
    "a\u202eb",
    "a|b",
    "x" * 300,
    "./a",
    "a/.",
]


def test_a_directory_outside_or_of_no_use_is_refused(desk, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (desk.root / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    desk.write("note.md", "")
    for directory in (*OUTSIDE, "link", "note.md"):
        error = desk.refused("create_node", title="x", content="y", directory=directory)
        assert (error["code"], error["details"]["path"]) == ("INVALID_PARAMS", "/directory"), directory
    assert list((tmp_path / "elsewhere").iterdir()) == []


HOSTILE = ["../evil", "..\\evil", "/etc/passwd", "C:\\evil", "a\nb", "a\u0000", "CON", "lpt1", "  ", ""]


def test_a_title_that_is_a_path_a_device_or_nothing_is_refused(desk):
    codes = {title: desk.refused("create_node", title=title, content="y")["code"] for title in HOSTILE}
    assert codes == dict.fromkeys(HOSTILE, "INVALID_PARAMS")


def test_folders_are_found_in_any_case_and_made_where_they_are_missing(desk):
    desk.write("notes/a.md", "")
    folders = {"": "", ".": "", "notes/": "notes/", "Notes": "notes/", "notes\\drafts": "notes/drafts/"}
    for number, (directory, folder) in enumerate(folders.items()):
        made = desk.call("create_node", title=f"x{number}", content="y", directory=directory)
        assert made["id"] == f"{folder}x{number}.md"


def test_a_file_that_brings_its_own_front_matter_keeps_it(desk):
    desk.call("create_node", title="A: b", content="---\nkind:  rare # keep\n---\ntext", tags=["t"])
    assert desk.read("a-b.md") == b'---\nkind:  rare # keep\ntitle: "A: b"\ntags:\n  - t\n---\ntext'


def test_tags_come_once_and_what_came_twice_is_told(desk):
    made = desk.call("create_node", title="x", content="y", tags=["#Idea", "idea", "2024", "a, b"])
    assert made["tags"] == ["Idea", "2024", "a, b"]
    assert made["_warnings"] == ["Duplicate tag ignored: idea"]
    assert desk.refused("create_node", title="z", content="y", tags=[" # "])["code"] == "INVALID_PARAMS"


def test_what_the_schema_does_not_allow_is_reported_as_the_seed_names_it(desk):
    for arguments in ({"title": "x"}, {"title": 5, "content": "y"}, {"title": "x", "content": "y", "tgas": []}):
        assert desk.refused("create_node", **arguments)["code"] == "INVALID_PARAMS"


def test_to_try_leaves_no_trace(desk):
    tried = desk.call("create_node", title="X y", content="text [[X y]]", tags=["t"], directory="deep/er", dry_run=True)
    assert (tried["id"], tried["dry_run"]) == ("deep/er/x-y.md", True)
    assert "+++ deep/er/x-y.md" in tried["diff"] and "+text [[X y]]" in tried["diff"]
    assert list(desk.root.iterdir()) == []
