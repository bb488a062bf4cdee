"""Rows of the truth as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wekadocs_corpus.store.local.documents import Facts
from wekadocs_corpus.store.local.fields import Columns, columns
from wekadocs_corpus.store.local.names import Names
from wekadocs_corpus.store.truth.rows import IndexRow
from wekadocs_corpus.store.writing.term_vectors import entries


@dataclass(frozen=True)
class Batch:
    """Some chunks, in the order of the rows; places count from the first of them."""

    facts: dict[str, Facts]  # of their documents, by id
    owners: list[str]
    names: Names
    vectors: np.ndarray
    has_vector: np.ndarray
    terms: np.ndarray
    places: np.ndarray
    weights: np.ndarray
    fields: Columns


def batch(rows: Sequence[IndexRow], dimension: int) -> Batch:
    empty = bytes(2 * dimension)
    dense = np.frombuffer(b"".join([row.vector or empty for row in rows]), "<f2").reshape(len(rows), dimension)
    terms, places, weights = entries([row.terms for row in rows])
    return Batch(
        facts={row.document_id: _facts(row) for row in rows},
        owners=[row.document_id for row in rows],
        names=Names.of([row.chunk_id for row in rows]),
        vectors=dense.astype("<f4"),
        has_vector=np.array([row.vector is not None for row in rows], bool),
        terms=terms,
        places=places.astype("<i4"),
        weights=weights,
        fields=columns([row.fields for row in rows]),
    )


def _facts(row: IndexRow) -> Facts:
    where = (row.document_id, row.environment, row.repository, row.doc_tag, row.path)
    return *where, row.updated_at, row.other_tags
