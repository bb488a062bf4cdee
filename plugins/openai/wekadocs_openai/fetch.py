"""openai.fetch: the document behind an id that openai.search gave; of a long one the part that the id points to."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wekadocs_kit import (
    DocumentPart,
    corpus_errors,
    document_uri,
    in_scope,
    part_from,
    place_on_site,
    refuse_when_empty,
)
from wekadocs_mcp import ToolError, tool

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, DocumentRow
    from wekadocs_mcp import Call

_ID = re.compile(r"([^@\s]{1,512})(?:@([0-9]{1,9}))?")  # of a section, chunk or document; from a character on


@tool("openai.fetch")
async def fetch(call: Call[Corpus], id: str) -> dict[str, Any]:
    document, place, anchor = await _found(call, id)
    part = _part(call, document, place)
    site = place_on_site(document.url, None if part.is_whole else anchor)
    uri = document_uri(document.path, *((None,) if part.is_whole else (anchor,)))
    return {
        "id": id,
        "title": document.title,
        "text": part.text + ("" if part.is_whole else _note(document, part)),
        "url": site.get("url") or uri,
        "metadata": _metadata(document, part),
    }


async def _found(call: Call[Corpus], id: str) -> tuple[DocumentRow, int, str | None]:
    """The document, the character that the id points to and the anchor there; out of scope is unknown."""
    from wekadocs_corpus import anchor_at, open_at

    corpus, named = call.state, _ID.fullmatch(id)
    with corpus_errors():
        passage = await corpus.in_thread(open_at, corpus.truth, named[1], 1) if named else None
        document = await corpus.document(passage.document_id) if passage else None
        if not named or not passage or not document or not in_scope(document, call.scope):
            await refuse_when_empty(corpus, call.scope)
            again = call.served_name("openai.search")
            message = f"There is no such document here, or no longer. Call {again} again and use an id it returns."
            raise ToolError("INVALID_ARGUMENT", message, {"path": "/id"})
        place = min(int(named[2]), len(document.text)) if named[2] else passage.start
        return document, place, await corpus.in_thread(anchor_at, corpus.truth, document.id, place) or None


def _part(call: Call[Corpus], document: DocumentRow, place: int) -> DocumentPart:
    """All of it where it fits; else from the place on."""
    most = call.limits["text_bytes"]
    whole = part_from(document, 0, most)
    return part_from(document, place, most) if whole.goes_on else whole


def _note(document: DocumentRow, part: DocumentPart) -> str:
    ways = [f"To read on, fetch {document.id}@{part.end}."] if part.goes_on else []
    ways += [f"It begins at {document.id}@{part.first}."] if part.start > part.first else []
    told = " ".join([f"Characters {part.start} to {part.end} of {part.last} of a long document.", *ways])
    return f"\n\n[{told}]"


def _metadata(document: DocumentRow, part: DocumentPart) -> dict[str, str]:
    told = {
        "path": document.path,
        "doc_tag": document.doc_tag,
        "updated_at": datetime.fromtimestamp(document.updated_at, UTC).isoformat(timespec="seconds"),
    }
    if not part.is_whole:
        told["characters"] = f"{part.start}-{part.end} of {part.last}"
    if part.goes_on:
        told["next_id"] = f"{document.id}@{part.end}"
    return told
