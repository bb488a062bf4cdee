"""The words the whole library speaks: scope, documents, sections, chunks, hits. Plain data, no behaviour of a store."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b, sha256
from typing import NamedTuple, Protocol

from .fields import FieldCondition, Values

NO_PAGES = (".csv", ".docx", ".epub", ".pdf", ".pptx", ".tsv")  # files that a site shows as they are, if at all


class Scope(Protocol):
    """Which documents may be seen; the host's `call.scope` fits. Empty tuples: no further limit."""

    @property
    def project_id(self) -> str: ...
    @property
    def environment(self) -> str: ...
    @property
    def doc_tags(self) -> tuple[str, ...]: ...
    @property
    def repositories(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Area:
    """A scope made by hand: the command line and tests have no call."""

    project_id: str
    environment: str
    doc_tags: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Filters:
    """What a caller narrows further; every store enforces it together with the scope."""

    doc_tags: tuple[str, ...] = ()  # any of; intersected with the scope's
    path_prefix: str = ""  # plain characters, so that `docs/in` finds docs/install.md too
    updated_after: float | None = None  # seconds since 1970, exclusive
    fields: tuple[FieldCondition, ...] = ()  # all of which must hold for a chunk


class Link(NamedTuple):
    """A reference from one document to another, or to an anchor."""

    target: str  # as written, without title
    text: str
    start: int
    end: int


class Section(NamedTuple):
    """A heading and what stands under it up to the next heading of any level; level 0 is what precedes the first."""

    id: str
    ordinal: int
    level: int
    title: str
    anchor: str  # unique in its document, stable; "" for level 0
    start: int
    end: int
    parent_id: str | None
    headings: tuple[str, ...] = ()  # titles from the outermost heading down to this one


class Chunk(NamedTuple):
    """What is searched and cited: `document.text[start:end]`, or a text of its own that the document need not have.

    Those that are cut here follow each other without gap or overlap; a caller's may overlap or leave gaps.
    """

    id: str  # up to 512 bytes of any form, and no other chunk's in the whole truth
    section_id: str
    ordinal: int
    start: int
    end: int
    tokens: int
    kind: str = "prose"  # prose | code | table | list: what most of it is; front_matter stands alone
    continues: bool = False  # begins inside a block (code, table, list item) that the chunk before it started
    text: str | None = None  # its own; None: the document's
    fields: Values = ()  # what filters find it by: of fields that were declared for the project


class UnreadPage(NamedTuple):
    """A page, or a part of a file that is told by its place, that could not be read, and why."""

    page: int  # counted from 1
    reason: str


@dataclass(frozen=True)
class ParsedDocument:
    """What a reader makes of one file, before it is given scope and place."""

    text: str  # what is stored and quoted; offsets everywhere are characters of it
    title: str
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    links: tuple[Link, ...] = ()
    front_matter: dict[str, object] = field(default_factory=dict)
    language: str = ""
    source_lines: str | None = ""  # from lines of the text to lines or pages of the file; "" = the same; None = unknown
    pages: int = 0  # of a file that has some
    unread: tuple[UnreadPage, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where a document lives: its identity. The same path in another environment is another document."""

    project_id: str
    environment: str
    repository: str
    path: str  # posix, relative to the ingested root
    locator: str = ""  # tells files of one relative path apart: the path in the checkout, or the absolute one

    @property
    def document_id(self) -> str:
        return digest(self.project_id, self.environment, self.repository, self.locator or self.path)


@dataclass(frozen=True)
class Document:
    """A parsed document in its place, ready for the truth store."""

    place: Place
    parsed: ParsedDocument
    doc_tag: str
    source_uri: str
    updated_at: float
    content_hash: str  # of the bytes read
    size_bytes: int
    url: str = ""  # of its page, where its site is known
    other_tags: tuple[str, ...] = ()  # scopes and filters find it by any of its tags
    fields: Values = ()  # of all its chunks

    @cached_property
    def id(self) -> str:
        return self.place.document_id


class Leg(NamedTuple):
    """One candidate of one leg: higher is better; ties are broken by chunk id by whoever made the list."""

    chunk_id: str
    document_id: str
    score: float


def digest(*parts: str) -> str:
    """A stable 128-bit name in hex; parts cannot run into each other."""
    framed = b""
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        framed += len(raw).to_bytes(8, "big") + raw
    return blake2b(framed, digest_size=16).hexdigest()


def fingerprint(text: str) -> str:
    """What a citation carries so that the text can be checked later."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Entity(NamedTuple):
    """A thing documents speak of; shared by all documents of a project and environment."""

    id: str  # digest(project, environment, label, key)
    label: str
    key: str  # what makes two spellings one: case folded, spaces and punctuation evened out
    name: str


class Edge(NamedTuple):
    """A relation that one document states; it goes with that document."""

    source: str
    type: str
    target: str
    weight: float = 1.0
    evidence: tuple[tuple[int, int], ...] = ()


class LinkTarget(NamedTuple):
    """A link with its target made relative to the ingested root; the target may be ingested later."""

    section_id: str
    path: str
    anchor: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class GraphPart:
    """What one document adds to the graph."""

    entities: tuple[Entity, ...] = ()
    edges: tuple[Edge, ...] = ()
    links: tuple[LinkTarget, ...] = ()
    names: tuple[Edge, ...] = ()  # mentions of concepts that some document may define; until then they show nowhere


@dataclass(frozen=True)
class Prepared:
    """A document with all that a single transaction of the truth store writes; made in worker processes."""

    document: Document
    graph: GraphPart
    terms: tuple[bytes, ...]  # per chunk: the packed sparse vector
    embedded_hashes: tuple[str, ...]  # per chunk
    vectors: dict[str, bytes]  # embedded_hash → little-endian float16, only those the truth did not have
    model: str  # Profile.id of the vectors
    root: str
    file_size: int
    file_mtime_ns: int
    parser_version: str
    tokens: int
    neighbours: str = ""  # other files it took in, or looked for, each with what tells it unchanged
