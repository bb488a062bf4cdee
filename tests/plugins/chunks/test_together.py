"""Many at once, deadlines, and what is left when a process is killed in the middle."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import textwrap
import time
from types import SimpleNamespace

import pytest
from citing import config, done, passage, refused

from wekadocs_corpus.collections.rarity import Rarity
from wekadocs_corpus.lexical import terms_of
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.writing.term_vectors import idf
from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.testing import app_from, client_for

SIZE = 5


def batch(writer, turn):
    """Every chunk of a batch says which one it is of."""
    return [{"id": f"{n}", "text": f"Layer {n} turn{writer}x{turn}x"} for n in range(SIZE)]


async def many(app):
    caller = Caller()

    async def ask(tool, **arguments):
        outcome = await app.dispatcher.call(f"chunks.{tool}", arguments, caller)
        assert outcome.error is None, outcome.error
        return outcome.data

    async def write(writer):
        for turn in range(3):
            await ask("store_chunks", project="lab/one", items=batch(writer, turn))
            await ask("store_chunks", project="lab/many", items=[{"id": f"{writer}-{turn}", "text": f"Own {writer}."}])

    async def read(_):
        for _ in range(3):
            found = await ask("find_chunks", project="lab/one", query="layer", top_k=20)
            told = {each["render_text"].split()[-1] for each in found["items"]}
            assert len(told) <= 1, "half of a batch was seen"
            assert found["count"] in (0, SIZE)

    await asyncio.gather(*(write(n) for n in range(50)), *(read(n) for n in range(50)))
    found = await ask("query_hybrid", project="lab/one", query="layer", top_k=20)
    inspected = await ask("inspect_collection", project="lab/many")
    await app.close()
    return found, inspected


def test_a_hundred_writers_and_readers_see_whole_batches_and_lose_nothing(tmp_path):
    projects = {"lab/one": {"min_batch": 1}, "lab/many": {"min_batch": 1}}
    app = app_from(config(projects), data_dir=tmp_path)
    found, inspected = asyncio.run(many(app))
    assert len({each["render_text"].split()[-1] for each in found["items"]}) == 1  # the last write wins, whole
    assert inspected["size"] == 150


def test_two_processes_see_each_others_batches(tmp_path):
    projects = {"a/b": {"min_batch": 1}}
    given = {"config": config(projects), "toolsets": ["citeloom"], "data_dir": tmp_path}
    with client_for(**given) as one, client_for(**given) as two:
        for turn in range(4):
            writer, reader = (one, two) if turn % 2 else (two, one)
            done(writer.call("store_chunks", project="a/b", items=batch("w", turn)))
            found = done(reader.call("query_hybrid", project="a/b", query=f"turnwx{turn}x", top_k=20, debug=True))[
                "items"
            ]
            assert [each["words_rank"] is not None for each in found] == [True] * SIZE
        done(one.call("delete_chunks", project="a/b", ids=["0"]))
        assert done(two.call("find_chunks", project="a/b", query="layer"))["count"] == SIZE - 1


def test_too_late_means_that_nothing_was_written_and_is_logged(opened, caplog, monkeypatch):
    from wekadocs_corpus.collections import preparing

    real = preparing.embedded

    def slow(embedder, texts):
        time.sleep(0.5)  # past the deadline below
        return real(embedder, texts)

    client = opened({"a/b": {"min_batch": 1}}, toolset="")
    done(client.call("chunks.find_chunks", project="a/b", query="warm"))
    tool = client.app.catalogue.by_contract["chunks.store_chunks"]
    monkeypatch.setitem(tool.budgets, "timeout_seconds", 0.3)
    monkeypatch.setattr(preparing, "embedded", slow)
    with caplog.at_level(logging.WARNING, "wekadocs.plugin.chunks"):
        error = refused(client.call("chunks.store_chunks", project="a/b", items=[passage(0)]), "TIMEOUT")
    assert error["details"]["timeout_seconds"] == 0.3 and "Nothing was written" in error["message"]
    assert "embedding 1 chunks" in caplog.text and "chunks.store_chunks" in caplog.text and "Passage" not in caplog.text
    time.sleep(0.6)  # the thread has woken up by now
    assert done(client.call("chunks.inspect_collection", project="a/b"))["size"] == 0
    monkeypatch.setattr(preparing, "embedded", real)
    monkeypatch.setitem(tool.budgets, "timeout_seconds", 15)
    assert done(client.call("chunks.store_chunks", project="a/b", items=[passage(0)]))["chunks_written"] == 1


def test_a_collection_that_takes_longer_to_read_than_a_question_has_time_is_read_on_by_the_next(opened, monkeypatch):
    from wekadocs_corpus.collections import memory

    steps = []

    def check():
        steps.append("look")
        if len(steps) in (2, 4):
            raise TimeoutError

    client = opened({"a/b": {"min_batch": 1}})
    for start in range(0, 2000, 500):
        items = [{"id": str(start + n), "text": f"Layer {start + n} of it."} for n in range(500)]
        done(client.call("store_chunks", project="a/b", items=items))
    monkeypatch.setattr(memory, "_AT_ONCE", 500)
    monkeypatch.setattr(memory, "stopping", SimpleNamespace(check=check))
    for _ in range(2):
        refused(client.call("find_chunks", project="a/b", query="layer"), "TIMEOUT")
    done(client.call("delete_chunks", project="a/b", ids=["3"]))  # what was read already
    found = [done(client.call("find_chunks", project="a/b", query=f"Layer {n} of it."))["items"] for n in (3, 1999)]
    assert "3" not in {each["id"] for each in found[0]} and found[1][0]["id"] == "1999"
    assert len(steps) == 7  # four steps, each once, two that came too late, and what was deleted


WRITER = """
import json, sys
from wekadocs_mcp.testing import client_for
config = json.loads(sys.argv[1])
with client_for(config, toolsets=["citeloom"], data_dir=sys.argv[2]) as client:
    for turn in range(10_000):
        items = [{"id": f"{n}", "text": f"Layer {n} turn{turn}x", "embedding": [1.0 + turn, n + 1]} for n in range(50)]
        for item in items:
            item["metadata"] = {"embed_model": f"acme/{turn // 5}"}
        reply = client.call("store_chunks", project="a/b", items=items, migrate=True)
        assert reply.error is None, reply.error
        print(turn, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 4, 9])
