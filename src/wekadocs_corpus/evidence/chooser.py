"""Which sentences answer one question: by its words, or in a cross-encoder's order."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus
    from wekadocs_corpus.evidence.quotes import Quote, Ranked, Source, Wanted
    from wekadocs_corpus.model import Scope

log = logging.getLogger("wekadocs.evidence")
_WRITTEN = re.compile(r"[^\W\d_]{4,}")
Scorer = Callable[[str, Sequence[str]], Awaitable[Sequence[float]]]  # question, texts → scores, higher is better


@dataclass
class Chooser:
    """For one question; what its words weigh was looked up once."""

    question: str
    wanted: Wanted
    plain: bool = False
    scorer: Scorer | None = None
    degraded: list[str] = field(default_factory=list)  # what could not be done

    def unknown_words(self) -> list[str]:
        """Words of the question that no document has, as written."""
        if not self.wanted.unknown:
            return []
        from wekadocs_corpus.lexical import query_terms

        written = dict.fromkeys(_WRITTEN.findall(self.question))
        return [word for word in written if (terms := query_terms(word)) and not terms.keys() & self.wanted.weights]

    def sentences(self, source: Source, most: int, each: int) -> list[Quote]:
        """Of one passage, by words alone: a preview is not worth a model's time."""
        from wekadocs_corpus.evidence import quotes

        if self.plain:
            return quotes.plain(self.question, [source], most, each)
        return quotes.weighted(self.wanted, [source], most, each)

    async def evidence(
        self, sources: Sequence[Source], most: int, each: int, around: int
    ) -> tuple[list[Quote], Ranked]:
        """The quotes, and the ranking by words that tells how much of the question the passages have."""
        from wekadocs_corpus.evidence import quotes

        by_words = quotes.ranked(self.wanted, sources)
        if self.plain:
            return quotes.plain(self.question, sources, most, each, around), by_words
        return (await self._second_opinion(by_words)).quotes(most, each, around), by_words

    def read_on(self, chosen: Sequence[Quote], sources: Sequence[Source], each: int, total: int) -> list[Quote]:
        """The quotes with what the tokens that are left allow; the plain algorithm knows nothing of it."""
        from wekadocs_corpus.evidence.reading_on import read_on

        return list(chosen) if self.plain else read_on(chosen, sources, each, total)

    async def _second_opinion(self, by_words: Ranked) -> Ranked:
        if self.scorer is None or not by_words.best:
            return by_words
        try:
            return by_words.rescored(await self.scorer(self.question, by_words.texts()))
        except Exception as error:  # whatever a model or its server does, words still choose
            log.warning("the cross-encoder failed: %s", type(error).__name__)
            why = getattr(error, "reason", "it gave no scores")
            self.degraded.append(f"cross_encoder_failed: {why}; sentences were chosen by words")
            return by_words


async def chooser_for(
    corpus: Corpus, question: str, scope: Scope, *, plain: bool = False, scorer: Scorer | None = None
) -> Chooser:
    """What the question's words weigh within the scope is looked up here, once."""
    from wekadocs_corpus.evidence.definitions import entry_of
    from wekadocs_corpus.evidence.quotes import Wanted
    from wekadocs_corpus.evidence.steps import asks_how
    from wekadocs_corpus.lexical import query_terms

    terms, truth = query_terms(question), corpus.truth
    # Here, as a search has looked most of them up; counting within a narrower scope may take its time.
    look = partial(truth.weighted_within, scope, terms)
    weights = look() if truth.is_whole(scope) else await corpus.in_thread(look)
    pairs = list(pairwise(term for term in terms if term in weights))
    entry, unknown = entry_of(question), len(terms) - len(weights)
    return Chooser(question, Wanted(weights, pairs, unknown, entry, asks_how(question)), plain, scorer)


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
