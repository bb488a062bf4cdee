"""Every index of this machine answers what plain arithmetic over all chunks answers, whatever the scope."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable

import pytest
from made_documents import MODEL, prepared, renamed, vector
from oracle import PROFILE, best_vectors, best_words, corpus, declare, question
from serving import local, written

from wekadocs_corpus.model import Area, Filters, Leg, Prepared
from wekadocs_corpus.store.interface import SearchIndex
from wekadocs_corpus.store.local.following import Follower
from wekadocs_corpus.store.local.index import LocalIndex
from wekadocs_corpus.store.local.writing import runs
from wekadocs_corpus.store.sql.full_text import index as full_text
from wekadocs_corpus.store.sql.full_text.index import FullText
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

Opener = Callable[[SqliteTruth, str], SearchIndex]
Work = Callable[[SearchIndex], Awaitable[None]]


def local_index(truth: SqliteTruth, project: str) -> LocalIndex:
    """Of a corpus so small that all of it is read when it is opened."""
    return local(truth, project)


def written_index(truth: SqliteTruth, project: str) -> LocalIndex:
    """Of what is on disk; changes come on top."""
    written(truth, project)
    return local(truth, project)


def sqlite_index(truth: SqliteTruth, project: str) -> FullText:
    return FullText(truth, project, PROFILE)


every = pytest.mark.parametrize("opened", [sqlite_index, local_index, written_index])
on_disk_or_not = pytest.mark.parametrize("opened", [local_index, written_index])


def with_index(index: SearchIndex, work: Work) -> None:
    async def main() -> None:
        try:
            state = await index.catch_up(20)
            assert state.behind == 0
            await work(index)
        finally:
            await index.close()

    asyncio.run(main())


def same(found: list[Leg], expected: list[Leg]) -> None:
    assert [leg.chunk_id for leg in found] == [leg.chunk_id for leg in expected]
    assert [leg.document_id for leg in found] == [leg.document_id for leg in expected]
    assert [leg.score for leg in found] == pytest.approx([leg.score for leg in expected], abs=1e-4)


async def compare(index: SearchIndex, documents: list[Prepared], project: str, dice: random.Random, times: int) -> int:
    """Random questions; how many passages came back in all."""
    total = 0
    for _ in range(times):
        area, filters, words, asked, limit = question(dice)
        found = await index.search_words(words, area, filters, limit)
        same(found, best_words(documents, words, area, filters, limit) if area.project_id == project else [])
        near = await index.search_vectors(asked, area, filters, limit)
        same(near, best_vectors(documents, asked, area, filters, limit) if area.project_id == project else [])
        total += len(found) + len(near)
    return total


@every
@pytest.mark.parametrize("seed", range(4))
def test_every_answer_is_the_one_of_plain_arithmetic_and_stays_in_scope(
    truth: SqliteTruth, opened: Opener, seed: int
) -> None:
    declare(truth)
    documents = corpus(seed, 40)
    truth.write_many(documents)

    async def work(index: SearchIndex) -> None:
        assert await compare(index, documents, "p", random.Random(seed), 60) > 100

    with_index(opened(truth, "p"), work)


@every
def test_ids_of_any_form_are_found_in_the_same_order(truth: SqliteTruth, opened: Opener) -> None:
    declare(truth)
    documents = [renamed(each) for each in corpus(3, 40)]
    assert truth.write_many(documents).documents == len(documents)

    async def work(index: SearchIndex) -> None:
        assert await compare(index, documents, "p", random.Random(3), 60) > 100

    with_index(opened(truth, "p"), work)


@every
def test_answers_follow_every_change(truth: SqliteTruth, opened: Opener) -> None:
    """Documents come, change their tag, text and place in the order, and go; IDF must not remember them."""
    declare(truth)
    dice, current = random.Random(5), {each.document.id: each for each in corpus(5)}
    truth.write_many(current.values())

    async def work(index: SearchIndex) -> None:
        for seed in range(6, 12):
            new = {each.document.id: each for each in corpus(seed, 6)}
            gone = dice.sample(sorted(current), 3)
            truth.write_many(new.values())
            truth.delete(gone)
            current.update(new)
            for each in gone:
                current.pop(each)
            assert (await index.catch_up(20)).behind == 0
            await compare(index, list(current.values()), "p", dice, 10)

    with_index(opened(truth, "p"), work)


@every
def test_equal_scores_at_the_cut_are_decided_by_chunk_id(truth: SqliteTruth, opened: Opener) -> None:
    same_text = [prepared(f"{i}.md", [f"copy {i}"], [{1: 1.0}], [vector(1)]) for i in range(120)]
    truth.write_many(same_text)
    ids = sorted(each.document.parsed.chunks[0].id for each in same_text)

    async def work(index: SearchIndex) -> None:
        for limit in (1, 7, 100):
            found = await index.search_words({1: 1.0}, Area("p", "prod"), Filters(), limit)
            near = await index.search_vectors([1.0] * 8, Area("p", "prod"), Filters(), limit)
            assert [leg.chunk_id for leg in found] == [leg.chunk_id for leg in near] == ids[:limit]

    with_index(opened(truth, "p"), work)


@every
def test_a_chunk_without_vector_or_words_is_only_found_by_the_other(truth: SqliteTruth, opened: Opener) -> None:
    truth.write(prepared("a.md", ["words only", "vector only"], [{1: 1.0}, {}]))
    with truth.writing() as connection:
        connection.execute(
            "DELETE FROM embeddings WHERE embedded_hash IN (SELECT embedded_hash FROM chunks WHERE ordinal = 0)"
        )

    async def work(index: SearchIndex) -> None:
        area = Area("p", "prod")
        words = await index.search_words({1: 1.0, 2: 1.0}, area, Filters(), 10)
        near = await index.search_vectors([1.0] * 8, area, Filters(), 10)
        assert [[truth.chunks([leg.chunk_id])[0].text for leg in legs] for legs in (words, near)] == [
            ["words only"],
            ["vector only"],
        ]

    with_index(opened(truth, "p"), work)


def test_a_change_that_comes_while_the_index_follows_is_in_the_answer(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, go_on, follow = threading.Event(), threading.Event(), Follower.follow

    def slowly(follower: Follower) -> None:
        follow(follower)
        looked.set()
        go_on.wait(10)

    async def work(index: SearchIndex) -> None:
        assert isinstance(index, LocalIndex)
        monkeypatch.setattr(Follower, "follow", slowly)
        index._follow()
        looked.wait(10)  # it has seen that there is nothing new
        truth.write(prepared())
        asyncio.get_running_loop().call_later(0.05, go_on.set)
        assert (await index.catch_up(20)).behind == 0

    with_index(local_index(truth, "p"), work)


def test_what_is_sorted_in_many_runs_answers_the_same(truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch) -> None:
    """The postings of a large corpus never are in memory at once."""
    monkeypatch.setattr(runs, "_AT_ONCE", 20)
    declare(truth)
    documents = corpus(3, 300)
    truth.write_many(documents)

    async def work(index: SearchIndex) -> None:
        assert await compare(index, documents, "p", random.Random(3), 60) > 100

    with_index(written_index(truth, "p"), work)


def test_a_large_index_is_asked_in_threads_and_answers_the_same(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wekadocs_corpus.store.local.index._AT_ONCE", 0)
    declare(truth)
    documents = corpus(4, 60)
    truth.write_many(documents)

    async def work(index: SearchIndex) -> None:
        assert await compare(index, documents, "p", random.Random(4), 30) > 50

    with_index(written_index(truth, "p"), work)


@every
def test_nothing_known_and_nothing_wanted_give_nothing(truth: SqliteTruth, opened: Opener) -> None:
    async def work(index: SearchIndex) -> None:
        area = Area("p", "prod")
        assert await index.search_words({}, area, Filters(), 10) == []
        assert await index.search_words({1: 1.0}, area, Filters(), 10) == []
        assert await index.search_vectors([1.0] * 8, area, Filters(), 10) == []
        truth.write(prepared())
        assert (await index.catch_up(20)).behind == 0
        assert len(await index.search_vectors([1.0] * 8, area, Filters(), 10)) == 2
        assert await index.search_vectors([1.0] * 8, area, Filters(), 0) == []

    with_index(opened(truth, "p"), work)


def test_full_text_with_few_candidates_still_finds_what_has_most_of_the_words(
    truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "_CANDIDATES", 3)
    truth.write(
        prepared("a.md", [f"b{i}" for i in range(50)], [{1: 1.0, **({2: 1.0} if i == 33 else {})} for i in range(50)])
    )

    async def work(index: SearchIndex) -> None:
        found = await index.search_words({1: 1.0, 2: 1.0}, Area("p", "prod"), Filters(), 1)
        assert [truth.chunks([leg.chunk_id])[0].text for leg in found] == ["b33"]

    with_index(sqlite_index(truth, "p"), work)


@on_disk_or_not
def test_an_index_that_lags_never_shows_what_left_the_scope(truth: SqliteTruth, opened: Opener) -> None:
    """The index still has the old tag and the deleted document; the truth has the last word."""
    truth.write_many([prepared("a.md", ["moved"], [{1: 1.0}]), prepared("b.md", ["gone"], [{1: 1.0}])])

    async def work(index: SearchIndex) -> None:
        truth.write(prepared("a.md", ["moved"], [{1: 1.0}], doc_tag="secret"))
        truth.delete([prepared("b.md", ["gone"]).document.id])
        assert (await index.state()).behind == 2
        area = Area("p", "prod", doc_tags=("guide",))
        assert await index.search_words({1: 1.0}, area, Filters(), 10) == []
        assert await index.search_vectors([1.0] * 8, area, Filters(), 10) == []

    with_index(opened(truth, "p"), work)


@on_disk_or_not
def test_vectors_of_a_new_model_reach_an_index_that_was_there_first(truth: SqliteTruth, opened: Opener) -> None:
    made = prepared(model="old")
    truth.write(made)

    async def work(index: SearchIndex) -> None:
        assert await index.search_vectors([1.0] * 8, Area("p", "prod"), Filters(), 10) == []
        truth.add_vectors("p", MODEL, {each: vector(1) for each in made.embedded_hashes})
        assert (await index.catch_up(20)).behind == 0
        assert len(await index.search_vectors([1.0] * 8, Area("p", "prod"), Filters(), 10)) == 2

    with_index(opened(truth, "p"), work)
