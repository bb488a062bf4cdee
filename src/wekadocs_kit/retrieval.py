"""Asking the documents: candidates for a question, and how the answer came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .arguments import read_filters
from .corpus_errors import corpus_errors, refuse_when_empty

if TYPE_CHECKING:
    from wekadocs_corpus.corpus import Corpus, Found
    from wekadocs_mcp import Call

    from .arguments import FilterArguments


class AsksCorpus(Protocol):
    """A plugin's state with the corpus in it: what plugin `corpus` yields."""

    @property
    def corpus(self) -> Corpus: ...


async def find(
    call: Call[AsksCorpus],
    question: str,
    filters: FilterArguments | None,
    k: int,
    mode: str,
    per_document: int = 1,
    rewrite: bool = True,
    every_hit: bool = False,
) -> Found:
    """Candidates from the corpus within the call's scope; refused where nothing is indexed."""
    corpus = call.state.corpus
    with corpus_errors():
        found = await corpus.retrieve(
            question,
            call.scope,
            read_filters(filters),
            k,
            mode,
            max_per_document=per_document,
            rewrite=rewrite,
            every_hit=every_hit,
        )
        if not found.candidates:
            await refuse_when_empty(corpus, call.scope)
        return found


def how_it_went(found: Found) -> tuple[str, list[str]]:
    """The mode that really ran, and why it is less than was asked for."""
    reasons = list(found.degraded)
    if found.partial:
        reasons.append("index_behind")
    return "hybrid_local" if found.retrieval.graph else "vector_only", reasons
