"""The index on a Qdrant server, over HTTP and over gRPC, gives what the truth's own arithmetic gives.

On a server of our own; on a real one with QDRANT_URL, QDRANT_API_KEY and, for another port than 6334, QDRANT_GRPC_PORT.
"""

import asyncio
import itertools
import os
import random
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import qdrant_fake
import qdrant_grpc
from made_documents import DIMENSION, MODEL, prepared
from serving import local, written

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters, Leg
from wekadocs_corpus.store.interface import SearchIndex
from wekadocs_corpus.store.layout import conditions
from wekadocs_corpus.store.locks import FileLock
from wekadocs_corpus.store.qdrant import sync
from wekadocs_corpus.store.qdrant.collection import Mismatch, collection_name
from wekadocs_corpus.store.qdrant.index import QdrantIndex
from wekadocs_corpus.store.sqlite.full_text.index import FullText
from wekadocs_corpus.store.sqlite.reading.chunk_rows import Row, rows_of
from wekadocs_corpus.store.sqlite.reading.words import entries
from wekadocs_corpus.store.sqlite.truth import Truth

PROFILE = Profile(MODEL, DIMENSION)
SCOPE = Area("p", "prod")
ANY = Filters()


PREFIX = f"test-{uuid.uuid4().hex[:8]}"


@dataclass
class Bench:
    """An index on a client that lives as long as one event loop."""

    truth: Truth
    settings: dict[str, Any]
    index: QdrantIndex
    client: Any

    def again(self, **changes: Any) -> QdrantIndex:
        """Another index on the same server, as after a restart."""
        chosen = {"truth": self.truth, "settings": self.settings, "project": "p", "profile": PROFILE, **changes}
        return QdrantIndex(**chosen, client=self.client)

    @property
    def name(self) -> str:
        return self.index._collection.name

    async def stored(self) -> dict[str, dict[str, Any]]:
        found, _ = await self.client.scroll(self.name, limit=1000, with_payload=True)
        return {point.payload["document_id"]: point.payload for point in found if "document_id" in point.payload}


OnServer = Callable[..., None]


@pytest.fixture(params=["http", "grpc"])
def on_server(request: pytest.FixtureRequest) -> Iterator[OnServer]:
    """Runs on a server of our own, or on the one that QDRANT_URL names, which is left as it was."""
    settings: dict[str, Any] = {"prefix": PREFIX, "grpc": request.param == "grpc"}
    with ExitStack() as stack:
        if url := os.environ.get("TEST_QDRANT_URL"):  # as tests/conftest.py calls it
            settings |= {"url": url, "api_key": os.environ.get("TEST_QDRANT_API_KEY", "")}
            settings["grpc_port"] = int(os.environ.get("TEST_QDRANT_GRPC_PORT", "6334"))
        else:
            fake = stack.enter_context(qdrant_fake.running())
            settings |= {"url": fake.url, "grpc_port": stack.enter_context(qdrant_grpc.running(fake))}

        def run(truth: Truth, work: Callable[[Bench], Awaitable[None]], **changes: Any) -> None:
            asyncio.run(worked(truth, {**settings, **changes}, work))

        yield run


async def worked(truth: Truth, settings: dict[str, Any], work: Callable[[Bench], Awaitable[None]]) -> None:
    index = QdrantIndex(truth, settings, "p", PROFILE)
    client = index._server.client
    try:
        await work(Bench(truth, settings, index, client))
    finally:
        for found in (await client.get_collections()).collections:
            if found.name.startswith(PREFIX):
                await client.delete_collection(found.name)
        await index.close()


# The oracle: every chunk, by arithmetic


def chunks(truth: Truth) -> list[Row]:
    with truth.reading() as connection:
        names = [row[0] for row in connection.execute("SELECT id FROM documents WHERE project = 'p'")]
        return rows_of(connection, names, MODEL)


def seen(row: Row, scope: Area, filters: Filters) -> bool:
    return (
        row.environment == scope.environment
        and (not scope.doc_tags or row.doc_tag in scope.doc_tags)
        and (not filters.doc_tags or row.doc_tag in filters.doc_tags)
        and (not scope.repositories or row.repository in scope.repositories)
        and row.path.startswith(filters.path_prefix)
        and (filters.updated_after is None or row.updated_at > filters.updated_after)
    )


def words_of(row: Row) -> dict[int, float]:
    ids, _, weights = entries([row.terms])
    return dict(zip(ids.tolist(), weights.tolist(), strict=True))


