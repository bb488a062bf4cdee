"""Migrations that take longer than a call: they go on, are told of, and survive what may happen to them."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest
import qdrant_fake
from citing import OWN, config, done, passage, refused

from wekadocs_corpus import Unavailable, stopping
from wekadocs_corpus.collections import rebuilding
from wekadocs_mcp.testing import client_for

OTHER = "acme/2"
PROJECTS = {"a/b": {"min_batch": 1, "embedding_model": OTHER}}
NEW = {"id": "new", "text": "The ledger of payments.", "metadata": {"embed_model": OWN, "doc": {"id": "ledger"}}}


def foreign(number, **more):
    item = passage(number, **more)
    return {**item, "embedding": [1.0, number], "metadata": {**item["metadata"], "embed_model": OTHER}}


class Gate:
    """Embedding for a migration waits until it is opened."""

    def __init__(self):
        self.open = threading.Event()
        self.fails = False
        self._real = rebuilding.embedded

    def __call__(self, embedder, texts):
        while not self.open.wait(0.005):
            stopping.check()
        if self.fails:
            raise Unavailable("the model's server is down")
        return self._real(embedder, texts)


@pytest.fixture
def gate(monkeypatch):
    held = Gate()
    monkeypatch.setattr(rebuilding, "embedded", held)
    return held


@pytest.fixture(params=["embedded", "qdrant"])
def started(request, tmp_path):
    """`with started() as client`: a server on this test's data directory whose store_chunks gives up soon."""
    given = config(PROJECTS)
    with qdrant_fake.running() as fake:
        if request.param == "qdrant":
            given["plugins"]["corpus"] = {"qdrant": {"url": fake.url}}

        class Started:
            def __enter__(self):
                self.context = client_for(given, data_dir=tmp_path)
                client = self.context.__enter__()
                client.app.catalogue.by_contract["chunks.store_chunks"].budgets["timeout_seconds"] = 3
                return client

            def __exit__(self, *what):
                return self.context.__exit__(*what)

        yield Started


def store(client, *items, **more):
    return client.call("chunks.store_chunks", project="a/b", items=list(items), **more)


def inspected(client):
    return done(client.call("chunks.inspect_collection", project="a/b"))


def when_done(client):
    waiting = threading.Event()
    for _ in range(2000):
        if "migration" not in (told := inspected(client)):
            return told
        waiting.wait(0.01)
    raise AssertionError("the migration does not end")


def found(client, query, **more):
    items = done(client.call("chunks.find_chunks", project="a/b", query=query, top_k=20, **more))["items"]
    return [each["id"] for each in items]


def test_a_long_migration_goes_on_behind_the_call_and_the_old_collection_serves_until_it_is_done(gate, started):
    with started() as client:
        done(store(client, *({**foreign(n), "id": f"c{n}"} for n in range(30))))
        answer = done(store(client, NEW, migrate=True))
        assert answer["chunks_written"] == 1 and answer["embed_model"] == OWN
        assert answer["migration"] == {"embed_model": OWN, "dimension": 256, "done": 0, "total": 30}
        assert "the former one answers until that is done" in answer["warnings"][0]
        told = inspected(client)
        assert (told["size"], told["embed_model"], told["migration"]["total"]) == (30, OTHER, 30)
        assert "Being rebuilt for" in client.call("chunks.inspect_collection", project="a/b").text
        # Meanwhile: what is early, what is changed, what is added, what is deleted.
        error = refused(store(client, NEW), "EMBEDDING_MISMATCH")
        assert error["retryable"] is True and error["details"]["migrating_to"] == OWN
        changed = {**foreign(7), "id": "c7", "text": "Zebras graze on the savannah."}
        done(store(client, changed, foreign(31, text="A late one.")))
        done(store(client, {"id": "added", "text": "Added while it was rebuilt.", "metadata": {}}, migrate=True))
        done(client.call("chunks.delete_chunks", project="a/b", docs=["ledger"]))
        gate.open.set()
        told = when_done(client)
        assert (told["size"], told["embed_model"], told["dimension"]) == (32, OWN, 256)
        assert len(found(client, "zebras savannah", filters={"doc": "paper"})) == 20
        top = done(client.call("chunks.query_hybrid", project="a/b", query="zebras savannah", debug=True))["items"][0]
        assert top["words_rank"] == 1 and top["render_text"].startswith("Zebras")
        assert found(client, "added while it was rebuilt")[0] == "added"


def test_a_computed_id_is_that_of_the_new_model_so_that_storing_again_changes_nothing(gate, started):
    gate.open.set()
    with started() as client:
        done(store(client, *(foreign(n) for n in range(5))))
        again = [passage(n, embed_model=OWN) for n in range(5)]
        assert "migration" not in done(store(client, *again, migrate=True))
        assert inspected(client)["size"] == 5
        done(store(client, *again))
        assert inspected(client)["size"] == 5


