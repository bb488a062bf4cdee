"""Limits, scopes, cursors and hostile arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wekadocs_corpus.model import digest

HOSTILE = ["' OR 1=1 --", "'}) MATCH (n) DETACH DELETE n //", "`", "\u0000", "ü" * 128, "*", "{id: 1}"]


def calls(each: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("graph.describe", {"node_ids": [each]}),
        ("graph.expand", {"node_ids": [each], "max_hops": 3}),
        ("graph.paths", {"a_ids": [each], "b_ids": [each], "max_hops": 5}),
        ("graph.parents", {"section_ids": [each]}),
        ("graph.children", {"parent_id": each}),
        ("graph.entities_for_sections", {"section_ids": [each], "labels": [each[:40]]}),
        ("graph.sections_for_entities", {"entity_ids": [each]}),
    ]


def counted(both: Any) -> list[dict[str, int]]:
    def one(served: Any) -> Any:
        corpus = served.state("graph").corpus
        return served.run(lambda: corpus.graph.stats(corpus.home))

    return [one(served) for served in both.served]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_id_finds_nothing_and_changes_nothing(both: Any, hostile: str) -> None:
    before = counted(both)
    for tool, arguments in calls(hostile):
        assert both.ask(tool, arguments)["not_found"] == [hostile]
    assert counted(both) == before


@pytest.mark.parametrize(
    ("tool", "arguments", "tells"),
    [
        ("graph.expand", {"node_ids": ["x"], "rel_types": ["MENTIONS]->() DELETE x //"]}, "MENTIONS"),
        ("graph.expand", {"node_ids": ["x"], "rel_types": ["mentions"]}, "MENTIONS"),
        ("graph.paths", {"a_ids": ["x"], "b_ids": ["x"], "rel_types": ["KNOWS"]}, "CONTAINS_STEP"),
        ("graph.describe", {"node_ids": ["x"], "fields": ["text"]}, "doc_tag"),
        ("graph.describe", {"node_ids": ["x"], "fields": ["id) RETURN n //"]}, "doc_tag"),
        ("graph.expand", {"node_ids": ["x"], "direction": "sideways"}, "both"),
        ("graph.expand", {"node_ids": ["x"], "max_hops": 4}, "3"),
        ("graph.expand", {"node_ids": ["x"], "page_size": 101}, "100"),
        ("graph.expand", {"node_ids": ["x"], "page_size": 0}, "1"),
        ("graph.expand", {"node_ids": []}, "node_ids"),
        ("graph.describe", {"node_ids": ["x"] * 101}, "100"),
        ("graph.describe", {"node_ids": ["x" * 129]}, "128"),
        ("graph.paths", {"a_ids": ["x"], "b_ids": ["x"], "max_hops": 6}, "5"),
        ("graph.paths", {"a_ids": ["x"], "b_ids": ["x"], "max_paths": 51}, "50"),
        ("graph.paths", {"a_ids": ["x"] * 21, "b_ids": ["x"]}, "20"),
        ("graph.children", {"parent_id": "x", "page_size": -1}, "1"),
    ],
)
def test_what_is_not_allowed_is_refused_with_what_is(
    both: Any, tool: str, arguments: dict[str, Any], tells: str
) -> None:
    error = both.refused(tool, arguments)
    assert error["code"] == "INVALID_ARGUMENT"
    assert tells in error["message"] + repr(error["details"])


def forbidden_ids() -> set[str]:
    return {
        digest("another", "prod", label, key) for label, key in [("Concept", "secret vault"), ("Error", "str-1007")]
    }


def test_nothing_of_another_project_is_reached_by_any_tool(both: Any, data: Any, found: list[str]) -> None:
    from wekadocs_corpus.store.sqlite.truth import SqliteTruth

    truth = SqliteTruth(data)
    with truth.reading() as connection:
        query = """SELECT id FROM documents WHERE project = 'another' UNION SELECT s.id FROM sections s
         JOIN documents d ON d.number = s.document WHERE d.project = 'another' UNION SELECT c.id FROM chunks c
         JOIN documents d ON d.number = c.document WHERE d.project = 'another'
         UNION SELECT n.id FROM entities n JOIN areas a ON a.number = n.area WHERE a.project = 'another'"""
        hidden = {row[0] for row in connection.execute(query)}
    truth.close()
    assert forbidden_ids() <= hidden
    for each in sorted(hidden):
        for tool, arguments in calls(each):
            assert both.ask(tool, arguments)["not_found"] == [each]
    wide = both.ask("graph.expand", {"node_ids": found, "max_hops": 3, "page_size": 100})
    assert not hidden & {row["id"] for row in wide["nodes"]}


def test_tags_hold_at_every_step_of_a_walk(both: Any, found: list[str]) -> None:
    scope = {"doc_tags": ["filesystems"]}
    got = both.ask("graph.expand", {"node_ids": found[:1], "max_hops": 3, "page_size": 100, "scope": scope})
    assert {row["doc_tag"] for row in got["nodes"]} <= {"filesystems", None}
    free = both.ask("graph.expand", {"node_ids": found[:1], "max_hops": 3, "page_size": 100})
    assert {row["doc_tag"] for row in free["nodes"]} - {"filesystems", None}
    out = both.ask("graph.describe", {"node_ids": found[:1], "scope": {"doc_tags": ["security"]}})
    assert out["not_found"] == found[:1]


def test_another_project_or_environment_is_a_violation(both: Any) -> None:
    for scope in ({"project_id": "another"}, {"environment": "dev"}):
        for tool, arguments in calls("x"):
            assert both.refused(tool, {**arguments, "scope": scope})["code"] == "SCOPE_VIOLATION"


def test_a_cursor_ends_with_the_state_of_the_documents_it_was_made_for(serve: Any, ingest: Any, tmp_path: Path) -> None:
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text("# Page\n\n" + "".join(f"## Part {number}\n\nText {number}.\n\n" for number in range(9)))
    ingest(tmp_path / "data", page.parent)
    served = serve(tmp_path / "data")
    row = served.ask("kb.search", {"query": "text of part 3"})["results"][0]
    asked = {"node_ids": [row["section_id"]], "max_hops": 3, "page_size": 2}
    cursor = served.ask("graph.expand", asked)["next_cursor"]
    assert served.ask("graph.expand", {**asked, "cursor": cursor})["nodes"]
    page.write_text("# Page\n\nAll other words.\n")
    ingest(tmp_path / "data", page.parent)
    refused = served.refused("graph.expand", {**asked, "cursor": cursor})
    assert refused["code"] == "INVALID_ARGUMENT"
    assert "Call graph.expand again" in refused["message"]


def test_a_cursor_serves_only_whom_it_was_given_for_the_same_question(serve: Any, found: list[str]) -> None:
    served = serve()
    asked = {"node_ids": found, "max_hops": 2, "page_size": 2}
    cursor = served.ask("graph.expand", asked)["next_cursor"]
    assert served.ask("graph.expand", {**asked, "cursor": cursor, "page_size": 5})["nodes"]
    wrong: list[tuple[str, dict[str, Any], dict[str, str]]] = [
        ("graph.expand", {**asked, "max_hops": 1}, {}),
        ("graph.expand", {**asked, "node_ids": found[:1]}, {}),
        ("graph.expand", {**asked, "rel_types": ["MENTIONS"]}, {}),
        ("graph.expand", {**asked, "scope": {"doc_tags": ["filesystems"]}}, {}),
        ("graph.expand", asked, {"principal": "eve"}),
        ("graph.expand", asked, {"session": "two"}),
        ("graph.children", {"parent_id": found[0]}, {}),
    ]
    errors = [served.refused(tool, {**arguments, "cursor": cursor}, **caller) for tool, arguments, caller in wrong[:-1]]
    errors += [served.refused("graph.expand", {**asked, "cursor": each}) for each in (cursor[:-1], "", *HOSTILE)]
    assert all(error == errors[0] for error in errors)
    assert errors[0]["code"] == "INVALID_ARGUMENT"
    assert "graph.expand again" in errors[0]["message"]
    assert served.refused(wrong[-1][0], {**wrong[-1][1], "cursor": cursor})["code"] == "INVALID_ARGUMENT"


def test_an_answer_too_large_is_cut_at_whole_rows_and_goes_on(serve: Any, found: list[str]) -> None:
    served = serve(server={"max_response_bytes": 4096})
    asked = {"node_ids": found[:2], "max_hops": 2, "page_size": 40, "include_snippet": True}
    whole = serve().ask("graph.expand", asked)["nodes"]
    pages = [served.ask("graph.expand", asked)]
    assert (pages[0]["partial"], pages[0]["limit_reason"]) == (True, "byte_cap")
    while sum(len(page["nodes"]) for page in pages) < len(whole):
        pages.append(served.ask("graph.expand", {**asked, "cursor": pages[-1]["next_cursor"]}))
    assert [row for page in pages for row in page["nodes"]][: len(whole)] == whole
    small = serve(server={"max_response_bytes": 1024})
    cut = small.ask("graph.entities_for_sections", {"section_ids": [*found, "nobody"], "max_per_section": 20})
    assert (cut["partial"], cut["limit_reason"], cut["not_found"]) == (True, "byte_cap", ["nobody"])
    paths = small.ask("graph.paths", {"a_ids": found[:1], "b_ids": found[1:], "max_hops": 4, "max_paths": 50})
    assert paths["limit_reason"] == "byte_cap"
    more = {"a_ids": found[:1], "b_ids": found[1:], "max_hops": 4, "max_paths": 50, "cursor": paths["next_cursor"]}
    assert small.ask("graph.paths", more)["paths"][0] not in paths["paths"]


def test_a_hub_is_cut_and_the_answer_says_so(tmp_path: Any, serve: Any, ingest: Any, project: str) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(130):
        (docs / f"page-{number}.md").write_text(f"# Page {number} of the hub\n\nSet `HUB_VARIABLE`.\n")
    ingest(tmp_path / "data", docs)
    served = serve(data_dir=tmp_path / "data")
    hub = digest(project, "prod", "Variable", "hub_variable")
    asked = {"node_ids": [hub], "page_size": 100}
    first = served.ask("graph.expand", asked)
    assert (first["limit_reason"], len(first["nodes"])) == ("page_size", 100)  # by pages a hub is seen whole
    farther = served.ask("graph.expand", {**asked, "max_hops": 2, "rel_types": ["MENTIONS"]})
    assert (farther["partial"], farther["limit_reason"], len(farther["nodes"])) == (True, "node_cap", 100)
    rest = served.ask("graph.sections_for_entities", {"entity_ids": [hub], "max_per": 100})
    assert (rest["limit_reason"], len(rest["results"][0]["sections"])) == ("node_cap", 100)
