"""All notes of a vault at one moment, what their links mean, and who links to whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from .model import GHOST, Ghost, Known, Resolved, name_key, shortened
from .names import Names

Edges = dict[str, tuple[str, ...]]


class LinkFault(NamedTuple):
    """`text` is for whoever asks."""

    text: str
    target: str


class Vault:
    """Used by whoever holds its lock, or in one thread. Edges are made when they are first asked for."""

    def __init__(self, name: str, root: Path) -> None:
        self.name, self.root = name, root
        self.notes: dict[str, Known] = {}
        self.names = Names()
        self._edges: tuple[Edges, Edges, dict[str, Ghost]] | None = None
        self.version = 0  # another one: something else is said

    def put(self, note: Known) -> None:
        before = self.notes.get(note.id)
        if before is not None:
            self.names.remove(before)
        self.names.add(note)
        self.notes[note.id] = note
        self._changed()

    def drop(self, id: str) -> None:
        before = self.notes.pop(id, None)
        if before is not None:
            self.names.remove(before)
            self._changed()

    def set_attachments(self, ids: frozenset[str]) -> None:
        self.names.set_attachments(ids)
        self._changed()

    def _changed(self) -> None:
        self._edges = None
        self.version += 1

    def find(self, id: str) -> Known | None:
        """By its path in any case; the exact one first."""
        exact = self.names.at(id)
        return self.notes[exact] if exact is not None else None

    def id_of(self, id: str) -> str | None:
        """The node's own id, of a note or a ghost."""
        note = self.find(id)
        if note is not None:
            return note.id
        return id if id.startswith(GHOST) and id in self.ghosts else None

    def resolve(self, target: str) -> Resolved:
        return self.names.resolve(target)

    def title_of(self, id: str) -> str:
        note = self.notes.get(id)
        if note is not None:
            return note.title
        ghost = self.ghosts.get(id)
        return ghost.title if ghost else id

    @property
    def outgoing(self) -> Edges:
        """Node → what its links lead to, in the order they are written, each once."""
        return self._linked()[0]

    @property
    def incoming(self) -> Edges:
        """Node → who links to it, by id."""
        return self._linked()[1]

    @property
    def ghosts(self) -> dict[str, Ghost]:
        return self._linked()[2]

    def ends_of(self, id: str) -> tuple[str, ...]:
        """What the links of one note lead to, also where nobody has asked for all edges yet."""
        if self._edges is not None:
            return self.outgoing.get(id, ())
        note = self.notes.get(id)
        return _ends(note, lambda target: self.names.resolve(target).id) if note else ()

    def _linked(self) -> tuple[Edges, Edges, dict[str, Ghost]]:
        if self._edges is None:
            self._edges = self._made()
        return self._edges

    def _made(self) -> tuple[Edges, Edges, dict[str, Ghost]]:
        meanings = _Meanings(self.names)
        outgoing: Edges = {}
        incoming: defaultdict[str, list[str]] = defaultdict(list)
        for id in sorted(self.notes):
            outgoing[id] = ends = _ends(self.notes[id], meanings.__getitem__)
            for end in ends:
                incoming[end].append(id)
        return outgoing, {id: tuple(some) for id, some in incoming.items()}, meanings.ghosts

    def link_faults(self, ids: Iterable[str]) -> Iterator[LinkFault]:
        """What is wrong with the links of these notes, a target told once."""
        told: set[str] = set()
        for id in sorted(ids):
            for target in self.notes[id].targets if id in self.notes else ():
                fault = self._fault(target)
                if fault is not None and name_key(target) not in told:
                    told.add(name_key(target))
                    yield fault

    def has_still(self, fault: LinkFault) -> bool:
        """As it was told: its note may have come, or its last link may have gone."""
        meant = self.names.resolve(fault.target)
        return self._fault(fault.target) == fault and (not meant.is_ghost or meant.id in self.ghosts)

    def _fault(self, target: str) -> LinkFault | None:
        meant = self.names.resolve(target)
        if meant.is_ghost:
            return LinkFault(f"Broken link: [[{target}]]", target)
        if meant.others:
            others = ", ".join(meant.others[:3])
            return LinkFault(f"Ambiguous link: [[{target}]] is {meant.id}, not {others}", target)
        return None


def _ends(note: Known, meaning: Callable[[str], str]) -> tuple[str, ...]:
    """Each once, as first written."""
    return tuple(dict.fromkeys(filter(None, map(meaning, note.targets))))


class _Meanings(dict[str, str]):
    """What targets mean, each resolved once; ghosts are called as the first link to them is written."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.ghosts: dict[str, Ghost] = {}

    def __missing__(self, target: str) -> str:
        meant = self._names.resolve(target)
        if meant.is_ghost:
            self.ghosts.setdefault(meant.id, Ghost(meant.id, shortened(target)))
        self[target] = meant.id
        return meant.id
