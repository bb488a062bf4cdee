"""Every stdio client spawns a server: all of them on one data directory share one index."""

import subprocess

import pytest

PARTS = 2100  # more than every server reads by itself
WORDS = ("alder", "birch", "cedar", "dogwood", "elder", "fir", "ginkgo", "hazel", "ivy", "juniper")


@pytest.fixture
def large(world):
    """A page of so many sections that its index is written to disk; each names a number of its own."""
    page = world.root / "docs" / "trees.md"
    page.parent.mkdir()
    parts = (f"## Tree {number}\n\nThe {WORDS[number % 10]} number {number}.\n" for number in range(PARTS))
    page.write_text("# Trees\n\n" + "\n".join(parts))
    done = subprocess.run(
        [world.SCRIPT, "ingest", page.parent], env=world.environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return world


def started(world):
    server = world.stdio(plugins=world.SAMPLE)
    server.shake_hands()
    return server


def ask(world, server, request_id):
    answer = server.ask(world.call(request_id, "kb.search", {"query": "Where is the hazel number 1237?"}))
    found = answer["result"]["structuredContent"]
    return [row["anchor"] for row in found["results"]], found.get("degraded", [])


def files(world):
    index = world.root / "data" / "index"
    return {str(path): path.stat().st_mtime_ns for path in index.rglob("*") if path.is_file()}


def test_ten_servers_on_one_data_directory_share_the_index_that_the_ingest_wrote(large):
    before = files(large)
    assert len({path.rpartition("/")[0] for path in before if "/gen-" in path}) == 1
    answers = [ask(large, started(large), 1) for _ in range(10)]  # all of them stay
    assert answers[0][0][0] == "tree-1237"
    assert answers == [(answers[0][0], [])] * 10
    assert files(large) == before, "nobody makes a copy"


def test_what_one_server_is_told_all_answer_at_the_next_question(large):
    servers = [started(large) for _ in range(2)]
    for server in servers:
        ask(large, server, 1)
    (large.root / "docs" / "more.md").write_text("# Hazel\n\nThe hazel number 1237 is in the garden.\n")
    subprocess.run([large.SCRIPT, "ingest", large.root / "docs"], env=large.environment, check=True, timeout=120)
    assert [ask(large, server, 2)[0][0] for server in servers] == ["hazel", "hazel"]