def by_words(rows: list[Row], query: dict[int, float], scope: Area, filters: Filters) -> list[Leg]:
    everything = [words_of(row) for row in rows]
    count = len([1 for words in everything if words])
    rare = {term: len([1 for words in everything if term in words]) for term in query}
    idf = {term: np.log(1 + (count - having + 0.5) / (having + 0.5)) for term, having in rare.items()}
    scored = []
    for row, words in zip(rows, everything, strict=True):
        if seen(row, scope, filters) and words.keys() & query.keys():
            score = sum(query[term] * idf[term] * words.get(term, 0.0) for term in query)
            scored.append(Leg(row.chunk_id, row.document_id, float(score)))
    return sorted(scored, key=lambda leg: -leg.score)


def by_vectors(rows: list[Row], query: np.ndarray, scope: Area, filters: Filters) -> list[Leg]:
    scored = [
        Leg(row.chunk_id, row.document_id, float(np.frombuffer(row.vector or b"", "<f2").astype(np.float32) @ query))
        for row in rows
        if seen(row, scope, filters) and row.vector
    ]
    return sorted(scored, key=lambda leg: -leg.score)


def same(found: list[Leg], expected: list[Leg], limit: int) -> None:
    """The same scores in the same order, and every chunk with the score that is its own."""
    np.testing.assert_allclose(
        [leg.score for leg in found], [leg.score for leg in expected[:limit]], atol=1e-4, rtol=1e-4
    )
    own = {(leg.chunk_id, leg.document_id): leg.score for leg in expected}
    assert len({leg.chunk_id for leg in found}) == len(found)
    for leg in found:
        assert leg.score == pytest.approx(own[leg.chunk_id, leg.document_id], abs=1e-4, rel=1e-4)


def document(chance: random.Random, number: int) -> Any:
    bodies = [f"text {number} {part} {chance.random()}\n" for part in range(chance.randint(1, 4))]
    terms = [{chance.randint(1, 30): chance.randint(1, 8) / 4 for _ in range(chance.randint(0, 6))} for _ in bodies]
    return prepared(
        f"{chance.choice(['guide', 'guides', 'ref/api', 'ref'])}/page{number}.md",
        bodies,
        terms,
        environment=chance.choice(["prod", "prod", "dev"]),
        repository=chance.choice(["", "one", "two"]),
        doc_tag=chance.choice(["guide", "api", "news"]),
        updated_at=chance.choice([1000.0, 1000.25, 2000.0, 1.7e9 + number]),
    )


SCOPES = [
    SCOPE,
    Area("p", "dev"),
    Area("p", "prod", ("guide", "api")),
    Area("p", "prod", (), ("one", "")),
    Area("p", "no"),
]
FILTERS = [
    ANY,
    Filters(doc_tags=("api", "news")),
    Filters(path_prefix="guide"),
    Filters(path_prefix="ref/a"),
    Filters(path_prefix="nowhere"),
    Filters(updated_after=1000.0),
    Filters(("news",), "re", 1999.5),
]


@pytest.mark.parametrize(
    ("seed", "options"),
    [(0, {}), (1, {"shards": 3, "quantization": "scalar", "on_disk": True})],
    ids=["as it is", "sharded, quantised, on disk"],
)
def test_every_scope_and_filter_gives_what_arithmetic_and_the_other_indexes_give(truth, seed, options, on_server):
    chance = random.Random(seed)
    truth.write_many([document(chance, number) for number in range(40)])
    truth.write(prepared("elsewhere.md", terms=[{1: 9.0}, {2: 9.0}], project="other"))
    gone = [row.document_id for row in chunks(truth)][::7]

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        truth.delete(gone)  # an index that counts by itself still counts these
        truth.write_many([document(chance, number) for number in range(30, 45)])
        assert (await bench.index.catch_up(60)).behind == 0
        rows, others = chunks(truth), on_this_machine(truth)
        for scope, filters in itertools.product(SCOPES, FILTERS):
            terms = {chance.randint(1, 32): chance.randint(1, 3) / 1.0 for _ in range(4)}
            row = np.random.default_rng(seed).normal(size=DIMENSION).astype(np.float32)
            for limit in (3, 100):
                asked = (scope, filters, limit)
                found = await bench.index.search_words(terms, *asked)
                same(found, by_words(rows, terms, scope, filters), limit)
                for index in others:
                    agree(found, await index.search_words(terms, *asked))
                found = await bench.index.search_vectors(row, *asked)
                same(found, by_vectors(rows, row, scope, filters), limit)
                for index in others:
                    agree(found, await index.search_vectors(row, *asked))
        for index in others:
            await index.close()

    on_server(truth, ask, **options)


def on_this_machine(truth: Truth) -> list[SearchIndex]:
    """SQLite's, the one that is read at once, and the one on disk."""
    at_once = local(truth)
    written(truth)
    return [FullText(truth, "p", PROFILE), at_once, local(truth)]


