"""What the file tells of documents, their passages and how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from wekadocs_corpus.model import Scope
from wekadocs_corpus.store.truth.rows import (
    Binding,
    Counts,
    DocumentRow,
    Fault,
    KnownFile,
    Passage,
    SectionRow,
    Surroundings,
    Within,
)

from . import inspection
from .reading import documents as reading
from .reading import filtering, reading_on
from .store import Store
from .writing import vectors


class Documents(Store):
    """A part of the truth, see store/truth/interface.py."""

    def note(self, key: str) -> str | None:
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def binding(self, project: str) -> Binding | None:
        with self.reading() as connection:
            row = connection.execute("SELECT model, dimension FROM bindings WHERE project = ?", (project,)).fetchone()
        return None if row is None else Binding(*row)

    def bindings(self) -> dict[str, Binding]:
        with self.reading() as connection:
            rows = connection.execute("SELECT project, model, dimension FROM bindings ORDER BY project").fetchall()
        return {project: Binding(model, dimension) for project, model, dimension in rows}

    def document(self, document_id: str) -> DocumentRow | None:
        with self.reading() as connection:
            return reading.document(connection, document_id)

    def has_documents(self, project: str, environment: str) -> bool:
        with self.reading() as connection:
            return reading.has_documents(connection, project, environment)

    def doc_tags(self, scope: Scope) -> list[str]:
        with self.reading() as connection:
            return reading.doc_tags(connection, scope)

    def documents_at(self, scope: Scope, path: str) -> list[str]:
        with self.reading() as connection:
            return filtering.documents_at(connection, scope, path)

    def paths(self, scope: Scope, beginning: str, most: int) -> list[str]:
        with self.reading() as connection:
            return filtering.paths(connection, scope, beginning, most)

    def section(self, section_id: str) -> SectionRow | None:
        with self.reading() as connection:
            return reading.section(connection, section_id)

    def sections_of(self, document_id: str) -> list[SectionRow]:
        with self.reading() as connection:
            return reading.sections_of(connection, document_id)

    def chunks(self, chunk_ids: Sequence[str], until: float | None = None) -> list[Passage]:
        """In the order of the ids; what has been deleted meanwhile is left out."""
        with self.reading(until) as connection:
            return self._recent.passages(connection, chunk_ids)

    def read_on(self, found: Sequence[Passage], others: Sequence[str]) -> list[Passage]:
        """Chunks with what stands around them, see reading_on.py."""
        with self.reading() as connection:
            return reading_on.read_on(connection, found, others, self._recent)

    def around(self, places: Sequence[tuple[str, int, int]]) -> list[Surroundings | None]:
        """What stands around these: document, first and last character of each."""
        with self.reading() as connection:
            return reading_on.around(connection, places, self._recent)

    def opening(self, document_id: str, section_id: str = "") -> Passage | None:
        """Where a document, or a section of it, begins, front matter aside."""
        with self.reading() as connection:
            found = self._recent.passages(connection, self._recent.first(connection, document_id, section_id))
        return found[0] if found else None

    def chunks_of(self, document_id: str) -> list[Passage]:
        with self.reading() as connection:
            return self._recent.of_document(connection, document_id)

    def known_files(self, project: str, environment: str, uri: str) -> dict[str, KnownFile]:
        """Document id → what tells whether its origin is still the same, for this address and all below it."""
        with self.reading() as connection:
            return reading.known_files(connection, project, environment, uri)

    def roots(self, project: str, environment: str) -> dict[str, str]:
        """The folders and files that were ingested, each with its repository."""
        with self.reading() as connection:
            return reading.roots(connection, project, environment)

    def missing_vectors(self, model: str, hashes: Sequence[str]) -> set[str]:
        """Which of these texts this model has not embedded yet."""
        with self.reading() as connection:
            return vectors.missing(connection, model, hashes)

    def counts(self, project: str | None = None) -> Counts:
        with self.reading() as connection:
            return inspection.counts(connection, project, self.stored_bytes(connection))

    def within(self, scope: Scope) -> Within:
        with self.reading() as connection:
            return inspection.within(connection, scope)

    def integrity(self, *, thorough: bool = False) -> list[Fault]:
        """What is wrong with the file, each with its cure; an empty list when nothing is."""
        with self.reading() as connection:
            found = [Fault(*each) for each in self.broken(connection, thorough=thorough)]
            return found or inspection.integrity(connection)

    def document_ids(self, project: str) -> list[str]:
        with self.reading() as connection:
            return reading.document_ids(connection, project)

    def texts(self, document_ids: Sequence[str]) -> dict[str, str]:
        with self.reading() as connection:
            return self._recent.texts(connection, document_ids)

    def headings(self, scope: Scope, most: int) -> list[str]:
        with self.reading() as connection:
            return reading.headings(connection, scope, most)

    def stamps(self) -> list[tuple[str, str]]:
        with self.reading() as connection:
            return inspection.stamps(connection)

    def tally(self, by: Literal["doc_tag", "project"]) -> dict[str, tuple[int, int]]:
        with self.reading() as connection:
            return inspection.tally(connection, by)
