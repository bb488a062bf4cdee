"""What tells what a name means: a row of a table or an entry of a list that begins with it."""

from __future__ import annotations

import re
from functools import lru_cache

from .lexical import names

_MOST_NAMES = 8
_BEGINS = r"^[ \t]*(?:\||[-*+][ \t]+|(?=[`*]))[^|:\n]{0,60}?(?<![\w-])-{0,2}(?:"
_ENDS = r")(?![\w-])[^|:\n]{0,60}[|:]"


@lru_cache(maxsize=64)
def entry_of(question: str) -> re.Pattern[str] | None:
    """Finds such a row or entry for the identifiers, flags and codes in a question; none: it has no such name."""
    found = names(question)[:_MOST_NAMES]
    if not found:
        return None
    return re.compile(_BEGINS + "|".join(map(re.escape, found)) + _ENDS, re.IGNORECASE | re.MULTILINE)
