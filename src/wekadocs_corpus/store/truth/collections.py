"""Collections: chunks that callers bring, with ids, payload and vectors of their own. What any truth keeps of them."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

KEYWORD, FULL_TEXT = "keyword", "fulltext"  # kinds of index a payload field can have
Conditions = Sequence[tuple[str, str]]  # (field, value), all of which must hold


def told_apart(name: str, project: str) -> str:
    """A name that no other project's collection has: `~` is in none that is made from a project's id alone."""
    return f"{name}~{sha256(project.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A project's collection: the model it is bound to, and how far it has come."""

    number: int
    project: str
    name: str
    model: str
    dimension: int
    generation: int  # another one: everything in it was made anew
    sequence: int  # of its last change
    worded: int  # chunks, as words are counted by


@dataclass(frozen=True, slots=True)
class NewChunk:
    """What one upsert writes."""

    id: str
    doc: str
    text: str
    fulltext: str | None  # None: the same as text
    payload: Mapping[str, Any]
    keywords: tuple[tuple[str, str], ...]  # what filters can ask for
    vector: bytes  # little-endian float32, length 1; empty where there is none
    terms: bytes  # packed, see wekadocs_corpus.lexical.vectors


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it is shown."""

    number: int
    id: str
    doc: str
    text: str
    fulltext: str | None
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChangedChunk:
    """A chunk as an index takes it in."""

    number: int
    sequence: int
    deleted: bool
    vector: bytes
    terms: bytes


@dataclass(frozen=True, slots=True)
class Put:
    """What became of a batch."""

    sequence: int
    replaced: tuple[str, ...]  # ids under which another text stood before


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A project's collection on its way to another model: chunks are copied from `source` into `target`, which becomes
    the project's once all is there. What changes in the source meanwhile is copied by further passes.
    """

    project: str
    source: int
    target: int
    model: str
    dimension: int
    promised: bool  # a caller was told that it will be done: it outlives its process
    reached: int  # the source's changes up to this one are in the target
    passing: int  # the source's last change when the pass began that is under way
    behind: int  # number of the chunk that this pass came to
    done: int  # chunks copied


@dataclass(frozen=True, slots=True)
class Carried:
    """A chunk of a rebuild's source as its target has it; None where the source has it no longer."""

    source: int  # its number there
    sequence: int
    chunk: NewChunk | None


class CollectionsView(Protocol):
    """One consistent look: nobody's half batch is in it."""

    def collections(self) -> list[CollectionRow]: ...
    def collection(self, project: str) -> CollectionRow | None: ...

    def changes(self, collection: int, after: int, behind: int = 0) -> Generator[ChangedChunk, None, None]:
        """What changed since, in the order of its numbers, from behind this one; after 0: everything that is there.

        Whoever does not read to the end closes it: an open one keeps its look at the file alive.
        """
        ...

    def numbered(self, collection: int, numbers: Sequence[int]) -> list[ChangedChunk]: ...

    def matching(self, collection: int, conditions: Conditions) -> list[int]:
        """Numbers of the chunks that all conditions hold for."""
        ...

    def chunks(self, collection: int, numbers: Sequence[int]) -> list[StoredChunk]:
        """In this order, without those that are gone."""
        ...

    def documents(self, collection: int) -> list[str]: ...

    def heads(self, collection: int) -> list[StoredChunk]:
        """The first chunk of every document."""
        ...

    def of_documents(self, collection: int, docs: Sequence[str]) -> list[StoredChunk]: ...
    def size(self, collection: int) -> int: ...
    def payload_keys(self, collection: int) -> list[str]: ...
    def fields(self, collection: int) -> list[tuple[str, str]]: ...
    def sample(self, collection: int, count: int) -> list[StoredChunk]: ...

    def term_counts(self, collection: int, after: int) -> list[tuple[bytes, bytes]]:
        """What changes since have added to the number of chunks that have a term: ids, and how many (both 4 bytes)."""
        ...

    def keywords(self, collection: int, numbers: Sequence[int]) -> dict[int, list[tuple[str, str]]]: ...
    def rebuilds(self) -> list[Rebuild]: ...
    def rebuild(self, project: str) -> Rebuild | None: ...

    def by_number(self, collection: int) -> CollectionRow | None:
        """Also one that is being built."""
        ...

    def has_leavings(self) -> bool:
        """Whether migrations left rows behind that nobody asks for."""
        ...

    def given(self, target: int) -> list[int]:
        """Numbers of the chunks that came by batches, not from the source."""
        ...


class CollectionsChange(CollectionsView, Protocol):
    """A transaction: all of it is kept, or nothing."""

    def claim(
        self, project: str, name: str, model: str, dimension: int, fields: Sequence[tuple[str, str]]
    ) -> CollectionRow:
        """The project's collection under this name, made where it is not there; its binding stays as it was."""
        ...

    def put(self, collection: int, chunks: Sequence[NewChunk]) -> Put: ...

    def delete(self, collection: int, docs: Sequence[str], ids: Sequence[str]) -> tuple[int, list[str]]:
        """How many went, and under which of these names nothing was."""
        ...

    def begin_rebuild(self, project: str, model: str, dimension: int, fields: Sequence[tuple[str, str]]) -> Rebuild: ...

    def give(self, rebuild: Rebuild, chunks: Sequence[NewChunk]) -> Put:
        """A batch into what is being built; it wins over what the source has now, and nothing later."""
        ...

    def copy(self, rebuild: Rebuild, chunks: Sequence[Carried]) -> None: ...
    def next_pass(self, rebuild: Rebuild, sequence: int) -> None: ...
    def promise(self, rebuild: Rebuild) -> None: ...

    def swap(self, rebuild: Rebuild) -> None:
        """The target is the project's collection from now on."""
        ...

    def drop_rebuild(self, rebuild: Rebuild) -> None: ...

    def sweep(self, most: int) -> bool:
        """Delete so many rows that nobody asks for any more; whether some are left."""
        ...


class CollectionTables(Protocol):
    def view(self) -> AbstractContextManager[CollectionsView]: ...
    def change(self, seconds: float) -> AbstractContextManager[CollectionsChange]: ...
