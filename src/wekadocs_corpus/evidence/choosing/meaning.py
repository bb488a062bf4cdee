"""A passage as units of meaning: what says something alone, in pieces that can be left out from the end.

A paragraph; a list or a table with the line that announces it while it is short, else each item, and each row with its
table's header; code with the sentence before it; steps together. A piece is a sentence, an item, a row or code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from wekadocs_corpus import tokens
from wekadocs_corpus.evidence.sentences import Span, is_heading, sentences
from wekadocs_corpus.lexical import terms_of
from wekadocs_corpus.tuning import TUNING

from .blocks import Block, Kind, blocks

_STEPS, _LIST = TUNING.units.steps, TUNING.units.items
_SHORT = TUNING.units.short
_LEADS_ON = re.compile(r"\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+)?\[[^\[\]]{1,200}\]\((?![a-z]+:)[^()\s]{1,500}\)[.,;]?\s*")
_ANNOUNCES = (":", ":**", ":*", ":_", "\uff1a")


class Unit(NamedTuple):
    """`above` are the headings it stands under, in the text; `header` its table's, where it is a row alone.

    A tuple: a hundred are made for every question.
    """

    start: int
    end: int
    kind: Kind
    pieces: tuple[Span, ...]
    above: tuple[Span, ...] = ()
    header: Span | None = None
    tokens: int = 0
    terms: frozenset[int] = frozenset()


@lru_cache(maxsize=256)
def units_of(text: str) -> tuple[Unit, ...]:
    """In the order of the text; headings are part of what follows them directly."""
    return tuple(_weighed(text, unit) for unit in _Joining(text).units())


def _weighed(text: str, unit: Unit) -> Unit:
    said = text[unit.start : unit.end]
    terms = frozenset[int]() if _only_leads_on(said) else terms_of(said)
    return unit._replace(tokens=tokens.count(said), terms=terms)


def _only_leads_on(text: str) -> bool:
    """Links to other pages and nothing else: what they name is said there."""
    if "](" not in text:
        return False
    lines = [line for line in text.splitlines() if line.strip() and not is_heading(line)]
    return bool(lines) and all(_LEADS_ON.fullmatch(line) for line in lines)


class _Joining:
    """Blocks into units, one after the other."""

    def __init__(self, text: str) -> None:
        self._text, self._above = text, list[tuple[int, Span]]()
        self._units: list[Unit] = []

    def units(self) -> Iterator[Unit]:
        found = blocks(self._text)
        at = 0
        while at < len(found):
            at = self._take(found, at)
        headed: Span | None = None
        for unit in self._units:
            yield self._headed(unit, headed)
            headed = unit.above[-1] if unit.above else None

    def _headed(self, unit: Unit, before: Span | None) -> Unit:
        """With its heading, where it is the first below it."""
        own = unit.above[-1] if unit.above else None
        if own is None or own == before or self._text[own[1] : unit.start].strip():
            return unit
        first = (own[0], unit.pieces[0][1])
        return unit._replace(start=own[0], pieces=(first, *unit.pieces[1:]))

    def _take(self, found: Sequence[Block], at: int) -> int:
        block = found[at]
        if block.kind == "heading":
            self._under(block)
            return at + 1
        if block.kind in ("text", "code"):
            self._add(block)
            return at + 1
        same = ("row",) if block.kind in ("header", "row") else (block.kind,)
        last = at + 1
        while last < len(found) and found[last].kind in same:
            last += 1
        self._several(found[at:last])
        return last

    def _under(self, block: Block) -> None:
        line = self._text[block.start : block.end].lstrip()
        level = len(line) - len(line.lstrip("#"))
        self._above = [each for each in self._above if each[0] < level] + [(level, (block.start, block.end))]

    def _unit(self, start: int, end: int, kind: Kind, pieces: Sequence[Span], header: Span | None = None) -> Unit:
        return Unit(start, end, kind, tuple(pieces), tuple(span for _, span in self._above), header)

    def _add(self, block: Block) -> None:
        start, end, kind = block
        last = self._units[-1] if self._units else None
        said = self._sentences(block) if kind == "text" else ((start, end),)
        if not said:
            return
        if last and self._continues(last, block):
            if kind == "code":
                said = ((last.pieces[-1][0], end),)
                self._units[-1] = last._replace(end=end, kind="code", pieces=(*last.pieces[:-1], *said))
            else:
                self._units[-1] = last._replace(end=end, pieces=(*last.pieces, *said))
        else:
            self._units.append(self._unit(start, end, kind, said))

    def _continues(self, last: Unit, block: Block) -> bool:
        """Code belongs to the words before it, a short paragraph to another one."""
        if last.above != tuple(span for _, span in self._above) or self._text[last.end : block.start].strip():
            return False
        if block.kind == "code":
            return last.kind == "text" or self._announces(last)
        return last.kind == "text" and self._size(last.start, block.end) <= _SHORT

    def _several(self, group: Sequence[Block]) -> None:
        """A list or a table: as one while it is short, with what announces it."""
        start, end, kind = group[0].start, group[-1].end, group[-1].kind
        pieces = [(each.start, each.end) for each in group]
        if group[0].kind == "header" and len(pieces) > 1:
            pieces[:2] = [(pieces[0][0], pieces[1][1])]
        most = _STEPS if kind == "step" else _LIST
        last = self._units[-1] if self._units else None
        announced = last is not None and self._announces(last) and not self._text[last.end : start].strip()
        if announced and last and self._size(last.start, end) <= most + _SHORT:
            pieces[0] = (last.pieces[-1][0], pieces[0][1])
            self._units[-1] = last._replace(end=end, kind=kind, pieces=(*last.pieces[:-1], *pieces))
        elif self._size(start, end) <= most:
            self._units.append(self._unit(start, end, kind, pieces))
        else:
            self._each(group)

    def _each(self, group: Sequence[Block]) -> None:
        header = (group[0].start, group[0].end) if group[0].kind == "header" else None
        for each in group[1:] if header else group:
            span = each.start, each.end
            first = header is not None and each is group[1]
            start = group[0].start if first else each.start
            pieces = [(start, each.end)] if first or header else [span]
            self._units.append(self._unit(start, each.end, each.kind, pieces, None if first else header))

    def _announces(self, unit: Unit) -> bool:
        return unit.kind == "text" and self._text[unit.start : unit.end].endswith(_ANNOUNCES)

    def _sentences(self, block: Block) -> tuple[Span, ...]:
        found = sentences(self._text[block.start : block.end])
        return tuple((block.start + first, block.start + last) for first, last in found)

    def _size(self, start: int, end: int) -> int:
        return tokens.count(self._text[start:end])
