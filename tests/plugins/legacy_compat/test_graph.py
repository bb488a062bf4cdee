"""The old graph tools: deltas of a session, relationship types, limits, and a graph that is off."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wekadocs_corpus.tokens import count

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"


def test_a_session_is_not_sent_the_same_twice(old: Any) -> None:
    section = old.mount()
    first = old.ask("expand_neighbors", node_ids=[section], session_id="delta")
    assert first["nodes"]
    assert first["dedupe_applied"] is True
    again = old.ask("expand_neighbors", node_ids=[section], session_id="delta")
    assert (again["nodes"], again["edges"]) == ([], [])
    assert again["meta"]["usage"]["duplicates_suppressed"] == len(first["nodes"]) + len(first["edges"])
    other = old.ask("expand_neighbors", node_ids=[section], session_id="other")
    assert other["nodes"] == first["nodes"]


def test_another_principal_with_the_same_session_id_has_a_memory_of_its_own(old: Any) -> None:
    section = old.mount()
    arguments = {"node_ids": [section], "session_id": "shared"}
    for principal in ("ada", "bob"):
        assert old.as_caller("expand_neighbors", arguments, principal=principal).data["nodes"]


def test_without_a_session_id_the_connection_is_the_session(connect: Any) -> None:
    for era, repeats in (("legacy", False), ("modern", True)):
        one = connect(era=era)
        section = one.mount()
        one.ask("expand_neighbors", node_ids=[section])
        assert bool(one.ask("expand_neighbors", node_ids=[section])["nodes"]) is repeats


def test_pages_of_neighbours_go_on_by_offset(old: Any) -> None:
    section = old.mount()
    whole = old.ask("expand_neighbors", node_ids=[section], max_hops=2, page_size=100, session_id="whole")
    pages, cursor = [], None
    while True:
        page = old.ask(
            "expand_neighbors", node_ids=[section], max_hops=2, page_size=5, session_id="pages", cursor=cursor
        )
        pages += page["nodes"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert pages == whole["nodes"]
    assert len(pages) > 5


def test_no_nodes_in_no_nodes_out(old: Any) -> None:
    empty = old.ask("expand_neighbors", node_ids=[])
    assert (empty["nodes"], empty["edges"]) == ([], [])
    assert "dedupe_applied" not in empty


def test_any_other_direction_means_both(old: Any) -> None:
    section = old.mount()
    both, odd, out = (
        old.ask("expand_neighbors", node_ids=[section], direction=each, session_id=each)
        for each in ("both", "sideways", "out")
    )
    assert odd["nodes"] == both["nodes"]
    assert len(out["nodes"]) < len(both["nodes"])


def test_old_relationship_types_are_understood_or_told(old: Any) -> None:
    section = old.mount()
    parent = old.ask("list_parents", section_ids=[section])["results"][0]["parent_id"]
    found = old.ask("expand_neighbors", node_ids=[parent], rel_types=["HAS_CHUNK", "RELATED_TO"], session_id="types")
    assert {edge["type"] for edge in found["edges"]} == {"HAS_CHUNK", "HAS_SECTION"}
    assert found["unsupported_rel_types"] == ["RELATED_TO"]
    none = old.ask("expand_neighbors", node_ids=[parent], rel_types=["RELATED_TO"], session_id="none")
    assert (none["nodes"], none["unsupported_rel_types"]) == ([], ["RELATED_TO"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("expand_neighbors", {"node_ids": ["x"], "rel_types": ["LIKES"]}),
        ("get_paths_between", {"a_ids": ["x"], "b_ids": ["y"], "rel_types": ["LIKES"]}),
        ("traverse_relationships", {"start_ids": ["x"], "rel_types": ["NEXT"]}),
    ],
)
def test_a_type_that_never_was_is_refused_with_those_there_are(old: Any, tool: str, arguments: Any) -> None:
    told = old.refused(tool, **arguments)
    assert "Invalid relationship type(s)" in told["message"]
    assert "Allowed: " in told["message"]


def test_a_field_that_never_was_is_refused(old: Any) -> None:
    told = old.refused("describe_nodes", node_ids=["x"], fields=["id", "text"])
    assert "Disallowed projection fields: ['text']" in told["message"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("expand_neighbors", {"node_ids": ["x"], "max_hops": 0}),
        ("expand_neighbors", {"node_ids": ["x"], "page_size": -4}),
        ("get_paths_between", {"a_ids": ["x"], "b_ids": ["y"], "max_paths": 0}),
        ("list_children", {"parent_id": "x", "page_size": 0}),
        ("get_entities_for_sections", {"section_ids": ["x"], "max_per_section": -1}),
        ("get_sections_for_entities", {"entity_ids": ["x"], "max_per": 0}),
        ("traverse_relationships", {"start_ids": ["x"], "max_depth": 0}),
        ("traverse_relationships", {"start_ids": []}),
        ("summarize_neighborhood", {"node_ids": ["x"], "token_budget": 0}),
        ("compute_context_bundle", {"seeds": ["x"], "token_budget": -1}),
        ("expand_neighbors", {"node_ids": ["x"], "cursor": "garbage"}),
        ("get_paths_between", {"a_ids": ["x"], "b_ids": ["y"], "cursor": "garbage"}),
        ("list_children", {"parent_id": "x", "cursor": "garbage"}),
    ],
)
def test_sizes_below_one_and_garbage_are_refused(old: Any, tool: str, arguments: dict[str, Any]) -> None:
    assert old.refused(tool, **arguments)["code"] == "INVALID_ARGUMENT"


def test_too_many_hops_are_lowered_and_said(old: Any) -> None:
    found = old.ask("expand_neighbors", node_ids=[old.mount()], max_hops=99, session_id="hops")
    assert found["meta"]["lowered"] == ["max_hops"]
    assert found["limit_reason"] == "page_size"
    deep = old.ask("traverse_relationships", start_ids=[old.mount()], max_depth=9)
    assert deep["limit_reason"] == "page_size"


def test_more_ids_than_fit_are_lowered_and_said(old: Any) -> None:
    found = old.ask("describe_nodes", node_ids=[f"id {number}" for number in range(150)])
    assert len(found["not_found"]) == 100
    assert (found["partial"], found["limit_reason"], found["meta"]["lowered"]) == (True, "page_size", ["node_ids"])


def test_traversal_has_distances_paths_and_text_on_request(old: Any) -> None:
    section = old.mount()
    found = old.ask("traverse_relationships", start_ids=[section], include_text=True)
    start, *others = found["nodes"]
    assert (start["id"], start["distance"]) == (section, 0)
    assert "strata mount" in start["properties"]["text"]
    assert {node["distance"] for node in others} == {1, 2}
    named = {node["id"] for node in found["nodes"]}
    assert all(path["nodes"][0] == section and set(path["nodes"]) <= named for path in found["paths"])
    assert all(path["length"] == len(path["nodes"]) - 1 for path in found["paths"])
    assert {edge["type"] for edge in found["relationships"]} <= {
        "MENTIONS",
        "HAS_CHUNK",
        "HAS_SECTION",
        "CONTAINS_STEP",
    }


def test_a_bundle_keeps_to_its_tokens_and_repeats_no_text(old: Any) -> None:
    section = old.mount()
    for budget in (60, 300, 600):
        small = old.reply("compute_context_bundle", seeds=[section], token_budget=budget)
        assert (small.data["partial"], small.data["limit_reason"]) == (True, "token_cap")
        assert bool(small.data["bundle"]["snippets"]) is (budget >= 300)
        assert count(small.text) <= max(budget, 150), "the envelope alone"
    large = old.ask("compute_context_bundle", seeds=[section], token_budget=5000, strategy="anything")
    texts = [row["text_truncated"] for row in large["bundle"]["snippets"]]
    assert len(texts) == len(set(texts)) > 1
    assert {row["section_id"] for row in large["bundle"]["snippets"]} <= {row["id"] for row in large["bundle"]["nodes"]}
    assert large["bundle"]["strategy"] == "anything"


def test_titles_keep_to_their_tokens(old: Any) -> None:
    parent = old.ask("list_parents", section_ids=[old.mount()])["results"][0]["parent_id"]
    assert len(old.ask("summarize_neighborhood", node_ids=[parent])["bullets"]) == 5
    few = old.reply("summarize_neighborhood", node_ids=[parent], token_budget=200)
    assert (0 < len(few.data["bullets"]) < 5, few.data["limit_reason"]) == (True, "token_cap")
    assert len(few.data["bullets"]) == len(few.data["citations"])
    assert count(few.text) <= 200


GRAPH = {
    "expand_neighbors": ({"node_ids": ["x"]}, {"nodes": [], "edges": []}),
    "describe_nodes": ({"node_ids": ["x"]}, {"results": []}),
    "get_paths_between": ({"a_ids": ["x"], "b_ids": ["y"]}, {"paths": []}),
    "list_children": ({"parent_id": "x"}, {"children": []}),
    "list_parents": ({"section_ids": ["x"]}, {"results": []}),
    "get_entities_for_sections": ({"section_ids": ["x"]}, {"results": []}),
    "get_sections_for_entities": ({"entity_ids": ["x"]}, {"results": []}),
    "traverse_relationships": ({"start_ids": ["x"]}, {"nodes": [], "relationships": [], "paths": []}),
    "summarize_neighborhood": ({"node_ids": ["x"]}, {"bullets": [], "citations": []}),
}


@pytest.fixture(scope="module")
def without_graph(connect: Any) -> Any:
    return connect(corpus={"graph": False})


@pytest.mark.parametrize("tool", sorted(GRAPH))
def test_with_the_graph_off_it_is_an_error_that_says_so_in_the_old_field_too(without_graph: Any, tool: str) -> None:
    arguments, keys = GRAPH[tool]
    told = without_graph.as_caller(tool, arguments).error
    assert (told["error"]["code"], told["error"]["retryable"]) == ("BACKEND_UNAVAILABLE", True)
    assert "use search_sections" in told["error"]["message"]
    assert {**keys, "neo4j_disabled": True}.items() <= told.items()


def test_search_and_text_answer_without_the_graph(without_graph: Any) -> None:
    assert without_graph.ask("get_section_text", section_ids=[without_graph.mount()])["results"]


@pytest.mark.parametrize("tool", [*sorted(GRAPH), "compute_context_bundle", "get_section_text"])
def test_where_nothing_is_ingested_it_is_said(connect: Any, tmp_path: Path, tool: str) -> None:
    arguments, keys = {"compute_context_bundle": ({"seeds": ["x"]}, {}), **GRAPH}.get(
        tool, ({"section_ids": ["x"]}, {})
    )
    told = connect(data_dir=tmp_path).as_caller(tool, arguments).error
    assert (told["error"]["code"], told["error"]["details"]) == ("BACKEND_UNAVAILABLE", {"reason": "nothing_indexed"})
    assert "wekadocs-mcp ingest DIR" in told["error"]["message"]
    assert keys.items() <= told.items()


def test_another_projects_nodes_are_not_found(connect: Any, old: Any, sample: Path, tmp_path: Path) -> None:
    section = old.mount()
    shutil.copytree(sample, tmp_path / "data")
    (tmp_path / "page.md").write_text("# Theirs\n\nAnother project.\n")
    command = [SCRIPT, "ingest", tmp_path / "page.md", "--project", "another", "--data", tmp_path / "data"]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    stranger = connect(data_dir=tmp_path / "data", scope={"project_id": "another", "environment": "prod"})
    for tool, arguments in (
        ("describe_nodes", {"node_ids": [section]}),
        ("expand_neighbors", {"node_ids": [section]}),
        ("traverse_relationships", {"start_ids": [section]}),
        ("compute_context_bundle", {"seeds": [section]}),
    ):
        assert stranger.ask(tool, **arguments)["not_found"] == [section], tool
