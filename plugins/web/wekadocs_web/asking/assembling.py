"""From weighed chunks to evidence: the same thing once, what stands beside the best, best first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wekadocs_corpus import Passage
from wekadocs_web.brief import Evidence

from .searching import Scored

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus

_SAME = 0.85  # share of words in common
_BESIDE = 6  # chunks, the best, whose neighbours are looked at
_LONGEST = 24_000  # characters of one chunk; rulers and the like have few tokens, and an answer bounded bytes
_WORD = re.compile(r"\w+")


def distinct(scored: Sequence[Scored], most: int) -> list[Scored]:
    """The first so many of those that say something new; the better one of two that say the same is kept."""
    kept: list[tuple[frozenset[str], Scored]] = []
    for each in scored:
        words = frozenset(_WORD.findall(each.passage.text.lower()))
        if len(kept) < most and not any(_alike(words, other) > _SAME for other, _ in kept):
            kept.append((words, each))
    return [each for _, each in kept]


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


async def with_neighbours(
    corpus: Corpus, kept: Sequence[Scored], scored: Sequence[Scored], least: float
) -> list[Scored]:
    """With what stands right before and after the best of them, marked as such; it keeps the score it has."""
    known, scores = {each.passage.id for each in kept}, {each.passage.id: each for each in scored}
    beside: dict[str, Scored] = {}
    best = [each for each in kept if each.relevance >= least][:_BESIDE]
    pages = {each.passage.document_id for each in best}
    rows = {page: await corpus.in_thread(corpus.truth.chunks_of, page) for page in pages}
    for each in best:
        for row in rows[each.passage.document_id]:
            near = abs(row.ordinal - each.passage.ordinal) == 1 and row.kind != "front_matter"
            if near and row.id not in known and row.id not in beside:
                beside[row.id] = replace(scores.get(row.id, Scored(row, 0.0, 0.0)), adjacent=True, sub_query=None)
    lowest = min((each.relevance for each in kept), default=0.0)
    return [*kept, *(replace(each, relevance=min(each.relevance, lowest)) for each in beside.values())]


def as_evidence(scored: Sequence[Scored], urls: Mapping[str, str]) -> list[Evidence]:
    """Best first; equal ones as they stand in their pages."""
    order = sorted(
        scored, key=lambda it: (-round(it.relevance, 2), it.adjacent, it.passage.document_id, it.passage.start)
    )
    found = [_one(each, urls.get(each.passage.document_id) or each.passage.url) for each in order]
    return [each for each in found if each.text]


def _one(each: Scored, url: str) -> Evidence:
    passage = each.passage
    start, end = _stripped(passage)
    return Evidence(
        url=url,
        title=passage.title,
        heading=passage.section_title or (passage.headings[-1] if passage.headings else ""),
        text=passage.text[start:end],
        start=passage.start + start,
        end=passage.start + end,
        relevance=each.relevance,
        sub_query=each.sub_query,
        adjacent=each.adjacent,
    )


def _stripped(passage: Passage) -> tuple[int, int]:
    """Without blank lines around it, and not longer than an answer can show."""
    text = passage.text
    lines = re.match(r"(?:[ \t]*\n)*", text)
    start = lines.end() if lines else 0
    return start, max(start, len(text[: start + _LONGEST].rstrip()))
