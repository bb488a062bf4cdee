"""A passage is a chunk with what stands around it."""

from __future__ import annotations

import pytest

from wekadocs_corpus.store.sql.reading.reading_on import ENOUGH, MOST, reach


@pytest.mark.parametrize(
    ("tokens", "place", "others", "expected"),
    [
        ([40, 50, 60, 400], 0, [], (0, 3)),  # small ones are read on until the next would be too much
        ([40, 50, 60, 400], 1, [], (1, 3)),  # never back, if nothing there was found
        ([230, 50], 0, [], (0, 1)),
        ([100, 100, 150, 100], 2, [0], (0, 3)),  # over what was found, and what stands between
        ([100, 200, 150, 100], 3, [0], (3, 4)),  # but not too far
        ([300, 100, 90, 20], 1, [0, 3], (0, 2)),  # the better one first
        ([900], 0, [], (0, 1)),
    ],
)
def test_a_passage_reaches_over_what_was_found_near_and_reads_on(tokens, place, others, expected):
    assert reach(tokens, place, others) == expected
    low, high = expected
    assert sum(tokens[low:high]) <= max(MOST, tokens[place])
    assert ENOUGH < MOST
