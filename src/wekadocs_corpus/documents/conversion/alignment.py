"""Where lines of a text that was written anew stand in its source: by their words, in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

_WORDS = re.compile(r"([^\W_]{2,})(?:[ .-][^\W_]{2,}){0,2}")
_AHEAD = 20_000  # characters in which a line is looked for
_MOST_FAR = 20  # lines that are looked for to the end


def aligned(shown: Sequence[str], source: Sequence[str]) -> list[int]:
    """For each line the line of the source that it begins in, as well as its first words tell; never going back."""
    text = "\n".join(source)
    starts = list(accumulate((len(line) + 1 for line in source), initial=0))[:-1]
    places: list[int] = []
    at, far = 0, _MOST_FAR
    for line in shown:
        found = _WORDS.search(line)
        if found:
            place = text.find(found[0], at, at + _AHEAD)
            if place < 0:  # markup may stand between the words
                place = text.find(found[1], at, at + _AHEAD // 10)
            if place < 0 and far:  # much may have been left out
                far, place = far - 1, text.find(found[0], at)
            at = max(at, place)
        places.append(max(0, bisect_right(starts, at) - 1))
    return places
