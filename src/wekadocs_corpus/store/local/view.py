"""One state of the index: what is on disk, without the documents that changed since, and those documents themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from wekadocs_corpus.model import Filters, Leg, Scope
from wekadocs_corpus.store.ranking import ranked

from .delta import Delta
from .fields import meets_all
from .segment import Segment

_REMEMBERED = 8  # scopes
Search = Callable[[Segment, np.ndarray | None], list[Leg]]


@dataclass(frozen=True)
class View:
    """Never changes; any number of threads may ask."""

    written: Segment | None
    delta: Delta
    sequence: int
    _seen: dict[object, list[np.ndarray | None]] = field(default_factory=dict, compare=False)

    @property
    def size(self) -> int:
        """In chunks, with those that changed since."""
        return sum(map(len, self._segments))

    def at(self, sequence: int) -> View:
        """The same after changes that are none of this project."""
        return View(self.written, self.delta, sequence, self._seen)

    def words(self, query: Mapping[int, float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        return self._best(lambda segment, seen: segment.words(query, seen, limit), scope, filters, limit)

    def nearest(self, query: Sequence[float], scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        asked = np.asarray(query, np.float32)
        return self._best(lambda segment, seen: segment.nearest(asked, seen, limit), scope, filters, limit)

    def _best(self, search: Search, scope: Scope, filters: Filters, limit: int) -> list[Leg]:
        seen = self._seen_by(scope, filters)
        found = [search(segment, flags) for segment, flags in zip(self._segments, seen, strict=True)]
        return found[0] if len(found) == 1 else ranked((leg for legs in found for leg in legs), limit)

    @cached_property
    def _segments(self) -> list[Segment]:
        return [each for each in (self.written, self.delta.segment) if each is not None]

    @cached_property
    def _outdated(self) -> np.ndarray:
        """Places of documents on disk that changed since."""
        return self.written.documents.places(self.delta.changed) if self.written is not None else np.empty(0, np.intp)

    def _seen_by(self, scope: Scope, filters: Filters) -> list[np.ndarray | None]:
        """Per segment which chunks this question may see, None for all of them."""
        key = (scope.project_id, scope.environment, scope.doc_tags, scope.repositories, filters)
        found = self._seen.get(key)
        if found is None:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            found = self._seen[key] = [self._flags(segment, scope, filters) for segment in self._segments]
        return found

    def _flags(self, segment: Segment, scope: Scope, filters: Filters) -> np.ndarray | None:
        visible = segment.documents.visible(scope, filters)
        if segment is self.written:
            visible[self._outdated] = False
        seen = None if visible.all() else visible[segment.owners]
        if filters.fields:
            meeting = meets_all(segment.fields, filters.fields, len(segment))
            seen = meeting if seen is None else seen & meeting
        return seen
