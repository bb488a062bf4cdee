"""Words that titles and headings use, for whoever misspelt one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from .model import Filters, Scope

if TYPE_CHECKING:
    from .store.truth import Truth

_WORD = re.compile(r"[^\W\d_]{4,}")
_ROWS = 50_000


def nearest(truth: Truth, scope: Scope, words: Sequence[str]) -> dict[str, str]:
    """Each word that looks like one of the headings' in this scope, with that one."""
    from .store.filtering import allowed

    condition, values = allowed(scope, Filters())
    ask = (
        "SELECT s.title FROM documents AS d JOIN sections AS s ON s.document_id = d.id "  # noqa: S608 - values are bound
        f"WHERE {condition} LIMIT {_ROWS}"
    )
    with truth.reading() as connection:
        titles = connection.execute(ask, values).fetchall()
    known = sorted({word.lower() for (title,) in titles for word in _WORD.findall(title)})
    near = {word: get_close_matches(word.lower(), known, 1, 0.8) for word in words}
    return {word: found[0] for word, found in near.items() if found and found[0] != word.lower()}
