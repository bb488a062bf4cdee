"""The wire of each old tool against what the former server published, and the keys of its answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

# The former server's tools/list, word for word.
PUBLISHED = {tool["name"]: tool for tool in json.loads((Path(__file__).parent / "published_tools.json").read_text())}
ENVELOPE = {"session_id", "partial", "limit_reason", "meta"}
ROW = """section_id title tokens doc_tag score rank source fusion_method fused_score title_vec_score entity_vec_score
doc_title_sparse_score lexical_vec_score rerank_score graph_score graph_distance connection_count mention_count
entity_boost_applied entity_metadata rrf_field_contributions"""
ANSWERS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "search_sections": ({"query": "mount"}, {"results", "cursor", "next_cursor", *ENVELOPE}),
    "get_section_text": ({"section_ids": ["ID"]}, {"results", "hints", *ENVELOPE}),
    "expand_neighbors": (
        {"node_ids": ["ID"]},
        {"nodes", "edges", "cursor", "next_cursor", "dedupe_applied", *ENVELOPE},
    ),
    "describe_nodes": ({"node_ids": ["ID"]}, {"results", "cursor", "next_cursor", *ENVELOPE}),
    "get_paths_between": ({"a_ids": ["ID"], "b_ids": ["ID"]}, {"paths", "cursor", "next_cursor", *ENVELOPE}),
    "list_children": ({"parent_id": "ID"}, {"children", "cursor", "next_cursor", *ENVELOPE}),
    "list_parents": ({"section_ids": ["ID"]}, {"results", *ENVELOPE}),
    "get_entities_for_sections": ({"section_ids": ["ID"]}, {"results", *ENVELOPE}),
    "get_sections_for_entities": ({"entity_ids": []}, {"results", *ENVELOPE}),
    "traverse_relationships": ({"start_ids": ["ID"]}, {"nodes", "relationships", "paths"}),
    "summarize_neighborhood": ({"node_ids": ["ID"]}, {"bullets", "citations", *ENVELOPE}),
    "compute_context_bundle": ({"seeds": ["ID"], "token_budget": 14000}, {"bundle", "usage", *ENVELOPE}),
    "search_documentation": (
        {"query": "mount"},
        {"answer_markdown", "answer_json", "warning", "limit_reason", "lowered"},
    ),
}


@pytest.fixture(scope="module")
def listed(connect: Any) -> dict[str, Any]:
    """With everything switched on, as tools/list shows it."""
    flags = {"MCP_KB_V2_ENABLED": False, "ENABLE_LEGACY_SEARCH_DOCUMENTATION": True}
    return {tool["name"]: tool for tool in connect(flags=flags).client.tools()}


def test_all_thirteen_are_there_and_nothing_else(listed: dict[str, Any]) -> None:
    assert set(listed) == set(PUBLISHED)
    assert len(listed) == 13


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_the_input_signature_is_the_published_one(listed: dict[str, Any], name: str) -> None:
    assert listed[name]["inputSchema"] == PUBLISHED[name]["inputSchema"]


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_each_description_says_when_and_how_much_and_sends_nobody_to_what_is_off(
    listed: dict[str, Any], name: str
) -> None:
    said = listed[name]["description"]
    assert all(part in said for part in ("Use when", "Do not use when", "Returns", "Defaults:", "Max:", "Deprecated"))
    assert not re.search(r"\b(kb|graph)\.[a-z_]", said)


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_annotations_are_what_the_tool_does(listed: dict[str, Any], name: str) -> None:
    hints = listed[name]["annotations"]
    assert hints["readOnlyHint"] is (name != "search_documentation")
    assert hints["idempotentHint"] is (name != "expand_neighbors")
    assert not hints["destructiveHint"]
    assert not hints["openWorldHint"]


@pytest.fixture(scope="module")
def all_on(connect: Any) -> Any:
    return connect(flags={"ENABLE_LEGACY_SEARCH_DOCUMENTATION": True})


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_the_answer_has_the_keys_it_had(all_on: Any, name: str) -> None:
    arguments, keys = ANSWERS[name]
    section = all_on.mount()
    filled = json.loads(json.dumps(arguments).replace("ID", section))
    reply = all_on.reply(name, **filled)
    assert reply.error is None
    assert set(reply.data) == keys
    assert reply.text
    assert not reply.text.startswith("{")  # the structure goes beside it
    if "meta" in keys:
        usage = reply.data["meta"]["usage"]
        assert usage["tokens_estimate"] > 0
        own = {key: value for key, value in reply.data.items() if key not in ENVELOPE}
        assert usage["bytes_returned"] == len(json.dumps(own, ensure_ascii=False, separators=(",", ":")).encode())
    assert not [block for block in reply.content if block["type"] != "text"]


def test_a_row_of_search_sections_has_its_21_fields_in_order(old: Any) -> None:
    found = old.ask("search_sections", query="how do I mount a filesystem")
    assert all(list(row) == ROW.split() for row in found["results"])
    assert [row["rank"] for row in found["results"]] == list(range(1, 21))
    assert isinstance(found["meta"]["usage"]["source"], dict)


def test_rows_of_the_others_have_the_fields_they_had(old: Any) -> None:
    section = old.mount()
    (text,) = old.ask("get_section_text", section_ids=[section])["results"]
    assert list(text) == ["section_id", "title", "doc_tag", "text_truncated", "bytes", "truncated", "source_blob_id"]
    around = old.ask("expand_neighbors", node_ids=[section], include_snippet=True, session_id="fields")
    assert set(around["nodes"][0]) == {"id", "label", "title", "level", "tokens", "doc_tag", "anchor", "snippet"}
    assert set(around["edges"][0]) == {"src", "dst", "type"}
    (node,) = old.ask("describe_nodes", node_ids=[section])["results"]
    assert list(node) == ["id", "label", "title", "tokens", "doc_tag"]
    (parent,) = old.ask("list_parents", section_ids=[section])["results"]
    assert list(parent) == ["section_id", "parent_id", "parent_title"]
    (child, *_) = old.ask("list_children", parent_id=parent["parent_id"])["children"]
    assert list(child) == ["id", "label", "title", "level"]
    (entities,) = old.ask("get_entities_for_sections", section_ids=[section])["results"]
    assert list(entities) == ["section_id", "entities"]
    assert list(entities["entities"][0]) == ["id", "label", "name"]
    entity = entities["entities"][0]["id"]
    (sections,) = old.ask("get_sections_for_entities", entity_ids=[entity])["results"]
    assert list(sections["sections"][0]) == ["section_id", "title"]
    (path,) = old.ask("get_paths_between", a_ids=[section], b_ids=[entity])["paths"]
    assert set(path) == {"nodes", "types", "length"}
    walked = old.ask("traverse_relationships", start_ids=[section])
    assert set(walked["nodes"][0]) == {"id", "label", "properties", "distance"}
    assert set(walked["relationships"][0]) == {"from_id", "to_id", "type", "properties"}
    assert set(walked["paths"][0]) == {"nodes", "length"}
    assert "text" not in walked["nodes"][0]["properties"]
    bundle = old.ask("compute_context_bundle", seeds=[section])
    assert set(bundle["bundle"]) == {"nodes", "snippets", "strategy"}
    assert set(bundle["usage"]) == {"tokens", "bytes"}
    assert old.ask("summarize_neighborhood", node_ids=[section])["bullets"][0].endswith("tokens)")
