"""kb.read_excerpt and kb.expand_excerpt: a bounded piece of one passage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from wekadocs_corpus import ExcerptRoom, bullets, cut, end_of_excerpt, tokens
from wekadocs_kit import Kept, invalid_argument, uri_of
from wekadocs_mcp import json_size, tool

from .citations import Place, lines_of
from .opening import Opened, anchor_of, opened, passage_of

if TYPE_CHECKING:
    from wekadocs_mcp import Call

    from .state import KbState

_FAR = 999_999_999  # a place with as many digits as any
_LONGEST_LABEL = 40  # characters of what a page is called
_LONGEST = 300  # characters of an anchor, none of which needs more bytes in an address than this one


class ExcerptOptions(TypedDict):
    format: str
    include_citation: bool


@dataclass(frozen=True)
class Shown:
    """What an answer says beside its excerpt."""

    entry: Kept
    options: ExcerptOptions
    session: str | None
    anchor: str | None  # of the section that the excerpt begins in

    @property
    def form(self) -> Callable[[str], str]:
        return bullets if self.options["format"] == "bullets" else str

    def answer(self, excerpt: str, place: tuple[int, int], lines: Place) -> dict[str, Any]:
        from wekadocs_corpus import fingerprint

        entry, shown = self.entry, self.form(excerpt)
        answer: dict[str, Any] = {
            "passage_id": entry.passage_id,
            "excerpt": shown,
            "tokens": tokens.count(shown),
            "tokenizer": tokens.NAME,
            "session_id": self.session or entry.session_id,
        }
        if self.options["include_citation"]:
            answer["citation"] = {
                "section_id": entry.section_id,
                "doc_tag": entry.doc_tag,
                "title": entry.title,
                "uri": uri_of(entry),
                "document_id": entry.document_id,
                "path": entry.path,
                "source_uri": entry.source_uri,
                "anchor": self.anchor,
                **entry.place_on_site(self.anchor),
                "start": place[0],
                "end": place[1],
                "hash": fingerprint(excerpt),
                **lines,
            }
        return answer


@tool("kb.read_excerpt")
async def read_excerpt(
    call: Call[KbState],
    passage_id: str | None,
    section_id: str | None,
    max_tokens: int,
    start_char: int,
    session_id: str | None,
    options: ExcerptOptions,
) -> dict[str, Any]:
    """To the end of the passage; whoever begins there reads on in the document, to its end."""
    session = await call.state.session(call, session_id) if session_id is not None else None
    entry = await passage_of(call, passage_id, section_id, session)
    around = await opened(call, entry)
    within = start_char < entry.length
    text = around.whole[: around.offset + entry.length] if within else around.whole
    start = _checked(around, around.offset + start_char)
    shown = Shown(entry, options, session, await anchor_of(call, entry, around.before + start))
    end = end_of_excerpt(text, start, _room(call, shown, max_tokens))
    goes_on = end < len(text)
    return {
        **shown.answer(text[start:end], (around.before + start, around.before + end), _lines(around, start, end)),
        "truncated": goes_on,
        "next_start_char": end - around.offset if goes_on else None,
        "reads_on_at": end - around.offset if within and not goes_on and end < len(around.whole) else None,
        "tokens_left": _left(call, text if goes_on else around.whole, end),
    }


@tool("kb.expand_excerpt")
async def expand_excerpt(
    call: Call[KbState],
    passage_id: str | None,
    section_id: str | None,
    before_tokens: int,
    after_tokens: int,
    start_char: int | None,
    session_id: str | None,
    options: ExcerptOptions,
) -> dict[str, Any]:
    """Grows across the passage's borders into its document."""
    session = await call.state.session(call, session_id) if session_id is not None else None
    entry = await passage_of(call, passage_id, section_id, session)
    around = await opened(call, entry)
    core = entry.span if start_char is None else (start_char, start_char)
    core = _checked(around, core[0] + around.offset), core[1] + around.offset
    room = _room(call, Shown(entry, options, session, "語" * _LONGEST), call.limits["excerpt_tokens"])
    start, end = _grown(around.whole, core, before_tokens, after_tokens, room)
    place = start + around.before, end + around.before
    shown = Shown(entry, options, session, await anchor_of(call, entry, place[0]))
    goes_on = end < len(around.whole)
    return {
        **shown.answer(around.whole[start:end], place, _lines(around, start, end)),
        "truncated": goes_on,
        "next_start_char": end - around.offset if goes_on else None,
    }


def _room(call: Call[KbState], shown: Shown, most: int) -> ExcerptRoom:
    """What the answer's other fields leave of it."""
    around = {
        **shown.answer("", (_FAR, _FAR), _farthest(shown.entry)),
        "tokens": _FAR,
        "truncated": False,
        "next_start_char": _FAR,
        "reads_on_at": _FAR,
        "tokens_left": _FAR,
    }
    call.budget.most(0, lambda _: around | {"excerpt": "\0"})  # one character at least, whichever
    left = call.budget.limit - json_size(around)
    return ExcerptRoom(most, call.limits["excerpt_bytes"], shown.form, left + len('""'), json_size)


def _left(call: Call[KbState], text: str, end: int) -> int | None:
    """Counted only as far as an excerpt may reach: a book is not, for each of its pages."""
    return tokens.count(text[end:]) if 0 < len(text) - end <= call.limits["excerpt_bytes"] else None


def _farthest(entry: Kept) -> Place:
    """A place in the file that takes as much room as any."""
    from wekadocs_corpus import source_pages

    if source_pages(entry.source_lines, "", 0, 0) is None:
        return {"source_lines": [_FAR, _FAR]}
    return {"pages": [_FAR, _FAR], "page_labels": ["語" * _LONGEST_LABEL] * 2}


def _lines(around: Opened, start: int, end: int) -> Place:
    return lines_of(around.source_lines, around.whole, start, end)


def _checked(around: Opened, start: int) -> int:
    if start > len(around.whole):
        raise invalid_argument("start_char", f"the document ends at {len(around.whole) - around.offset}.")
    return start


def _grown(text: str, core: tuple[int, int], before: int, after: int, room: ExcerptRoom) -> tuple[int, int]:
    """The core with its neighbourhood; where it all is too much both sides give way alike, and the core comes last."""
    from wekadocs_corpus import widened

    core = core[0], cut(text, *core, room)
    spare = room.tokens - tokens.count(room.form(text[core[0] : core[1]]))
    share = min(1.0, spare / max(1, before + after))
    while True:
        start, end = widened(text, core, int(before * share), int(after * share))
        if share == 0 or room.fits(text[start:end]):
            return start, end
        share = share * 0.9 if share > 0.05 else 0.0
