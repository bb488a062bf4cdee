"""kb.read_excerpt and kb.expand_excerpt: a bounded piece of one passage."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypedDict

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.showing.excerpts import ExcerptRoom, bullets, cut, end_of_excerpt
from wekadocs_kit import Kept, corpus_errors, in_scope, invalid_argument, uri_of
from wekadocs_mcp import tool
from wekadocs_mcp.calls.budgets import json_size

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import KbState

_FAR = 999_999_999  # a place with as many digits as any


class ExcerptOptions(TypedDict):
    format: str
    include_citation: bool


@tool("kb.read_excerpt")
async def read_excerpt(
    call: Call[KbState],
    passage_id: str,
    max_tokens: int,
    start_char: int,
    session_id: str | None,
    options: ExcerptOptions,
) -> dict[str, Any]:
    session = await call.state.session(call, session_id) if session_id is not None else None
    entry = await call.state.passage(call, passage_id)
    text = entry.full_text
    _check_start(text, start_char)
    end = end_of_excerpt(text, start_char, _room(call, entry, max_tokens, options, session))
    goes_on = end < len(text)
    place = (entry.start + start_char, entry.start + end)
    return {
        **_answer(entry, text[start_char:end], place, options, session),
        "truncated": goes_on,
        "next_start_char": end if goes_on else None,
    }


@tool("kb.expand_excerpt")
async def expand_excerpt(
    call: Call[KbState],
    passage_id: str,
    before_tokens: int,
    after_tokens: int,
    start_char: int | None,
    session_id: str | None,
    options: ExcerptOptions,
) -> dict[str, Any]:
    """Grows across the passage's borders into its document."""
    session = await call.state.session(call, session_id) if session_id is not None else None
    entry = await call.state.passage(call, passage_id)
    if start_char is not None:
        _check_start(entry.full_text, start_char)
    whole, offset = await _document(call, entry)
    core = entry.span if start_char is None else (start_char, start_char)
    room = _room(call, entry, call.limits["excerpt_tokens"], options, session)
    start, end = _grown(whole, (core[0] + offset, core[1] + offset), before_tokens, after_tokens, room)
    inside = end - offset  # where the passage itself would be read on
    place = (start + entry.start - offset, end + entry.start - offset)
    return {
        **_answer(entry, whole[start:end], place, options, session),
        "truncated": end < len(whole),
        "next_start_char": inside if 0 <= inside < len(entry.full_text) else None,
    }


def _room(call: Call[KbState], entry: Kept, most: int, options: ExcerptOptions, session: str | None) -> ExcerptRoom:
    """What the answer's other fields leave of it."""
    around = {
        **_answer(entry, "", (_FAR, _FAR), options, session),
        "tokens": _FAR,
        "truncated": False,
        "next_start_char": _FAR,
    }
    call.budget.most(0, lambda _: around | {"excerpt": "\0"})  # one character at least, whichever
    left = call.budget.limit - json_size(around)
    return ExcerptRoom(most, call.limits["excerpt_bytes"], _form(options), left + len('""'), json_size)


def _check_start(text: str, start: int) -> None:
    if start > len(text):
        raise invalid_argument("start_char", f"the passage has {len(text)} characters.")


async def _document(call: Call[KbState], entry: Kept) -> tuple[str, int]:
    """The text around the passage, without front matter before it, and where the passage begins in it.

    Of a document that has changed it is the passage alone.
    """
    with corpus_errors():
        document = await call.state.corpus.document(entry.document_id)
    if document and in_scope(document, call.scope) and document.text.startswith(entry.full_text, entry.start):
        body = document.body if document.body <= entry.start else 0
        return document.text[body:], entry.start - body
    return entry.full_text, 0


def _grown(text: str, core: tuple[int, int], before: int, after: int, room: ExcerptRoom) -> tuple[int, int]:
    """The core with its neighbourhood; where it all is too much both sides give way alike, and the core comes last."""
    from wekadocs_corpus.evidence.spans import widened

    core = core[0], cut(text, *core, room)
    spare = room.tokens - tokens.count(room.form(text[core[0] : core[1]]))
    share = min(1.0, spare / max(1, before + after))
    while True:
        start, end = widened(text, core, int(before * share), int(after * share))
        if share == 0 or room.fits(text[start:end]):
            return start, end
        share = share * 0.9 if share > 0.05 else 0.0


def _form(options: ExcerptOptions) -> Callable[[str], str]:
    return bullets if options["format"] == "bullets" else str


def _answer(
    entry: Kept, excerpt: str, place: tuple[int, int], options: ExcerptOptions, session: str | None
) -> dict[str, Any]:
    from wekadocs_corpus.model import fingerprint

    shown = _form(options)(excerpt)
    answer: dict[str, Any] = {
        "passage_id": entry.passage_id,
        "excerpt": shown,
        "tokens": tokens.count(shown),
        "tokenizer": tokens.NAME,
        "session_id": session or entry.session_id,
    }
    if options["include_citation"]:
        answer["citation"] = {
            "section_id": entry.section_id,
            "doc_tag": entry.doc_tag,
            "title": entry.title,
            "uri": uri_of(entry),
            "document_id": entry.document_id,
            "path": entry.path,
            "source_uri": entry.source_uri,
            "anchor": entry.anchor_at(max(0, place[0] - entry.start)),
            "start": place[0],
            "end": place[1],
            "hash": fingerprint(excerpt),
        }
    return answer
