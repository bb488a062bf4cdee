"""What a note is: id, title, content, tags, links, hash, and how much of it is shown."""

import os
from pathlib import Path

import pytest


def test_a_note_is_its_path_title_text_tags_and_links(room):
    room.write("notes/graphcore.md", "---\ntitle: GraphCore\ntags: [architecture, core]\n---\nThe hub of [[Node]].\n")
    room.write("notes/node.md", "Data.")
    node = room.node("notes/graphcore.md")
    hash = node.pop("hash")
    assert node == {
        "id": "notes/graphcore.md",
        "title": "GraphCore",
        "content": "The hub of [[Node]].\n",
        "tags": ["architecture", "core"],
        "links": [{"id": "notes/node.md", "title": "Node"}],
    }
    room.write("notes/graphcore.md", "changed")
    assert room.node("NOTES/GraphCore.md")["hash"] != hash


@pytest.mark.parametrize(
    "id", ["nope.md", "../x.md", "/etc/passwd", "notes/", "a\x00b.md", ".obsidian/app.md", "t.txt"]
)
def test_what_is_no_note_is_null_and_no_error(room, id):
    room.write(".obsidian/app.md", "x")
    room.write("t.txt", "x")
    (room.root.parent / "x.md").write_text("outside")
    assert room.node(id) is None


@pytest.mark.parametrize(
    ("file", "text", "title"),
    [
        ("my-first_note.md", "# Heading\n", "My First Note"),
        ("日本語.md", "", "日本語"),
        ("GraphCore.md", "", "GraphCore"),
        ("node.js.md", "", "Node.js"),
        ("a.md", "---\ntitle:  Two  Words \n---\n", "Two Words"),
        ("a.md", "---\ntitle: 2024\n---\n", "2024"),
        ("a.md", "---\ntitle: [no]\n---\n", "A"),
        ("a.md", "---\r\ntitle: Windows\r\n---\r\nx", "Windows"),
        ("a.md", "\ufeff---\ntitle: Mark\n---\nx", "Mark"),
    ],
)
def test_a_title_is_the_front_matters_else_the_files_name(room, file, text, title):
    room.write(file, text)
    assert room.node(file)["title"] == title


def test_tags_of_lists_texts_and_the_text_itself_count_once_as_first_spelled(room):
    room.write(
        "a.md", "---\ntags: [Tutorial, tutorial, '#x', 5, null]\n---\n#inline and #In-Line/Deep, `#no` #7 a#b ##c\n"
    )
    room.write(
        "b.md",
        "---\ntags: one, two three\ntag: four\n---\n```\n#no\n```\n(#yes) # heading\n#日本\n[[x #no|and #no]] #after\n",
    )
    assert room.node("a.md")["tags"] == ["Tutorial", "x", "inline", "In-Line/Deep"]
    assert room.node("b.md")["tags"] == ["one", "two", "three", "four", "yes", "日本", "after"]


def test_content_is_all_below_the_front_matter(room):
    room.write("a.md", "---\nk: v\n---\n\n# T\n")
    room.write("b.md", "---\nno end\n")
    room.write("c.md", "text\n---\nk: v\n---\n")
    assert [room.node(f"{name}.md")["content"] for name in "abc"] == [
        "\n# T\n",
        "---\nno end\n",
        "text\n---\nk: v\n---\n",
    ]


def test_text_between_two_rules_is_no_front_matter(room):
    text = "---\n\nAn introduction, between rules.\n- one\n\n---\nbelow\n"
    room.write("a.md", text)
    room.write("b.md", "---\n# only a comment\n\n---\nbelow\n")
    room.write("c.md", "---\ntags:wrong\n---\nbelow\n")
    assert room.node("a.md")["content"] == text
    assert room.node("b.md")["content"] == room.node("c.md")["content"] == "below\n"
    assert not any("a.md" in each for each in room.warnings())


def test_contents_are_cut_to_the_seeds_lengths_with_the_suffix_inside(room):
    room.write("long.md", "é👨‍👩‍👧" * 9000)
    room.write("hub.md", "[[long]]" + "y" * 9992)
    suffix = "... [truncated]"
    whole = room.node("long.md")["content"]
    assert len(whole) <= 10_000 and whole.endswith(suffix) and whole[: -len(suffix)].endswith(("é", "👧"))
    assert len(room.node("hub.md")["content"]) == 10_000 and not room.node("hub.md")["content"].endswith(suffix)
    listed = room.call("get_neighbors", id="hub.md")[0]["content"]
    assert len(listed) <= 500 and listed.endswith(suffix)
    assert len(room.call("search_by_tags", tags=["x"])) == 0
    near = room.node("hub.md", depth=1)["neighbors"][0]["content"]
    assert len(near) <= 200 and near.endswith(suffix)


def test_links_are_at_most_a_hundred_each_once(room):
    room.write("a.md", " ".join(f"[[n{number}]] [[N{number}]]" for number in range(150)))
    assert len(room.node("a.md")["links"]) == 100


def test_a_canvas_is_a_note_with_its_cards_and_files(room):
    room.write("a.md", "x")
    cards = '[{"id":"1","type":"file","file":"a.md"},{"id":"2","type":"text","text":"Hi [[b]]"}]'
    room.write("plan.canvas", f'{{"nodes":{cards},"edges":[{{"fromNode":"1","toNode":"2","label":"so"}}]}}')
    node = room.node("plan.canvas")
    assert node["title"] == "Plan" and "Hi [[b]]" in node["content"] and "(so)" in node["content"]
    assert [link["title"] for link in node["links"]] == ["A", "b"]


