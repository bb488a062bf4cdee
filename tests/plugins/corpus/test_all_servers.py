"""One corpus on servers altogether (PostgreSQL, Qdrant, Neo4j): the answers of the embedded one, order included.

Another machine ingests, with no word of Neo4j; two servers see the change and one of them at a time sends it there.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import qdrant_fake
from neo4j_server import Server, neo4j_server
from postgres_server import dropped, postgres_server

from wekadocs_corpus.graph.neo4j.graph import Neo4jGraph
from wekadocs_corpus.model import Area

PROJECT = f"all-{uuid4().hex[:8]}"  # servers are shared
QUESTIONS = (
    "how do I mount a filesystem",
    "strata mount",
    "what does error STR-1007 mean",
    "SSD tiering policy for object storage",
    "snapshot retention days",
    "how to rotate the keys of a cluster",
    "--read-only",
    "quota",
)
LATER = "# Later\n\nRun `strata mount --later-than-others`, see [Mount](mount.md) and STR-1007.\n\n## Cache MODES\n"
_MINTED = {"passage_id", "session_id", "scratch_uri", "next_cursor", "uri"}  # made anew for every answer
_HELD = "MERGE (r:WekadocsReplica {project: $project}) SET r.holder = 'elsewhere/1/00', r.until = timestamp() + $more"


@dataclass
class World:
    """The same pages in a folder of one machine, and on servers that two others answer from."""

    pages: Path
    embedded: Any
    shared: tuple[Any, Any]
    take_in: Callable[[], None]

    def same(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The answer on which all agree; cursors and passages are each server's own."""
        answers = [answer(each, tool, arguments) for each in (self.embedded, *self.shared)]
        assert told(answers[1]) == told(answers[0]), tool
        assert told(answers[2]) == told(answers[0]), tool
        return answers[0]

    def settled(self) -> None:
        for each in self.shared:
            within(60, lambda each=each: each.run(each.state("corpus").check_graph)[0][0] == "ok")


def answer(server: Any, tool: str, arguments: dict[str, Any]) -> Any:
    """As soon as nothing keeps it from the whole answer: an index that is being filled, a machine that is busy."""
    for _ in range(120):
        outcome = server.outcome(tool, arguments)
        if outcome.error is None and not outcome.data.get("degraded") and not outcome.data.get("neo4j_disabled"):
            return outcome.data
        assert outcome.error is None or outcome.error["error"]["retryable"], outcome.error
        time.sleep(0.5)
    raise AssertionError(outcome.error or outcome.data)


