"""Where origins come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from wekadocs_corpus.sites import Page

from .left_out import LeftOut
from .origin import Origin


class Source(Protocol):
    """A folder on disk, a caller's documents; a repository, a site or an archive are siblings to come."""

    @property
    def name(self) -> str:
        """The root that is stored with its documents; their paths are relative to it."""

    @property
    def uri(self) -> str:
        """What was taken in before under this address and does not come any more is removed, if it is complete."""

    @property
    def repository(self) -> str:
        """What its documents belong to, where the stamp does not say."""

    @property
    def complete(self) -> bool:
        """Whether what it does not yield is not there."""

    @property
    def shared_as(self) -> str:
        """What every machine knows it as that can read it; "" for what only this process has."""

    @property
    def state(self) -> str:
        """What tells its files' contents at any machine, where their times do not; "" where those do."""

    def placed(self, ingested: Mapping[str, str]) -> Source:
        """Itself, knowing what was ingested before: roots with their repositories."""

    def origins(self, left_out: LeftOut) -> Iterator[Origin]:
        """Each document once; what is left out is counted."""

    def pages(self, origins: Sequence[Origin], site_url: str) -> Sequence[Page]:
        """Of each, which page of which site it is; a site whose address is given has that one."""

    def changed(self, origin: Origin) -> float | None:
        """When one was last changed, in seconds since 1970; asked only of those that are read."""
