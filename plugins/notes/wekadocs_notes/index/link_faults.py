"""Links that lead nowhere, or to one of several, since other notes than theirs came, went or got another name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..vault import Known, LinkFault, Vault
from ..vault.names import stem_of


class LinkFaults:
    """Of one look at the files, whose changes are told before they are made."""

    def __init__(self, vault: Vault, relinked: Collection[str]) -> None:
        """`relinked`: notes whose links followed another note; what was wrong with them before is no news."""
        self._vault = vault
        self._sources: set[str] = set(relinked)
        self._before: set[LinkFault] = set(vault.link_faults(relinked))

    def expect(self, changes: Iterable[tuple[str, Known | None]]) -> None:
        ends = {end for id, known in changes for end in self._affected(id, known)}
        if not ends:
            return
        sources = {source for end in ends for source in self._vault.incoming.get(end, ())} - self._sources
        self._before |= set(self._vault.link_faults(sources))
        self._sources |= sources

    def _affected(self, id: str, known: Known | None) -> Iterator[str]:
        """Notes that links may lead to no longer, or no longer alone."""
        before = self._vault.notes.get(id)
        if before and known and (before.title, before.aliases) == (known.title, known.aliases):
            return
        if before:
            yield id
        for name in (stem_of(id.rpartition("/")[2]), known.title, *known.aliases) if known else ():
            yield from self._vault.names.named(name)

    def new(self) -> list[LinkFault]:
        """What is wrong now and was not."""
        return [fault for fault in self._vault.link_faults(self._sources) if fault not in self._before]
