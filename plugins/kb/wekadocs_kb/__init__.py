"""kb.*: the documentation in small verifiable pieces.

Imported by: nobody.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from wekadocs_corpus import LazyCrossEncoder
from wekadocs_kit import Scratch
from wekadocs_mcp import Prompt, Resource, hookimpl

from . import answer_view, excerpts, extract_evidence, prompts, retrieve_evidence, search, verify_quote
from .state import KbState

if TYPE_CHECKING:
    from wekadocs_mcp import Context


@hookimpl
def lifespan(context: Context) -> AbstractAsyncContextManager[KbState]:
    return _open(context)


@asynccontextmanager
async def _open(context: Context) -> AsyncIterator[KbState]:
    from wekadocs_corpus import Corpus

    settings = context.settings
    corpus = await context.use("corpus", Corpus)
    model = settings.get("cross_encoder") or corpus.settings.get("rerank") or {}
    scorer = LazyCrossEncoder(model) if settings["evidence"] == "cross_encoder" else None
    yield KbState(corpus, await context.use("scratch", Scratch), settings["evidence"], scorer)


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
def register_resources() -> Sequence[Resource]:
    return [answer_view.VIEW]


@hookimpl
def register_prompts() -> Sequence[Prompt]:
    return prompts.PROMPTS
