"""What changed since the arrays on disk were written, in memory: small, and made anew for every change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from wekadocs_corpus.store.local.writing.batch import Batch, batch
from wekadocs_corpus.store.truth.rows import IndexRow

from .documents import Documents
from .fields import joined
from .names import Names
from .postings import Loose
from .segment import Segment


class Delta:
    """Documents that changed, each with its chunks as they are now; none for one that is gone."""

    def __init__(self, dimension: int, parts: Mapping[str, Batch | None] | None = None) -> None:
        self._dimension, self._parts = dimension, dict(parts or {})

    def __len__(self) -> int:
        """In chunks; a document that is gone counts as one."""
        return sum(len(part.owners) if part is not None else 1 for part in self._parts.values())

    @property
    def changed(self) -> Iterable[str]:
        """Whatever else knows these documents is out of date."""
        return self._parts.keys()

    def with_changes(self, documents: Iterable[str], rows: Sequence[IndexRow]) -> Delta:
        by_document: dict[str, list[IndexRow]] = {each: [] for each in documents}
        for row in rows:
            by_document[row.document_id].append(row)
        new = {name: batch(own, self._dimension) if own else None for name, own in by_document.items()}
        return Delta(self._dimension, self._parts | new)

    @cached_property
    def segment(self) -> Segment | None:
        parts = [part for part in self._parts.values() if part is not None]
        return _joined(parts) if parts else None


def _joined(parts: Sequence[Batch]) -> Segment:
    documents = Documents.of(facts for part in parts for facts in part.facts.values())
    starts = np.cumsum([0, *(len(part.owners) for part in parts[:-1])])
    places = [part.places + np.int32(start) for part, start in zip(parts, starts.tolist(), strict=True)]
    return Segment(
        documents,
        documents.places(owner for part in parts for owner in part.owners).astype("<i4"),
        Names.joined([part.names for part in parts]),
        np.concatenate([part.vectors for part in parts]),
        np.concatenate([part.has_vector for part in parts]),
        Loose(
            np.concatenate([part.terms for part in parts]),
            np.concatenate(places),
            np.concatenate([part.weights for part in parts]),
        ),
        joined(zip(starts.tolist(), [part.fields for part in parts], strict=True)),
    )
