"""A database that has gone silent keeps the calls waiting that ask it, and nothing else: no event loop waits for it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
import qdrant_fake
from postgres_server import dropped, postgres_server


@pytest.mark.parametrize("index", ["truth", "qdrant"])
def test_no_event_loop_waits_for_postgres(
    serve: Callable[..., Any], take_in: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, index: str
) -> None:
    waited: list[str] = []
    wait = psycopg.Connection.wait

    def told(connection: Any, *how: Any, **more: Any) -> Any:
        if asyncio._get_running_loop() is not None:
            waited.append("".join(traceback.format_stack(limit=25)))
        return wait(connection, *how, **more)

    database = postgres_server()
    truth = database.settings
    with dropped(database, truth["schema"]), qdrant_fake.running() as fake:
        take_in(tmp_path / "cache", truth=truth)
        corpus = {"truth": truth, "qdrant": {"url": fake.url if index == "qdrant" else ""}}
        plugins: dict[str, Any] = {"corpus": corpus, "scratch": {}, "kb": {}, "graph": {}}
        server = serve(data_dir=tmp_path / "empty", plugins=plugins)
        monkeypatch.setattr(psycopg.Connection, "wait", told)
        late = time.monotonic() + 60
        while server.outcome("kb.search", {"query": "tiers"}).error is not None and time.monotonic() < late:
            time.sleep(0.1)  # the index is being filled
        for query in ("what does STR-1007 mean", "what is KMS", "how do I mount a filesystem"):
            server.outcome("kb.search", {"query": query, "filters": {"version": "newest"}})
            rows = server.outcome("kb.search", {"query": query}).data["results"]
        ids = [row["section_id"] for row in rows]
        evidence = server.outcome("kb.retrieve_evidence", {"question": "how is a filesystem mounted at boot"})
        around = server.outcome("graph.expand", {"node_ids": ids})
        excerpt = server.outcome("kb.read_excerpt", {"passage_id": rows[0]["passage_id"]})
        assert [each.error for each in (evidence, around, excerpt)] == [None] * 3
        server.run(server.app.health)
        assert not waited, waited[0]


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """All processes of a database server of this machine."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").fetchall()
        own = connection.info.backend_pid
    parent = int(Path(f"/proc/{rows[0][0]}/stat").read_text().rpartition(")")[2].split()[1])
    pids = [parent, *(pid for (pid,) in rows if pid != own)]
    try:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


@pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="the server may be somebody's")
def test_a_database_that_hangs_is_told_of_in_seconds_and_calls_may_be_tried_again(
    serve: Callable[..., Any], take_in: Callable[..., None], tmp_path: Path
) -> None:
    database = postgres_server()
    truth = database.settings
    with dropped(database, truth["schema"]):
        take_in(tmp_path / "cache", truth=truth)
        plugins: dict[str, Any] = {"corpus": {"truth": truth}, "scratch": {}, "kb": {}, "graph": {}}
        server = serve(data_dir=tmp_path / "empty", plugins=plugins)
        assert server.ask("kb.search", {"query": "mount a filesystem"})["results"]
        with frozen(database.url):
            began = time.monotonic()
            found = {each.what: each for each in server.run(server.app.health)}
            took = time.monotonic() - began
            refused = server.refused("kb.search", {"query": "what is a tier"})
        assert not found["corpus.store"].ok and not found["corpus.model"].ok
        assert took < 9, "each of four checks may take five seconds, and all of them together"
        assert refused["retryable"] is True, refused
        assert "/postgres" not in refused["message"], "where it is, is not told"
        assert server.ask("kb.search", {"query": "what is a snapshot"})["results"]
