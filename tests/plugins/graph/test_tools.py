"""graph.*, asked on the embedded graph and on a real Neo4j: one answer."""

from __future__ import annotations

import re
from typing import Any

import pytest

FIELDS = {"id", "label", "title", "level", "tokens", "doc_tag", "anchor"}


def node_of(both: Any, name: str) -> str:
    """An entity's or section's id by name, from what the sample's mounting page leads to."""
    (served, _) = both.served

    async def look() -> str:
        corpus = (await served.app.lifespans.state(served.app.plugins["graph"])).corpus
        from wekadocs_corpus.graph.finding import find

        return (await find(corpus, corpus.home, name))[0].id

    return str(served.run(look))


def test_a_section_id_of_search_is_a_node(both: Any, found: list[str]) -> None:
    got = both.ask("graph.describe", {"node_ids": found})
    assert [row["id"] for row in got["results"]] == found
    assert {row["label"] for row in got["results"]} == {"Chunk"}
    assert got["results"][0] == {
        "id": found[0],
        "label": "Chunk",
        "title": "Mount a filesystem",
        "tokens": got["results"][0]["tokens"],
        "doc_tag": "filesystems",
    }
    assert (got["partial"], got["limit_reason"], got["not_found"]) == (False, "none", [])


def test_what_is_unknown_is_named_and_no_error(both: Any, found: list[str]) -> None:
    asked = ["nobody", found[0], "nobody", "x" * 128]
    assert both.ask("graph.describe", {"node_ids": asked})["not_found"] == ["nobody", "x" * 128]
    assert both.ask("graph.expand", {"node_ids": asked})["not_found"] == ["nobody", "x" * 128]
    assert both.ask("graph.parents", {"section_ids": asked})["not_found"] == ["nobody", "x" * 128]
    assert both.ask("graph.children", {"parent_id": "nobody"})["not_found"] == ["nobody"]
    assert both.ask("graph.paths", {"a_ids": [found[0]], "b_ids": ["nobody"]})["not_found"] == ["nobody"]
    assert both.ask("graph.entities_for_sections", {"section_ids": ["nobody"]})["results"] == []
    assert both.ask("graph.sections_for_entities", {"entity_ids": ["nobody"]})["not_found"] == ["nobody"]


def test_only_the_fields_asked_for_come(both: Any, found: list[str]) -> None:
    for fields in ([], ["id"], ["title", "level"], sorted(FIELDS)):
        (row,) = both.ask("graph.describe", {"node_ids": found[:1], "fields": fields})["results"]
        assert set(row) == {"id", *fields}


def test_expand_gives_projections_and_the_edges_that_lead_to_them(both: Any, found: list[str]) -> None:
    got = both.ask("graph.expand", {"node_ids": found[:1], "page_size": 100})
    assert {frozenset(row) for row in got["nodes"]} == {frozenset(FIELDS)}
    assert {"Section", "Chunk", "Command", "File", "Concept"} <= {row["label"] for row in got["nodes"]}
    ends = {found[0], *(row["id"] for row in got["nodes"])}
    assert got["edges"]
    assert all({edge["src"], edge["dst"]} <= ends and found[0] in edge.values() for edge in got["edges"])
    assert found[0] not in [row["id"] for row in got["nodes"]]


@pytest.mark.parametrize("direction", ["out", "in"])
@pytest.mark.parametrize("rel_types", [["MENTIONS", "DEFINES"], ["REFERENCES"], ["NEXT", "NEXT_CHUNK"], ["HAS_CHUNK"]])
def test_expand_follows_what_it_is_told_to(both: Any, found: list[str], direction: str, rel_types: list[str]) -> None:
    arguments = {"node_ids": found[:3], "rel_types": rel_types, "direction": direction, "max_hops": 2}
    got = both.ask("graph.expand", arguments)
    assert {edge["type"] for edge in got["edges"]} <= set(rel_types)


@pytest.mark.parametrize(("tool", "rows"), [("graph.expand", "nodes"), ("graph.children", "children")])
def test_pages_lose_nothing_and_repeat_nothing(both: Any, found: list[str], tool: str, rows: str) -> None:
    document = both.ask("graph.expand", {"node_ids": found[:1], "max_hops": 2, "rel_types": ["HAS_CHUNK", "PARENT_OF"]})
    parent = document["nodes"][0]["id"]
    asked: dict[str, Any] = {"node_ids": found[:1], "max_hops": 3} if rows == "nodes" else {"parent_id": parent}
    whole = both.ask(tool, {**asked, "page_size": 100})
    pages = [both.ask(tool, {**asked, "page_size": 4})]
    while pages[-1]["next_cursor"]:
        assert (pages[-1]["partial"], pages[-1]["limit_reason"]) == (True, "page_size")
        pages.append(both.ask(tool, {**asked, "page_size": 4, "cursor": pages[-1]["next_cursor"]}))
        if sum(len(page[rows]) for page in pages) >= len(whole[rows]):
            break
    together = [row for page in pages for row in page[rows]]
    assert together[: len(whole[rows])] == whole[rows]
    assert len(pages) > 1
    if rows == "nodes":
        edges = [tuple(edge.values()) for page in pages for edge in page["edges"]]
        assert len(edges) == len(set(edges))


