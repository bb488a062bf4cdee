"""notes.suggest_links: what a note names or is near to, and does not link to."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_errors
from ..reading.fitting import as_many
from ..reading.looking import look
from ..state import NotesState, OpenVault
from ..vault.code import Code
from ..vault.model import name_key
from . import sentences

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..vault import Note, Vault

_SHORTEST = 3  # letters of a name that is looked for: shorter ones are in every text
_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"\]\([^()\s]*\)|\b\w+://\S+")
_LONGEST = 8  # words of a name
_ASKED = 2000  # characters of the note that stand for it


@tool("notes.suggest_links")
async def suggest_links(call: Call[NotesState], id: str, limit: int, vault: str | None) -> Answer:
    opened = await look(call, vault)
    with provider_errors():
        note, mentions = await asyncio.to_thread(_mentions, opened, id, limit)
        near = await _near(call, opened, note, limit) if note else []
    most = min(limit, max(len(mentions), len(near)))
    return as_many(call, opened, most, lambda count: {"mentions": mentions[:count], "similar": near[:count]})


def _mentions(opened: OpenVault, id: str, limit: int) -> tuple[Note | None, list[dict[str, Any]]]:
    with opened.kept.turn:
        vault = opened.kept.vault
        known = vault.find(id)
        note = opened.kept.read(known.id) if known else None
        if note is None:
            return None, []
        linked = {note.id, *vault.outgoing.get(note.id, ())}
        names = _names(vault, linked)
        return note, list(islice(_unlinked(note, names, vault), limit))


def _names(vault: Vault, without: set[str]) -> dict[tuple[str, ...], str]:
    """Words of every title and alias → the note; where several go by one name, the one that a link of it leads to."""
    found: dict[tuple[str, ...], str] = {}
    for id in sorted(vault.notes, reverse=True):
        note = vault.notes[id]
        for name in (note.title, *note.aliases):
            words = tuple(_WORD.findall(name_key(name)))
            if words and len("".join(words)) >= _SHORTEST and len(words) <= _LONGEST:
                meant = vault.resolve(name).id
                found[words] = meant if meant in vault.notes else id
    return {words: id for words, id in found.items() if id not in without}


def _unlinked(note: Note, names: dict[tuple[str, ...], str], vault: Vault) -> Iterator[dict[str, Any]]:
    """The first mention of each note, the longest name at a place; nothing inside links or code."""
    code, told = Code(note.source), set[str]()
    within = _Within([*((link.start, link.end) for link in note.links), *_spans_of(_ADDRESS, note.source)])
    words = [(match.start(), match.end(), name_key(match[0])) for match in _WORD.finditer(note.source, note.body_start)]
    longest = max(map(len, names), default=0)
    for place, (start, _, _) in enumerate(words):
        if code.has(start) or within.has(start):
            continue
        for count in range(min(longest, len(words) - place), 0, -1):
            id = names.get(tuple(word for _, _, word in words[place : place + count]))
            end = words[place + count - 1][1]
            if id is None or id in told or "\n" in note.source[start:end]:
                continue
            told.add(id)
            context = sentences.around(note.source, start, end)
            said = {"text": note.source[start:end], "context": context}
            yield {"id": id, "title": vault.title_of(id), **said, "line": sentences.line_of(note.source, start)}
            break


def _spans_of(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in pattern.finditer(text))


class _Within:
    """Places that some spans have, asked from the first to the last."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)
        self._next, self._end = 0, 0

    def has(self, place: int) -> bool:
        while self._next < len(self._spans) and self._spans[self._next][0] <= place:
            self._end = max(self._end, self._spans[self._next][1])
            self._next += 1
        return place < self._end


async def _near(call: Call[NotesState], opened: OpenVault, note: Note, limit: int) -> list[dict[str, Any]]:
    """By meaning; none where nothing is searched by it."""
    if opened.finder is None:
        return []
    await opened.finder.catch_up(call.deadline.remaining() / 2)
    vault = opened.kept.vault
    linked = {note.id, *vault.outgoing.get(note.id, ())}
    text = f"{note.title}\n{note.content[:_ASKED]}"
    found = await opened.finder.search(text, limit, lambda id: id not in linked and id in vault.notes)
    return [{"id": each.id, "title": vault.title_of(each.id), "score": each.score} for each in found if each.score > 0]