def test_a_promised_migration_goes_on_after_a_restart(gate, started):
    with started() as client:
        done(store(client, *(foreign(n) for n in range(5))))
        assert "migration" in done(store(client, NEW, migrate=True))
    gate.open.set()
    with started() as client:
        assert when_done(client)["size"] == 6
        assert found(client, "ledger of payments")[0] == "new"


def test_a_server_that_only_reads_leaves_a_migration_to_others(gate, tmp_path):
    with client_for(config(PROJECTS), data_dir=tmp_path) as client:
        client.app.catalogue.by_contract["chunks.store_chunks"].budgets["timeout_seconds"] = 3
        done(store(client, *(foreign(n) for n in range(5))))
        assert "migration" in done(store(client, NEW, migrate=True))
    gate.open.set()
    with client_for({**config(PROJECTS), "server": {"read_only": True}}, data_dir=tmp_path) as client:
        assert [inspected(client)["migration"]["done"] for _ in range(3)] == [0, 0, 0]
    with client_for(config(PROJECTS), data_dir=tmp_path) as client:
        assert when_done(client)["size"] == 6


def test_too_late_to_promise_means_that_nothing_appears_later(gate, started, monkeypatch):
    from wekadocs_corpus.collections.migrations import Migrations

    def too_late(*_):
        raise TimeoutError

    with started() as client:
        done(store(client, *(foreign(n) for n in range(5))))
        with monkeypatch.context() as patch:
            patch.setattr(Migrations, "promise", too_late)
            refused(store(client, NEW, migrate=True), "TIMEOUT")
        gate.open.set()
        told = when_done(client)
        assert (told["size"], told["embed_model"]) == (5, OTHER)


def test_a_model_that_fails_costs_nothing_and_is_told(gate, started):
    gate.fails = True
    gate.open.set()
    with started() as client:
        done(store(client, *(foreign(n) for n in range(5))))
        error = refused(store(client, NEW, migrate=True), "INDEX_UNAVAILABLE")
        assert "the model's server is down" in error["message"]
        told = when_done(client)
        assert (told["size"], told["embed_model"]) == (5, OTHER)
        gate.fails = False
        assert "migration" not in done(store(client, NEW, migrate=True))
        assert inspected(client)["size"] == 6


def test_a_migration_to_a_third_model_takes_the_place_of_one_that_goes_on_and_counts_what_it_drops(gate, started):
    with started() as client:
        done(store(client, *(foreign(n) for n in range(5))))
        assert "migration" in done(store(client, NEW, migrate=True))
        given = {"text": "Third.", "id": "third", "embedding": [1.0], "metadata": {"embed_model": "acme/1"}}
        answer = done(store(client, given, migrate=True))
        assert answer["embed_model"] == "acme/1" and "6 chunks" in answer["warnings"][0]
        gate.open.set()
        told = when_done(client)
        assert (told["size"], told["embed_model"], told["dimension"]) == (1, "acme/1", 1)


WRITER = """
import json, sys, threading
from wekadocs_corpus.collections import rebuilding
from wekadocs_mcp.testing import client_for
config, kept = json.loads(sys.argv[1]), rebuilding.embedded
def stuck(embedder, texts):
    print("copying", flush=True)
    threading.Event().wait()
with client_for(config, data_dir=sys.argv[2]) as client:
    client.app.catalogue.by_contract["chunks.store_chunks"].budgets["timeout_seconds"] = float(sys.argv[3])
    first = json.loads(sys.argv[4])
    assert client.call("chunks.store_chunks", project="a/b", items=first[:-1]).error is None
    rebuilding.embedded = stuck
    print(client.call("chunks.store_chunks", project="a/b", items=first[-1:], migrate=True).error, flush=True)
    threading.Event().wait()
"""


@pytest.mark.parametrize("promised", [False, True])
def test_a_process_that_is_killed_in_a_migration_loses_what_was_promised_never_and_shows_nothing_else(
    tmp_path, promised
):
    items = [*(foreign(n) for n in range(500)), NEW]
    given = [json.dumps(config(PROJECTS)), str(tmp_path), "2" if promised else "15", json.dumps(items)]
    command = [sys.executable, "-c", textwrap.dedent(WRITER), *given]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "copying\n"
        if promised:
            assert writer.stdout.readline() == "None\n"
        os.kill(writer.pid, signal.SIGKILL)
    with client_for(config(PROJECTS), data_dir=tmp_path) as client:
        told = when_done(client)
        assert (told["size"], told["embed_model"]) == ((501, OWN) if promised else (500, OTHER))
