"""The second hop: what a found page names or links to is found too, within the same limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGES = {
    "sites/orion.md": "# Orion site\n\nThe Orion site keeps its cold data on the Halcyon Array in the basement.",
    "arrays/halcyon.md": "# Halcyon Array\n\nAfter a disk failure the rebuild takes four hours and ten minutes.",
    "arrays/linked.md": "# Power plan\n\nSee [the generator](../plants/generator.md) for the Lyra site.",
    "plants/generator.md": "# Diesel set\n\nIt holds fuel for ninety minutes at full load.",
}
NOISE = {
    f"notes/n{number}.md": f"# Note {number}\n\nThe rebuild behind rack {number} takes many hours at any site."
    for number in range(12)
}
QUESTION = "How long does the rebuild of the storage behind the Orion site take after a disk failure?"


def written(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)
    return folder


@pytest.fixture(scope="module")
def data(take_in: Callable[..., None], tmp_path_factory: pytest.TempPathFactory) -> Path:
    data_dir = tmp_path_factory.mktemp("data")
    take_in(data_dir, written(tmp_path_factory.mktemp("docs"), PAGES | NOISE))
    elsewhere = {"arrays/halcyon.md": "# Halcyon Array\n\nAfter a disk failure the rebuild takes a secret time."}
    take_in(data_dir, written(tmp_path_factory.mktemp("other"), elsewhere), project="other")
    return data_dir


@pytest.fixture(scope="module")
def hops(serve: Callable[..., Any], data: Path) -> Any:
    return serve(data)


def found(kb: Any, mode: str, query: str = QUESTION, **more: object) -> dict[str, str]:
    """Path → source, of the first two."""
    rows = kb.ask("kb.search", {"query": query, "top_k": 2, "options": {"mode": mode}, **more})["results"]
    return {row["path"]: row["source"] for row in rows}


def test_a_page_that_a_hit_names_is_found_over_the_graph(hops):
    query = "How many hours does a rebuild take at the Orion site?"
    assert "arrays/halcyon.md" not in found(hops, "vector_only", query)
    assert found(hops, "hybrid_local", query)["arrays/halcyon.md"] == "graph_expanded"


def test_a_page_that_a_hit_links_to_is_found_over_the_graph(hops):
    query = "How many minutes of fuel does the power plan of the Lyra site have?"
    assert found(hops, "hybrid_local", query)["plants/generator.md"] == "graph_expanded"


def test_auto_follows_the_graph(hops):
    answer = hops.ask("kb.search", {"query": QUESTION})
    assert answer["mode_used"] == "hybrid_local"
    assert found(hops, "auto") == found(hops, "hybrid_local")


def test_the_mode_is_told_when_nothing_is_found(hops):
    answer = hops.ask("kb.search", {"query": "zyzzyva", "filters": {"path_prefix": "nowhere/"}})
    assert (answer["results"], answer["mode_used"]) == ([], "hybrid_local")


def test_evidence_is_quoted_from_over_the_graph(hops):
    rows = hops.ask("kb.retrieve_evidence", {"question": QUESTION})["quotes"]
    assert any("four hours and ten minutes" in row["quote"] for row in rows)


def test_nothing_of_another_project_is_reached(hops):
    for row in hops.ask("kb.search", {"query": QUESTION, "top_k": 20, "page_size": 20})["results"]:
        assert "secret" not in hops.text(row["passage_id"])


@pytest.mark.parametrize(
    "filters", [{"path_prefix": "sites/"}, {"doc_tag": ["sites", "notes"]}, {"updated_after": "2999-01-01"}]
)
def test_filters_hold_on_the_other_side_of_a_hop(hops, filters):
    query = {"query": QUESTION, "top_k": 20, "page_size": 20, "filters": filters}
    rows = hops.ask("kb.search", {**query, "options": {"mode": "hybrid_local"}})["results"]
    assert "arrays/halcyon.md" not in {row["path"] for row in rows}


def test_a_question_that_its_first_page_answers_keeps_its_order(hops):
    query = "How long does the Halcyon Array take to rebuild after a disk failure?"
    assert list(found(hops, "hybrid_local", query)) == list(found(hops, "vector_only", query))


@pytest.mark.parametrize("mode", ["auto", "hybrid_local"])
def test_without_the_graph_words_and_vectors_answer_and_say_so(serve, data, mode):
    answer = serve(data, corpus={"graph": False}).ask("kb.search", {"query": QUESTION, "options": {"mode": mode}})
    assert answer["mode_used"] == "vector_only"
    assert "neo4j_disabled" in answer["degraded"]
    assert answer["results"]


def test_a_graph_server_that_is_down_costs_no_answer(serve, data):
    away = {"neo4j": {"uri": "bolt://127.0.0.1:9", "password": "x"}}
    kb = serve(data, corpus=away)
    for _ in range(2):
        answer = kb.ask("kb.search", {"query": QUESTION})
        assert answer["mode_used"] == "vector_only"
        assert any(reason.startswith("neo4j_disabled: ") for reason in answer["degraded"])
        assert answer["results"]


def test_a_corpus_that_states_nothing_is_told(serve, take_in, tmp_path):
    take_in(tmp_path / "data", written(tmp_path / "docs", {"1.txt": "12 34 56", "2.txt": "12 34 78"}))
    answer = serve(tmp_path / "data").ask("kb.search", {"query": "12 34"})
    assert answer["mode_used"] == "vector_only"
    assert "graph_empty" in answer["degraded"]
