"""What `{{ name }}` shows in MyST and in Elastic's docs-builder: what the page or its docset.yml says it stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from wekadocs_corpus.documents.front_matter import read_front_matter

from .lines import Lines
from .neighbours import Neighbours

_NAME = re.compile(r"\{\{[ \t]*([\w.-]{1,100})[ \t]*(?:\|[^{}\n]{0,100})?\}\}")
_LARGEST = 60_000  # characters of a configuration


def with_substitutions(lines: Lines, page: Mapping[str, object], neighbours: Neighbours) -> Lines:
    """The lines with words in place of names; a name that nobody explains stays."""
    if not any("{{" in words and _NAME.search(words) for words, _ in lines):
        return lines
    known = _known(page, neighbours)
    if not known:
        return lines
    return [(_NAME.sub(lambda found: known.get(found[1], found[0]), words), number) for words, number in lines]


def _known(page: Mapping[str, object], neighbours: Neighbours) -> dict[str, str]:
    docset = neighbours.above("docset.yml")
    myst = page.get("myst")
    said = [
        _of_docset(docset[1]) if docset else None,
        page.get("sub"),
        page.get("substitutions"),
        myst.get("substitutions") if isinstance(myst, Mapping) else None,
    ]
    return {
        name: str(words)
        for each in said
        if isinstance(each, Mapping)
        for name, words in each.items()
        if isinstance(words, str | int | float)
    }


@lru_cache(maxsize=16)
def _of_docset(text: str) -> object:
    return read_front_matter(f"---\n{text[:_LARGEST]}\n---\n").values.get("subs")
