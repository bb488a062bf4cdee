"""kb.read_excerpt and kb.expand_excerpt: a bounded piece of one passage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_corpus import tokens
from wekadocs_corpus.quotes import widened
from wekadocs_corpus.sentences import sentences
from wekadocs_mcp import ToolError, tool
from wekadocs_scratch.scratch import uri_of

from .desk import fingerprint

_MAX_BYTES = 32_768
_MAX_TOKENS = 800


@tool("kb.read_excerpt")
async def read_excerpt(
    call: Any, passage_id: str, max_tokens: int, start_char: int, session_id: str | None, options: Mapping[str, Any]
) -> dict[str, Any]:
    entry = await call.state.scratch.passage(call, passage_id, session_id)
    text = entry.text
    if start_char > len(text):
        message = f"start_char: the passage has {len(text)} characters."
        raise ToolError("INVALID_ARGUMENT", message, {"path": "/start_char"})
    end = _end(text, start_char, max_tokens)
    return _answer(call, entry, text, (start_char, end), end if end < len(text) else None, end < len(text), options)


@tool("kb.expand_excerpt")
async def expand_excerpt(
    call: Any,
    passage_id: str,
    before_tokens: int,
    after_tokens: int,
    start_char: int | None,
    session_id: str | None,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Grows across the passage's borders into its document."""
    entry = await call.state.scratch.passage(call, passage_id, session_id)
    document = await call.state.corpus.document(entry.document_id)
    # The document may have changed since: then the passage itself is all there is.
    whole = document.text if document and document.text.startswith(entry.text, entry.start) else entry.text
    offset = entry.start if whole is not entry.text else 0
    core = entry.span if start_char is None else (min(start_char, len(entry.text)),) * 2
    core = _bounded(whole, (core[0] + offset, core[1] + offset))
    spare = max(0, _MAX_TOKENS - tokens.count(whole[core[0] : core[1]]))
    before = min(before_tokens, spare)
    span = _bounded(whole, widened(whole, core, before, min(after_tokens, spare - before)))
    inside = span[1] - offset
    going_on = inside if 0 <= inside < len(entry.text) else None
    return _answer(call, entry, whole, span, going_on, span[1] < len(whole), options, offset=offset)


def _end(text: str, start: int, most: int) -> int:
    """As far as the budget goes, back to the last whole sentence if there is one, never in the middle of a character."""
    end = start + tokens.truncate(text[start : start + 40 * most], most)
    end = _bounded(text, (start, end))[1]
    if end >= len(text):
        return len(text)
    last = max((stop for _, stop in sentences(text[start:end]) if stop < end - start), default=0)
    if last > (end - start) // 2:
        end = start + last
    while end < len(text) and text[end].isspace() and tokens.count(text[start : end + 1]) <= most:
        end += 1
    return max(end, min(start + 1, len(text)))


def _bounded(text: str, span: tuple[int, int]) -> tuple[int, int]:
    raw = text[span[0] : span[1]].encode("utf-8", "surrogatepass")
    if len(raw) <= _MAX_BYTES:
        return span
    return span[0], span[0] + len(raw[:_MAX_BYTES].decode("utf-8", "ignore"))


def _answer(
    call: Any,
    entry: Any,
    text: str,
    span: tuple[int, int],
    next_start: int | None,
    truncated: bool,
    options: Mapping[str, Any],
    offset: int = -1,
) -> dict[str, Any]:
    excerpt = text[span[0] : span[1]]
    shown = bullets(excerpt) if options["format"] == "bullets" else excerpt
    start = span[0] + (entry.start if offset < 0 else entry.start - offset)
    answer: dict[str, Any] = {
        "passage_id": entry.passage_id,
        "excerpt": shown,
        "truncated": truncated,
        "next_start_char": next_start,
        "tokens": tokens.count(shown),
        "tokenizer": tokens.NAME,
        "session_id": entry.session_id,
    }
    if options["include_citation"]:
        answer["citation"] = {
            "section_id": entry.section_id,
            "doc_tag": entry.doc_tag,
            "title": entry.title,
            "uri": uri_of(entry),
            "document_id": entry.document_id,
            "source_uri": entry.source_uri,
            "anchor": entry.anchor,
            "start": start,
            "end": start + len(excerpt),
            "hash": fingerprint(excerpt),
        }
    return answer


def bullets(text: str) -> str:
    """One line a sentence."""
    return "\n".join(f"- {' '.join(text[start:end].split())}" for start, end in sentences(text))
