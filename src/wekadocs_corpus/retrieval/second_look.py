"""The second look at the best of both legs: their texts are read, and each gains by how close it is to the question.

What names everything and explains little, lists of changes and lists of links, comes after what explains it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

from wekadocs_corpus.at_once import at_once
from wekadocs_corpus.tuning import ClosenessTuning

from .hits import Hits, in_order
from .passages import with_texts

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth
    from wekadocs_corpus.store.truth.rows import Passage

    from .closeness import Closeness
    from .question import Question

_LINK = re.compile(r"\[([^\[\]]*)\]\((?!https?:)[^()\s]*\)")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class SecondLook:
    """Only where both legs answered. Reads where it is asked: what it reads is mostly in memory, and a change of thread
    would cost more."""

    truth: Truth
    closeness: Closeness
    weight: float

    async def __call__(self, question: Question, hits: Hits) -> Hits:
        if not hits.words or not hits.vectors:
            return hits
        began = perf_counter()
        most = question.tuning.closeness.looked_at
        first = hits.ranked[:most]
        hits = await at_once(with_texts, self.truth, hits, [hit.chunk_id for hit in first])
        found = [hits.read[hit.chunk_id] for hit in first if hit.chunk_id in hits.read]
        weighed = dict.fromkeys(self.closeness.asked_words(question.text), 1.0)
        rarity = await at_once(self.truth.weighted_within, question.scope, weighed)
        close = dict(zip((each.id for each in found), self._close(question, rarity, found), strict=True))
        gained = [hit._replace(score=hit.score + self.weight * close.get(hit.chunk_id, 0.0)) for hit in first]
        return replace(hits, ranked=in_order([*gained, *hits.ranked[most:]])).timed("fusion", began)

    def _close(self, question: Question, rarity: Mapping[int, float], found: Sequence[Passage]) -> list[float]:
        """Less for a passage that names things and explains none."""
        asked = self.closeness.asked_words(question.text)  # again: another question may have come in between
        close = self.closeness.of(question, asked, rarity, [(each.title, each.text) for each in found])
        tuning = question.tuning.closeness
        history = 0.0 if question.history else tuning.history
        return [
            value - (history * is_historic(each.path, tuning) + tuning.listing * is_listing(each.text, tuning))
            for value, each in zip(close, found, strict=True)
        ]


@cache
def _historic(pages: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[/_. -])(?:{'|'.join(pages)})(?:[-_ .]?v?\d[\w.-]*)?(?=[/_. -]|$)", re.I)


def is_historic(path: str, tuning: ClosenessTuning) -> bool:
    """Whether a page is a list of changes, release notes or news, by where it stands."""
    return _historic(tuning.historic_pages).search(path) is not None


def is_listing(text: str, tuning: ClosenessTuning) -> bool:
    """Whether most of its words lead to other pages of the same documentation: contents, an index, what to see also."""
    if text.count("](") < tuning.few_links:
        return False
    inside = [len(_WORD.findall(words)) for words in _LINK.findall(text)]
    outside = len(_WORD.findall(_LINK.sub("", text)))
    return len(inside) >= tuning.few_links and outside < tuning.outside_links * (outside + sum(inside))
