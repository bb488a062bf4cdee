"""kb.verify_quote: does a quotation stand in the document as cited."""

from __future__ import annotations

import difflib
from typing import Any

from wekadocs_mcp import ToolError, tool

from .desk import fingerprint

_NEAR = 0.6
_LONGEST = 2_000_000  # characters of a document that are compared


@tool("kb.verify_quote")
async def verify_quote(
    call: Any,
    quote: str,
    passage_id: str | None,
    document_id: str | None,
    start: int | None,
    hash: str | None,  # noqa: A002  # the contract's word
    session_id: str | None,
) -> dict[str, Any]:
    desk = call.state
    entry = await desk.scratch.passage(call, passage_id, session_id) if passage_id else None
    wanted = entry.document_id if entry else document_id
    if wanted is None:
        raise ToolError("INVALID_ARGUMENT", "Pass the passage_id or document_id of the citation.", {"path": "/passage_id"})
    document = await desk.corpus.document(wanted)
    if document is None or not _visible(document, call.scope):
        raise ToolError("INVALID_ARGUMENT", "There is no such document here.", {"path": "/document_id"})
    verified, reason, span, similarity = _look(document.text[:_LONGEST], quote, start, hash)
    answer: dict[str, Any] = {"verified": verified, "reason": reason, "found": None, "similarity": round(similarity, 3)}
    if span is not None:
        text = document.text[span[0] : span[1]]
        answer["found"] = text
        answer["citation"] = _citation(document, entry, span, text)
    return answer


def _look(text: str, quote: str, start: int | None, cited: str | None) -> tuple[bool, str, tuple[int, int] | None, float]:
    if start is not None and text.startswith(quote, start) and cited in (None, fingerprint(quote)):
        return True, "exact", (start, start + len(quote)), 1.0
    at = text.find(quote)
    if at >= 0:
        as_cited = start is None and cited in (None, fingerprint(quote))
        return True, "exact" if as_cited else "moved", (at, at + len(quote)), 1.0
    flat, places = _flattened(text)
    wanted = " ".join(quote.split())
    at = flat.find(wanted) if wanted else -1
    if at >= 0:
        return True, "spacing", (places[at], places[at + len(wanted) - 1] + 1), 1.0
    return _nearest(text, quote)


def _flattened(text: str) -> tuple[str, list[int]]:
    """White space evened out, and where each character came from."""
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = " " if character.isspace() else character
        if plain != " " or (kept and kept[-1] != " "):
            kept.append(plain)
            places.append(place)
    return "".join(kept), places


def _nearest(text: str, quote: str) -> tuple[bool, str, tuple[int, int] | None, float]:
    """The most similar stretch of the document, if any is similar at all."""
    matcher = difflib.SequenceMatcher(None, text, quote, autojunk=False) if len(text) < 20_000 else None
    longest = matcher.find_longest_match() if matcher else _longest_common(text, quote)
    start = max(0, longest.a - longest.b)
    span = (start, min(len(text), start + len(quote)))
    similarity = difflib.SequenceMatcher(None, text[span[0] : span[1]], quote, autojunk=False).ratio()
    if similarity < _NEAR:
        return False, "absent", None, similarity
    return False, "changed", span, similarity


def _longest_common(text: str, quote: str) -> Any:
    """In a long document: where most words of the quote stand together."""
    words = sorted({word for word in quote.split() if len(word) > 3}, key=len, reverse=True)[:5]
    places = [place for word in words if (place := text.find(word)) >= 0]
    place = places[0] if places else 0
    begin = max(0, place - 2 * len(quote))
    window = text[begin : begin + 5 * len(quote)]
    match = difflib.SequenceMatcher(None, window, quote, autojunk=False).find_longest_match()
    return difflib.Match(match.a + begin, match.b, match.size)


def _visible(document: Any, scope: Any) -> bool:
    return (
        (document.project_id, document.environment) == (scope.project_id, scope.environment)
        and (not scope.doc_tags or document.doc_tag in scope.doc_tags)
        and (not scope.repositories or document.repository in scope.repositories)
    )


def _citation(document: Any, entry: Any, span: tuple[int, int], text: str) -> dict[str, Any]:
    return {
        "section_id": entry.section_id if entry else "",
        "doc_tag": document.doc_tag,
        "title": document.title,
        "uri": document.source_uri,
        "document_id": document.id,
        "source_uri": document.source_uri,
        "start": span[0],
        "end": span[1],
        "hash": fingerprint(text),
    }
