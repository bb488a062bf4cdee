"""Asking the documents: a question, read once, candidates for it, and how the answer came about."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from .arguments import read_filters
from .corpus_errors import corpus_errors, refuse_when_empty

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, Hits, Question
    from wekadocs_mcp import Call

    from .arguments import FilterArguments


class AsksCorpus(Protocol):
    """A plugin's state with the corpus in it: what plugin `corpus` yields."""

    @property
    def corpus(self) -> Corpus: ...


async def read_question(
    call: Call[AsksCorpus], text: str, *, rewrite: bool = True, as_written: bool = False
) -> Question:
    """A question within the call's scope, read once for all that follows.

    Mistyped words and acronyms are read as the documents have them, unless it is to be asked as written; without
    `rewrite` compounds count as a whole only as well.
    """
    corpus = call.state.corpus
    with corpus_errors():
        question = await corpus.read(text, call.scope, rewrite=rewrite)
        return await corpus.rewritten(question) if rewrite and not as_written else question


async def find(
    call: Call[AsksCorpus],
    question: Question,
    filters: FilterArguments | None,
    k: int,
    mode: str,
    per_document: int = 1,
    every_hit: bool = False,
) -> Hits:
    """Candidates from the corpus within the call's scope; refused where nothing is indexed."""
    from wekadocs_corpus import version_asked

    corpus = call.state.corpus
    with corpus_errors():
        version = await corpus.at_once(
            version_asked, corpus.truth, call.scope, corpus.settings, (filters or {}).get("version")
        )
        asked = replace(read_filters(filters), fields=version)
        found = await corpus.find(question, asked, k, mode, max_per_document=per_document, every_hit=every_hit)
        if not found.candidates:
            await refuse_when_empty(corpus, call.scope)
        return found


def how_it_went(found: Hits) -> tuple[str, list[str]]:
    """The mode that really ran, and why it is less than was asked for."""
    reasons = list(found.degraded)
    if found.partial:
        reasons.append("index_behind")
    return "hybrid_local" if found.graph else "vector_only", reasons
