"""The best index that is there answers, and says why when it is not the best there could be."""

from __future__ import annotations

import asyncio
import builtins
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_documents import prepared
from oracle import PROFILE
from serving import AREA, filled, folder, local, run, texts, until_edge

from wekadocs_corpus.model import Filters
from wekadocs_corpus.store import choose, filesystem
from wekadocs_corpus.store.choose import LocalIndex, open_index
from wekadocs_corpus.store.full_text import FullText
from wekadocs_corpus.store.truth import Truth


def test_sqlite_answers_while_the_first_slot_is_built_and_says_so(truth: Truth) -> None:
    expected = filled(truth)

    async def work(index: LocalIndex) -> None:
        state = await index.state()
        assert (state.kind, "being built" in state.note) in {("sqlite", True), ("edge", False)}
        assert await texts(index, truth) == expected
        assert (await until_edge(index)).note == ""
        assert await texts(index, truth) == expected

    run(truth, work)


def test_a_built_slot_is_opened_again_without_building(truth: Truth) -> None:
    expected = filled(truth)
    run(truth, until_edge)
    holding = (folder(truth) / "slot-0" / "holding.json").read_text()
    assert f'"sequence": {truth.sequence()}' in holding

    async def work(index: LocalIndex) -> None:
        assert (await index.state()).kind == "edge", "the first question waits for a slot that is there"
        assert await texts(index, truth) == expected

    run(truth, work)


def damages(shard: Path) -> dict[str, Callable[[], None]]:
    files = sorted((path for path in shard.rglob("*") if path.is_file()), key=lambda path: -path.stat().st_blocks)

    def garbage() -> None:
        dice = random.Random(1)
        for path in files:
            path.write_bytes(dice.randbytes(min(path.stat().st_size, 10_000)))

    def emptied() -> None:
        for path in files:
            os.truncate(path, 0)

    def one(ending: str) -> Callable[[], None]:
        return lambda: os.truncate(next(path for path in files if path.name.endswith(ending)), 0)

    def removed() -> None:
        for path in files[1::2]:
            path.unlink()

    return {
        "garbage": garbage,
        "emptied": emptied,
        "removed": removed,
        "ids": one("mappings"),
        "vectors": one("chunk_0.mmap"),
        "wal": one("open-1"),
    }


@pytest.mark.parametrize("how", ["garbage", "emptied", "removed", "ids", "vectors", "wal"])
def test_a_damaged_slot_is_built_anew(truth: Truth, how: str) -> None:
    expected = filled(truth)
    run(truth, until_edge)
    damages(folder(truth) / "slot-0" / "shard")[how]()

    async def work(index: LocalIndex) -> None:
        assert await texts(index, truth) == expected
        await until_edge(index)
        assert await texts(index, truth) == expected

    run(truth, work)


def test_a_slot_whose_opening_killed_a_process_is_built_anew(truth: Truth) -> None:
    expected = filled(truth)
    run(truth, until_edge)
    (folder(truth) / "slot-0" / "opening").touch()
    (folder(truth) / "slot-0" / "shard" / "edge_config.json").write_text("would take the process with it")

    async def work(index: LocalIndex) -> None:
        await until_edge(index)
        assert await texts(index, truth) == expected

    run(truth, work)


def test_a_slot_of_another_truth_is_not_believed(truth: Truth, data: Path) -> None:
    filled(truth)
    run(truth, until_edge)
    truth.close()
    for path in data.glob("corpus.db*"):
        path.unlink()
    other = Truth(data)
    other.write(prepared("new.md", ["new"], [{1: 1.0}]))

    async def work(index: LocalIndex) -> None:
        await until_edge(index)
        assert await texts(index, other) == ["new"]

    run(other, work)
    other.close()


