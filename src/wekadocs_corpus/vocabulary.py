"""Words that titles and headings use, for whoever misspelt one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from .model import Area, Filters, Scope

if TYPE_CHECKING:
    from .store.truth import Truth

_WORD = re.compile(r"[^\W\d_]{4,}")
_ROWS = 50_000


def nearest(truth: Truth, scope: Scope, words: Sequence[str]) -> dict[str, str]:
    """Each word that looks like one of the headings' in this scope, with that one."""
    area = Area(scope.project_id, scope.environment, tuple(scope.doc_tags), tuple(scope.repositories))
    known = _headings(truth, area, truth.sequence())
    near = {word: get_close_matches(word.lower(), known, 1, 0.8) for word in words}
    return {word: found[0] for word, found in near.items() if found and found[0] != word.lower()}


@lru_cache(maxsize=8)
def _headings(truth: Truth, area: Area, _sequence: int) -> list[str]:
    """The words of all headings, once for each state of the documents."""
    from .store.filtering import allowed

    condition, values = allowed(area, Filters())
    ask = (
        "SELECT s.title FROM documents AS d JOIN sections AS s ON s.document_id = d.id "  # noqa: S608 - values are bound
        f"WHERE {condition} LIMIT {_ROWS}"
    )
    with truth.reading() as connection:
        titles = connection.execute(ask, values).fetchall()
    return sorted({word.lower() for (title,) in titles for word in _WORD.findall(title)})
