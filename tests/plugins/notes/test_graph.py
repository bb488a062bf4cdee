"""Neighbours, ways and hubs."""

import pytest


def test_depth_one_adds_neighbours_out_first_each_with_its_direction(room):
    room.write("a.md", "[[b]] [[c]] [[ghost]]")
    room.write("b.md", "[[a]]")
    room.write("c.md", "")
    room.write("d.md", "[[a]]")
    node = room.node("a.md", depth=1)
    assert (node["incomingCount"], node["outgoingCount"]) == (2, 3)
    assert [(each["title"], each["direction"]) for each in node["neighbors"]] == [
        *(("B", "both"), ("C", "out"), ("ghost", "out"), ("D", "in"))
    ]
    assert [each["title"] for each in node["incomingNeighbors"]] == ["B", "D"]
    assert [each["title"] for each in node["outgoingNeighbors"]] == ["B", "C", "ghost"]
    assert "neighbors" not in room.node("a.md")


def test_depth_one_shows_twenty_in_all_and_twenty_of_each(room):
    room.write("hub.md", " ".join(f"[[o{number}]]" for number in range(25)))
    for number in range(30):
        room.write(f"i{number:02}.md", "[[hub]]")
    node = room.node("hub.md", depth=1)
    assert (node["incomingCount"], node["outgoingCount"]) == (30, 25)
    assert [len(node[each]) for each in ("neighbors", "incomingNeighbors", "outgoingNeighbors")] == [20, 20, 20]
    assert {each["direction"] for each in node["neighbors"]} == {"out"}


def test_neighbours_of_each_direction_once_up_to_the_limit(room):
    room.write("a.md", "[[b]] [[c]] [[a]]")
    room.write("b.md", "[[a]]")
    room.write("c.md", "")
    room.write("d.md", "[[a]]")

    def ids(**arguments):
        return [node["id"] for node in room.call("get_neighbors", id="A.md", **arguments)]

    assert ids() == ["b.md", "c.md", "a.md", "d.md"]
    assert ids(direction="out") == ["b.md", "c.md", "a.md"]
    assert ids(direction="in") == ["a.md", "b.md", "d.md"]
    assert ids(limit=2) == ["b.md", "c.md"]
    assert room.call("get_neighbors", id="nope.md") == []
    assert set(room.call("get_neighbors", id="a.md")[0]) == {"id", "title", "content", "tags", "links"}


def test_the_shortest_way_goes_along_the_links_however_long(room):
    for number in range(30):
        room.write(f"n{number:02}.md", f"[[n{number + 1:02}]]")
    room.write("short.md", "[[n29]]")
    room.write("n10.md", "[[n11]] [[short]]")
    path = room.call("find_path", source="n00.md", target="N29.md")
    assert path["path"] == [*(f"n{number:02}.md" for number in range(11)), "short.md", "n29.md"]
    assert path["length"] == len(path["path"]) - 1
    assert room.call("find_path", source="n29.md", target="n00.md") is None
    assert room.call("find_path", source="n05.md", target="n05.md") == {"path": ["n05.md"], "length": 0}
    assert room.call("find_path", source="n05.md", target="nope.md") is None


def test_hubs_are_by_count_then_id_and_whole_numbers(room):
    room.write("a.md", "[[x]] [[y]]")
    room.write("b.md", "[[x]] [[z]]")
    room.write("c.md", "[[x]] [[y]] [[z]]")
    for name in "xyz":
        room.write(f"{name}.md", "")
    assert room.call("get_hubs", limit=3) == [
        {"id": "x.md", "title": "X", "score": 3},
        {"id": "y.md", "title": "Y", "score": 2},
        {"id": "z.md", "title": "Z", "score": 2},
    ]
    assert [each["id"] for each in room.call("get_hubs", metric="out_degree", limit=2)] == ["c.md", "a.md"]
    ranks = room.call("get_hubs", metric="pagerank", limit=50)
    assert ranks[0]["id"] == "x.md" and abs(sum(each["score"] for each in ranks) - 1) < 1e-6


def test_tags_match_any_or_all_in_any_case_and_below_them(room):
    room.write("a.md", "---\ntags: [ML, tutorial]\n---\n")
    room.write("b.md", "#ml/deep")
    room.write("c.md", "#mlops")

    def ids(**arguments):
        return [node["id"] for node in room.call("search_by_tags", **arguments)]

    assert ids(tags=["ml"]) == ["a.md", "b.md"]
    assert ids(tags=["#ml", "Tutorial"], mode="all") == ["a.md"]
    assert ids(tags=["ml", "mlops"], limit=2) == ["a.md", "b.md"]
    assert ids(tags=["none"]) == []


def test_a_random_note_is_no_ghost_and_may_be_an_orphan(room):
    assert room.call("random_node") is None
    room.write("a.md", "#idea [[ghost]]")
    room.write("b.md", "alone")
    assert {room.call("random_node")["id"] for _ in range(40)} == {"a.md", "b.md"}
    assert room.call("random_node", tags=["IDEA"])["id"] == "a.md"
    assert room.call("random_node", tags=["other"]) is None


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "x", "limit": 51}),
        ("search", {"query": "x", "limit": 0}),
        ("search", {"query": " "}),
        ("search", {}),
        ("get_node", {"id": "a.md", "depth": 2}),
        ("get_node", {}),
        ("get_neighbors", {"id": "a.md", "limit": 51}),
        ("get_neighbors", {"id": "a.md", "direction": "up"}),
        ("find_path", {"source": "a.md"}),
        ("get_hubs", {"metric": "beauty"}),
        ("get_hubs", {"limit": 51}),
        ("search_by_tags", {"tags": []}),
        ("search_by_tags", {"tags": ["a"], "limit": 101}),
        ("search_by_tags", {"tags": "a"}),
        ("random_node", {"extra": 1}),
        ("get_node", {"id": "a.md", "vault": "nope"}),
    ],
)
def test_wrong_arguments_are_invalid_params(server, tool, arguments):
    reply = server[0].call(tool, **arguments)
    assert reply.error["code"] == "INVALID_PARAMS" and reply.error["message"]


def test_a_note_names_a_hundred_links_and_how_many_there_are(room):
    room.write("hub.md", " ".join(f"[[n{number}]]" for number in range(120)))
    room.write("a.md", "[[hub]]")
    for shown in (
        room.node("hub.md"),
        room.node("a.md", depth=1)["outgoingNeighbors"][0],
        room.call("get_neighbors", id="a.md")[0],
    ):
        assert (len(shown["links"]), shown["linkCount"]) == (100, 120)
    assert "linkCount" not in room.node("a.md")