def test_a_shard_that_breaks_while_serving_is_replaced_and_the_question_answered(
    truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = filled(truth)

    async def work(index: LocalIndex) -> None:
        await until_edge(index)
        edge = index._edge
        assert edge is not None
        assert edge._shard is not None
        edge._shard._edge.close()
        assert await texts(index, truth) == expected
        assert index._edge is not edge
        await until_edge(index)
        assert await texts(index, truth) == expected

    run(truth, work)


def test_catching_up_ends_in_time_and_tells_what_is_missing(truth: Truth) -> None:
    filled(truth)

    async def work(index: LocalIndex) -> None:
        await until_edge(index)
        truth.write_many(prepared(f"more {i}.md", [f"more {i}"], [{1: 1.0}]) for i in range(300))
        state = await index.catch_up(0)
        assert state.behind > 0
        while (state := await index.catch_up(1)).behind:
            pass
        assert len(await index.search_words({1: 1.0}, AREA, Filters(), 1000)) == 330

    run(truth, work)


def test_a_fifth_index_is_answered_by_sqlite_until_a_slot_is_free(
    truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = filled(truth)
    monkeypatch.setattr(choose, "_ASK_AGAIN", 0.0)

    async def main() -> None:
        indexes = [local(truth) for _ in range(5)]
        for index in indexes[:4]:
            await until_edge(index)
        state = await indexes[4].catch_up(0.1)
        assert (state.kind, state.behind) == ("sqlite", 0)
        assert "all 4 index slots" in state.note
        assert await texts(indexes[4], truth) == expected
        await indexes[2].close()
        await until_edge(indexes[4])
        assert await texts(indexes[4], truth) == expected
        for index in (*indexes[:2], *indexes[3:]):
            await index.close()

    asyncio.run(main())


def test_without_the_engine_sqlite_answers_and_says_why(truth: Truth, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = filled(truth)
    ordinary = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "qdrant_edge":
            raise ImportError(name)
        return ordinary(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)

    async def work(index: LocalIndex) -> None:
        state = await index.catch_up(0.1)
        assert state.kind == "sqlite"
        assert "no build for this platform" in state.note
        assert await texts(index, truth) == expected

    run(truth, work)


def test_the_embedded_index_can_be_switched_off(truth: Truth) -> None:
    index = open_index(truth, truth.data_dir, "p", PROFILE, {"index": "sqlite", "qdrant": {"url": ""}})
    assert isinstance(index, FullText)
    assert "switched off" in index.note
    asyncio.run(index.close())


def test_filling_waits_for_the_embedded_index_unless_a_server_follows_anyway(truth: Truth) -> None:
    filled(truth)

    async def main() -> None:
        filling = open_index(truth, truth.data_dir, "p", PROFILE, {}, wait=True)
        while (state := await filling.catch_up(0.5)).behind:
            pass
        assert (state.kind, state.sequence) == ("edge", truth.sequence())
        serving = local(truth)
        await filling.close()
        await until_edge(serving)
        beside = open_index(truth, truth.data_dir, "p", PROFILE, {}, wait=True)
        assert (await beside.catch_up(0.5)).behind == 0
        await beside.close()
        await serving.close()

    asyncio.run(main())
    assert (folder(truth) / "slot-0" / "holding.json").exists()
    assert not (folder(truth) / "slot-2").exists()


def test_on_a_nearly_full_disk_sqlite_answers_until_there_is_room(
    truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard's files have holes; one that the disk cannot fill would end the process by SIGBUS."""
    expected = filled(truth)
    monkeypatch.setattr(filesystem, "SPARE", 1 << 60)

    async def work(index: LocalIndex) -> None:
        while "being built" in (state := await index.catch_up(0.1)).note:
            pass  # the thread that opens it finds out
        assert (state.kind, "MB are free on its disk" in state.note) == ("sqlite", True)
        assert await texts(index, truth) == expected
        monkeypatch.undo()
        monkeypatch.setattr(choose, "_ASK_AGAIN", 0.0)
        assert (await until_edge(index)).note == ""
        assert await texts(index, truth) == expected

    run(truth, work)


def test_an_index_folder_that_cannot_be_made_leaves_the_answers_to_sqlite(truth: Truth) -> None:
    expected = filled(truth)
    (truth.data_dir / "index").write_text("in the way")

    async def work(index: LocalIndex) -> None:
        state = await index.catch_up(0.1)
        assert (state.kind, "the index folder cannot be written" in state.note) == ("sqlite", True)
        assert await texts(index, truth) == expected

    run(truth, work)
