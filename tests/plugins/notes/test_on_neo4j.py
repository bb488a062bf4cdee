"""The links on a real Neo4j server: the same answers, and an honest failure when it is away."""

import random
from contextlib import contextmanager

import neo4j as driver
import pytest
from neo4j_server import Server, neo4j_server
from reading_room import Room, config
from test_keeping import _text, change, story

from wekadocs_mcp.testing import client_for


@pytest.fixture(scope="module")
def neo4j() -> Server:
    return neo4j_server()


@contextmanager
def opened(root, data, settings=None):
    given = config(str(root), watch="off")
    given["plugins"]["corpus"] = {"neo4j": settings} if settings else {}
    with client_for(given, toolsets=["roux"], data_dir=data) as client:
        yield Room(client, root)


def test_neo4j_gives_the_same_answers_after_every_change(tmp_path, neo4j):
    root, rng = tmp_path / "vault", random.Random(5)
    root.mkdir()
    for number in range(12):
        (root / f"n{number}.md").write_text(_text(rng))
    with opened(root, tmp_path / "one", neo4j.settings) as there, opened(root, tmp_path / "two") as here:
        for _ in range(3):
            assert story(there) == story(here)
            around = {"id": "n1.md", "depth": 3}
            assert there.call("local_graph", **around) == here.call("local_graph", **around)
            for _ in range(8):
                change(rng, root)
        hub = there.call("get_hubs", limit=1)[0]
    with driver.GraphDatabase.driver(
        neo4j.settings["uri"], auth=(neo4j.settings["user"], neo4j.settings["password"])
    ) as server:
        ask = "MATCH (n:WekadocsLinked {id: $id})<-[:LINKS_TO]-() RETURN count(*) AS many"
        assert hub["score"] in [row["many"] for row in server.execute_query(ask, id=hub["id"]).records]


def test_two_servers_share_one_graph_and_none_sees_the_others_half(tmp_path, neo4j):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("[[b]]")
    with opened(root, tmp_path / "data", neo4j.settings) as one, opened(root, tmp_path / "data", neo4j.settings) as two:
        for number in range(5):
            (root / f"x{number}.md").write_text("[[b]]")
            score = {"score": number + 2}
            assert one.call("get_hubs", limit=1)[0].items() >= score.items()
            assert two.call("get_hubs", limit=1)[0].items() >= score.items()


def test_a_neo4j_that_is_away_is_a_provider_error_and_notes_are_still_read(tmp_path):
    root = tmp_path / "vault"
    root.mkdir()
    (root / "a.md").write_text("About walruses. [[b]]")
    away = {"uri": "bolt://127.0.0.1:9", "user": "x", "password": "hush", "timeout_seconds": 1}
    with opened(root, tmp_path / "data", away) as room:
        for tool, arguments in (
            ("get_hubs", {}),
            ("get_neighbors", {"id": "a.md"}),
            ("get_node", {"id": "a.md", "depth": 1}),
        ):
            error = room.refused(tool, **arguments)
            assert error["code"] == "PROVIDER_ERROR" and error["retryable"] and "hush" not in str(error)
        assert room.links("a.md") and room.call("search", query="walruses")[0]["id"] == "a.md"
