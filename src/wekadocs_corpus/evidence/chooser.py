"""Which sentences answer one question: by its words, or in a cross-encoder's order."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.choosing.quoting import Evidence
    from wekadocs_corpus.evidence.choosing.weighing import Likeness, Weighed
    from wekadocs_corpus.evidence.quotes import Quote, QuoteSource
    from wekadocs_corpus.retrieval.question import Question

from wekadocs_corpus import tokens

log = logging.getLogger("wekadocs.evidence")
Quoting = Callable[[int | None], Sequence["Quote"]]  # tokens that all may have, where it is less than was asked for
RERANKED = 24  # units that a model sees
Scorer = Callable[[str, Sequence[str]], Awaitable[Sequence[float]]]  # question, texts → scores, higher is better


@dataclass
class Chooser:
    """For one question, as it was read."""

    question: Question
    plain: bool = False
    scorer: Scorer | None = None
    degraded: list[str] = field(default_factory=list)  # what could not be done

    def sentences(self, source: QuoteSource, most: int, each: int) -> list[Quote]:
        """Of one passage, by words alone: a preview is not worth a model's time."""
        from wekadocs_corpus.evidence import quotes

        if self.plain:
            return quotes.plain(self.question.text, [source], most, each)
        return quotes.weighted(self.question, [source], most, each)

    async def evidence(self, sources: Sequence[QuoteSource], likeness: Likeness) -> Evidence:
        """What can be quoted of the passages, weighed once."""
        from wekadocs_corpus.evidence.choosing.quoting import Evidence
        from wekadocs_corpus.evidence.choosing.weighing import weighed

        found = weighed(self.question, sources, likeness)
        return Evidence.of(self.question, sources, await self._second_opinion(found, sources), likeness)

    def quoting(self, evidence: Evidence, most: int, each: int, around: int, room: int | None = None) -> Quoting:
        """At most so many quotes of so many tokens on the average; those of context come on top. `room` is for all."""
        if self.plain:
            from wekadocs_corpus.evidence import overlaps, quotes

            sources = evidence.sources
            chosen = quotes.plain(self.question.text, sources, most, each, around)
            return partial(_as_many, overlaps.without_overlaps(chosen, sources), sources)
        total = most * (each + around) if room is None else min(room, most * (each + around))
        return lambda less: evidence.quotes(most, total if less is None else min(less, total))

    async def _second_opinion(self, found: list[Weighed], sources: Sequence[QuoteSource]) -> list[Weighed]:
        """The best ones in the order of a model, whatever its scale; the others come after them."""
        if self.scorer is None or not found:
            return found
        best = sorted(found, key=lambda each: -each.score)[:RERANKED]
        texts = [sources[each.source].text[each.unit.start : each.unit.end] for each in best]
        try:
            scores = _from_0_to_1(await self.scorer(self.question.text, texts), len(texts))
        except Exception as error:  # whatever a model or its server does, words still choose
            log.warning("the cross-encoder failed: %s", type(error).__name__)
            why = getattr(error, "reason", "it gave no scores")
            self.degraded.append(f"cross_encoder_failed: {why}; quotes were chosen by words")
            return found
        return [each._replace(score=score, worth=score) for each, score in zip(best, scores, strict=True)]


def _from_0_to_1(scores: Sequence[float], count: int) -> list[float]:
    if len(scores) != count or not all(map(math.isfinite, scores)):
        raise ValueError("a score for each text, and a number, is needed")
    low, wide = min(scores), max(scores) - min(scores) or 1.0
    return [(score - low) / wide for score in scores]


def _as_many(quotes: Sequence[Quote], sources: Sequence[QuoteSource], most: int | None) -> Sequence[Quote]:
    """Quotes that stay as they are: from the first on, as many as have so many tokens."""
    if most is None:
        return quotes
    sizes = accumulate(tokens.count(sources[each.source].text[slice(*each.span)]) for each in quotes)
    return [quote for quote, size in zip(quotes, sizes, strict=True) if size <= most]


class LazyCrossEncoder:
    """Loaded with the first question that needs it; until that works, every answer says why it does not."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._settings = settings
        self._scorer: Scorer | None = None

    async def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        if self._scorer is None:
            self._scorer = await asyncio.to_thread(self._load)
        return await self._scorer(question, texts)

    def _load(self) -> Scorer:
        from wekadocs_corpus.retrieval.rerank import RerankerUnavailable, load

        scorer = load(self._settings)
        if scorer is None:
            raise RerankerUnavailable("name the model under plugins.kb.cross_encoder or plugins.corpus.rerank")
        return scorer
