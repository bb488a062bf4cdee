"""Fusion: the two formulas to the letter, ties, limits per document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.model import Leg
from wekadocs_corpus.retrieval.fusion import best_of, fuse

BY_RANK = Fusion(words=3, vectors=1, k=10)
BY_SCORE = Fusion(words=1, vectors=0.25, by="score")


def legs(*scores: tuple[str, float]) -> list[Leg]:
    return [Leg(chunk, chunk[0], score) for chunk, score in scores]


def scores(words: list[Leg], vectors: list[Leg], fusion: Fusion, exactness: float = 0.0) -> dict[str, float]:
    return {hit.chunk_id: hit.score for hit in fuse(words, vectors, fusion, exactness)}


WORDS = legs(("a1", 8.0), ("b1", 4.0))
VECTORS = legs(("c1", 0.9), ("a1", 0.5), ("d1", 0.1))


def test_by_rank_it_is_the_sum_of_weight_over_k_plus_rank() -> None:
    assert scores(WORDS, VECTORS, BY_RANK) == pytest.approx(
        {"a1": 3 / 11 + 1 / 12, "b1": 3 / 12, "c1": 1 / 11, "d1": 1 / 13}
    )


def test_by_score_it_is_the_share_of_the_best_and_the_place_between_first_and_last() -> None:
    assert scores(WORDS, VECTORS, BY_SCORE) == pytest.approx(
        {"a1": 1 + 0.125, "b1": (0.5 + 0.25) / 2, "c1": 0.25, "d1": 0.0}
    )


@pytest.mark.parametrize("fusion", [BY_RANK, BY_SCORE])
def test_a_question_of_exact_names_is_ordered_by_words_alone(fusion: Fusion) -> None:
    hits = fuse(WORDS, legs(("b1", 0.9), ("c1", 0.8), ("a1", 0.1)), fusion, exactness=1.0)
    assert [hit.chunk_id for hit in hits][:2] == ["a1", "b1"]
    assert hits[2].score == 0


def test_one_leg_alone_keeps_its_true_scores() -> None:
    assert scores(WORDS, [], BY_SCORE) == {"a1": 8.0, "b1": 4.0}
    assert scores([], VECTORS, BY_RANK) == {"c1": 0.9, "a1": 0.5, "d1": 0.1}
    assert fuse([], [], BY_RANK) == []


def test_a_hit_tells_which_leg_had_it_and_where() -> None:
    first, *_, last = fuse(WORDS, VECTORS, BY_SCORE)
    assert (first.source, first.words_rank, first.vectors_rank) == ("hybrid", 1, 2)
    assert (first.words_score, first.vectors_score) == (8.0, 0.5)
    assert (last.source, last.words_rank, last.vectors_rank, last.words_score) == ("vector", None, 3, None)
    assert fuse(WORDS, VECTORS, BY_SCORE)[1].source == "bm25"


def test_equal_scores_come_in_order_of_their_ids() -> None:
    assert [hit.chunk_id for hit in fuse(legs(("b1", 1.0), ("a1", 1.0)), [], BY_RANK)] == ["a1", "b1"]


def test_a_document_gives_no_more_passages_than_allowed_and_the_best_ones() -> None:
    words = legs(("a1", 5.0), ("a2", 4.0), ("a3", 3.0), ("b1", 2.0))
    assert [hit.chunk_id for hit in best_of(fuse(words, [], BY_RANK), 10, 1)] == ["a1", "b1"]
    assert [hit.chunk_id for hit in best_of(fuse(words, [], BY_RANK), 10, 2)] == ["a1", "a2", "b1"]
    assert [hit.chunk_id for hit in best_of(fuse(words, [], BY_RANK), 2, 3)] == ["a1", "a2"]


chunks = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9)), unique=True, max_size=20)


@given(chunks, chunks, st.sampled_from([BY_RANK, BY_SCORE]), st.floats(0, 1))
def test_the_answer_is_sorted_and_has_nothing_twice(one: list, two: list, fusion: Fusion, exactness: float) -> None:
    words = [Leg(f"{d}{n}", d, 20.0 - place) for place, (d, n) in enumerate(one)]
    vectors = [Leg(f"{d}{n}", d, 1 - place / 20) for place, (d, n) in enumerate(two)]
    hits = fuse(words, vectors, fusion, exactness)
    assert [(-hit.score, hit.chunk_id) for hit in hits] == sorted((-hit.score, hit.chunk_id) for hit in hits)
    assert {hit.chunk_id for hit in hits} == {leg.chunk_id for leg in (*words, *vectors)}
    assert len({hit.chunk_id for hit in hits}) == len(hits)
