"""Quotes and citations as answers carry them: verbatim, with all that is needed to check them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeVar

from wekadocs_kit import Kept, corpus_errors, uri_of

if TYPE_CHECKING:
    from wekadocs_corpus import Passage, Quote, QuoteSource, Surroundings
    from wekadocs_mcp import Call

    from .state import KbState


_WIDENED = 4  # passages: what stands around later ones seldom has the answer, and reading it takes its time
Place = dict[str, list[int] | list[str]]  # in the file: source_lines, or pages and page_labels
Handed = TypeVar("Handed", "Passage", Kept)


def widened(
    call: Call[KbState], passages: Sequence[Handed], *, plain: bool = False
) -> tuple[list[Handed], list[QuoteSource]]:
    """The first with what stands around them in their document, all as something to quote from: the answer is often in
    the next paragraph. The plain algorithm knows nothing of it."""
    from wekadocs_corpus import QuoteSource

    places = [(each.document_id, each.start, each.start + len(each.text or "")) for each in passages]
    with corpus_errors():
        around = call.state.corpus.truth.around([] if plain else places[:_WIDENED])
        tables = _tables(call, [] if plain else passages, around)
    wide, sources = [], []
    for each, near in zip_longest(passages, around):
        passage, found, text = each, None, each.text or ""
        if near and near.text.startswith(text, each.start - near.start):  # as it was when it was handed out
            found = (each.start - near.start, each.start - near.start + len(text))
            passage = _wider(each, near)
        wide.append(passage)
        place = (passage.document_id, passage.start)
        text, table = passage.text or "", tables.get(place, "")
        sources.append(QuoteSource(text, passage.heading, passage.opening, *place, passage.title, found, table))
    return wide, sources


def _tables(
    call: Call[KbState], passages: Sequence[Handed], around: Sequence[Surroundings | None]
) -> dict[tuple[str, int], str]:
    """Headers of the tables that begin before what is quoted from, by document and place."""
    from wekadocs_corpus import table_above

    begun = {
        (each.document_id, near.start if near else each.start): near.text if near else each.text or ""
        for each, near in zip_longest(passages, around)
    }
    inside = [place for place, text in begun.items() if text.startswith("|")]
    texts = call.state.corpus.truth.texts([document for document, _ in inside]) if inside else {}
    return {place: table_above(texts.get(place[0], ""), place[1]) for place in inside}


def _wider(each: Handed, near: Surroundings) -> Handed:
    if isinstance(each, Kept):
        text, lines = near.text, near.source_lines
        return replace(each, start=near.start, text=text, length=len(text), parts=near.parts, source_lines=lines)
    end = near.start + len(near.text)
    return replace(each, start=near.start, end=end, text=near.text, parts=near.parts, line=near.line)


def quoted(entry: Kept, quote: Quote) -> dict[str, Any]:
    """A quote as answers carry it: verbatim, with all that is needed to check it."""
    from wekadocs_corpus import confidence, fingerprint

    start, end = quote.span
    text = entry.full_text[start:end]
    header = {"header": quote.header} if quote.header else {}
    anchor = entry.anchor_at(quote.core[0])
    return {
        "quote": text,
        **header,
        "passage_id": entry.passage_id,
        "section_id": entry.section_id,
        "title": entry.title,
        "uri": uri_of(entry),
        "confidence": confidence(quote),
        "path": entry.path,
        "anchor": anchor,
        **entry.place_on_site(anchor),
        "start": entry.start + start,
        "end": entry.start + end,
        "hash": fingerprint(text),
        **lines_of(entry.source_lines, entry.full_text, start, end),
    }


def lines_of(encoded: str | None, text: str, start: int, end: int) -> Place:
    """Where `text[start:end]` stands in the file: its lines, or its pages, where they are known."""
    from wekadocs_corpus import source_lines, source_pages

    if (lines := source_lines(encoded, text, start, end)) is not None:
        return {"source_lines": list(lines)}
    pages = source_pages(encoded, text, start, end)
    if pages is None:
        return {}
    named = {"page_labels": [pages.first_name, pages.last_name]} if pages.are_named else {}
    return {"pages": [pages.first, pages.last], **named}
