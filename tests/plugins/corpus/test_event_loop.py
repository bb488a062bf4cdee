"""A database that has gone silent keeps the calls waiting that ask it, and nothing else: no event loop waits for it."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from postgres_server import dropped, postgres_server


def test_no_event_loop_waits_for_postgres(
    serve: Callable[..., Any], take_in: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[str] = []
    wait = psycopg.Connection.wait

    def told(connection: Any, *how: Any, **more: Any) -> Any:
        if asyncio._get_running_loop() is not None:
            waited.append("".join(traceback.format_stack(limit=25)))
        return wait(connection, *how, **more)

    database = postgres_server()
    truth = database.settings
    with dropped(database, truth["schema"]):
        take_in(tmp_path / "cache", truth=truth)
        plugins: dict[str, Any] = {"corpus": {"truth": truth}, "scratch": {}, "kb": {}, "graph": {}}
        server = serve(data_dir=tmp_path / "empty", plugins=plugins)
        monkeypatch.setattr(psycopg.Connection, "wait", told)
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
