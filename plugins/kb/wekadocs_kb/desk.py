"""What the kb tools share: asking the corpus with errors a model can act on, choosing quotes, citing."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from wekadocs_corpus import quotes
from wekadocs_corpus.errors import CorpusError, Unavailable
from wekadocs_corpus.lexical import query_terms
from wekadocs_corpus.model import Filters
from wekadocs_corpus.quotes import Quote, Source
from wekadocs_mcp import ToolError

_EMPTY = "Nothing is indexed yet: run `wekadocs-mcp ingest DIR` on the server's machine."


@dataclass(frozen=True)
class Desk:
    """One per process."""

    corpus: Any
    scratch: Any
    evidence: str

    async def find(self, call: Any, question: str, filters: Mapping[str, Any] | None, k: int, mode: str, per: int) -> Any:
        """Candidates from the corpus."""
        try:
            found = await self.corpus.retrieve(
                question, call.scope, _filters(filters), k, mode, max_per_document=per
            )
            if not found.candidates:
                await self._refuse_when_empty()
            return found
        except Unavailable as error:
            raise ToolError("BACKEND_UNAVAILABLE", str(error), retryable=True) from error
        except CorpusError as error:
            raise ToolError("BACKEND_UNAVAILABLE", str(error), retryable=False) from error

    async def _refuse_when_empty(self) -> None:
        counts = await self.corpus.in_thread(self.corpus.truth.counts)
        if not counts.documents:
            raise ToolError("BACKEND_UNAVAILABLE", _EMPTY, {"reason": "nothing_indexed"}, retryable=False)

    async def quotes(
        self, question: str, project: str, sources: Sequence[Source], most: int, max_tokens: int, context: int
    ) -> list[Quote]:
        if self.evidence == "plain":
            return quotes.plain(question, sources, most, max_tokens, context)
        terms = query_terms(question)
        weights = await self.corpus.in_thread(self.corpus.truth.weighted, project, terms)
        order = [term for term in terms if term in weights]
        return quotes.weighted(
            weights, list(zip(order, order[1:], strict=False)), sources, most, max_tokens, context
        )


def _filters(filters: Mapping[str, Any] | None) -> Filters:
    filters = filters or {}
    return Filters(
        doc_tags=tuple(filters.get("doc_tag") or ()),
        path_prefix=filters.get("path_prefix") or "",
        updated_after=_moment(filters.get("updated_after")),
    )


def _moment(text: str | None) -> float | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        message = "filters.updated_after is a date such as 2026-03-01 or 2026-03-01T12:00:00Z."
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/filters/updated_after"}) from None
    return moment.timestamp() if moment.tzinfo else moment.replace(tzinfo=UTC).timestamp()


def heading(passage: Any) -> str:
    return " ".join(dict.fromkeys((passage.title, *passage.headings)))


def fingerprint(text: str) -> str:
    """What a citation carries so that the quote can be checked later."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