def test_a_killed_process_loses_nothing_acknowledged_and_shows_nothing_else(tmp_path, lines):
    given = config({"a/b": {"min_batch": 1, "embedding_model": "acme/0"}})
    command = [sys.executable, "-c", textwrap.dedent(WRITER), json.dumps(given), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        for _ in range(lines):
            acknowledged = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest = writer.stdout.read().split()
    acknowledged = int(rest[-1]) if rest else acknowledged
    with client_for(given, toolsets=["citeloom"], data_dir=tmp_path) as client:
        inspected = done(client.call("inspect_collection", project="a/b", sample=5))
        assert inspected["size"] == 50
        model = int(inspected["embed_model"].removeprefix("acme/"))
        assert model in (acknowledged // 5, (acknowledged + 1) // 5)
    truth = SqliteTruth(tmp_path)
    with truth.collection_tables().view() as view:
        row = view.collection("a/b")
        turns = {each.text.split("turn")[1] for each in view.of_documents(row.number, view.documents(row.number))}
        assert len(turns) == 1 and int(turns.pop().rstrip("x")) in (acknowledged, acknowledged + 1)
        counted = Rarity().weighted(view, row, dict.fromkeys(terms_of("Layer"), 1.0))
        assert row.worded == 50 and list(counted.values()) == [pytest.approx(idf(50, 50))]
    truth.close()
