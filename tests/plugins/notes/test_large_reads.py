"""Answers of notes with many long links: what has no room is left out and told, and nothing fails for it."""

from __future__ import annotations

import pytest

from wekadocs_notes.index import Finder, kept

FOLDER = "資料集とその他の長いフォルダーの名前/その下にある更に長いフォルダーの名前"
NAMES = [f"とても長い題名を持つノートの第{number:03d}号とその詳しい説明と補足と索引" for number in range(110)]


@pytest.fixture
def index_notes(room):
    links = "\n".join(f"[[{name}]]" for name in NAMES)
    for name in NAMES:
        room.write(f"{FOLDER}/{name}.md", f"---\ntags: [index]\n---\nquince\n{links}")
    room.write("hub.md", links)
    room.call("vault_guide")
    return room


@pytest.mark.parametrize(
    ("tool", "arguments", "count"),
    [
        ("search", {"query": "quince", "limit": 50, "mode": "exact"}, 50),
        ("get_neighbors", {"id": "hub.md", "limit": 50}, 50),
        ("search_by_tags", {"tags": ["index"], "limit": 100}, 100),
    ],
)
def test_lists_keep_every_note_and_tell_how_many_links_each_has(index_notes, tool, arguments, count):
    rows, told = index_notes.ask(tool, **arguments)
    assert len(rows) == count and told == []
    assert all(0 < len(row["links"]) < 100 and row["linkCount"] == len(NAMES) for row in rows)


def test_a_hub_with_its_neighbours_keeps_all_of_them_and_its_own_links(index_notes):
    node = index_notes.node("hub.md", depth=1)
    assert len(node["links"]) == 100 and node["linkCount"] == node["outgoingCount"] == len(NAMES)
    assert len(node["outgoingNeighbors"]) == len(node["neighbors"]) == 20
    assert all(0 < len(each["links"]) < 100 for each in node["neighbors"])


def test_a_dense_graph_keeps_its_nodes_and_says_that_edges_are_left_out(index_notes):
    graph = index_notes.call("local_graph", id="hub.md", depth=2, limit=500)
    assert len(graph["nodes"]) == len(NAMES) + 1 and graph["edges"] and graph["partial"] is True
    assert graph["truncated"] is False


def test_a_page_leaves_room_for_the_warnings_beside_it(room):
    for number in range(1000):
        room.write(f"{FOLDER}/{NAMES[number % 110]}{number}.md", f"[[{'無' * 90}{number}]]")
    page, told = room.ask("list_nodes", limit=1000)
    assert len(told) == 51 and page["total"] == 2000
    assert page["partial"] is True and 0 < len(page["nodes"]) < 1000


def test_where_even_the_notes_have_no_room_a_warning_says_so(room):
    for number in range(20):
        room.write(f"{number}.md", " ".join(["#t", *(f"#{each:03d}{'x' * 60}" for each in range(400))]))
    rows, told = room.ask("search_by_tags", tags=["t"])
    assert 0 < len(rows) < 20 and "No room for all 20 notes found" in told[0]


def test_endless_comments_headings_and_lines_are_searched_in_no_time(room):
    room.write("a.md", "<!-- " * 60_000 + "quince <!-- hidden --> " + "%% " * 60_001)
    room.write("b.md", f"# Odd {'# ' * 60_000}x\n\nmedlar\n\n# {'word ' * 40_000}\n\n" + "a paragraph\n\n" * 20_000)
    assert room.call("search", query="medlar", limit=1)[0]["id"] == "b.md"
    assert {each["id"] for each in room.call("search", query="quince", mode="exact")} == {"a.md"}


def test_links_are_suggested_in_a_note_of_many_words_and_links_in_no_time(room):
    room.write("Medlar.md", "a fruit")
    room.write("a.md", "see [[elsewhere]] or (not [Medlar](x/Medlar.md)) " * 20_000 + "and Medlar")
    (mention,) = room.call("suggest_links", id="a.md", limit=5)["mentions"]
    assert mention["id"] == "Medlar.md" and mention["line"] == 1


def test_thousands_of_notes_with_one_name_are_told_apart_in_no_time(room):
    for number in range(800):
        room.write(f"f{number:04}/index.md", f"[[index]] [[f{(number + 1) % 800:04}/index]]")
    hubs, told = room.ask("get_hubs", limit=2)
    assert [(each["id"], each["score"]) for each in hubs] == [("f0000/index.md", 800), ("f0001/index.md", 1)]
    others = "f0001/index.md, f0002/index.md, f0003/index.md"
    assert told == [f"Ambiguous link: [[index]] is f0000/index.md, not {others}"]
    (room.root / "f0000/index.md").unlink()
    assert room.warnings() == [
        "Ambiguous link: [[index]] is f0001/index.md, not f0002/index.md, f0003/index.md, f0004/index.md",
        "Broken link: [[f0000/index]]",
    ]
    assert room.links("f0001/index.md") == ["f0001/index.md", "f0002/index.md"]


def test_a_note_of_endless_tags_title_and_links_hides_nothing(room):
    tags = " ".join(f"#tag-{number}-{'x' * 40}" for number in range(8_000))
    long = "title " * 10_000
    room.write("a.md", f"---\ntitle: {long}\n---\n{tags}")
    room.write("b.md", "".join(f"[[{number}{'x' * 60_000}]]\n" for number in range(20)) + "pomelo")
    node = room.node("a.md", depth=1)
    assert len(node["tags"]) == 500 and node["tagCount"] == 8_000 and len(node["title"]) == 500
    assert {each["id"] for each in room.call("search", query="pomelo tag", limit=5)} == {"a.md", "b.md"}
    tag = "tag-7-" + "x" * 40
    assert len(room.call("get_hubs", limit=50)) == 20 and len(room.call("search_by_tags", tags=[tag])) == 1
    (listed,) = room.call("list_nodes", properties=True, tag=tag)["nodes"]
    assert (listed["tagCount"], len(listed["tags"])) == (8_000, 500)


def test_long_notes_are_taken_in_a_few_at_a_time(room, monkeypatch):
    taken: list[int] = []

    def counted(self, ids, embedder, take=Finder._take):
        taken.append(len(ids))
        take(self, ids, embedder)

    monkeypatch.setattr(Finder, "_take", counted)
    monkeypatch.setattr(kept, "_ENOUGH", 100_000)
    for number in range(3):
        room.write(f"{number}.md", "a " * 30_000)
    room.write("9.md", "medlar")
    assert room.call("search", query="medlar", limit=1)[0]["id"] == "9.md" and taken == [2, 1, 1]
