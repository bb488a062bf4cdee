"""kb.verify_quote: does a quotation stand in the document as cited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wekadocs_kit import Kept, as_many_as_fit, corpus_errors, in_scope, place_on_site, refuse_when_empty, uri_of
from wekadocs_mcp import ToolError, tool

from .citations import lines_of

if TYPE_CHECKING:
    from wekadocs_corpus import DocumentRow, Passage, Truth
    from wekadocs_mcp import Call

    from .state import KbState

_LONGEST = 2_000_000  # characters of a document that are compared


@tool("kb.verify_quote")
async def verify_quote(
    call: Call[KbState],
    quote: str,
    passage_id: str | None,
    section_id: str | None,
    document_id: str | None,
    start: int | None,
    hash: str | None,  # the contract's word
    session_id: str | None,
) -> dict[str, Any]:
    from wekadocs_corpus import verify

    state = call.state
    session = await state.session(call, session_id)
    document, entry = await _cited(call, passage_id, section_id, document_id)
    looking = state.corpus.in_thread(verify, document.text[:_LONGEST], quote, start, hash)  # a long one takes its time
    verified, reason, span, similarity = await looking
    answer = {"verified": verified, "reason": reason, "found": None, "similarity": round(similarity, 3)}
    answer["session_id"] = session
    if span is None:
        return answer
    text = document.text[span[0] : span[1]]
    chunk = await state.corpus.in_thread(_chunk_at, state.corpus.truth, document.id, span[0])
    answer["citation"] = _citation(document, chunk, entry, span, text)

    def shown(taken: int) -> dict[str, Any]:
        cut = {"partial": True, "limit_reason": "byte_cap"} if taken < len(text) else {}
        return {**answer, "found": text[:taken], **cut}

    return as_many_as_fit(call, len(text), shown, least=0)


async def _cited(
    call: Call[KbState], passage_id: str | None, section_id: str | None, document_id: str | None
) -> tuple[DocumentRow, Kept | None]:
    """The document a citation names, in whichever of three ways, if the caller may see it; and the passage, if any."""
    state = call.state
    entry = await state.passage(call, passage_id) if passage_id is not None else None
    with corpus_errors():
        if entry is None and document_id is None and section_id is not None:
            rows = await state.corpus.passages([section_id])
            document_id = rows[0].document_id if rows else ""
        wanted = entry.document_id if entry else document_id
        if wanted is None:
            message = "Pass the passage_id, section_id or document_id of the citation."
            raise ToolError("INVALID_ARGUMENT", message, {"path": "/passage_id"})
        document = await state.corpus.document(wanted)
    if document is None or not in_scope(document, call.scope):
        await refuse_when_empty(state.corpus, call.scope)
        search = call.served_name("kb.search")
        message = f"There is no such document here, or no longer. Call {search} again and cite what it returns."
        raise ToolError("INVALID_ARGUMENT", message)
    return document, entry


def _chunk_at(truth: Truth, document_id: str, place: int) -> Passage | None:
    """Where the quotation stands; None when the document has just been taken in anew."""
    return next((each for each in truth.chunks_of(document_id) if each.start <= place < each.end), None)


def _citation(
    document: DocumentRow, chunk: Passage | None, entry: Kept | None, span: tuple[int, int], text: str
) -> dict[str, Any]:
    from wekadocs_corpus import fingerprint

    anchor = (chunk.anchor or None) if chunk else None
    return {
        "section_id": chunk.id if chunk else document.id,
        "doc_tag": document.doc_tag,
        "title": document.title,
        "uri": uri_of(entry) if entry else document.source_uri,
        "document_id": document.id,
        "path": document.path,
        "source_uri": document.source_uri,
        "anchor": anchor,
        **place_on_site(document.url, anchor),
        "start": span[0],
        "end": span[1],
        "hash": fingerprint(text),
        **lines_of(document.source_lines, document.text, *span),
    }
