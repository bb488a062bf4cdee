"""notes.resolve_nodes: names as somebody remembers them → nodes."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wekadocs_mcp import tool

from ..errors import provider_error, provider_errors
from ..reading.looking import answer, look
from ..state import NotesState, OpenVault
from ..vault.model import name_key
from .filters import Wanted

if TYPE_CHECKING:
    from wekadocs_mcp import Answer, Call

    from ..vault import Known

_SHARE = 0.6  # of the call's time that is given to notes not yet taken in


@tool("notes.resolve_nodes")
async def resolve_nodes(
    call: Call[NotesState],
    names: list[str],
    strategy: str,
    threshold: float,
    tag: str | None,
    path: str | None,
    vault: str | None,
) -> Answer:
    opened, wanted = await look(call, vault), Wanted(tag, path)
    with provider_errors():
        if strategy == "semantic":
            found = await _by_meaning(call, opened, names, wanted)
        else:
            found = await asyncio.to_thread(_by_name, opened, names, wanted, strategy == "fuzzy")
    return answer(opened, {"results": [_row(*each, threshold) for each in zip(names, found, strict=True)]})


def _row(name: str, best: tuple[str, float] | None, threshold: float) -> dict[str, Any]:
    if best is None or best[1] < threshold:
        return {"query": name, "match": None, "score": 0}
    return {"query": name, "match": best[0], "score": round(best[1], 5)}


def _by_name(opened: OpenVault, names: list[str], wanted: Wanted, is_fuzzy: bool) -> list[tuple[str, float] | None]:
    from wekadocs_corpus import stopping

    with opened.kept.turn:
        vault = opened.kept.vault
        known = [(id, name) for id, note in sorted(vault.notes.items()) if wanted.holds(note) for name in _names(note)]
        meant = [vault.resolve(name) for name in names]
    allowed = {id for id, _ in known}
    spelled = _Spelled(known if is_fuzzy else [])
    found: list[tuple[str, float] | None] = []
    for name, exact in zip(names, meant, strict=True):
        stopping.check()
        if not exact.is_ghost and exact.id in allowed:
            found.append((exact.id, 1.0))
        else:
            found.append(spelled.nearest(name))
    return found


def _names(note: Known) -> Iterator[str]:
    yield note.title
    yield from note.aliases
    yield note.id.rpartition("/")[2].rpartition(".")[0]


class _Spelled:
    """Names by their pairs of letters: only those are compared that share some with what is asked."""

    def __init__(self, names: list[tuple[str, str]]) -> None:
        self._ids = [id for id, _ in names]
        self._totals: list[int] = []
        self._with: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # pair → (place, how often)
        for place, (_, name) in enumerate(names):
            pairs = _bigrams(name)
            self._totals.append(pairs.total())
            for pair, count in pairs.items():
                self._with[pair].append((place, count))

    def nearest(self, name: str) -> tuple[str, float] | None:
        """By Dice's measure; equal ones by id."""
        asked = _bigrams(name)
        shared: defaultdict[int, int] = defaultdict(int)
        for pair, most in asked.items():
            for place, count in self._with.get(pair, ()):
                shared[place] += min(most, count)
        total = asked.total()
        scored = ((-2 * both / (total + self._totals[place]), self._ids[place]) for place, both in shared.items())
        best = min(scored, default=None)
        return (best[1], -best[0]) if best else None


def _bigrams(name: str) -> Counter[str]:
    text = name_key(name).replace("-", " ").replace("_", " ").strip()
    return Counter(text[place : place + 2] for place in range(max(1, len(text) - 1)))


async def _by_meaning(
    call: Call[NotesState], opened: OpenVault, names: list[str], wanted: Wanted
) -> list[tuple[str, float] | None]:
    if opened.finder is None:
        raise provider_error("Meaning is off: plugins.notes.embedding is none. Use strategy exact or fuzzy.")
    await opened.finder.catch_up(_SHARE * call.deadline.remaining())
    notes = opened.kept.vault.notes

    def allowed(id: str) -> bool:
        return id in notes and wanted.holds(notes[id])

    among = [id for id in [*notes] if allowed(id)] if wanted.is_for_notes else None
    found: list[tuple[str, float] | None] = []
    for name in names:
        best = await opened.finder.search(name, 1, allowed, among) if name.strip() else []
        found.append((best[0].id, best[0].score) if best else None)
    return found
