"""The tools beyond the seed's."""

import pytest


@pytest.fixture
def garden(room):
    room.write("README.md", "How to read this garden.")
    said = "status: done\nrank: 5\ndate: 2024-03-01\nauthor: {name: Ada}\ntags: [plant, red]\n"
    text = "A rose. Needs [[Water#Clean|water]] daily. Compost Heap helps."
    room.write("plants/rose.md", f"---\n{said}---\n{text}")
    room.write("plants/fern.md", "---\nstatus: draft\nrank: 12\ntags: [plant]\n---\nA fern likes shade.")
    room.write("water.md", "Water is wet. See [[rose]] too.")
    room.write("compost-heap.md", "Rotting leaves.")
    room.write("journal/2024-01-05.md", "Rain. [[water]]")
    room.write("journal/2024-01-07.md", "Sun. [[missing]]")
    return room


def ids(room, **arguments):
    return [node["id"] for node in room.call("list_nodes", **arguments)["nodes"]]


def test_nodes_are_listed_by_folder_tag_title_and_links_a_page_at_a_time(garden):
    everything = garden.call("list_nodes")
    assert everything["total"] == 8 and everything["nodes"][-1]["title"] == "missing"
    assert ids(garden, path="Plants/") == ["plants/fern.md", "plants/rose.md"]
    assert ids(garden, tag="red") == ["plants/rose.md"]
    assert ids(garden, title="heap") == ["compost-heap.md"]
    assert [node["title"] for node in garden.call("list_nodes", ghosts="only")["nodes"]] == ["missing"]
    assert ids(garden, orphans="only") == ["README.md", "compost-heap.md", "plants/fern.md"]
    page = garden.call("list_nodes", limit=2, offset=1, ghosts="exclude")
    assert (len(page["nodes"]), page["total"], page["nodes"][0]["id"]) == (2, 7, "compost-heap.md")


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"property": "status", "value": "DONE"}, ["plants/rose.md"]),
        ({"property": "rank", "op": "gt", "value": 5}, ["plants/fern.md"]),
        ({"property": "rank", "op": "ge", "value": 5}, ["plants/fern.md", "plants/rose.md"]),
        ({"property": "rank", "op": "lt", "value": "6"}, ["plants/rose.md"]),
        ({"property": "rank", "value": "12"}, ["plants/fern.md"]),
        ({"property": "rank", "op": "contains", "value": 1}, ["plants/fern.md"]),
        ({"property": "date", "op": "lt", "value": "2024-04-01"}, ["plants/rose.md"]),
        ({"property": "author.name", "value": "ada"}, ["plants/rose.md"]),
        ({"property": "tags", "op": "contains", "value": "plan"}, ["plants/fern.md", "plants/rose.md"]),
        ({"property": "rank", "op": "missing"}, None),
        ({"property": "rank", "op": "exists"}, ["plants/fern.md", "plants/rose.md"]),
        ({"property": "status", "op": "ne", "value": "done"}, None),
    ],
)
def test_properties_of_the_front_matter_filter(garden, condition, found):
    listed = ids(garden, where=[condition])
    assert listed == found if found is not None else len(listed) in (5, 6)
    assert garden.refused("list_nodes", where=[{"property": "rank", "op": "lt"}])["code"] == "INVALID_PARAMS"


def test_properties_are_shown_where_they_are_asked_for(garden):
    node = garden.call("list_nodes", path="plants/rose", properties=True)["nodes"][0]
    assert node["properties"] == {"status": "done", "rank": 5, "date": "2024-03-01", "author": {"name": "Ada"}}


def test_tags_are_counted(garden):
    assert garden.call("list_tags") == {"tags": [{"tag": "plant", "count": 2}, {"tag": "red", "count": 1}], "total": 2}
    assert garden.call("list_tags", prefix="RE")["tags"] == [{"tag": "red", "count": 1}]


def test_names_are_resolved_exactly_by_spelling_and_by_meaning(garden):
    names = ["Compost Heap", "compst heap", "nothing like it"]
    fuzzy = garden.call("resolve_nodes", names=names)
    assert [each["match"] for each in fuzzy] == ["compost-heap.md", "compost-heap.md", None]
    assert fuzzy[0]["score"] == 1 and 0.7 <= fuzzy[1]["score"] < 1 and [each["query"] for each in fuzzy] == names
    exact = garden.call("resolve_nodes", names=names, strategy="exact")
    assert [each["match"] for each in exact] == ["compost-heap.md", None, None]
    near = garden.call("resolve_nodes", names=["decaying foliage leaves"], strategy="semantic", threshold=0.2)
    assert near[0]["match"] == "compost-heap.md"
    assert garden.call("resolve_nodes", names=["rose"], path="journal/")[0]["match"] is None


