"""Notes that have a text exactly, case aside: files are read, so nothing can be out of date."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..index import FoundNote
from ..vault.reading import MOST_BYTES

if TYPE_CHECKING:
    from ..index import KeptVault

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
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
        note = kept.peek(id) if id in titled or _is_in(f"{kept.root}{os.sep}{id}", asked) else None
        if note is None:
            continue
        folded, in_title = note.content.casefold(), asked in note.title.casefold()
        count = folded.count(asked)
        if count or in_title:
            start = _place(note.content, folded, asked)
            begin = max(0, start - _BEFORE) if start >= 0 else -1
            yield not in_title, count, FoundNote(id, 1.0, begin, start + _BEHIND)


def _is_in(path: str, asked: str) -> bool:
    """By the system's own calls, since most of the time goes into opening thousands of files."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        data = os.read(file, min(os.fstat(file).st_size, MOST_BYTES))
    except OSError:
        return False
    finally:
        os.close(file)
    if data.isascii():
        return asked.encode() in data.lower()
    return asked in data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8", "replace").casefold()


def _place(content: str, folded: str, asked: str) -> int:
    """Of the first one; -1 where only the title has it."""
    at = folded.find(asked)
    return at if len(folded) == len(content) else max(at, content.lower().find(asked))
