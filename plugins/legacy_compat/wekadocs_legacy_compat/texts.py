"""The text behind an id: a passage that was handed out, a chunk, or a section, whichever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_kit import corpus_errors, in_scope
from wekadocs_mcp import ToolError

from .envelope import Row

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import LegacyState


@dataclass(frozen=True)
class Text:
    title: str
    doc_tag: str
    text: str
    blob: str


async def text_of(call: Call[LegacyState], each: str) -> Text | None:
    """Scratch first, then the store; None if there is no such text in scope."""
    with corpus_errors():
        return await _from_scratch(call, each) or await _chunk(call, each) or await _section(call, each)


async def _from_scratch(call: Call[LegacyState], each: str) -> Text | None:
    try:
        kept = await call.state.scratch.passage(call, each)
    except ToolError as error:
        if error.code != "INVALID_ARGUMENT":
            raise
        return None
    return Text(kept.title, kept.doc_tag, kept.full_text, kept.fingerprint)


async def _chunk(call: Call[LegacyState], each: str) -> Text | None:
    for passage in await call.state.corpus.passages([each]):
        if in_scope(passage, call.scope):
            return Text(passage.section_title or passage.title, passage.doc_tag, passage.text, passage.content_hash)
    return None


async def _section(call: Call[LegacyState], each: str) -> Text | None:
    corpus = call.state.corpus
    section = await corpus.in_thread(corpus.truth.section, each)
    document = await corpus.document(section.document_id) if section is not None else None
    if section is None or document is None or not in_scope(document, call.scope):
        return None
    text = document.text[section.start : section.end]
    return Text(section.title or document.title, document.doc_tag, text, document.content_hash)


def row_of(section_id: str, found: Text, most: int) -> Row:
    """At most so many bytes of it, whole characters only."""
    raw = found.text.encode("utf-8", "replace")
    shown = raw[:most].decode("utf-8", "ignore")
    return {
        "section_id": section_id,
        "title": found.title,
        "doc_tag": found.doc_tag,
        "text_truncated": shown,
        "bytes": len(shown.encode()),
        "truncated": len(raw) > most,
        "source_blob_id": found.blob,
    }
