"""Blocks and sections to chunks: what is searched and cited.

A chunk belongs to one section. A heading with nothing under it goes with the chunk of the section that follows: alone
it would be found for its words and tell nothing. So a chunk may begin before its section does, never in another's body.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from wekadocs_corpus.model import Chunk, Section, digest
from wekadocs_corpus.tokens import count

from .blocks import WITH_NEXT, WITH_PREVIOUS, Block
from .splitting import FEW, MOST, TARGET, Piece, pieces

_WORD = re.compile(r"\w")
_Run = list[Piece]


def make_chunks(document_id: str, text: str, blocks: Sequence[Block], sections: Sequence[Section]) -> list[Chunk]:
    """Chunks that cover the text without gap or overlap, in order."""
    found: list[Chunk] = []
    twins: Counter[str] = Counter()
    for section, run in _runs(text, blocks, sections):
        start, end = run[0].start, run[-1].end
        inside = text[start:end]
        # Not the anchor: it changes when a heading of the same words is put in above.
        name = digest(document_id, section.headings[-1] if section.headings else "", inside)
        chunk_id = digest(name, str(twins[name]))
        twins[name] += 1
        tokens = count(inside)
        found.append(Chunk(chunk_id, section.id, len(found), start, end, tokens, _kind(run), run[0].continues))
    return found


def _runs(text: str, blocks: Sequence[Block], sections: Sequence[Section]) -> Iterator[tuple[Section, _Run]]:
    """What goes into each chunk. The last one waits, because headings at the end of the text join it."""
    waiting: tuple[Section, _Run] | None = None
    carried: _Run = []
    for section, own in _by_section(text, blocks, sections):
        run = carried + own
        carried = []
        if not _has_body(text, own) and sum(piece.size for piece in run) < FEW:
            carried = run
            continue
        for packed in _pack(run):
            if waiting:
                yield waiting
            waiting = (section, packed)
    if waiting and carried and waiting[1][0].kind != "front_matter":
        waiting[1].extend(carried)
        carried = []
    if waiting:
        yield waiting
    if carried:
        yield sections[-1], carried


def _by_section(text: str, blocks: Sequence[Block], sections: Sequence[Section]) -> Iterator[tuple[Section, _Run]]:
    at = 0
    for section in sections:
        run: _Run = []
        while at < len(blocks) and blocks[at].start < section.end:
            run.extend(pieces(text, blocks[at]))
            at += 1
        if run:
            yield section, run


def _has_body(text: str, run: _Run) -> bool:
    return any(piece.kind != "heading" and _WORD.search(text, piece.start, piece.end) for piece in run)


def _pack(run: _Run) -> list[_Run]:
    """As many pieces to a chunk as come near the target; nothing is torn from what it belongs to."""
    packed: list[_Run] = []
    current: _Run = []
    size = 0
    for piece in run:
        if current and _full(current, size, piece):
            kept = _kept_back(current, piece)
            packed.append(current[: len(current) - len(kept)])
            current, size = kept, sum(each.size for each in kept)
        current.append(piece)
        size += piece.size
    front_matter = packed and "front_matter" in (packed[-1][0].kind, current[0].kind)
    if packed and size < FEW and not front_matter and size + sum(piece.size for piece in packed[-1]) <= MOST:
        packed[-1].extend(current)
        return packed
    packed.append(current)
    return packed


def _full(current: _Run, size: int, piece: Piece) -> bool:
    if (current[0].kind == "front_matter") != (piece.kind == "front_matter"):
        return True
    if piece.size == 0 or piece.joins == WITH_PREVIOUS:
        return False
    together = size < 0.7 * TARGET or current[-1].joins == WITH_NEXT
    return size + piece.size > (MOST if together else TARGET)


def _kept_back(current: _Run, piece: Piece) -> _Run:
    """The opening tags at the end of a full chunk: they go with what they open, if it leaves something behind."""
    number = len(current)
    while number > 1 and current[number - 1].joins == WITH_NEXT and current[number - 1].size < FEW:
        number -= 1
    rest = current[number:]
    whole = all(each.joins == WITH_NEXT for each in current[:number]) or piece.kind == "front_matter"
    return [] if whole else rest


def _kind(run: _Run) -> str:
    sizes: dict[str, int] = {}
    for piece in run:
        if piece.kind != "heading":
            sizes[piece.kind] = sizes.get(piece.kind, 0) + piece.size
    return max(sizes, key=sizes.__getitem__) if sizes else "prose"
