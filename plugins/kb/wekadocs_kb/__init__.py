"""kb.*: the documentation in small verifiable pieces."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from wekadocs_mcp import Prompt, hookimpl

from . import excerpts, extract_evidence, prompts, retrieve_evidence, search, verify_quote
from .choosing import CrossEncoder
from .desk import Desk


@hookimpl
def lifespan(context: Any) -> AbstractAsyncContextManager[Any]:
    return _open(context)


@asynccontextmanager
async def _open(context: Any) -> AsyncIterator[Desk]:
    settings = context.settings
    corpus = await context.use("corpus")
    model = settings.get("cross_encoder") or corpus.settings.get("rerank") or {}
    scorer = CrossEncoder(model) if settings["evidence"] == "cross_encoder" else None
    yield Desk(corpus, await context.use("scratch"), settings["evidence"], scorer)


@hookimpl
def register_tools() -> Sequence[Callable[..., Any]]:
    return [
        search.search,
        excerpts.read_excerpt,
        excerpts.expand_excerpt,
        extract_evidence.extract_evidence,
        retrieve_evidence.retrieve_evidence,
        verify_quote.verify_quote,
    ]


@hookimpl
def register_prompts() -> Sequence[Prompt]:
    return prompts.PROMPTS