def test_hostile_front_matter_is_told_and_the_text_below_it_read(room):
    room.write("deep.md", "---\na: " + "[" * 5000 + "\n---\nbelow")
    room.write("bomb.md", "---\na: &a [x, x]\nb: [*a, *a]\n---\nbelow")
    room.write("bad.md", "---\ntitle: 'open\n---\nbelow")
    room.write("list.md", "---\n- a\n---\nbelow")
    assert {room.node(f"{name}.md")["content"] for name in ("deep", "bomb", "bad", "list")} == {"below"}


def test_warnings_come_once_with_whatever_answer_is_next(room):
    room.write("a.md", "---\ntags: [tutorial, tutorial]\n---\n[[missing-note]] [[twin]]")
    room.write("b.md", "---\nx: 'open\n---\n")
    room.write("c.md", b"\xff\xfebroken\x00\xd8")
    room.write("d/twin.md")
    room.write("e/twin.md")
    told = room.warnings()
    assert "Broken link: [[missing-note]]" in told
    assert "Duplicate tag ignored: tutorial" in told
    assert any(each.startswith("Ambiguous link: [[twin]] is d/twin.md") for each in told)
    assert any(each.startswith("Bad front matter: b.md") for each in told)
    assert any(each.startswith("Unreadable file: c.md") for each in told)
    assert room.warnings() == []


def test_warnings_are_a_key_of_an_object_a_second_text_beside_a_list_and_in_the_meta(room):
    room.write("a.md", "[[x1]]")
    _, told = room.ask("get_node", id="a.md")
    assert told == ["Broken link: [[x1]]"]
    room.write("a.md", "[[x2]]")
    reply = room.client.call("get_neighbors", id="a.md", vault=room.root.name)
    assert reply.content[1]["text"] == '{"_warnings":["Broken link: [[x2]]"]}'
    room.write("a.md", "[[x3]]")
    assert room.client.call("get_node", id="zz.md", vault=room.root.name).content[0]["text"] == "null"


def named_by_bytes(room, name):
    path = Path(os.fsdecode(os.fsencode(room.root) + b"/" + name))
    try:
        path.write_bytes(b"word")
    except OSError:
        pytest.skip("this drive takes no names that are no UTF-8")
    return path


def test_a_file_whose_name_is_no_text_is_told_once_and_hides_nothing_else(room):
    named_by_bytes(room, b"caf\xe9.md")
    named_by_bytes(room, b"pict\xfcre.png")
    room.write("a.md", "[[b]] word")
    said, told = room.ask("list_nodes", ghosts="exclude")
    assert [node["id"] for node in said["nodes"]] == ["a.md"]
    assert "Unreadable file: caf\\xe9.md: its name is no UTF-8 text" in told
    room.write("b.md", "more")
    assert room.warnings() == [] and room.call("search", query="word")[0]["id"] == "a.md"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.canvas", '{"nodes": 5, "edges": [{"fromNode": 1}]}'),
        ("a.canvas", '{"nodes": [{"id": "1"}], "edges": true}'),
        ("a.canvas", '{"nodes": [{"type": "text", "text": "half \\ud83d [[b\\ud800]] #t\\udfff"}]}'),
        ("a.canvas", '{"nodes": [{"type": "file", "file": "\\udc00.md"}]}'),
        ("a.md", f"---\nx: 0x{'f' * 5000}\n---\n"),
        ("a.md", f"---\nx: {':'.join(['59'] * 3000)}\n---\n"),
    ],
)
def test_an_odd_file_is_a_note_like_others_and_hides_none(room, file, text):
    room.write(file, text)
    room.write("z.md", "word [[a]]")
    assert [node["id"] for node in room.call("list_nodes", ghosts="exclude", properties=True)["nodes"]] == [
        file,
        "z.md",
    ]
    assert room.node(file, depth=1)["incomingCount"] == 1
    assert room.call("search", query="word")[0]["id"] == "z.md"


def test_front_matter_is_what_editors_of_notes_read(room):
    words = "time: 12:30:00\nlasts: 1:30\nnumber: 007\nday: 2024-02-30\nsign: =\nmark: 1_000\nis: yes\n"
    room.write("a.md", f"---\ntitle: On\ntags: [no, off]\nalias: Yes\n{words}rank: 10\nshare: -1.5\ndone: true\n---\n")
    node, told = room.ask("get_node", id="a.md")
    assert (node["title"], node["tags"], told) == ("On", ["no", "off"], [])
    (shown,) = room.call("list_nodes", properties=True)["nodes"]
    texts = {"time": "12:30:00", "lasts": "1:30", "number": "007", "day": "2024-02-30", "sign": "=", "mark": "1_000"}
    assert shown["properties"] == {**texts, "is": "yes", "rank": 10, "share": -1.5, "done": True}
    assert room.call("resolve_nodes", names=["yes"], strategy="exact")[0]["match"] == "a.md"


def test_links_to_headings_of_a_page_are_no_tags(room):
    room.write("a.md", "[First](#first) [Second](#second-part) (#tag) [x](other.md#part)\n\n[1]: #third\nsee: #other")
    assert room.node("a.md")["tags"] == ["tag", "other"]
