"""A passage as it was handed out, and to whom."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from urllib.parse import quote

from wekadocs_corpus import NO_PAGES

_ENTRY_BYTES = 900  # beside its text, title and place: the object, its numbers and ids, its places in dict and queue
_PART_BYTES = 150


def place_on_site(url: str, anchor: str | None) -> dict[str, str]:
    """`url` as citations have it, at the section's heading; nothing where the site is not known.

    A file that is no page (PDF, Word, a table) has headings, but none that an address leads to.
    """
    return {"url": f"{url}#{quote(anchor)}" if anchor and not url.lower().endswith(NO_PAGES) else url} if url else {}


@dataclass(frozen=True, slots=True)
class Owner:
    """Who may use a handle: whoever got it, in the protocol session they got it in, for the same project."""

    principal: str
    session: str | None
    project_id: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A passage as it was handed out. `text` is None once it was dropped to save memory."""

    passage_id: str
    session_id: str
    owner: Owner
    section_id: str
    document_id: str
    environment: str
    repository: str
    doc_tag: str
    title: str
    heading: str  # title and headings above it, as quotes are chosen by
    path: str
    anchor: str | None
    source_uri: str
    start: int  # of the passage in its document
    span: tuple[int, int]  # what matched, in the passage
    fingerprint: str  # of the text: what is read again must be the same
    size_bytes: int
    text: str | None
    created_at: float = 0.0
    length: int = 0  # of the text, in characters
    other_tags: tuple[str, ...] = ()  # of its document, beside doc_tag
    opening: bool = False  # of a page whose title was the question
    parts: tuple[tuple[int, str], ...] = ()  # where in it another section begins, with its anchor
    source_lines: str | None = None  # from its lines to those of the file
    url: str = ""  # of its document's page, where its site is known

    @property
    def project_id(self) -> str:
        return self.owner.project_id

    @property
    def full_text(self) -> str:
        """Of what was just handed out, or asked for by its id: a dropped text has been read again then."""
        assert self.text is not None
        return self.text

    def anchor_at(self, place: int) -> str | None:
        """Of the section that this character of the text is in."""
        begun = [anchor for start, anchor in self.parts if start <= place]
        return (begun[-1] or None) if begun else self.anchor

    def place_on_site(self, anchor: str | None) -> dict[str, str]:
        return place_on_site(self.url, anchor)

    @property
    def cost(self) -> int:
        """Bytes it takes, counted truly enough."""
        where = (self.path, self.source_uri, self.anchor or "", self.source_lines or "", self.url)
        words = (self.title, self.heading, *where)
        return _ENTRY_BYTES + sum(map(len, words)) + self.text_cost + _PART_BYTES * len(self.parts)

    @property
    def text_cost(self) -> int:
        return sys.getsizeof(self.text) if self.text is not None else 0