def agree(one: list[Leg], two: list[Leg]) -> None:
    """Two indexes: the same chunks in the same order."""
    assert [(leg.chunk_id, leg.document_id) for leg in one] == [(leg.chunk_id, leg.document_id) for leg in two]
    np.testing.assert_allclose([leg.score for leg in one], [leg.score for leg in two], atol=2e-5)


def test_ties_are_broken_by_chunk_id_even_across_the_cut(truth, on_server):
    truth.write_many([prepared(f"page{number}.md", ("same\n",), [{5: 1.0}]) for number in range(60)])
    expected = sorted(row.chunk_id for row in chunks(truth))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        for limit in (1, 5, 30, 100):
            found = await bench.index.search_words({5: 1.0}, SCOPE, ANY, limit)
            assert [leg.chunk_id for leg in found] == expected[:limit]
            row = np.frombuffer(chunks(truth)[0].vector or b"", "<f2").astype(np.float32)
            assert [leg.chunk_id for leg in await bench.index.search_vectors(row, SCOPE, ANY, limit)] == expected[
                :limit
            ]

    on_server(truth, ask)


def test_equals_stay_equal_though_each_segment_adds_up_in_an_order_of_its_own(truth, on_server):
    truth.write_many([prepared(f"page{number}.md", ("same\n",), [{5: 1.0, 6: 0.7, 7: 0.3}]) for number in range(12)])
    truth.write_many([prepared(f"other{number}.md", ("other\n",), [{8: 1.0}]) for number in range(12)])
    expected = sorted(row.chunk_id for row in chunks(truth) if row.path.startswith("page"))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        for weight in range(1, 60):  # some of the scores fall between two that are told apart
            found = await bench.index.search_words({5: weight, 6: 1.1 * weight, 7: 0.9 * weight}, SCOPE, ANY, 9)
            assert [leg.chunk_id for leg in found] == expected[:9]

    on_server(truth, ask)


def test_several_shards_give_all_that_is_asked_for(truth, on_server):
    """A server asks each of several shards for a part of a large limit, unless the search is exact."""
    truth.write_many([prepared(f"page{number}.md", (f"{number}\n",), [{5: 1 + number / 8}]) for number in range(300)])

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        rows, row = chunks(truth), np.random.default_rng(1).normal(size=DIMENSION).astype(np.float32)
        found = await bench.index.search_words({5: 1.0}, SCOPE, ANY, 250)
        same(found, by_words(rows, {5: 1.0}, SCOPE, ANY), 250)
        same(await bench.index.search_vectors(row, SCOPE, ANY, 250), by_vectors(rows, row, SCOPE, ANY), 250)

    on_server(truth, ask, shards=3)


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
        with truth.writing() as connection:
            sync.record(connection, after._replica, 0)
        assert (await bench.again().catch_up(60)).behind == 0
        assert await after._collection.count() == 150

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


def point_of(truth: Truth, path: str) -> str:
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
        stranger = Truth(tmp_path / "elsewhere")
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
        (finding,) = await bench.index.check()
        assert "not filled yet" in finding.what and "ingest" in finding.cure
        await bench.again().catch_up(60)

    on_server(truth, ask)


def test_one_process_syncs_at_a_time_and_the_others_say_so(truth, on_server):
    truth.write(prepared())

    async def ask(bench: Bench) -> None:
        other = FileLock.take(bench.index._lock)
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
        other = FileLock.take(bench.index._lock)
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


def test_chunks_without_words_or_without_this_models_vector_are_kept(truth, on_server):
    truth.write(prepared("a.md", ("one\n", "two\n"), [{}, {3: 1.0}]))
    truth.write(prepared("b.md", ("other\n",), [{3: 1.0}], model="another-model"))

    async def ask(bench: Bench) -> None:
        await bench.index.catch_up(60)
        assert len(await bench.index.search_words({3: 1.0}, SCOPE, ANY, 9)) == 2
        assert len(await bench.index.search_vectors([0.1] * DIMENSION, SCOPE, ANY, 9)) == 2
        assert await bench.index.check() == []

    on_server(truth, ask)


def test_a_collections_name_is_readable_bounded_and_unmistakable():
    assert collection_name("wekadocs", "My Docs/ä", "m").startswith("wekadocs-my-docs-")
    assert len(collection_name("w" * 60, "x" * 500, "m" * 500)) <= 120
    names = {collection_name("w", project, model) for project in ("a", "A", "a ", "ä") for model in ("m", "n")}
    assert len(names) == 8


def test_nothing_is_asked_where_nothing_can_match():
    assert conditions(Area("p", "prod", ("a",)), Filters(doc_tags=("b",)), lambda _: ["x"]) is None
    assert conditions(SCOPE, Filters(path_prefix="x"), lambda _: []) is None
