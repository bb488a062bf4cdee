"""What to try when nothing was found: the filter that keeps it out, the name that was meant, the tags there are."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from wekadocs_corpus_plugin.telling import told

from .choosing import Chooser

_TAGS, _WORDS = 8, 6


async def nothing_found(call: Any, choose: Chooser, filters: Mapping[str, Any] | None) -> str:
    tags = await call.state.corpus.doc_tags()
    given = {name: value for name, value in (filters or {}).items() if value}
    parts = _no_such_tag([*given.get("doc_tag", ()), *call.scope.doc_tags], tags)
    if not parts and (excluding := await _excluding(call, choose.question, given)):
        parts.append(f"Without filters.{excluding} there are results.")
    parts += await misspelt(call, choose)
    if not parts:
        parts.append("Nothing in this scope fits; try other words.")
    if tags:
        more = f" and {len(tags) - _TAGS} more" if len(tags) > _TAGS else ""
        parts.append(f"Tags that exist: {', '.join(tags[:_TAGS])}{more}.")
    return " ".join(parts)


async def misspelt(call: Any, choose: Chooser) -> list[str]:
    """Words that no document has and some heading nearly has."""
    words = choose.unknown_words()[:_WORDS]
    if not words:
        return []
    from wekadocs_corpus import vocabulary  # few questions need it

    corpus = call.state.corpus
    with told():
        near = await corpus.in_thread(vocabulary.nearest, corpus.truth, call.scope, words)
    return [f"No document has the word {word!r}; did you mean {near[word]!r}?" for word in words if word in near]


def _no_such_tag(asked: list[str], there: list[str]) -> list[str]:
    """Tags that no document has."""
    unknown = [tag for tag in dict.fromkeys(asked) if tag not in there][:3]
    near = {tag: get_close_matches(tag, there, 1) for tag in unknown}
    return [
        f"No document has the tag {tag[:80]!r}{f'; did you mean {near[tag][0]!r}?' if near[tag] else '.'}"
        for tag in unknown
    ]


async def _excluding(call: Any, query: str, given: Mapping[str, Any]) -> str:
    """The filter without which something is found."""
    for name in given:
        others = {other: value for other, value in given.items() if other != name}
        if (await call.state.find(call, query, others, 1, "vector_only")).candidates:
            return name
    return ""
