"""Which sentences answer one question: by its words, or in a cross-encoder's order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.evidence.quotes import Quote, Ranked, Source
    from wekadocs_corpus.retrieval.question import Question

log = logging.getLogger("wekadocs.evidence")
Scorer = Callable[[str, Sequence[str]], Awaitable[Sequence[float]]]  # question, texts → scores, higher is better


@dataclass
class Chooser:
    """For one question, as it was read."""

    question: Question
    plain: bool = False
    scorer: Scorer | None = None
    degraded: list[str] = field(default_factory=list)  # what could not be done

    def sentences(self, source: Source, most: int, each: int) -> list[Quote]:
        """Of one passage, by words alone: a preview is not worth a model's time."""
        from wekadocs_corpus.evidence import quotes

        if self.plain:
            return quotes.plain(self.question.text, [source], most, each)
        return quotes.weighted(self.question, [source], most, each)

    async def evidence(
        self, sources: Sequence[Source], most: int, each: int, around: int
    ) -> tuple[list[Quote], Ranked]:
        """The quotes, and the ranking by words that tells how much of the question the passages have."""
        from wekadocs_corpus.evidence import quotes

        by_words = quotes.ranked(self.question, sources)
        if self.plain:
            return quotes.plain(self.question.text, sources, most, each, around), by_words
        return (await self._second_opinion(by_words)).quotes(most, each, around), by_words

    def read_on(self, chosen: Sequence[Quote], sources: Sequence[Source], each: int, total: int) -> list[Quote]:
        """The quotes with what the tokens that are left allow; the plain algorithm knows nothing of it."""
        from wekadocs_corpus.evidence.reading_on import read_on

        return list(chosen) if self.plain else read_on(chosen, sources, each, total)

    async def _second_opinion(self, by_words: Ranked) -> Ranked:
        if self.scorer is None or not by_words.best:
            return by_words
        try:
            return by_words.rescored(await self.scorer(self.question.text, by_words.texts()))
        except Exception as error:  # whatever a model or its server does, words still choose
            log.warning("the cross-encoder failed: %s", type(error).__name__)
            why = getattr(error, "reason", "it gave no scores")
            self.degraded.append(f"cross_encoder_failed: {why}; sentences were chosen by words")
            return by_words


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
