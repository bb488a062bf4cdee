"""What changes in the truth changes on the Qdrant server, whoever sends it and whatever was lost."""

import asyncio
import uuid
from typing import Any

import pytest
from made_documents import DIMENSION, MODEL, prepared
from qdrant_bench import ANY, SCOPE, Bench, chunks

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area
from wekadocs_corpus.store.qdrant import sync
from wekadocs_corpus.store.qdrant.collection import Mismatch
from wekadocs_corpus.store.sqlite.truth import SqliteTruth


def test_a_large_document_is_replaced_without_a_rest(truth, on_server, monkeypatch):
    monkeypatch.setattr(sync, "IDS_A_REQUEST", 10)

    async def ask(bench: Bench) -> None:
        for size in (30, 25, 3, 12):
            truth.write_many(
                [prepared(f"page{page}.md", [f"{page} {part}\n" for part in range(size - page)]) for page in range(3)]
            )
            await bench.index.catch_up(60)
            assert await bench.index.check() == []

    on_server(truth, ask)


def test_a_question_sees_no_document_that_has_left_its_scope_before_the_server_knows(truth, on_server):
    async def ask(bench: Bench) -> None:
        truth.write(prepared("a.md", ("one\n",), [{1: 1.0}], doc_tag="open"))
        await bench.index.catch_up(60)
        truth.write(prepared("a.md", ("one\n",), [{1: 1.0}], doc_tag="secret"))
        assert await bench.index.search_words({1: 1.0}, Area("p", "prod", ("open",)), ANY, 5) == []

    on_server(truth, ask)


def test_another_projects_scope_finds_nothing(truth, on_server):
    truth.write(prepared(terms=[{1: 1.0}, {1: 1.0}]))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        assert await bench.index.search_words({1: 1.0}, SCOPE, ANY, 5)
        assert await bench.index.search_words({1: 1.0}, Area("q", "prod"), ANY, 5) == []
        assert await bench.index.search_words({}, SCOPE, ANY, 5) == []
        assert await bench.index.search_words({1: 1.0}, SCOPE, ANY, 0) == []

    on_server(truth, ask)


def test_what_changes_in_the_truth_changes_on_the_server(truth, on_server):
    first = prepared("a.md", ("one\n", "two\n", "three\n"))

    async def ask(bench: Bench) -> None:
        truth.write(first)
        truth.write(prepared("b.md"))
        state = await bench.index.catch_up(60)
        assert (state.kind, state.sequence, state.behind) == ("qdrant", truth.sequence(), 0)
        assert await bench.index._collection.count() == 5
        truth.write(prepared("a.md", ("one\n",), doc_tag="moved", updated_at=7.5))
        assert (await bench.index.state()).behind == 1
        await bench.index.catch_up(60)
        assert await bench.index._collection.count() == 3
        stored = (await bench.stored())[first.document.id]
        assert (stored["doc_tag"], stored["updated_at"], stored["path"]) == ("moved", 7.5, "a.md")
        truth.delete([first.document.id])
        await bench.index.catch_up(60)
        assert first.document.id not in await bench.stored()
        assert await bench.index.check() == []

    on_server(truth, ask)


