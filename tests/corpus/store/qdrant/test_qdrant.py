"""The index on a Qdrant server, over HTTP and over gRPC, gives what the truth's own arithmetic gives.

On a server of our own; on a real one with QDRANT_URL, QDRANT_API_KEY and, for another port than 6334, QDRANT_GRPC_PORT.
"""

import itertools
import random
from typing import Any

import numpy as np
import pytest
from made_documents import DIMENSION, prepared, renamed
from oracle import FIELDS
from qdrant_bench import ANY, PROFILE, SCOPE, Bench, chunks
from serving import local, written

from wekadocs_corpus.fields import BeginsWith, Between, OneOf
from wekadocs_corpus.model import Area, Filters, Leg
from wekadocs_corpus.store.interface import SearchIndex
from wekadocs_corpus.store.layout import conditions
from wekadocs_corpus.store.qdrant.collection import collection_name
from wekadocs_corpus.store.sql.full_text.index import FullText
from wekadocs_corpus.store.sqlite.truth import SqliteTruth
from wekadocs_corpus.store.truth.rows import IndexRow
from wekadocs_corpus.store.writing.term_vectors import entries


def seen(row: IndexRow, scope: Area, filters: Filters) -> bool:
    tags = {row.doc_tag, *row.other_tags}
    return (
        row.environment == scope.environment
        and (not scope.doc_tags or not tags.isdisjoint(scope.doc_tags))
        and (not filters.doc_tags or not tags.isdisjoint(filters.doc_tags))
        and (not scope.repositories or row.repository in scope.repositories)
        and row.path.startswith(filters.path_prefix)
        and (filters.updated_after is None or row.updated_at > filters.updated_after)
        and all(any(name == each.field and each.holds(value) for name, value in row.fields) for each in filters.fields)
    )


def words_of(row: IndexRow) -> dict[int, float]:
    ids, _, weights = entries([row.terms])
    return dict(zip(ids.tolist(), weights.tolist(), strict=True))


def by_words(rows: list[IndexRow], query: dict[int, float], scope: Area, filters: Filters) -> list[Leg]:
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


def by_vectors(rows: list[IndexRow], query: np.ndarray, scope: Area, filters: Filters) -> list[Leg]:
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
    made = prepared(
        f"{chance.choice(['guide', 'guides', 'ref/api', 'ref'])}/page{number}.md",
        bodies,
        terms,
        environment=chance.choice(["prod", "prod", "dev"]),
        repository=chance.choice(["", "one", "two"]),
        doc_tag=chance.choice(["guide", "api", "news"]),
        other_tags=chance.choice([(), (), ("api",), ("news", "how-to")]),
        fields=chance.choice([(), (("tags", "x"), ("worth", 0.5)), (("tags", "x"), ("tags", "y"), ("year", 1999))]),
        chunk_fields=[
            chance.choice([(), (("heading", "In\x1fA"),), (("year", 2024), ("heading", "Ü"))]) for _ in bodies
        ],
        updated_at=chance.choice([1000.0, 1000.25, 2000.0, 1.7e9 + number]),
    )
    return renamed(made) if number % 2 else made


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
    Filters(doc_tags=("how-to",)),
    Filters(path_prefix="guide"),
    Filters(path_prefix="ref/a"),
    Filters(path_prefix="nowhere"),
    Filters(updated_after=1000.0),
    Filters(("news",), "re", 1999.5),
    Filters(fields=(OneOf("tags", ("x",)), OneOf("tags", ("y",)))),
    Filters(fields=(OneOf("year", (2024, 7)),)),
    Filters(fields=(Between("year", 1999, 2000), OneOf("tags", ("y", 1)))),
    Filters(fields=(Between("worth", None, 0.5),)),
    Filters(fields=(OneOf("worth", (0.5,)),)),
    Filters(fields=(BeginsWith("heading", "In"),)),
    Filters(path_prefix="guide", fields=(BeginsWith("heading", "Ü"),)),
    Filters(fields=(OneOf("unknown", ("x",)),)),
]


@pytest.mark.parametrize(
    ("seed", "options"),
    [(0, {}), (1, {"shards": 3, "quantization": "scalar", "on_disk": True})],
    ids=["as it is", "sharded, quantised, on disk"],
)
def test_every_scope_and_filter_gives_what_arithmetic_and_the_other_indexes_give(truth, seed, options, on_server):
    chance = random.Random(seed)
    truth.declare("p", FIELDS)
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


def on_this_machine(truth: SqliteTruth) -> list[SearchIndex]:
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
    assert conditions(SCOPE, Filters(path_prefix="x"), lambda _: []) is None
