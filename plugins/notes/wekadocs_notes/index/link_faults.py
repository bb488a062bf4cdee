"""Links that lead nowhere, or to one of several, since other notes than theirs came, went or got another name."""

from __future__ import annotations

from collections.abc import Collection, Iterable

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
        several = list(changes)
        names = {name for id, known in several for name in self._new_names(id, known)}
        ends = {id for id, known in several if self._is_other(id, known)}
        ends.update(end for name in names for end in self._vault.names.named(name))
        if not ends:
            return
        sources = {source for end in ends for source in self._vault.incoming.get(end, ())} - self._sources
        self._before |= set(self._vault.link_faults(sources))
        self._sources |= sources

    def _is_other(self, id: str, known: Known | None) -> bool:
        """Whether links may lead to a note no longer, or no longer alone."""
        before = self._vault.notes.get(id)
        if not before or not known:
            return bool(before)
        return (before.title, before.aliases) != (known.title, known.aliases)

    def _new_names(self, id: str, known: Known | None) -> tuple[str, ...]:
        """By which it may stand in others' way."""
        if known is None or (id in self._vault.notes and not self._is_other(id, known)):
            return ()
        return (stem_of(id.rpartition("/")[2]), known.title, *known.aliases)

    def new(self) -> list[LinkFault]:
        """What is wrong now and was not."""
        return [fault for fault in self._vault.link_faults(self._sources) if fault not in self._before]
