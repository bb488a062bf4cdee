"""How nearly texts mean what is asked: as the static model has each of them alone, and word by word."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.embedding.likeness import Placed, StaticLikeness
from wekadocs_corpus.embedding.static import StaticEmbedder

LIKENESS = StaticLikeness(StaticEmbedder())
WORDS = st.sampled_from(["Delete", "the", "disk", "of", "a", "snapshot.", "\n", "", "漢字", "it", "keepHot"])
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


def said(text: str, *words: str) -> list[float]:
    (found,) = LIKENESS.compared("anything", words, [Placed("", "", text)])
    return list(found.said)


def test_the_nearest_word_of_a_text_is_itself_or_one_that_means_the_same() -> None:
    same, alike, other, empty = (said(text, "delete")[0] for text in ("delete it", "erase it", "paint it", "-"))
    assert same == pytest.approx(1.0)
    assert same > alike > other > empty == 0.0


def test_a_question_without_words_and_no_texts_are_compared_too() -> None:
    assert said("a text") == []
    assert LIKENESS.compared("disks", ["disks"], []) == []


def test_what_a_text_stands_under_is_told_apart_from_what_it_says() -> None:
    (found,) = LIKENESS.compared("delete", ["delete"], [Placed("Delete", "", "It is done.")])
    assert found.above[0] > found.said[0]


@settings(deadline=None)
@given(TEXTS, st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_together_they_are_as_each_is_alone(title: str, those: list[tuple[str, str]]) -> None:
    title = " ".join(title.split())
    found = LIKENESS.compared(
        "delete a disk", [], [Placed(title, headings, f"{text} Disk") for headings, text in those]
    )
    alone = LIKENESS("delete a disk", [f"{text} Disk" for _, text in those])
    assert [each.alone for each in found] == pytest.approx(list(alone), abs=1e-5)
    assert all(-1.001 <= each.placed <= 1.001 for each in found)
