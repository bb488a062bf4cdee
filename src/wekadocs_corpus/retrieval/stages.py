"""A question's way to its passages, top to bottom: words and vectors, fusion, second look, hop, reranker, passages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_corpus.embedding.interface import Fusion
from wekadocs_corpus.model import Filters
from wekadocs_corpus.tuning import TUNING, FindingTuning

from .fusion import Fuse, KeepBest
from .hits import Hits, Stage
from .hop import Hop
from .legs import MODES, Legs
from .passages import KeepApart, OpenTitled, ReadOn, TakePassages
from .second_look import SecondLook

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Embedder
    from wekadocs_corpus.store.interface import SearchIndex
    from wekadocs_corpus.store.truth.interface import Truth

    from .closeness import Closeness
    from .hop import Hops
    from .question import Question
    from .rerank import Scorer

FOLLOWING = ("auto", "hybrid_local")  # modes that follow the graph


@dataclass(frozen=True)
class Search:
    """What is to be found: how many passages, how many of a document, where, and by which means."""

    filters: Filters
    k: int
    per_document: int = 1
    mode: str = "auto"
    every_hit: bool = False  # as they were found, though one reads on into the other


@dataclass(frozen=True)
class Means:
    """What a corpus searches with; what is None is done without."""

    index: SearchIndex
    truth: Truth
    embedder: Embedder | None = None
    closeness: Closeness | None = None
    hops: Hops | None = None
    scorer: Scorer | None = None
    tuning: FindingTuning = TUNING.finding

    @property
    def fusion(self) -> Fusion:
        return self.embedder.profile.fusion if self.embedder else Fusion()


def stages(search: Search, means: Means) -> list[Stage]:
    """What a question goes through, in order."""
    return [*finding(search, means), *telling(search, means)]


def finding(search: Search, means: Means) -> list[Stage]:
    """Which chunks: more than asked for, and one more of a document, since some tell nothing by themselves."""
    truth, fusion, tuning = means.truth, means.fusion, means.tuning
    k, each = tuning.wider * search.k, search.per_document + 1
    count = max(k, tuning.reranked) if means.scorer else k
    depth = max(tuning.depth, k * min(each, tuning.deeper))
    way: list[Stage] = [
        Legs(means.index, means.embedder, search.filters, depth, MODES.get(search.mode, "hybrid")),
        Fuse(fusion),
    ]
    if means.closeness and fusion.closeness and fusion.by == "score":
        way.append(SecondLook(truth, means.closeness, fusion.closeness))
    way.append(KeepBest(count, each))
    if means.hops and search.mode in FOLLOWING:
        way.append(Hop(means.hops, search.filters, count))
    if means.scorer:
        from .rerank import Rerank  # with what talks to servers; few have one

        way.append(Rerank(means.scorer, truth, k))
    return way


def telling(search: Search, means: Means) -> list[Stage]:
    """Which passages tell what these chunks were found for."""
    truth = means.truth
    if search.every_hit:
        return [TakePassages(truth, search.k, search.per_document), ReadOn(truth)]
    more = search.k * (
        1 if search.per_document == 1 else means.tuning.wider
    )  # those of one document may turn out the same
    opened = (
        () if search.filters.fields else (OpenTitled(truth),)
    )  # a page's beginning may be no chunk that was asked for
    return [TakePassages(truth, more, search.per_document), *opened, ReadOn(truth), KeepApart(search.k)]


async def run(question: Question, way: Iterable[Stage]) -> Hits:
    hits = Hits()
    for stage in way:
        hits = await stage(question, hits)
    return hits
