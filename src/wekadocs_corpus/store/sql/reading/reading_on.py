"""A small chunk alone says little: a passage is the chunk with what stands around it in its document.

It reaches over the other chunks of its document that were found, where they are near, and then reads on until it has
the size that chunks aim at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.truth.rows import Passage, Surroundings

from .recent import Outline, Place, Recent

ENOUGH, MOST = 240, 480  # tokens: the size that chunks aim at, and what two of them have
_AROUND = 12  # chunks on either side
BEFORE, AFTER = 240, 500  # tokens beside a passage that may hold what it leaves open
_WINDOW = 4000  # characters that so many tokens seldom have more of


def around(connection: Connection, places: Sequence[Place], recent: Recent) -> list[Surroundings | None]:
    """Of what stands in a document from one character to another; None where that is no longer there."""
    wider = [(document, start - _WINDOW, end + _WINDOW) for document, start, end in places]
    outlines = recent.touching(connection, wider)
    both = zip(places, outlines, strict=True)
    return [_around(connection, start, end, rows, recent) for (_, start, end), rows in both]


def _around(connection: Connection, start: int, end: int, rows: Outline, recent: Recent) -> Surroundings | None:
    first = next((row[0] for row in rows if row[3] == start), None)
    if first is None:
        return None
    chunks = recent.passages(connection, [row[0] for row in _touching(rows, first)])
    own = [each for each in chunks if each.start < end and start < each.end]
    if not own or own[-1].end != end:
        return None
    before = _while_small([each for each in reversed(chunks) if each.end <= start], BEFORE)
    after = _while_small([each for each in chunks if each.start >= end], AFTER)
    return _surroundings([*reversed(before), *own, *after])


def _surroundings(near: Sequence[Passage]) -> Surroundings:
    whole = _joined(near[0], near)
    parts = whole.parts or ((0, whole.anchor),)
    return Surroundings(whole.start, whole.text, parts, whole.line, whole.source_lines)


def _while_small(chunks: Sequence[Passage], most: int) -> list[Passage]:
    taken: list[Passage] = []
    for each in chunks:
        most -= each.tokens
        if most < 0:
            break
        taken.append(each)
    return taken


def read_on(connection: Connection, found: Sequence[Passage], others: Sequence[str], recent: Recent) -> list[Passage]:
    """The same passages, longer; `others` are chunks that were found too, best first."""
    small = [each for each in found if each.tokens < MOST]
    places = [(each.document_id, each.ordinal - _AROUND, each.ordinal + _AROUND) for each in small]
    outlines = recent.near(connection, places)
    ranges = {each.id: _range(rows, each, others) for each, rows in zip(small, outlines, strict=True)}
    wanted = [chunk for chunks in ranges.values() for chunk in chunks]
    texts = {each.id: each for each in recent.passages(connection, wanted)}
    return [_joined(each, [texts[chunk] for chunk in ranges.get(each.id, ())]) for each in found]


def _range(around: Outline, first: Passage, others: Sequence[str]) -> list[str]:
    rows = _touching(around, first.id)
    places = {row[0]: place for place, row in enumerate(rows) if row[2] != "front_matter" or row[0] == first.id}
    if first.id not in places:
        return []  # deleted meanwhile
    near = [places[each] for each in others if each in places]
    if first.opening:  # what is named begins here
        near = [place for place in near if place > places[first.id]]
    low, high = reach([row[1] for row in rows], places[first.id], near)
    return [row[0] for row in rows[low:high]]


def _touching(rows: Outline, chunk: str) -> Outline:
    """Those around a chunk that follow each other without gap or overlap, in the document's own text."""
    place = next((number for number, row in enumerate(rows) if row[0] == chunk), None)
    if place is None or rows[place][5]:
        return [] if place is None else [rows[place]]
    low = high = place
    while low > 0 and rows[low - 1][4] == rows[low][3] and not rows[low - 1][5]:
        low -= 1
    while high + 1 < len(rows) and rows[high][4] == rows[high + 1][3] and not rows[high + 1][5]:
        high += 1
    return rows[low : high + 1]


def reach(tokens: Sequence[int], place: int, others: Sequence[int]) -> tuple[int, int]:
    """From which chunk to before which one a passage goes; `tokens` are those of the document's chunks."""
    low, high = place, place + 1
    for other in others:
        wider = min(low, other), max(high, other + 1)
        if sum(tokens[slice(*wider)]) <= MOST:
            low, high = wider
    while high < len(tokens) and sum(tokens[low : high + 1]) <= ENOUGH:
        high += 1
    return low, high


def _joined(best: Passage, parts: Sequence[Passage]) -> Passage:
    if len(parts) < 2:
        return best
    start = parts[0].start
    return replace(
        best,
        start=start,
        end=parts[-1].end,
        text="".join(each.text for each in parts),
        tokens=sum(each.tokens for each in parts),
        parts=tuple((each.start - start, each.anchor) for each in parts),
        line=parts[0].line,
    )
