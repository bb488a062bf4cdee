"""One corpus in two truths: a SQLite file, and a PostgreSQL database with or without a Qdrant server, give the same
answers, order included."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import qdrant_fake
from postgres_server import dropped, postgres_server

QUESTIONS = (
    "how do I mount a filesystem",
    "strata mount",
    "what does error E1042 mean",
    "SSD tiering policy for object storage",
    "snapshot retention days",
    "how to rotate the keys of a cluster",
    "NFS or SMB clients",
    "--read-only",
    "what changed in release 4.2",
    "quota",
)
_MINTED = {"passage_id", "session_id", "scratch_uri", "next_cursor", "uri"}  # made anew for every answer


def answer(server: Any, tool: str, arguments: dict[str, Any]) -> Any:
    """As soon as nothing keeps it from the whole answer: an index that is being filled, a machine that is busy."""
    for _ in range(60):
        outcome = server.outcome(tool, arguments)
        if outcome.error is None and not outcome.data.get("degraded") and not outcome.data.get("neo4j_disabled"):
            return told(outcome.data)
        time.sleep(0.5)
    raise AssertionError(outcome.error or outcome.data)


def told(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {key: told(value) for key, value in answer.items() if key not in _MINTED}
    return [told(each) for each in answer] if isinstance(answer, list) else answer


@pytest.fixture(scope="module")
def database(take_in: Callable[..., None], tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Settings of a truth with the sample documentation in it."""
    server = postgres_server()
    settings = server.settings
    with dropped(server, settings["schema"]):
        take_in(tmp_path_factory.mktemp("cache"), truth=settings)
        yield settings


@pytest.fixture(scope="module", params=["postgres", "postgres and qdrant"])
def both(
    request: pytest.FixtureRequest,
    serve: Callable[..., Any],
    database: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Any, Any]]:
    """A server on the file, and one on the database with an empty data directory."""
    empty: Path = tmp_path_factory.mktemp("empty")
    rest: dict[str, Any] = {"scratch": {}, "kb": {}, "graph": {}}
    with qdrant_fake.running() as fake:
        index = {"qdrant": {"url": fake.url}} if "qdrant" in request.param else {}
        embedded = serve(plugins={"corpus": {}, **rest})
        shared = serve(data_dir=empty, plugins={"corpus": {"truth": database, **index}, **rest})
        yield embedded, shared


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_search_finds_the_same_in_the_same_order(both: tuple[Any, Any], question: str) -> None:
    asked = {"query": question, "top_k": 10, "page_size": 10}
    expected, found = (answer(each, "kb.search", asked) for each in both)
    assert expected["results"]
    assert found == expected


@pytest.mark.parametrize("question", QUESTIONS[:5])
def test_evidence_is_the_same_word_for_word(both: tuple[Any, Any], question: str) -> None:
    expected, found = (answer(each, "kb.retrieve_evidence", {"question": question}) for each in both)
    assert found == expected


def test_the_graph_leads_to_the_same_nodes(both: tuple[Any, Any]) -> None:
    rows = answer(both[0], "kb.search", {"query": "mount a filesystem", "top_k": 3})["results"]
    ids = [row["section_id"] for row in rows]
    for tool, arguments in (
        ("graph.expand", {"node_ids": ids, "max_hops": 2}),
        ("graph.describe", {"node_ids": ids}),
        ("graph.parents", {"section_ids": ids}),
        ("graph.children", {"parent_id": ids[0]}),
        ("graph.paths", {"a_ids": ids[:1], "b_ids": ids[1:], "max_hops": 3}),
        ("graph.entities_for_sections", {"section_ids": ids}),
    ):
        expected, found = (answer(each, tool, arguments) for each in both)
        assert found == expected, tool


def test_figures_and_integrity_are_the_same(both: tuple[Any, Any]) -> None:
    truths = [each.state("corpus").truth for each in both]
    first, second = (truth.counts() for truth in truths)
    assert (first.documents, first.chunks, first.tokens, first.doc_tags, first.models) == (
        second.documents,
        second.chunks,
        second.tokens,
        second.doc_tags,
        second.models,
    )
    assert [truth.integrity() for truth in truths] == [[], []]
    assert truths[0].tally("doc_tag") == truths[1].tally("doc_tag")
