"""What a truth answers with: plain rows, whichever engine keeps them. Offsets are characters of a document's text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote

from wekadocs_corpus.fields import Values
from wekadocs_corpus.line_map import part_of


def source_uri(path: str) -> str:
    """A document as others may know it: below the folder it was taken from, wherever on this machine that lies."""
    return quote(path)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as stored."""

    id: str
    project_id: str
    environment: str
    repository: str
    path: str
    root: str
    title: str
    doc_tag: str
    language: str
    updated_at: float
    ingested_at: float
    content_hash: str
    size_bytes: int
    tokens: int
    front_matter: dict[str, Any]
    body: int  # where front matter ends
    text: str
    source_lines: str | None = None  # ParsedDocument.source_lines
    url: str = ""  # of its page, where its site is known
    other_tags: tuple[str, ...] = ()  # beside doc_tag: it is in every scope that has one of its tags

    @property
    def source_uri(self) -> str:
        return source_uri(self.path)


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section as stored; its text is `document.text[start:end]`."""

    id: str
    document_id: str
    ordinal: int
    level: int
    title: str
    anchor: str
    headings: tuple[str, ...]
    start: int
    end: int
    parent_id: str | None


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk with its text and what a citation of it needs of its section and document."""

    id: str
    document_id: str
    section_id: str
    ordinal: int
    start: int
    end: int
    tokens: int
    kind: str
    continues: bool
    text: str
    section_title: str
    anchor: str
    headings: tuple[str, ...]
    level: int
    title: str
    path: str
    doc_tag: str
    project_id: str
    environment: str
    repository: str
    language: str
    updated_at: float
    content_hash: str
    url: str = ""  # of its document's page, where its site is known
    other_tags: tuple[str, ...] = ()  # of its document, beside doc_tag
    opening: bool = False  # of a page whose title is the question
    parts: tuple[tuple[int, str], ...] = ()  # where in the text each chunk begins, with its anchor; none: it is one
    line: int = 0  # of the document's text, in which it begins, counted from 0
    document_lines: str | None = None  # ParsedDocument.source_lines

    @property
    def source_uri(self) -> str:
        return source_uri(self.path)

    @property
    def source_lines(self) -> str | None:
        """From its own lines to those of the file."""
        return part_of(self.document_lines, self.line, self.text.count("\n") + 1)

    @property
    def heading(self) -> str:
        """Everything that stands above it, each once, a line each: its words count for what it says."""
        return "\n".join(dict.fromkeys((self.title, *self.headings)))


class Binding(NamedTuple):
    """The model whose vectors a project has, here or only where they come from, and their length."""

    model: str
    dimension: int


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What tells an unchanged file without reading it."""

    document_id: str
    root: str
    path: str
    content_hash: str
    size: int
    mtime_ns: int
    parser_version: str
    ingested_at: float
    neighbours: str = ""  # Prepared.neighbours


@dataclass(frozen=True, slots=True)
class Change:
    """The latest thing that happened to a document."""

    sequence: int
    document_id: str
    deleted: bool


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A chunk as an index takes it: both its vectors, and what a scope can ask of its document."""

    chunk_id: str
    document_id: str
    terms: bytes  # packed: see words.entries and packing.unpack_terms
    vector: bytes | None
    environment: str
    repository: str
    doc_tag: str
    path: str
    updated_at: float
    other_tags: tuple[str, ...] = ()
    fields: Values = ()  # of the chunk


@dataclass(frozen=True, slots=True)
class Coverage:
    """A chunk, the node it was asked for by, and the question's terms it has."""

    node_id: str
    chunk_id: str
    document_id: str
    terms: frozenset[int]


@dataclass(frozen=True)
class Naming:
    """A section that names a concept."""

    concept: str
    node_id: str
    document_id: str


@dataclass(frozen=True)
class Counts:
    """How much is stored."""

    documents: int
    chunks: int
    tokens: int
    bytes: int  # of the files as read
    stored_bytes: int  # of the database, without its write-ahead log
    doc_tags: dict[str, int]  # documents each; one with several tags counts for each of them
    models: dict[str, int]  # vectors each, of all projects
    sequence: int
    last_ingest: float | None  # when the newest document was taken in


@dataclass(frozen=True)
class Within:
    """How much of it a scope may see."""

    documents: int
    chunks: int
    tokens: int
    doc_tags: dict[str, tuple[int, int]]  # documents and chunks each
    last_ingest: float | None


@dataclass(frozen=True)
class Fault:
    """Something wrong, and the cure."""

    what: str
    cure: str
    derived: bool = False  # made from what is whole: `Truth.repair` makes it anew


@dataclass(frozen=True)
class Written:
    """What became of a batch."""

    sequence: int  # of the last change
    documents: int  # how many are in
    again: tuple[str, ...] = ()  # ids: vectors they counted on were tidied away meanwhile; prepare these again
    refused: Mapping[str, str] = field(default_factory=dict)  # id → what cannot be stored of it
    lost: frozenset[str] = frozenset()  # ids: another worker has taken them over


@dataclass(frozen=True, slots=True)
class Changed:
    """What an index takes in next: documents that changed, the chunks they have now, and how far that brings it."""

    documents: tuple[str, ...]
    rows: list[IndexRow]
    sequence: int


@dataclass(frozen=True)
class Snapshot:
    """One look at all documents of a project, in the order of their ids, some of them at a time."""

    sequence: int
    documents: int
    at_once: int  # documents
    rows: Iterator[list[IndexRow]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A passage with what stands around it in its document: where that begins, and where in it each chunk does."""

    start: int
    text: str
    parts: tuple[tuple[int, str], ...]  # with its anchor
    line: int  # of the document's text, in which it begins
    source_lines: str | None  # from its own lines to those of the file


@dataclass(frozen=True, slots=True)
class NodeSpan:
    """Where a document, a section or a chunk stands in the text of its document."""

    node_id: str
    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class GraphRows:
    """What documents put into the graph; the fields of each tuple stand behind it."""

    documents: list[tuple[Any, ...]]  # id, project, environment, repository, doc_tag, path, title, tokens, other tags
    sections: list[tuple[Any, ...]]  # id, document, ordinal, level, title, anchor, parent, tokens; in order
    chunks: list[tuple[Any, ...]]  # …, section, tokens, level, title, anchor, start, end, kind; in order
    edges: list[tuple[Any, ...]]  # source, type, target, document, weight, evidence
    others: list[tuple[Any, ...]]  # documents that state some of these edges and were not asked for
    entities: list[tuple[str, str, str, str]]  # id, label, key, name: targets of these edges