def test_the_graph_around_a_note_has_every_link_between_its_nodes(garden):
    graph = garden.call("local_graph", id="plants/rose.md", depth=2)
    assert {(node["id"], node["distance"]) for node in graph["nodes"]} == {
        *{("plants/rose.md", 0), ("water.md", 1), ("journal/2024-01-05.md", 2)}
    }
    assert {(edge["source"], edge["target"]) for edge in graph["edges"]} == {
        *{("plants/rose.md", "water.md"), ("water.md", "plants/rose.md"), ("journal/2024-01-05.md", "water.md")}
    }
    cut = garden.call("local_graph", id="plants/rose.md", depth=3, limit=2)
    assert cut["truncated"] and len(cut["nodes"]) == 2
    assert garden.call("local_graph", id="nope.md") == {"nodes": [], "edges": [], "truncated": False}
    assert garden.refused("local_graph", id="water.md", depth=4)["code"] == "INVALID_PARAMS"


def test_a_link_is_told_with_its_sentence_line_and_fragment(garden):
    told = garden.call("link_context", id="water.md")
    assert told["notes"] == 2 and len(garden.call("link_context", id="water.md", limit=1)["results"]) == 1
    rose = next(each for each in told["results"] if each["source"] == "plants/rose.md")
    assert (rose["context"], rose["fragment"], rose["line"]) == ("Needs [[Water#Clean|water]] daily.", "Clean", 8)
    out = garden.call("link_context", id="water.md", direction="out")["results"]
    assert [(each["target"], each["context"]) for each in out] == [("plants/rose.md", "See [[rose]] too.")]


def test_links_are_suggested_where_a_note_is_named_or_near(garden):
    told = garden.call("suggest_links", id="plants/rose.md")
    assert [(each["id"], each["text"]) for each in told["mentions"]] == [("compost-heap.md", "Compost Heap")]
    near = [each["id"] for each in told["similar"]]
    assert near and "water.md" not in near and "plants/rose.md" not in near
    assert garden.call("suggest_links", id="nope.md") == {"mentions": [], "similar": []}


def test_of_several_notes_with_one_name_the_one_is_suggested_that_a_link_leads_to(room):
    room.write("people/ada.md", "---\naliases: [Looms]\n---\n")
    room.write("things/looms.md", "Of wood.")
    room.write("a.md", "She bought looms.")
    assert [each["id"] for each in room.call("suggest_links", id="a.md")["mentions"]] == ["things/looms.md"]
    room.write("a.md", "She bought looms. [[looms]]")
    assert room.call("suggest_links", id="a.md")["mentions"] == []


def test_notes_of_days_are_found_by_name_or_front_matter(garden):
    days = garden.call("daily_notes")["results"]
    assert [each["date"] for each in days] == ["2024-03-01", "2024-01-07", "2024-01-05"]
    some = garden.call("daily_notes", start="2024-01-06", end="2024-01-31")
    assert [each["id"] for each in some["results"]] == ["journal/2024-01-07.md"]
    assert garden.refused("daily_notes", start="yesterday")["code"] == "INVALID_PARAMS"


def test_a_folder_a_month_makes_a_note_called_by_its_day_one_of_a_day(room):
    room.write("journal/2024/02/29.md", "x")
    room.write("journal/2024/02/30.md", "x")
    assert [each["date"] for each in room.call("daily_notes")["results"]] == ["2024-02-29"]


def test_the_guide_is_the_vaults_own_readme_with_what_is_in_it(garden):
    guide = garden.call("vault_guide")
    assert guide["guides"] == [{"id": "README.md", "content": "How to read this garden."}]
    assert guide["counts"] == {"notes": 7, "links": 4, "ghosts": 1, "tags": 2}
    garden.write("water.md", "Wet. #PLANT #Plant")
    assert garden.call("vault_guide")["tags"] == [{"tag": "plant", "count": 3}, {"tag": "red", "count": 1}]
    assert guide["folders"][0] == {"folder": "journal/", "notes": 2} and guide["vault"] == garden.root.name


def test_a_link_is_in_its_context_however_long_the_line_is(room):
    room.write("a.md", f"{'before ' * 300}the [[target]] here {'behind ' * 300}\n{'長' * 900}[[target]]{'短' * 900}")
    room.write("b.md", f"{'before ' * 55}[[target]] and no end")
    told = room.call("link_context", id=room.links("b.md")[0], direction="in")["results"]
    assert len(told) == 3 and all("[[target]]" in each["context"] and len(each["context"]) <= 400 for each in told)
    assert told[0]["context"].startswith("before ") and told[0]["context"].endswith(" behind")
    assert told[2]["context"].endswith("[[target]] and no end")


def test_a_property_whose_name_has_dots_filters_too(room):
    room.write("a.md", "---\ndg.publish: true\ndg: {publish: false, on.top: {X: 1}}\n---\n")
    for name, value in {"DG.publish": True, "dg.on.top.x": 1}.items():
        asked = [{"property": name, "op": "eq", "value": value}]
        assert room.call("list_nodes", where=asked)["total"] == 1
    assert room.call("list_nodes", where=[{"property": "dg.", "op": "exists"}])["total"] == 0
