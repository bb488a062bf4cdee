"""A question on its way: legs, modes, what happens when a part is missing."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wekadocs_corpus.embedding.interface import Fusion, Profile
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.model import Area, Filters, Leg
from wekadocs_corpus.retrieval.hits import Hits
from wekadocs_corpus.retrieval.question import Question
from wekadocs_corpus.retrieval.stages import Means, Search, finding, run

AREA = Area("p", "e", ("docs",))
WORDS = [Leg("a1", "a", 3.0), Leg("b1", "b", 2.0), Leg("a2", "a", 1.0)]
VECTORS = [Leg("c1", "c", 0.9), Leg("a1", "a", 0.5)]


class Index:
    """Answers from a list and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    async def search_words(self, query: Any, scope: Any, filters: Any, limit: int) -> list[Leg]:
        self.asked.append(("words", scope, filters, limit))
        return WORDS[:limit]

    async def search_vectors(self, query: Sequence[float], scope: Any, filters: Any, limit: int) -> list[Leg]:
        self.asked.append(("vectors", scope, filters, limit))
        return VECTORS[:limit]


class Model:
    profile = Profile("m", 2, fusion=Fusion(words=1, vectors=1, k=10))

    def __init__(self, row: Sequence[float] = (1, 0), error: Exception | None = None) -> None:
        self.row, self.error = row, error

    def embed_query(self, text: str) -> np.ndarray:
        if self.error:
            raise self.error
        return np.array(self.row, dtype=np.float32)


class Passages:
    """The truth, as far as a reranker asks it."""

    def chunks(self, ids: Sequence[str]) -> list[Any]:
        return [SimpleNamespace(id=each, text=f"text of {each}") for each in ids if each != "gone"]


def ask(
    question: str = "the quota",
    model: Model | None = None,
    index: Index | None = None,
    filters: Filters | None = None,
    rerank: Any = None,
    **more: Any,
) -> Hits:
    words = AskedWords(question)
    means = Means(index or Index(), Passages(), model, scorer=rerank)
    search = Search(filters or Filters(), **{"k": 10, "per_document": 1, "mode": "hybrid", **more})
    return asyncio.run(run(Question(words, AREA, words.terms), finding(search, means)))


def ids(found: Hits) -> list[str]:
    return [hit.chunk_id for hit in found.ranked]


def test_both_legs_are_asked_with_scope_and_filters_and_fused() -> None:
    index, filters = Index(), Filters(path_prefix="docs/")
    found = ask(model=Model(), index=index, filters=filters)
    assert sorted(index.asked, key=str) == sorted(
        [("words", AREA, filters, 50), ("vectors", AREA, filters, 50)], key=str
    )
    assert ids(found) == ["a1", "c1", "b1", "a2"]
    assert (found.mode_used, found.degraded) == ("hybrid", ())
    assert found.timings_ms.keys() == {"words", "embed", "vectors", "fusion"}


def test_auto_is_hybrid() -> None:
    assert ask(model=Model(), mode="auto").mode_used == "hybrid"


def test_words_alone_never_touch_the_model() -> None:
    found = ask(model=Model(error=RuntimeError()), mode="words")
    assert (ids(found), found.mode_used, found.degraded) == (["a1", "b1", "a2"], "words", ())
    assert [hit.score for hit in found.ranked] == [3.0, 2.0, 1.0]


def test_vectors_alone_never_ask_for_words() -> None:
    index = Index()
    found = ask(model=Model(), index=index, mode="vectors")
    assert (ids(found), found.mode_used) == (["c1", "a1"], "vectors")
    assert [call[0] for call in index.asked] == ["vectors"]


@pytest.mark.parametrize("mode", ["hybrid", "vectors"])
def test_without_a_model_words_answer_and_say_so(mode: str) -> None:
    found = ask(model=None, mode=mode)
    assert (ids(found), found.mode_used) == (["a1", "b1", "a2"], "words")
    assert found.degraded == ("no embedding model is loaded: answered from words alone",)


def test_a_model_that_fails_degrades_without_its_text() -> None:
    found = ask(model=Model(error=OSError("secret")), mode="hybrid")
    assert (ids(found), found.mode_used) == (["a1", "b1", "a2"], "words")
    assert "failed" in found.degraded[0] and not re.search("OSError|secret", found.degraded[0])


@pytest.mark.parametrize("mode", ["hybrid", "vectors"])
def test_vectors_that_do_not_come_in_time_leave_the_words_and_say_so(mode: str, monkeypatch: Any) -> None:
    """As on a cold start, when a large index is still on its way from a slow disk."""

    class Cold(Index):
        async def search_vectors(self, query: Sequence[float], scope: Any, filters: Any, limit: int) -> list[Leg]:
            return await asyncio.Event().wait() or []

    monkeypatch.setattr("wekadocs_corpus.retrieval.legs._VECTORS_WITHIN", 0.01)
    found = ask(model=Model(), index=Cold(), mode=mode)
    assert (ids(found), found.mode_used) == (["a1", "b1", "a2"], "words")
    assert found.degraded == ("vectors are still being read: answered from words alone",)


def test_a_question_the_model_knows_nothing_of_is_answered_from_words() -> None:
    found = ask(model=Model(row=(0, 0)))
    assert (ids(found), found.mode_used) == (["a1", "b1", "a2"], "words")


def test_an_empty_question_finds_nothing_by_words() -> None:
    assert ask("", mode="words").ranked == []


def test_twice_as_many_are_found_and_one_more_of_a_document_since_some_tell_nothing() -> None:
    assert ids(ask(model=Model(), k=1)) == ["a1", "c1"]
    assert ids(ask(mode="words", k=1)) == ["a1", "b1"]
    assert ids(ask(mode="words", per_document=0)) == ["a1", "b1"]


def test_a_large_answer_makes_the_legs_deeper() -> None:
    index = Index()
    ask(index=index, mode="words", k=40, per_document=2)
    assert index.asked[0][3] == 240


def test_a_reranker_orders_what_was_found_and_its_scores_show() -> None:
    async def backwards(question: str, texts: Sequence[str]) -> list[float]:
        assert (question, texts[0]) == ("the quota", "text of a1")
        return [float(place) for place, _ in enumerate(texts)]

    found = ask(model=Model(), rerank=backwards, k=1)
    assert ids(found) == ["a2", "b1"]
    assert found.ranked[0].score == 3.0 and "rerank" in found.timings_ms


def test_a_reranker_that_fails_leaves_the_order_and_says_so() -> None:
    async def broken(question: str, chunks: Sequence[str]) -> list[float]:
        raise OSError("secret")

    found = ask(model=Model(), rerank=broken)
    assert ids(found) == ["a1", "c1", "b1", "a2"]
    assert "failed" in found.degraded[0] and not re.search("OSError|secret", found.degraded[0])


def test_for_a_reranker_chunks_that_are_gone_come_last() -> None:
    class Behind(Index):
        async def search_words(self, query: Any, scope: Any, filters: Any, limit: int) -> list[Leg]:
            return [Leg("gone", "g", 9.0), *WORDS]

    async def lengths(_question: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]

    found = ask(index=Behind(), mode="words", rerank=lengths)
    assert [(hit.chunk_id, hit.score) for hit in found.ranked][-1] == ("gone", -math.inf)
    assert len(found.ranked) == 4
