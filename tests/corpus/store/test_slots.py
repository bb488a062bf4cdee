"""A slot belongs to one process; what it holds is known, and what is damaged is built anew."""

from __future__ import annotations

import asyncio
import builtins
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from made_documents import MODEL, prepared
from oracle import PROFILE

from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store import choose
from wekadocs_corpus.store.choose import LocalIndex, open_index
from wekadocs_corpus.store.full_text import FullText
from wekadocs_corpus.store.interface import IndexState
from wekadocs_corpus.store.locks import FileLock
from wekadocs_corpus.store.slots import Holding, in_use, safe_name, slots_folder, take_slot
from wekadocs_corpus.store.truth import Truth

AREA = Area("p", "prod")


def local(truth: Truth) -> LocalIndex:
    return LocalIndex(truth, truth.data_dir, "p", PROFILE)


async def until_edge(index: LocalIndex, seconds: float = 20) -> IndexState:
    end = time.monotonic() + seconds
    while (state := await index.catch_up(0.1)).kind != "edge":
        assert time.monotonic() < end, state
        await asyncio.sleep(0.01)
    return state


def run(truth: Truth, work: Callable[[LocalIndex], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        index = local(truth)
        try:
            return await work(index)
        finally:
            await index.close()

    return asyncio.run(main())


async def texts(index: LocalIndex, truth: Truth) -> list[str]:
    legs = await index.search_words({1: 1.0}, AREA, Filters(), 100)
    return sorted(passage.text for passage in truth.chunks([leg.chunk_id for leg in legs]))


def filled(truth: Truth, count: int = 30) -> list[str]:
    truth.write_many(prepared(f"{i}.md", [f"text {i}"], [{1: 1.0}]) for i in range(count))
    return sorted(f"text {i}" for i in range(count))


def folder(truth: Truth) -> Path:
    return slots_folder(truth.data_dir, "p", MODEL)


def test_each_gets_its_own_slot_and_the_fifth_none(tmp_path: Path) -> None:
    slots = [take_slot(tmp_path, "t") for _ in range(5)]
    assert [slot and slot.folder.name for slot in slots] == ["slot-0", "slot-1", "slot-2", "slot-3", None]
    assert in_use(tmp_path)
    second = slots[1]
    assert second is not None
    second.release()
    again = take_slot(tmp_path, "t")
    assert again is not None
    assert again.folder.name == "slot-1"
    for slot in (slots[0], slots[2], slots[3], again):
        assert slot is not None
        slot.release()
    assert not in_use(tmp_path)


def test_the_slot_that_holds_most_of_this_truth_is_preferred(tmp_path: Path) -> None:
    slots = [take_slot(tmp_path, "t") for _ in range(4)]
    for slot, holding in zip(slots, [Holding("other", 8, 99), Holding("t", 8, 3), Holding("t", 8, 7)], strict=False):
        assert slot is not None
        slot.keep(holding)
    for slot in slots:
        assert slot is not None
        slot.release()
    best = take_slot(tmp_path, "t")
    assert best is not None
    assert best.holding() == Holding("t", 8, 7)
    best.release()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_does_not_keep_the_lock_of_its_parent(tmp_path: Path) -> None:
    lock = FileLock.take(tmp_path / "lock")
    assert lock is not None
    ready, child = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(ready[1], b"x")
        os.read(child[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    assert FileLock.take(tmp_path / "lock") is None
    lock.release()
    taken = FileLock.take(tmp_path / "lock")
    os.write(child[1], b"x")
    os.waitpid(pid, 0)
    for end in (*ready, *child):
        os.close(end)
    assert taken is not None
    taken.release()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "A", "a b", "x" * 300, "ü", "con\0", "openai:text-3@1536"])
def test_every_name_makes_one_folder_of_its_own(name: str) -> None:
    made = safe_name(name)
    assert made not in (".", "..")
    assert len(made) <= 64
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-.")
    assert made != safe_name(name + "!")
    assert safe_name("wekadocs-matrix") == "wekadocs-matrix"


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
