"""What the file tells indexes: what changed, the rows they take in, and what a query's words are worth."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.fields import Field, Value, Values
from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.truth.interface import TruthIndex
from wekadocs_corpus.store.truth.rows import Change, Changed, Coverage, Snapshot
from wekadocs_corpus.store.writing.rows import Rows

from .reading import chunk_rows, coverage, fields, filtering, replicas, scope_rarity, whole
from .reading import documents as reading
from .reading import words as word_rows
from .store import Store

_AT_ONCE = 128  # documents of a snapshot


class Feeds(Store):
    """A part of the truth, see store/truth/interface.py."""

    def sequence(self) -> int:
        with self.reading() as connection:
            return reading.sequence(connection)

    def changes_after(self, sequence: int, limit: int = 1000, project: str | None = None) -> list[Change]:
        with self.reading() as connection:
            return reading.changes_after(connection, sequence, limit, project)

    def whole(self, document_ids: Sequence[str]) -> list[Rows]:
        with self.reading() as connection:
            return whole.whole(connection, document_ids)

    def weighted(self, project: str, query: Mapping[int, float]) -> dict[int, float]:
        """The query's terms times IDF: what an index without its own IDF is asked with."""
        with self.reading() as connection:
            return scope_rarity.of_project(self._rarity, project).weighted(connection, query)

    def weighted_within(self, scope: Scope, query: Mapping[int, float]) -> dict[int, float]:
        """The same as far as the scope goes: for whatever a caller is told."""
        with self.reading() as connection:
            return scope_rarity.of_scope(self._rarity, scope).weighted(connection, query)

    def is_whole(self, scope: Scope) -> bool:
        """Whether the scope holds all of its project."""
        with self.reading() as connection:
            return scope_rarity.of_scope(self._rarity, scope).is_whole(connection)

    def behind(self, sequence: int, project: str) -> int:
        with self.reading() as connection:
            return reading.behind(connection, sequence, project)

    def changed_after(self, sequence: int, most: int, project: str, model: str) -> Changed:
        with self.reading() as connection:
            changes = reading.changes_after(connection, sequence, most, project)
            if not changes:
                return Changed((), [], max(sequence, reading.sequence(connection)))
            documents = tuple(change.document_id for change in changes)
            return Changed(documents, chunk_rows.rows_of(connection, documents, model), changes[-1].sequence)

    @contextmanager
    def snapshot(self, project: str, model: str) -> Iterator[Snapshot]:
        with self.reading() as connection:
            ids = reading.document_ids(connection, project)
            parts = (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))
            rows = (chunk_rows.rows_of(connection, part, model) for part in parts)
            yield Snapshot(reading.sequence(connection), len(ids), _AT_ONCE, rows)

    def chunks_after(self, sequence: int, project: str, most: int) -> int:
        with self.reading() as connection:
            return chunk_rows.chunks_after(connection, sequence, project, most)

    def chunk_count(self, project: str) -> int:
        with self.reading() as connection:
            return chunk_rows.chunk_count(connection, project)

    def documents_of(self, chunk_ids: Sequence[str], scope: Scope, filters: Filters) -> dict[str, str]:
        with self.reading() as connection:
            return filtering.documents_of(connection, chunk_ids, scope, filters)

    def found(
        self,
        lists: Sequence[Sequence[str]],
        words: Sequence[str],
        weights: Mapping[int, float],
        scope: Scope,
        filters: Filters,
    ) -> tuple[dict[str, str], dict[str, float]]:
        ids = list(dict.fromkeys(each for found in lists for each in found))
        with self.reading() as connection:
            exact = word_rows.exact_scores(connection, words, weights) if words else {}
            return filtering.documents_of(connection, ids, scope, filters), exact

    def chunks_named(self, digests: Sequence[str]) -> dict[str, str]:
        with self.reading() as connection:
            return filtering.chunks_named(connection, digests)

    def fields(self, project: str) -> list[Field]:
        with self.reading() as connection:
            return fields.declared(connection, project)

    def field_values(self, chunk_ids: Sequence[str]) -> dict[str, Values]:
        with self.reading() as connection:
            return fields.of_chunks(connection, chunk_ids)

    def values_beginning(self, project: str, field: str, prefix: str) -> list[Value]:
        with self.reading() as connection:
            return fields.beginning(connection, project, field, prefix)

    def documents_under(self, scope: Scope, path_prefix: str) -> list[str]:
        with self.reading() as connection:
            return filtering.documents_under(connection, scope, path_prefix)

    def exact_scores(self, chunk_ids: Sequence[str], query: Mapping[int, float]) -> dict[str, float]:
        with self.reading() as connection:
            return word_rows.exact_scores(connection, chunk_ids, query)

    def coverage_of_chunks(self, chunk_ids: Sequence[str], terms: Collection[int]) -> list[Coverage]:
        with self.reading() as connection:
            return coverage.of_chunks(connection, chunk_ids, terms, self._recent)

    def coverage_of_nodes(
        self, nodes: Sequence[str], terms: Collection[int], scope: Scope, filters: Filters
    ) -> list[Coverage]:
        with self.reading() as connection:
            return coverage.of_nodes(connection, nodes, terms, scope, filters)

    def reached(self, replica: str) -> int:
        with self.reading() as connection:
            return replicas.reached(connection, replica)

    def full_text(self, project: str, profile: Profile, note: str = "") -> TruthIndex:
        from .full_text.index import FullText

        return FullText(self, project, profile, note, self.engine)
