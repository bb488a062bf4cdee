"""search_sections, get_section_text and search_documentation: what old callers relied on, and what is sound now."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest


def ids(found: dict[str, Any]) -> list[str]:
    return [row["section_id"] for row in found["results"]]


def test_twenty_rows_by_default_and_several_of_one_document(old: Any) -> None:
    found = old.ask("search_sections", query="filesystem")
    assert len(found["results"]) == 20
    assert (found["partial"], found["limit_reason"], found["next_cursor"]) == (False, "none", None)
    documents = [row["title"] for row in old.ask("search_sections", query="how do I mount a filesystem")["results"]]
    assert {"Mount a filesystem", "Mount at boot", "Before you start"} <= set(documents)


def test_top_k_bounds_the_list_also_below_the_page_size(old: Any) -> None:
    assert len(old.ask("search_sections", query="quota", top_k=3)["results"]) == 3


def test_pages_by_offset_are_one_list(old: Any) -> None:
    whole = ids(old.ask("search_sections", query="quota", top_k=7))
    pages, cursor = [], None
    for _ in range(3):
        page = old.ask("search_sections", query="quota", top_k=7, page_size=3, cursor=cursor)
        assert page["cursor"] == cursor
        pages += ids(page)
        cursor = page["next_cursor"]
    assert (pages, cursor) == (whole, None)


def test_a_cursor_that_an_old_client_holds_is_taken(old: Any) -> None:
    held = base64.urlsafe_b64encode(b"2").decode()
    page = old.ask("search_sections", query="quota", top_k=4, page_size=2, cursor=held)
    assert [row["rank"] for row in page["results"]] == [3, 4]
    assert old.ask("search_sections", query="quota", cursor="")["results"][0]["rank"] == 1
    behind = old.ask("search_sections", query="quota", cursor=base64.urlsafe_b64encode(b"25").decode())
    assert behind["results"] == []


@pytest.mark.parametrize("cursor", ["garbage", "LTI=", "MTIzNDU2Nzg5MDEyMw==", "Mg", "4pi6", "☺", "Mg==\n"])
def test_a_cursor_that_is_none_is_refused(old: Any, cursor: str) -> None:
    told = old.refused("search_sections", query="quota", cursor=cursor)
    assert told["code"] == "INVALID_ARGUMENT"
    assert "Call search_sections again" in told["message"]


def test_lean_rows_when_no_debug_is_wanted(old: Any) -> None:
    row = old.ask("search_sections", query="quota", include_debug=False)["results"][0]
    assert list(row) == ["section_id", "title", "tokens", "doc_tag", "score", "rank", "source"]
    assert "graph_score" in old.ask("search_sections", query="quota", include_debug=True)["results"][0]


def test_arguments_that_models_were_taught_are_ignored(old: Any) -> None:
    assert old.ask("search_sections", query="quota", verbosity="snippet", whatever=[1])["results"]


def test_above_a_limit_is_lowered_and_said(old: Any) -> None:
    found = old.ask("search_sections", query="the", top_k=100_000, page_size=100_000)
    assert len(found["results"]) <= 100
    assert found["meta"]["lowered"] == ["top_k", "page_size"]
    assert found["limit_reason"] == "page_size"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_sections", {"query": "quota", "top_k": 0}),
        ("search_sections", {"query": "quota", "page_size": -1}),
        ("search_sections", {"query": "  "}),
        ("get_section_text", {"section_ids": [], "max_bytes_per": 0}),
        ("get_section_text", {"section_ids": [], "max_bytes_per": -1}),
        ("search_sections", {}),
        ("search_sections", {"query": 5}),
    ],
)
def test_below_a_limit_and_wrong_types_are_refused_with_the_old_keys_beside(
    old: Any, tool: str, arguments: dict[str, Any]
) -> None:
    outcome = old.as_caller(tool, arguments)
    assert outcome.error["error"]["code"] == "INVALID_ARGUMENT"
    assert outcome.error["results"] == []


def test_a_question_too_long_is_cut_and_said(old: Any) -> None:
    found = old.ask("search_sections", query="mount " * 1000)
    assert (found["limit_reason"], found["meta"]["lowered"]) == ("byte_cap", ["query"])


def test_a_tag_narrows_and_a_list_of_tags_means_any_of(old: Any) -> None:
    one = old.ask("search_sections", query="mount", filters={"doc_tag": "security"})
    assert {row["doc_tag"] for row in one["results"]} == {"security"}
    two = old.ask("search_sections", query="mount", filters={"doc_tag": ["security", "cli"]})
    assert {row["doc_tag"] for row in two["results"]} == {"security", "cli"}


def test_one_document_is_searched_by_its_id(old: Any) -> None:
    section = old.mount()
    (path,) = old.ask("list_parents", section_ids=[section])["results"]
    document = old.ask("list_parents", section_ids=[path["parent_id"]])["results"][0]["parent_id"]
    found = old.ask("search_sections", query="mount", filters={"document_id": document})
    assert "Mount at boot" in {row["title"] for row in found["results"]}
    assert {row["doc_tag"] for row in found["results"]} == {"filesystems"}
    nothing = old.ask("search_sections", query="mount", filters={"document_id": "no such document"})
    assert nothing["results"] == []


def test_a_language_narrows(old: Any) -> None:
    assert len(old.ask("search_sections", query="mount", filters={"lang": "en"})["results"]) == 20
    assert old.ask("search_sections", query="mount", filters={"lang": "de"})["results"] == []


def test_tenant_and_snapshot_scope_are_project_and_environment(old: Any) -> None:
    filters = {"tenant": "wekadocs-matrix", "snapshot_scope": "prod"}
    assert old.ask("search_sections", query="mount", filters=filters)["results"]
    assert old.refused("search_sections", query="mount", filters={"tenant": "another"})["code"] == "SCOPE_VIOLATION"


@pytest.mark.parametrize(
    "filters",
    [{"colour": "red"}, {"doc_tag": 5}, {"doc_tag": []}, {"embedding_version": "v0"}, {"document_id": ["a", "b"]}],
)
def test_no_filter_is_dropped_silently(old: Any, filters: dict[str, Any]) -> None:
    told = old.refused("search_sections", query="mount", filters=filters)
    assert told["code"] == "INVALID_ARGUMENT"
    assert told["details"]["path"].startswith("/filters/")


def test_a_filter_of_null_is_none(old: Any) -> None:
    assert old.ask("search_sections", query="mount", filters={"doc_tag": None})["results"]


def test_a_session_is_the_callers_own_or_one_for_the_connection(old: Any, connect: Any) -> None:
    assert old.ask("search_sections", query="quota", session_id="mine")["session_id"] == "mine"
    first, second = (old.ask("search_sections", query="quota")["session_id"] for _ in range(2))
    assert first == second
    modern = connect(era="modern")
    first, second = (modern.ask("search_sections", query="quota")["session_id"] for _ in range(2))
    assert first != second
    assert first.startswith("server-")


def test_text_is_cut_at_whole_characters_and_says_so(old: Any) -> None:
    section = old.mount()
    (whole,) = old.ask("get_section_text", section_ids=[section])["results"]
    assert (whole["truncated"], whole["bytes"]) == (False, len(whole["text_truncated"].encode()))
    (part,) = old.ask("get_section_text", section_ids=[section], max_bytes_per=10)["results"]
    assert (part["truncated"], part["bytes"], part["text_truncated"]) == (True, 10, whole["text_truncated"][:10])


def test_a_section_of_the_graph_can_be_read_too(old: Any) -> None:
    section = old.mount()
    parent = old.ask("list_parents", section_ids=[section])["results"][0]["parent_id"]
    (row,) = old.ask("get_section_text", section_ids=[parent])["results"]
    assert "strata mount" in row["text_truncated"]


def test_a_passage_of_the_new_search_can_be_read_by_whoever_found_it(old: Any) -> None:
    passage = old.ask("kb.search", query="how do I mount a filesystem")["results"][0]["passage_id"]
    (row,) = old.ask("get_section_text", section_ids=[passage])["results"]
    assert "strata mount" in row["text_truncated"]
    stranger = old.as_caller("get_section_text", {"section_ids": [passage]}, principal="another")
    assert (stranger.data["results"], stranger.data["not_found"]) == ([], [passage])


def test_ids_that_are_none_are_told(old: Any) -> None:
    found = old.ask("get_section_text", section_ids=["nothing", old.mount(), "nothing"])
    assert found["not_found"] == ["nothing"]
    assert len(found["results"]) == 1


def test_one_call_never_returns_more_than_its_budget(connect: Any, tmp_path: Path) -> None:
    import subprocess
    import sys

    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(12):
        lines = "\n\n".join(f"Paragraph {each} of page {number} with words that fill it up." for each in range(900))
        (docs / f"page{number}.md").write_text(f"# Page {number}\n\n{lines}\n")
    script = Path(sys.executable).parent / "wekadocs-mcp"
    data = tmp_path / "data"
    subprocess.run([script, "ingest", str(docs), "--data", str(data)], check=True, capture_output=True, timeout=120)
    big = connect(data_dir=data)
    found = big.ask("search_sections", query="paragraph page words", top_k=100, page_size=100)
    chunks = ids(found)
    parents = {row["parent_id"] for row in big.ask("list_parents", section_ids=chunks)["results"]}
    assert len(parents) > 5
    reply = big.reply("get_section_text", section_ids=sorted(parents), max_bytes_per=10**9)
    got = reply.data
    assert len(reply.text.encode()) <= 131_072
    assert (got["partial"], got["limit_reason"]) == (True, "byte_cap")
    assert got["meta"]["lowered"] == ["max_bytes_per"]
    assert 0 < len(got["results"]) < len(parents)
    assert all(row["bytes"] <= 32_768 and row["truncated"] for row in got["results"])
    assert got["meta"]["usage"]["bytes_returned"] > 90_000


def test_with_nothing_indexed_it_says_what_to_do(connect: Any, tmp_path: Path) -> None:
    empty = connect(data_dir=tmp_path)
    for tool, arguments in (("search_sections", {"query": "x"}), ("get_section_text", {"section_ids": ["x"]})):
        told = empty.refused(tool, **arguments)
        assert told["code"] == "BACKEND_UNAVAILABLE"
        assert "wekadocs-mcp ingest DIR" in told["message"]


# --- search_documentation ---

DISABLED = "search_documentation is disabled: ENABLE_LEGACY_SEARCH_DOCUMENTATION is false; it needs true."


def test_search_documentation_is_off_with_one_and_the_same_error(old: Any) -> None:
    for arguments in ({"query": "mount"}, {}, {"query": 5}):
        told = old.refused("search_documentation", **arguments)
        assert (told["code"], told["message"], told["details"]["reason"]) == ("INVALID_ARGUMENT", DISABLED, "disabled")


@pytest.fixture(scope="module")
def switched_on(connect: Any) -> Any:
    return connect(flags={"ENABLE_LEGACY_SEARCH_DOCUMENTATION": True})


def test_switched_on_it_answers_local_and_authenticated_callers_only(switched_on: Any) -> None:
    for principal in ("local", "token:abc"):
        assert switched_on.as_caller("search_documentation", {"query": "mount"}, principal=principal).error is None
    told = switched_on.as_caller("search_documentation", {"query": "mount"}, principal="anonymous").error
    assert told["error"]["details"] == {"reason": "disabled", "switch": "MCP_AUTH_TOKEN"}
    assert told["answer_json"]["evidence"] == []


def test_its_answer_is_capped_and_carries_the_warning(switched_on: Any) -> None:
    got = switched_on.ask("search_documentation", query="how do I mount a filesystem", top_k=5000)
    assert "deprecated" in got["warning"]
    assert got["answer_markdown"].startswith("> Warning: ")
    evidence = got["answer_json"]["evidence"]
    assert 0 < len(evidence) <= 5
    assert all(len(row["full_text"].encode()) <= 4_096 + 20 for row in evidence)
    assert any(row["related_entities"] for row in evidence)
    assert 0 < got["answer_json"]["confidence"] <= 1
    wire = {tool["name"]: tool for tool in switched_on.client.tools()}
    assert "search_documentation" not in wire  # callable, not shouted


@pytest.mark.parametrize("verbosity", ["full", "graph", "snippet", "snip", "short"])
def test_it_takes_the_verbosities_it_took(switched_on: Any, verbosity: str) -> None:
    assert switched_on.ask("search_documentation", query="mount", verbosity=verbosity)["answer_json"]["evidence"]
    told = switched_on.refused("search_documentation", query="mount", verbosity="markdown")
    assert "Must be one of: full, graph" in told["message"]


def test_codes_like_aes_256_are_searched_and_do_not_filter(switched_on: Any) -> None:
    assert switched_on.ask("search_documentation", query="AES-256 encryption")["answer_json"]["evidence"]


def test_each_page_is_sent_once(switched_on: Any) -> None:
    evidence = switched_on.ask("search_documentation", query="mount a filesystem read-only")["answer_json"]["evidence"]
    pages = [row["path"] for row in evidence]
    assert len(pages) == len(set(pages)) > 1


def test_a_read_only_server_has_no_search_documentation(connect: Any) -> None:
    flags = {"ENABLE_LEGACY_SEARCH_DOCUMENTATION": True}
    reading = connect(flags=flags, server={"read_only": True})
    assert reading.refused("search_documentation", query="mount")["details"]["switch"] == "server.read_only"
    assert reading.ask("search_sections", query="mount")["results"]
