"""Notes that have a text exactly, case aside: files are read, so nothing can be out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..index import FoundNote

if TYPE_CHECKING:
    from ..index import KeptVault

_BEFORE, _BEHIND = 120, 240  # characters of a passage around what was found


def exact_matches(kept: KeptVault, query: str, limit: int, wanted: Callable[[str], bool]) -> list[FoundNote]:
    """Those with it in their title first, then by how often they have it, then by id."""
    found = sorted(_found(kept, query, wanted), key=lambda each: (each[0], -each[1], each[2].id))
    return [each for _, _, each in found[:limit]]


def _found(kept: KeptVault, query: str, wanted: Callable[[str], bool]) -> Iterator[tuple[bool, int, FoundNote]]:
    from wekadocs_corpus import stopping

    asked = query.strip().casefold()
    with kept.turn:
        ids = [id for id in kept.vault.notes if wanted(id)]
        titled = {id for id in ids if asked in kept.vault.notes[id].title.casefold()}
    for id in ids:
        stopping.check()
        # Read as it is first: to look for links and front matter in every file would take ten times as long.
        note = kept.peek(id) if id in titled or asked in kept.raw_text(id).casefold() else None
        if note is None:
            continue
        folded, in_title = note.content.casefold(), asked in note.title.casefold()
        count = folded.count(asked)
        if count or in_title:
            start = _place(note.content, folded, asked)
            begin = max(0, start - _BEFORE) if start >= 0 else -1
            yield not in_title, count, FoundNote(id, 1.0, begin, start + _BEHIND)


def _place(content: str, folded: str, asked: str) -> int:
    """Of the first one; -1 where only the title has it."""
    at = folded.find(asked)
    return at if len(folded) == len(content) else max(at, content.lower().find(asked))
