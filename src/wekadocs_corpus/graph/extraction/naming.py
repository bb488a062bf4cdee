"""What a passage names, by the ids under which the truth keeps names."""

from __future__ import annotations

from itertools import islice

from wekadocs_corpus.model import Scope

from .names import CONCEPT, namer
from .phrases import phrases
from .regions import regions

_MOST_NAMES = 60  # as many as are kept of a section


def concepts_named(text: str, scope: Scope) -> frozenset[str]:
    """Concepts by names of several words that begin with a capital. Single words, and quoted ones, are too often no
    names."""
    prose = regions(text).prose
    keys = dict.fromkeys(key for key, start, _ in phrases(prose) if " " in key and prose[start].isupper())
    names = namer(scope.project_id, scope.environment)
    return frozenset(names.id(CONCEPT, key) for key in islice(keys, _MOST_NAMES))
