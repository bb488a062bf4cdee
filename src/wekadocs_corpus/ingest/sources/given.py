"""Documents that a caller has at hand or can fetch: bytes in memory, pages, members of an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wekadocs_corpus.errors import CorpusError
from wekadocs_corpus.sites import Page, Site

from .left_out import LeftOut
from .origin import Origin


class Misplaced(CorpusError):
    """An address that does not belong to the source it is given under; the message goes to whoever gave it."""


@dataclass(frozen=True)
class Given:
    """Origins under one address, which all of theirs begin with: `notes:` for `notes:/a.md`.

    `complete`: there are no others, so that what was taken in before under that address goes.
    """

    uri: str
    given: Iterable[Origin]
    complete: bool = False
    repository: str = ""
    skipped: Mapping[str, int] = field(default_factory=dict)  # what could not be had, by why
    anywhere: bool = False  # whether another machine that is given this address has the same

    @property
    def name(self) -> str:
        return self.uri

    @property
    def shared_as(self) -> str:
        return self.uri if self.anywhere else ""

    @property
    def state(self) -> str:
        return ""

    def placed(self, ingested: Mapping[str, str]) -> Given:  # noqa: ARG002 (what every source is asked)
        return self

    def origins(self, left_out: LeftOut) -> Iterator[Origin]:
        left_out.kinds.update(self.skipped)
        for origin in self.given:
            if not origin.uri.startswith(f"{self.uri}/"):
                raise Misplaced(f"{origin.uri} does not begin with {self.uri}/, under which it is given")
            yield origin

    def pages(self, origins: Sequence[Origin], site_url: str) -> Sequence[Page]:  # noqa: ARG002
        """What was fetched from the web is its own page."""
        return [Page(Site(url=each.uri if each.uri.startswith(("https://", "http://")) else "")) for each in origins]

    def changed(self, origin: Origin) -> float | None:
        return origin.changed
