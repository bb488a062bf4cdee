"""The best index that is there answers, and says why when it is not the best there could be."""

from __future__ import annotations

import asyncio

import pytest
from made_documents import prepared
from oracle import PROFILE
from serving import AREA, filled, found, run, texts, until_local
from test_generations import never_small  # noqa: F401 (a fixture)

from wekadocs_corpus.model import Filters
from wekadocs_corpus.store import filesystem
from wekadocs_corpus.store.choose import open_index
from wekadocs_corpus.store.local import following
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.local.writing.refreshing import refresh
from wekadocs_corpus.store.sql.full_text import index as full_text
from wekadocs_corpus.store.sql.full_text.index import FullText
from wekadocs_corpus.store.sqlite.truth import SqliteTruth


def test_catching_up_ends_in_time_and_tells_what_is_missing(truth: SqliteTruth) -> None:
    filled(truth)

    async def work(index: LocalIndex) -> None:
        await until_local(index)
        truth.write_many(prepared(f"more {i}.md", [f"more {i}"], [{1: 1.0}]) for i in range(300))
        state = await index.catch_up(0)
        assert state.behind > 0
        while (state := await index.catch_up(1)).behind:
            pass
        assert len(await index.search_words({1: 1.0}, AREA, Filters(), 1000)) == 330

    run(truth, work)


def test_what_does_not_fit_into_memory_waits_for_a_generation_and_is_told(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(truth)
    monkeypatch.setattr(following, "_MOST", 31)

    async def work(index: LocalIndex) -> None:
        truth.write_many(prepared(f"more {i}.md", [f"more {i}"], [{1: 1.0}]) for i in range(200))
        assert (await index.catch_up(5)).behind > 0
        assert len(await texts(index, truth)) >= 30

    run(truth, work)


def test_the_index_folder_can_be_switched_off(truth: SqliteTruth) -> None:
    index = open_index(truth, "p", PROFILE, {"index": "sqlite", "qdrant": {"url": ""}})
    assert isinstance(index, FullText)
    assert "switched off" in index.note
    asyncio.run(index.close())


@pytest.mark.usefixtures("never_small")
def test_on_a_nearly_full_disk_sqlite_answers_until_there_is_room(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = filled(truth)

    async def work(index: LocalIndex) -> None:
        state = await index.catch_up(5)
        assert (state.kind, "MB are free on its disk" in state.note) == ("sqlite", True)
        assert await texts(index, truth) == expected
        full.undo()
        assert (await until_local(index)).note == ""
        assert await texts(index, truth) == expected

    with monkeypatch.context() as full:
        full.setattr(filesystem, "SPARE", 1 << 60)
        run(truth, work)


@pytest.mark.usefixtures("never_small")
def test_the_end_of_an_ingest_writes_what_is_due(truth: SqliteTruth) -> None:
    filled(truth)
    told: list[tuple[int, int]] = []
    assert refresh(truth, "p", PROFILE, lambda *done: told.append(done)) == ""
    assert told == [(30, 30)]
    assert len(found(truth)) == 1


def test_vectors_that_are_still_being_read_are_told_and_words_answer(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large corpus without an index: within the deadline, from what is there."""
    expected, go_on, load = filled(truth), asyncio.Event(), FullText._load
    monkeypatch.setattr(full_text, "_PATIENCE", 0.0)

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def slowly(index: FullText) -> None:
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(10)
            load(index)

        monkeypatch.setattr(FullText, "_load", slowly)
        index = FullText(truth, "p", PROFILE)
        assert "vectors are still being read" in (await index.catch_up(0)).note
        assert await index.search_vectors([1.0] * 8, AREA, Filters(), 10) == []
        legs = await index.search_words({1: 1.0}, AREA, Filters(), 100)
        assert sorted(passage.text for passage in truth.chunks([leg.chunk_id for leg in legs])) == expected
        go_on.set()
        assert (await index.catch_up(10)).note == ""
        assert len(await index.search_vectors([1.0] * 8, AREA, Filters(), 10)) == 10
        await index.close()

    asyncio.run(main())
