"""What an excerpt is read from: a passage that was handed out, or what an id of a section, chunk or document opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_kit import Kept, corpus_errors, in_scope, invalid_argument, refuse_when_empty
from wekadocs_mcp import ToolError

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import KbState


@dataclass(frozen=True)
class Opened:
    """A passage in its document, front matter before it left out; of a document that has changed only the passage."""

    entry: Kept
    whole: str
    offset: int  # where the passage begins in it
    source_lines: str | None  # from its lines to those of the file

    @property
    def before(self) -> int:
        """Characters of the document that stand before `whole`."""
        return self.entry.start - self.offset


async def passage_of(call: Call[KbState], passage_id: str | None, section_id: str | None, session: str | None) -> Kept:
    """By whichever of the two was given."""
    if (passage_id is None) == (section_id is None):
        raise invalid_argument("passage_id", "pass one of passage_id and section_id.")
    if passage_id is not None:
        return await call.state.passage(call, passage_id)
    return await _kept(call, section_id or "", session)


async def _kept(call: Call[KbState], section_id: str, session: str | None) -> Kept:
    """An id out of scope is as unknown as one that never was."""
    from wekadocs_corpus import open_at

    state, most = call.state, call.limits["opened_tokens"]
    with corpus_errors():
        found = await state.corpus.in_thread(open_at, state.corpus.truth, section_id, most)
    if found is None or not in_scope(found, call.scope):
        await refuse_when_empty(state.corpus, call.scope)
        message = "There is no such section here, or no longer. Call {} again and use what it returns."
        message = message.format(call.served_name("kb.search"))
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/section_id"})
    return state.scratch.keep(call, session or await state.session(call, None), [(found, (0, 0))])[0]


async def opened(call: Call[KbState], entry: Kept) -> Opened:
    """The passage with what stands around it."""
    from wekadocs_corpus import part_of

    with corpus_errors():
        document = await call.state.corpus.document(entry.document_id)
    if document and in_scope(document, call.scope) and document.text.startswith(entry.full_text, entry.start):
        body = document.body if document.body <= entry.start else 0
        whole = document.text[body:]
        lines = part_of(document.source_lines, document.text.count("\n", 0, body), whole.count("\n") + 1)
        return Opened(entry, whole, entry.start - body, lines)
    return Opened(entry, entry.full_text, 0, entry.source_lines)


async def anchor_of(call: Call[KbState], entry: Kept, place: int) -> str | None:
    """Of the section that this character of the document is in, also outside the passage."""
    if 0 <= place - entry.start < max(1, entry.length):
        return entry.anchor_at(place - entry.start)
    from wekadocs_corpus import anchor_at

    corpus = call.state.corpus
    with corpus_errors():
        return await corpus.in_thread(anchor_at, corpus.truth, entry.document_id, place) or None