def test_a_sync_that_is_repeated_or_taken_up_again_does_no_harm(truth, on_server):
    truth.write_many([prepared(f"page{number}.md", (f"text {number}\n",)) for number in range(150)])

    async def ask(bench: Bench) -> None:
        real, calls = bench.client.upsert, 0

        async def dies(*arguments: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 4:  # in the second step: the first is marked
                raise RuntimeError("killed")
            return await real(*arguments, **options)

        bench.client.upsert = dies
        with pytest.raises(RuntimeError):
            await bench.index.catch_up(60)
        assert 0 < (await bench.index.state()).behind < 150
        bench.client.upsert = real
        after = bench.again()
        assert (await after.catch_up(60)).behind == 0
        assert await after._collection.count() == 150
        truth.set_reached(after._replica, 0)
        assert (await bench.again().catch_up(60)).behind == 0
        assert await after._collection.count() == 150

    on_server(truth, ask)


def test_a_server_without_a_collection_is_whole_while_there_is_nothing_to_be_found(truth, on_server):
    async def ask(bench: Bench) -> None:
        assert not await bench.index.check()
        truth.write(prepared())
        (finding,) = await bench.index.check()
        assert "is missing" in finding.what

    on_server(truth, ask)


def test_a_wiped_server_is_filled_again(truth, on_server):
    truth.write(prepared(terms=[{1: 1.0}, {2: 1.0}]))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        await bench.client.delete_collection(bench.name)
        (finding,) = await bench.index.check()
        assert f"the collection {bench.name} is missing" in finding.what
        after = bench.again(filling=True)
        assert (await after.state()).behind > 0  # though all was sent once
        assert (await after.catch_up(60)).behind == 0
        assert len(await after.search_words({1: 1.0}, SCOPE, ANY, 5)) == 1

    on_server(truth, ask)


def test_an_older_copy_of_the_collection_is_brought_forward(truth, on_server):
    """A server restored from a snapshot is behind what the data directory remembers of it."""
    truth.write(prepared("a.md"))
    truth.write(prepared("b.md"))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        await bench.client.delete(bench.name, [point_of(truth, "b.md")])
        await bench.index._collection.set_mark(1)
        await bench.again().catch_up(60)
        assert await bench.index._collection.count() == 4

    on_server(truth, ask)


def point_of(truth: SqliteTruth, path: str) -> str:
    return str(uuid.UUID(hex=next(row.chunk_id for row in chunks(truth) if row.path == path)))


def test_counts_that_differ_are_a_finding(truth, on_server):
    truth.write(prepared("a.md"))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        await bench.client.delete(bench.name, [point_of(truth, "a.md")])
        (finding,) = await bench.index.check()
        assert "1 points for 2 chunks" in finding.what and finding.cure
        truth.write(prepared("b.md"))
        assert await bench.index.check() == []  # still coming
        (finding,) = await bench.index.advice()
        assert "1 changes behind" in finding.what

    on_server(truth, ask)


def test_a_collection_of_another_data_directory_model_or_layout_is_refused_with_the_way_out(truth, tmp_path, on_server):
    truth.write(prepared(terms=[{1: 1.0}, {2: 1.0}]))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        stranger = SqliteTruth(tmp_path / "elsewhere")
        try:
            stranger.write(prepared(terms=[{1: 1.0}, {2: 1.0}]))
            theirs = bench.again(truth=stranger)
            for call in (theirs.catch_up(60), theirs.search_words({1: 1.0}, SCOPE, ANY, 5)):
                with pytest.raises(Mismatch, match=r"another data directory.*qdrant.prefix"):
                    await call
            assert "another data directory" in (await theirs.check())[0].what
        finally:
            stranger.close()
        wider = bench.again(profile=Profile(MODEL, DIMENSION + 1))
        with pytest.raises(Mismatch, match="8 numbers a vector, the model gives 9"):
            await wider.search_vectors([0.0] * 9, SCOPE, ANY, 5)
        await bench.client.set_payload(bench.name, {"layout": "0"}, [mark_of()])
        with pytest.raises(Mismatch, match="layout 0"):
            await bench.again().catch_up(60)

    on_server(truth, ask)


def mark_of() -> str:
    from wekadocs_corpus.store.qdrant import collection

    return collection._MARK


def test_somebody_elses_collection_is_never_written_to(truth, on_server):
    from qdrant_client import models

    async def ask(bench: Bench) -> None:
        dense = models.VectorParams(size=DIMENSION, distance=models.Distance.DOT)
        words = models.SparseVectorParams()
        await bench.client.create_collection(bench.name, {"dense": dense}, {"words": words})
        await bench.client.upsert(bench.name, [models.PointStruct(id=1, vector={"dense": [1.0] * DIMENSION})])
        with pytest.raises(Mismatch, match="did not put there"):
            await bench.index.catch_up(60)
        with pytest.raises(Mismatch, match="did not put there"):
            await bench.index.search_vectors([0.0] * DIMENSION, SCOPE, ANY, 5)
        await bench.client.delete(bench.name, [1])  # empty, without a mark: ours, killed before it was marked
        truth.write(prepared())
        (finding,) = await bench.index.check()
        assert "not filled yet" in finding.what and "ingest" in finding.cure
        await bench.again().catch_up(60)

    on_server(truth, ask)


def test_one_process_syncs_at_a_time_and_the_others_say_so(truth, on_server):
    truth.write(prepared())

    async def ask(bench: Bench) -> None:
        other = bench.truth.turn(bench.index._collection.name)
        assert other is not None
        state = await bench.index.catch_up(60)
        assert (state.behind, state.note) == (1, "another process is bringing it up to date")
        other.release()
        state = await bench.index.catch_up(60)
        assert (state.behind, state.note) == (0, "")

    on_server(truth, ask)


def test_what_another_process_did_not_see_before_it_ended_is_sent_by_the_one_that_wrote_it(truth, on_server):
    truth.write(prepared())

    async def ask(bench: Bench) -> None:
        other = bench.truth.turn(bench.index._collection.name)
        assert other is not None
        asyncio.get_running_loop().call_later(0.01, other.release)
        assert (await bench.again(filling=True).catch_up(60)).behind == 0

    on_server(truth, ask)


def test_catching_up_returns_in_time_and_goes_on_by_itself(truth, on_server):
    truth.write(prepared())

    async def ask(bench: Bench) -> None:
        real, may = bench.client.upsert, asyncio.Event()

        async def slow(*arguments: Any, **options: Any) -> Any:
            await may.wait()
            return await real(*arguments, **options)

        bench.client.upsert = slow
        assert (await bench.index.catch_up(0.01)).behind == 1
        assert (await bench.index.catch_up(0.01)).behind == 1
        may.set()
        assert (await bench.index.catch_up(60)).behind == 0

    on_server(truth, ask)