def told(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {key: told(value) for key, value in answer.items() if key not in _MINTED}
    return [told(each) for each in answer] if isinstance(answer, list) else answer


def within(seconds: float, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never was so"
        time.sleep(0.2)


def in_neo4j(server: Server, text: str = "", **values: Any) -> dict[str, int]:
    """What it has of this project, after a statement of our own."""

    async def ask() -> dict[str, int]:
        graph = Neo4jGraph(server.settings)
        if text:
            await graph.server.change(text, {"project": PROJECT, **values})
        found = await graph.stats(Area(PROJECT, "prod"))
        await graph.close()
        return found

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def neo4j() -> Server:
    return neo4j_server()


@pytest.fixture(scope="module")
def world(
    neo4j: Server,
    serve: Callable[..., Any],
    take_in: Callable[..., None],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    database, where = postgres_server(), tmp_path_factory.mktemp
    truth = database.settings
    pages = shutil.copytree(Path(__file__).parents[3] / "docs" / "sample" / "docs", where("pages") / "docs")
    file, nowhere = where("file"), where("cache")

    def all_in() -> None:
        take_in(file, pages, project=PROJECT)
        take_in(nowhere, pages, project=PROJECT, truth=truth)

    with ExitStack() as stack:
        stack.enter_context(dropped(database, truth["schema"]))
        url = os.environ.get("TEST_QDRANT_URL") or stack.enter_context(qdrant_fake.running()).url
        rest: dict[str, Any] = {"scratch": {}, "kb": {}, "graph": {}}
        servers = {"truth": truth, "qdrant": {"url": url}, "neo4j": neo4j.settings}
        scope = {"project_id": PROJECT, "environment": "prod"}
        all_in()
        embedded = serve(data_dir=file, plugins={"corpus": {}, **rest}, scope=scope)
        one, other = (serve(data_dir=where("empty"), plugins={"corpus": servers, **rest}, scope=scope) for _ in "ab")
        yield World(pages, embedded, (one, other), all_in)


def test_what_another_machine_took_in_comes_to_neo4j_by_whoever_has_the_turn(world: World, neo4j: Server) -> None:
    assert in_neo4j(neo4j, _HELD, more=3_600_000) == {}, "an ingest without Neo4j sends nothing there"
    for each in world.shared:
        each.state("corpus")  # from now on it follows
    time.sleep(3)
    assert in_neo4j(neo4j) == {}, "a third machine has the turn"
    assert world.shared[0].run(world.shared[0].state("corpus").check_graph)[0][0] == "warning"
    in_neo4j(neo4j, _HELD, more=-1)
    world.settled()
    graph = world.embedded.state("corpus").graph
    assert in_neo4j(neo4j) == world.embedded.run(lambda: graph.stats(Area(PROJECT, "prod")))


@pytest.mark.parametrize("question", QUESTIONS)
def test_search_and_evidence_are_the_same_word_for_word(world: World, question: str) -> None:
    world.settled()
    found = world.same("kb.search", {"query": question, "top_k": 10, "page_size": 10})
    assert found["results"] and found["mode_used"] == "hybrid_local"
    world.same("kb.retrieve_evidence", {"question": question})


def test_the_graph_leads_everywhere_in_the_same_order(world: World) -> None:
    world.settled()
    rows = [row for each in QUESTIONS[:4] for row in world.same("kb.search", {"query": each, "top_k": 5})["results"]]
    ids = list(dict.fromkeys(row["section_id"] for row in rows))[:8]
    named = world.same("graph.entities_for_sections", {"section_ids": ids})["results"]
    entities = list(dict.fromkeys(each["id"] for row in named for each in row["entities"]))[:8]
    assert len(ids) == len(entities) == 8
    above = [row["parent_id"] for row in world.same("graph.parents", {"section_ids": ids})["results"]]
    for tool, arguments in (
        *(("graph.expand", {"node_ids": [each], "max_hops": hops}) for each in (*ids, *entities) for hops in (1, 2)),
        ("graph.expand", {"node_ids": ids, "max_hops": 3, "page_size": 100, "include_snippet": True}),
        ("graph.expand", {"node_ids": entities, "rel_types": ["CO_MENTIONED"], "page_size": 100}),
        *(("graph.expand", {"node_ids": ids, "direction": way, "max_hops": 2}) for way in ("out", "in")),
        ("graph.describe", {"node_ids": [*ids, *entities, "unknown"]}),
        *(("graph.children", {"parent_id": each}) for each in (*above, *entities)),
        ("graph.paths", {"a_ids": ids[:4], "b_ids": ids[4:], "max_hops": 5}),
        ("graph.paths", {"a_ids": entities[:4], "b_ids": ids, "max_hops": 3}),
        ("graph.sections_for_entities", {"entity_ids": entities}),
    ):
        world.same(tool, arguments)


def test_every_page_of_a_list_is_the_same(world: World) -> None:
    world.settled()
    (row, *_) = world.same("kb.search", {"query": QUESTIONS[0], "top_k": 1})["results"]
    asked: dict[str, Any] = {"node_ids": [row["section_id"]], "max_hops": 2, "page_size": 5}
    pages: list[list[list[Any]]] = []
    for each in (world.embedded, *world.shared):
        found, cursor = [], None
        for _ in range(5):
            page = answer(each, "graph.expand", asked | ({"cursor": cursor} if cursor else {}))
            found, cursor = [*found, [page["nodes"], page["edges"]]], page["next_cursor"]
            if not cursor:
                break
        pages.append(found)
    assert len(pages[0]) > 2
    assert pages[0] == pages[1] == pages[2]


def test_pages_that_come_and_go_elsewhere_come_and_go_here(world: World, neo4j: Server) -> None:
    """No ingest on any machine that serves, and none that knows of Neo4j."""
    world.settled()
    before = in_neo4j(neo4j)
    (world.pages / "later.md").write_text(LATER)
    gone = next(each for each in sorted(world.pages.rglob("*.md")) if each.name != "later.md")
    text = gone.read_text()
    gone.unlink()
    world.take_in()
    _caught_up(world, neo4j, before)
    found = world.same("kb.search", {"query": "--later-than-others", "top_k": 3})["results"]
    ids = [row["section_id"] for row in found]
    world.same("graph.expand", {"node_ids": ids, "max_hops": 2})
    (named,) = world.same("graph.entities_for_sections", {"section_ids": ids[:1]})["results"]
    assert any("--later-than-others" in each["name"] for each in named["entities"])
    assert "Cache MODES" in _defined_by(world, "cache modes of a mount")
    (world.pages / "later.md").unlink()
    gone.write_text(text)
    world.take_in()
    _caught_up(world, neo4j, in_neo4j(neo4j))
    assert in_neo4j(neo4j) == before
    assert "Cache modes" in _defined_by(world, "cache modes of a mount"), "the spelling went with its page"


def _defined_by(world: World, question: str) -> list[str]:
    """What the sections that are found define."""
    rows = world.same("kb.search", {"query": question, "top_k": 5})["results"]
    ids = [row["section_id"] for row in rows]
    around = world.same("graph.expand", {"node_ids": ids, "rel_types": ["DEFINES"], "page_size": 100})
    return [str(node["title"]) for node in around["nodes"]]


def _caught_up(world: World, neo4j: Server, before: dict[str, int]) -> None:
    within(60, lambda: in_neo4j(neo4j) != before)
    world.settled()
