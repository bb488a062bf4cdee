"""Texts are cut to a length with their suffix inside it, and never inside a character."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_kit import truncated

SUFFIX = "... [truncated]"
WHOLE = [
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "🇩🇪",
    "👍🏽",
    "한",
    "각",
    "क्षि",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "\r\n",
    "กำ",
    "🏴\U000e0067\U000e007f",
]


@given(st.text(max_size=80), st.integers(15, 60))
def test_a_text_has_at_most_its_limit_and_says_where_it_was_cut(text, limit):
    shown = truncated(text, limit, SUFFIX)
    assert len(shown) <= limit
    assert shown == text if len(text) <= limit else text.startswith(shown.removesuffix(SUFFIX))


def test_the_limit_is_used_up_where_nothing_stands_in_the_way():
    assert truncated("x" * 600, 500, SUFFIX) == "x" * 485 + SUFFIX
    assert truncated("x" * 500, 500, SUFFIX) == "x" * 500


@pytest.mark.parametrize("whole", WHOLE)
def test_no_character_of_several_code_points_is_cut(whole):
    pieces = unicodedata.normalize("NFD", whole) if whole in ("한", "각") else whole
    for before in range(3):
        text = "x" * before + pieces * 20
        for limit in range(20, 40):
            kept = truncated(text, limit, SUFFIX).removesuffix(SUFFIX)
            assert (len(kept) - before) % len(pieces) == 0 or len(kept) < before


def test_what_is_too_long_for_a_word_is_cut_rather_than_everything_lost():
    assert truncated("see " + "x" * 3000, 1800, "...", at_word=True) == "see " + "x" * 1793 + "..."
    families = truncated("see " + "👩\u200d👩\u200d👧" * 600, 1800, "...", at_word=True)
    assert len(families) > 1790 and families.endswith("👧...")
    assert truncated("see " + "x" * 190, 100, "...", at_word=True) == "see..."


def test_a_word_stays_whole_where_that_is_asked_for():
    assert truncated("alpha beta gamma", 13, "...", at_word=True) == "alpha beta..."
    assert truncated("alpha beta gamma", 12, "...", at_word=True) == "alpha..."
