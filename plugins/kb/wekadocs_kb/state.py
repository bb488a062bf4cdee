"""What the kb tools share, one per process: the corpus, the scratch plugin, and how quotes are chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_kit import Kept, Scratch, corpus_errors, refuse_when_empty
from wekadocs_mcp import ToolError

if TYPE_CHECKING:
    from wekadocs_corpus import Chooser, Corpus, Question, Scorer
    from wekadocs_mcp import Call


@dataclass(frozen=True)
class KbState:
    corpus: Corpus
    scratch: Scratch
    evidence: str  # the algorithm
    scorer: Scorer | None = None  # the cross-encoder, where one is configured

    def chooser(self, question: Question) -> Chooser:
        from wekadocs_corpus import Chooser

        return Chooser(question, self.evidence == "plain", self.scorer)

    async def passage(self, call: Call[object], passage_id: str, argument: str = "passage_id") -> Kept:
        """A passage handed out before; `argument` is where the caller named it."""
        with corpus_errors():
            try:
                return await self.scratch.passage(call, passage_id, argument)
            except ToolError:
                await refuse_when_empty(self.corpus, call.scope)
                raise

    async def passages(self, call: Call[object], passage_ids: Sequence[str]) -> list[Kept]:
        """Several, asked for at once: the store may be far. Of those that are not there the first is told."""
        asked = [self.passage(call, each, f"passage_ids/{number}") for number, each in enumerate(passage_ids)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        for each in found:
            if isinstance(each, BaseException):
                raise each
        return [each for each in found if not isinstance(each, BaseException)]

    async def session(self, call: Call[object], asked: str | None) -> str:
        with corpus_errors():
            try:
                return await self.scratch.session(call, asked)
            except ToolError:
                await refuse_when_empty(self.corpus, call.scope)
                raise
