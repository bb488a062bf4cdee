"""The second look: what stands together, means the same or is the title comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.model import Area, Leg
from wekadocs_corpus.retrieval import closeness as module
from wekadocs_corpus.retrieval.closeness import Closeness
from wekadocs_corpus.retrieval.fusion import Fuse
from wekadocs_corpus.retrieval.hits import Hits
from wekadocs_corpus.retrieval.question import Question
from wekadocs_corpus.retrieval.second_look import SecondLook
from wekadocs_corpus.tuning import TUNING

Rarity = Callable[[Mapping[int, float]], Mapping[int, float]]
CLOSENESS = Closeness(StaticEmbedder().embed_words)


def same(query: Mapping[int, float]) -> Mapping[int, float]:
    """Every word equally rare."""
    return query


def asked(text: str) -> Question:
    words = AskedWords(text)
    return Question(words, Area("p", "e"), words.terms)


def look(question: str, rarity: Rarity, texts: Sequence[tuple[str, str]]) -> list[float]:
    words = CLOSENESS.asked_words(question)
    return CLOSENESS.of(asked(question), words, rarity(dict.fromkeys(words, 1.0)), texts)


def close(question: str, *texts: str | tuple[str, str]) -> list[float]:
    return look(question, same, [each if isinstance(each, tuple) else ("", each) for each in texts])


def test_words_that_stand_together_are_closer() -> None:
    together, apart, alone = close(
        "cluster quota",
        "The cluster quota is fixed.",
        "The cluster has many servers and each of these has a quota.",
        "The cluster has servers.",
    )
    assert together > apart > alone


def test_a_word_that_means_the_same_is_closer_than_any_other() -> None:
    like, unlike = close("delete the folder", "Remove a directory.", "Paint a ceiling.")
    assert like > unlike


def test_a_title_that_says_what_is_asked_is_closer_than_one_that_says_more() -> None:
    exact, longer, none = close(
        "mount a filesystem",
        ("Mount a filesystem", "See below."),
        ("Mount a filesystem, then tune, share and delete it", "See below."),
        ("Licences", "See below."),
    )
    assert exact > longer > none


def test_for_exact_names_only_themselves_count() -> None:
    assert close("E4017", "error code", "failure number") == [0.0, 0.0]


def test_camel_case_and_snake_case_are_their_words() -> None:
    for written in ("apiKey", "api_key", "API key"):
        assert close("api key", f"set the {written} here")[0] == pytest.approx(2.0)


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    def rarity(query: Mapping[int, float]) -> Mapping[int, float]:
        return {term: 1.0 + 8.0 * (number == 0) for number, term in enumerate(query)}

    rare, common = look("quorum server", rarity, [("", "the quorum"), ("", "the server")])
    assert rare > common


def test_nothing_known_or_nothing_there_is_not_close() -> None:
    assert look("quota", lambda _: {}, [("", "quota")]) == [0.0]
    assert close("", "text", "") == [0.0, 0.0]
    assert close("quota") == []
    assert close("the", ("", ""))[0] == 0.0


@given(st.text(max_size=60), st.lists(st.tuples(st.text(max_size=20), st.text(max_size=300)), max_size=4))
def test_any_text_has_a_closeness_between_none_and_all_three(question: str, texts: list[tuple[str, str]]) -> None:
    found = look(question, same, texts)
    assert len(found) == len(texts)
    assert all(0.0 <= each <= 3.0001 for each in found)


def test_what_it_has_forgotten_it_learns_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORDS", 3)
    before = close("cluster quota", "The cluster quota is fixed.", "No limit.")
    assert close("cluster quota", "The cluster quota is fixed.", "No limit.") == before


class Texts:
    """The truth, as far as the second look asks it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def chunks(self, ids: Sequence[str]) -> list[Any]:
        self.asked += ids
        return [SimpleNamespace(id=each, title=f"Page {each}", text="nothing", path="a.md") for each in ids]

    def weighted_within(self, _scope: Any, query: Mapping[int, float]) -> Mapping[int, float]:
        return query


def test_only_the_best_of_both_legs_are_looked_at_and_none_falls_behind_the_others() -> None:
    words = [Leg(f"{number:03}", str(number), 100.0 - number) for number in range(30)]
    truth, fusion = Texts(), Fusion(words=1, vectors=0.1, by="score", closeness=2.0)

    def looked(vectors: list[Leg]) -> list[str]:
        way = [Fuse(fusion), SecondLook(truth, CLOSENESS, fusion.closeness)]
        hits = Hits(words=words, vectors=vectors)
        for stage in way:
            hits = asyncio.run(stage(asked("004"), hits))
        return [hit.chunk_id for hit in hits.ranked]

    assert looked([Leg("040", "40", 0.5)])[:2] == ["004", "000"]
    assert len(truth.asked) == TUNING.closeness.looked_at
    assert looked([])[0] == "000"