def test_the_same_call_gets_the_same_answer_cursor_included(embedded: Any, found: list[str]) -> None:
    calls = [
        ("graph.expand", {"node_ids": found, "max_hops": 2}),
        ("graph.paths", {"a_ids": found[:1], "b_ids": found[1:], "max_hops": 4}),
        ("graph.entities_for_sections", {"section_ids": found}),
    ]
    for tool, arguments in calls:
        assert embedded.ask(tool, arguments) == embedded.ask(tool, arguments)
    assert embedded.ask(*calls[0])["next_cursor"]


def test_paths_connect_what_search_found(both: Any, found: list[str]) -> None:
    asked = {"a_ids": found[:1], "b_ids": found[1:], "max_hops": 3}
    got = both.ask("graph.paths", asked)
    assert got["paths"]
    for path in got["paths"]:
        assert set(path) == {"nodes", "types", "length"}
        assert path["nodes"][0] == found[0]
        assert path["nodes"][-1] in found[1:]
        assert path["length"] == len(path["types"]) == len(path["nodes"]) - 1 <= 3
    assert [path["length"] for path in got["paths"]] == sorted(path["length"] for path in got["paths"])
    shown = {row["id"] for row in got["nodes"]}
    assert shown == {each for path in got["paths"] for each in path["nodes"]}
    few = both.ask("graph.paths", {**asked, "max_paths": 1})
    assert few["paths"] == got["paths"][:1]


def test_parents_lead_up_to_the_document_and_end_there(both: Any, found: list[str]) -> None:
    ids, labels = found[:1], []
    for _ in range(5):
        (row,) = both.ask("graph.parents", {"section_ids": ids})["results"]
        assert set(row) == {"section_id", "parent_id", "parent_title", "parent_label"}
        if row["parent_id"] is None:
            break
        ids = [row["parent_id"]]
        labels.append(row["parent_label"])
    assert labels == ["Section", "Document"]


def test_children_come_in_the_order_of_the_document(both: Any) -> None:
    document = node_of(both, "filesystems/mount.md")
    sections = both.ask("graph.children", {"parent_id": document})["children"]
    parts = both.ask("graph.children", {"parent_id": sections[-1]["id"], "include_snippet": True})["children"]
    titles = [row["title"] for row in parts if row["label"] == "Section"]
    assert titles == ["Before you start", "Options", "Cache modes", "Mount at boot", "See also"]
    assert all(0 < len(row["snippet"]) <= 200 for row in parts)


def test_entities_are_counted_and_lead_back_to_their_sections(both: Any, found: list[str]) -> None:
    got = both.ask("graph.entities_for_sections", {"section_ids": found[:1]})
    entities = got["results"][0]["entities"]
    assert ("File", "/mnt/projects", 2) in [(row["label"], row["name"], row["count"]) for row in entities]
    only = both.ask("graph.entities_for_sections", {"section_ids": found[:1], "labels": ["File"]})
    assert {row["label"] for row in only["results"][0]["entities"]} == {"File"}
    one = both.ask("graph.entities_for_sections", {"section_ids": found[:1], "max_per_section": 1})
    assert one["results"][0]["entities"] == entities[:1]
    assert (one["partial"], one["limit_reason"]) == (True, "node_cap")
    back = both.ask("graph.sections_for_entities", {"entity_ids": [row["id"] for row in entities]})
    assert [row["entity_id"] for row in back["results"]] == [row["id"] for row in entities]
    assert all("Mount a filesystem" in [each["title"] for each in row["sections"]] for row in back["results"])


def test_a_snippet_shows_the_entity_where_it_is_named(both: Any) -> None:
    variable = node_of(both, "STRATA_TOKEN")
    got = both.ask("graph.sections_for_entities", {"entity_ids": [variable], "include_snippet": True})
    named = [row for row in got["results"][0]["sections"] if row["type"] == "MENTIONS"]
    assert named
    assert all("STRATA_TOKEN" in row["snippet"] and len(row["snippet"]) <= 200 for row in named)


def test_no_text_comes_unless_a_snippet_is_asked_for(both: Any, found: list[str]) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("graph.describe", {"node_ids": found}),
        ("graph.expand", {"node_ids": found, "max_hops": 2}),
        ("graph.children", {"parent_id": node_of(both, "filesystems/mount.md")}),
    ]
    for tool, arguments in calls:
        plain, told = (both.ask(tool, {**arguments, "include_snippet": asked}) for asked in (False, True))
        assert "snippet" not in repr(plain)
        rows = next(value for value in told.values() if isinstance(value, list))
        places = [row for row in rows if row["label"] in ("Document", "Section", "Chunk")]
        assert places
        assert all(row["snippet"] and len(row["snippet"]) <= 200 for row in places)


def test_the_text_is_one_line_a_node_with_its_id(embedded: Any, found: list[str]) -> None:
    outcome = embedded.outcome("graph.expand", {"node_ids": found[:1]})
    lines = outcome.content[0]["text"].splitlines()
    assert [re.search(r"\[(\w+)\]$", line)[1] for line in lines] == [  # type: ignore[index]
        row["id"] for row in outcome.data["nodes"]
    ]


def test_models_own_names_of_arguments_are_understood(both: Any, found: list[str]) -> None:
    meant = both.ask("graph.expand", {"node_ids": found[:1], "max_hops": 2, "page_size": 3})
    assert both.ask("graph.expand", {"ids": found[:1], "depth": 2, "limit": 3}) == meant
