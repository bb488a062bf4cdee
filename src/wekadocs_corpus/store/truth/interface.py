"""What the library asks of the truth, whichever engine keeps it. Its parts are for those who need no more than one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from wekadocs_corpus.fields import Field, Value, Values
from wekadocs_corpus.model import Filters, Prepared, Scope
from wekadocs_corpus.store.interface import SearchIndex

from .collections import CollectionTables
from .jobs import Held, Jobs
from .rows import (
    Binding,
    Change,
    Changed,
    Counts,
    Coverage,
    DocumentRow,
    Fault,
    GraphRows,
    KnownFile,
    Naming,
    NodeSpan,
    Passage,
    SectionRow,
    Snapshot,
    Surroundings,
    Within,
    Written,
)
from .tables import Migrations, Tables

if TYPE_CHECKING:
    from wekadocs_corpus.embedding.interface import Profile
    from wekadocs_corpus.graph.interface import Graph
    from wekadocs_corpus.store.writing.rows import Rows


class Released(Protocol):
    def release(self) -> None: ...


class TruthIndex(SearchIndex, Protocol):
    """Search by the truth itself, never behind: for as long as no index has been built, or can be."""

    note: str  # why it is this one that answers

    def forget(self) -> None:
        """Give its memory back: another index answers now."""
        ...


class Documents(Protocol):
    """Documents, their passages, and how much there is."""

    def note(self, key: str) -> str | None: ...

    def binding(self, project: str) -> Binding | None:
        """The model whose vectors the project has."""
        ...

    def bindings(self) -> dict[str, Binding]: ...
    def document(self, document_id: str) -> DocumentRow | None: ...
    def document_ids(self, project: str) -> list[str]: ...
    def texts(self, document_ids: Sequence[str]) -> dict[str, str]: ...
    def has_documents(self, project: str, environment: str) -> bool: ...

    def doc_tags(self, scope: Scope) -> list[str]:
        """The tags that this scope may see, in order."""
        ...

    def documents_at(self, scope: Scope, path: str) -> list[str]:
        """The documents of the scope with this path: several where folders that were ingested apart have it."""
        ...

    def paths(self, scope: Scope, beginning: str, most: int) -> list[str]:
        """Paths in the scope that begin so, in order, as many as that."""
        ...

    def section(self, section_id: str) -> SectionRow | None: ...
    def sections_of(self, document_id: str) -> list[SectionRow]: ...

    def headings(self, scope: Scope, most: int) -> list[str]:
        """Titles of sections in the scope, as many as that."""
        ...

    def chunks(self, chunk_ids: Sequence[str], until: float | None = None) -> list[Passage]:
        """In the order of the ids; what has been deleted meanwhile is left out."""
        ...

    def chunks_of(self, document_id: str) -> list[Passage]: ...

    def read_on(self, found: Sequence[Passage], others: Sequence[str]) -> list[Passage]:
        """Chunks with what stands around them; `others` are chunks that were found too, best first."""
        ...

    def around(self, places: Sequence[tuple[str, int, int]]) -> list[Surroundings | None]:
        """What stands around these: document, first and last character of each; None where that is gone."""
        ...

    def opening(self, document_id: str, section_id: str = "") -> Passage | None:
        """Where a document, or a section of it, begins, front matter aside."""
        ...

    def known_files(self, project: str, environment: str, uri: str) -> dict[str, KnownFile]:
        """Document id → what tells whether its origin is still the same, for this address and all below it."""
        ...

    def roots(self, project: str, environment: str) -> dict[str, str]:
        """The folders and files that were ingested, each with its repository."""
        ...

    def stamps(self) -> list[tuple[str, str]]:
        """Every project and environment that has documents."""
        ...

    def tally(self, by: Literal["doc_tag", "project"]) -> dict[str, tuple[int, int]]:
        """How many documents and chunks there are, per tag or project."""
        ...

    def within(self, scope: Scope) -> Within: ...

    def counts(self, project: str | None = None) -> Counts: ...

    def integrity(self, *, thorough: bool = False) -> list[Fault]:
        """What is wrong with it, each with its cure; an empty list when nothing is."""
        ...


class Feeds(Protocol):
    """What indexes follow, and what a query's words are worth. Every change has a number; a copy knows its last one."""

    def sequence(self) -> int: ...
    def behind(self, sequence: int, project: str) -> int: ...
    def changes_after(self, sequence: int, limit: int = 1000, project: str | None = None) -> list[Change]: ...

    def whole(self, document_ids: Sequence[str]) -> list[Rows]:
        """Those of them that are there, with all that another truth needs to have them: see `write_rows`."""
        ...

    def changed_after(self, sequence: int, most: int, project: str, model: str) -> Changed:
        """The next documents that changed with their chunks; none of them: nothing is missing up to its sequence."""
        ...

    def snapshot(self, project: str, model: str) -> AbstractContextManager[Snapshot]: ...

    def chunks_after(self, sequence: int, project: str, most: int) -> int:
        """How many chunks the documents have that changed since, one for each that is gone; up to `most`."""
        ...

    def chunk_count(self, project: str) -> int:
        """Of a project, those that have words."""
        ...

    def documents_of(self, chunk_ids: Sequence[str], scope: Scope, filters: Filters) -> dict[str, str]:
        """Which of these chunks there are inside the scope, each with its document."""
        ...

    def found(
        self,
        lists: Sequence[Sequence[str]],
        words: Sequence[str],
        weights: Mapping[int, float],
        scope: Scope,
        filters: Filters,
    ) -> tuple[dict[str, str], dict[str, float]]:
        """What several searches found, best first each: the documents of those chunks that are in the scope, and what
        the query is worth in those that were found by words."""
        ...

    def chunks_named(self, digests: Sequence[str]) -> dict[str, str]:
        """By the digest of their ids, in hex, those chunks whose ids are not ours."""
        ...

    def fields(self, project: str) -> list[Field]:
        """Those that were declared."""
        ...

    def field_values(self, chunk_ids: Sequence[str]) -> dict[str, Values]:
        """Of the chunks that have any."""
        ...

    def values_beginning(self, project: str, field: str, prefix: str) -> list[Value]:
        """For indexes that cannot match the beginning of a keyword."""
        ...

    def documents_under(self, scope: Scope, path_prefix: str) -> list[str]: ...

    def weighted(self, project: str, query: Mapping[int, float]) -> dict[int, float]:
        """The query's terms times IDF: what an index without its own IDF is asked with."""
        ...

    def weighted_within(self, scope: Scope, query: Mapping[int, float]) -> dict[int, float]:
        """The same as far as the scope goes: for whatever a caller is told."""
        ...

    def is_whole(self, scope: Scope) -> bool:
        """Whether the scope holds all of its project."""
        ...

    def exact_scores(self, chunk_ids: Sequence[str], query: Mapping[int, float]) -> dict[str, float]: ...
    def coverage_of_chunks(self, chunk_ids: Sequence[str], terms: Collection[int]) -> list[Coverage]: ...

    def coverage_of_nodes(
        self, nodes: Sequence[str], terms: Collection[int], scope: Scope, filters: Filters
    ) -> list[Coverage]: ...

    def missing_vectors(self, model: str, hashes: Sequence[str]) -> set[str]:
        """Which of these texts this model has not embedded yet."""
        ...

    def reached(self, replica: str) -> int:
        """The last change that a copy on a server has; 0 where nothing is known."""
        ...

    def full_text(self, project: str, profile: Profile, note: str = "") -> TruthIndex: ...


