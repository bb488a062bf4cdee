"""What the kb tools share: asking corpus and scratch with errors a model can act on, and choosing quotes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wekadocs_corpus_plugin.telling import refuse_when_empty, told
from wekadocs_mcp import ToolError

from .choosing import Chooser
from .hints import mended

if TYPE_CHECKING:
    from wekadocs_corpus.model import Filters

_DEFINING = 10  # passages looked through for what an acronym stands for
_REMEMBERED = 1000  # acronyms


@dataclass(frozen=True)
class Desk:
    """One per process."""

    corpus: Any
    scratch: Any
    evidence: str
    scorer: Any = None  # the cross-encoder, where one is configured
    meanings: dict[tuple[Any, str], tuple[int, str | None]] = field(default_factory=dict)

    async def find(
        self,
        call: Any,
        question: str,
        filters: Mapping[str, Any] | None,
        k: int,
        mode: str,
        per_document: int = 1,
        rewrite: bool = True,
        every_hit: bool = False,
    ) -> Any:
        """Candidates from the corpus."""
        with told():
            found = await self.corpus.retrieve(
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
                await self.refuse_when_empty(call)
            return found

    async def read(self, call: Any, question: str, *, rewrite: bool = True) -> tuple[Chooser, str]:
        """The question as it is asked of the documents, and what was read differently from how it is written."""
        choose = await self.chooser(question, call.scope)
        if not rewrite:
            return choose, ""
        asked, note = await mended(call, choose)
        asked = await self.spelled_out(call, asked)
        return choose if asked == question else await self.chooser(asked, call.scope), note

    async def spelled_out(self, call: Any, question: str) -> str:
        """The question with what its acronyms stand for in these documents."""
        from wekadocs_corpus.retrieval import acronyms

        named = acronyms.acronyms(question)
        if not named:
            return question
        with told():
            now = await self.corpus.in_thread(self.corpus.truth.sequence)
            found = [await self._meaning(call.scope, acronym, now) for acronym in named]
        meanings = [each for each in found if each and each.lower() not in question.lower()]
        return f"{question} ({'; '.join(meanings)})" if meanings else question

    async def _meaning(self, scope: Any, acronym: str, now: int) -> str | None:
        """Looked up once for each state of the documents."""
        from wekadocs_corpus.model import Filters
        from wekadocs_corpus.retrieval.acronyms import spelled_out

        known, meaning = self.meanings.get((scope, acronym), (-1, None))
        if known != now:
            found = await self.corpus.retrieve(acronym, scope, Filters(), _DEFINING, "words", rewrite=False)
            meaning = spelled_out(acronym, [each.passage.text for each in found.candidates])
            if len(self.meanings) >= _REMEMBERED:
                self.meanings.clear()
            self.meanings[scope, acronym] = now, meaning
        return meaning

    async def passage(self, call: Any, passage_id: str, argument: str = "passage_id") -> Any:
        """A passage handed out before; `argument` is where the caller named it."""
        with told():
            try:
                return await self.scratch.passage(call, passage_id, argument)
            except ToolError:
                await self.refuse_when_empty(call)
                raise

    async def session(self, call: Any, asked: str | None) -> str:
        with told():
            try:
                return str(self.scratch.session(call, asked))
            except ToolError:
                await self.refuse_when_empty(call)
                raise

    async def refuse_when_empty(self, call: Any) -> None:
        await refuse_when_empty(self.corpus, call.scope)

    async def chooser(self, question: str, scope: Any) -> Chooser:
        """The quotes of this question; what its words weigh is looked up once."""
        from wekadocs_corpus.evidence.definitions import entry_of
        from wekadocs_corpus.evidence.quotes import Wanted
        from wekadocs_corpus.evidence.steps import asks_how
        from wekadocs_corpus.lexical import query_terms

        terms = query_terms(question)
        with told():
            truth = self.corpus.truth
            # Here, as a search has looked most of them up; counting within a narrower scope may take its time.
            look = partial(truth.weighted_within, scope, terms)
            weights = look() if truth.is_whole(scope) else await self.corpus.in_thread(look)
        pairs = list(pairwise(term for term in terms if term in weights))
        entry, unknown = entry_of(question), len(terms) - len(weights)
        wanted = Wanted(weights, pairs, unknown, entry, asks_how(question))
        return Chooser(question, wanted, self.evidence == "plain", self.scorer)


def how(found: Any) -> tuple[str, list[str]]:
    """The mode that really ran, and why it is less than was asked for."""
    reasons = list(found.degraded)
    if found.partial:
        reasons.append("index_behind")
    return "hybrid_local" if found.retrieval.graph else "vector_only", reasons


def said(argument: str, text: str) -> None:
    """A question must have something in it."""
    if not text.strip():
        raise ToolError("INVALID_ARGUMENT", f"{argument}: say what to look for.", {"path": f"/{argument}"})


def read_filters(filters: Mapping[str, Any] | None) -> Filters:
    from wekadocs_corpus.model import Filters

    filters = filters or {}
    return Filters(
        doc_tags=tuple(filters.get("doc_tag") or ()),
        path_prefix=filters.get("path_prefix") or "",
        updated_after=_moment(filters.get("updated_after")),
    )


def _moment(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = "filters.updated_after is a date such as 2026-03-01 or 2026-03-01T12:00:00Z."
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/filters/updated_after"}) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