class GraphTables(Protocol):
    """The graph beside the documents."""

    def embedded_graph(self) -> Graph: ...
    def has_edges(self, project: str, environment: str) -> bool: ...

    def graph_rows(self, document_ids: Sequence[str]) -> GraphRows:
        """What a graph elsewhere is filled with."""
        ...

    def node_spans(self, ids: Sequence[str], scope: Scope) -> list[NodeSpan]:
        """Of documents, sections and chunks in the scope."""
        ...

    def nodes_titled(self, name: str, scope: Scope) -> list[str]:
        """Ids of what goes by this title, path or path#anchor."""
        ...

    def node_names(self, scope: Scope, most: int) -> list[str]: ...

    def sections_naming(self, concepts: Sequence[str], scope: Scope, most: int) -> list[Naming]:
        """Where these concepts are named, whether or not a page defines them; without those that more than `most`
        documents name."""
        ...


class Writes(Protocol):
    """What changes the truth: each of them all or nothing, and seen by everybody at once."""

    def write(self, prepared: Prepared) -> Written: ...
    def write_many(self, batch: Iterable[Prepared]) -> Written: ...

    def write_rows(self, batch: Iterable[Rows], *, held: Held | None = None) -> Written:
        """Several documents in one transaction; one that cannot be stored does not keep the others out, and neither
        does one that is not `held` any more."""
        ...

    def delete(self, document_ids: Iterable[str]) -> int:
        """How many of them were there."""
        ...

    def touch(self, files: Iterable[tuple[str, int, int]], *, held: Held | None = None) -> None:
        """(document id, file size, mtime in ns) of files that were written again with the same content."""
        ...

    def add_vectors(self, project: str, model: str, vectors: Mapping[str, bytes]) -> None:
        """Vectors of another model for what the project has; the documents concerned count as changed."""
        ...

    def bind(self, project: str, binding: Binding) -> None:
        """From now on the project's vectors are those of this model."""
        ...

    def declare(self, project: str, declared: Iterable[Field]) -> None:
        """Fields that chunks of the project may have from now on; one that is declared keeps its kind."""
        ...

    def tidy(self, project: str | None = None) -> None:
        """Drop vectors and entities that nothing refers to; of a project, also vectors of models it is not bound to."""
        ...

    def repair(self) -> None:
        """Make what is derived inside the truth anew."""
        ...

    def set_note(self, key: str, value: str) -> None:
        """Keep a small fact, such as when the last ingest ended."""
        ...

    def set_reached(self, replica: str, sequence: int) -> None: ...


class Truth(Documents, Feeds, GraphTables, Writes, Protocol):
    """All of it. Any number of processes and threads may hold one on the same documents."""

    id: str  # which truth it is: copies elsewhere remember whose they are
    data_dir: Path  # where this machine keeps what is made from it
    address: Mapping[str, Any]  # how another process opens it, beside data_dir: settings, secrets among them

    def __hash__(self) -> int: ...

    def tables(self, plugin: str, migrations: Migrations) -> Tables:
        """A plugin's own tables, brought to the last of these versions."""
        ...

    def collection_tables(self) -> CollectionTables:
        """Where chunks are kept that callers bring."""
        ...

    def jobs(self) -> Jobs | None:
        """Ingests that machines share; None where there is only one machine."""
        ...

    def turn(self, name: str) -> Released | None:
        """What only one of all who hold this truth may do at a time; None while another has it. It ends with its
        process."""
        ...

    def advice(self) -> Sequence[Fault]:
        """What is worth knowing and nothing broken."""
        ...

    def settle(self) -> None:
        """After much was written: what was kept for writing need not stay as large as it became."""
        ...

    def close(self) -> None: ...
