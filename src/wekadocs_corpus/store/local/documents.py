"""The documents of an index as columns: which of them a question may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.layout import Above, Condition, conditions

KEYWORDS = ("environment", "repository", "doc_tag")
Facts = tuple[str, str, str, str, str, float]  # id, environment, repository, doc_tag, path, updated_at


@dataclass(frozen=True)
class Documents:
    """A row per document, ascending by id."""

    ids: np.ndarray  # ASCII
    keywords: Mapping[str, np.ndarray]  # per field the number of its value
    values: Mapping[str, Sequence[str]]  # and the values
    updated_at: np.ndarray
    paths: np.ndarray  # UTF-8, one after the other
    path_ends: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, facts: Iterable[Facts]) -> Documents:
        rows = sorted(facts)
        paths = [row[4].encode() for row in rows]
        keywords, values = {}, {}
        for place, field in enumerate(KEYWORDS, 1):
            numbers: dict[str, int] = {}
            codes = [numbers.setdefault(str(row[place]), len(numbers)) for row in rows]
            keywords[field], values[field] = np.array(codes, "<i4"), tuple(numbers)
        return cls(
            np.array([row[0].encode() for row in rows], "S32"),
            keywords,
            values,
            np.array([row[5] for row in rows], "<f8"),
            np.frombuffer(b"".join(paths), "u1"),
            np.cumsum([len(path) for path in paths], dtype="<i8"),
        )

    def places(self, ids: Iterable[str]) -> np.ndarray:
        """Where these documents stand; unknown ones are left out."""
        wanted = np.array([each.encode() for each in ids], self.ids.dtype)
        found = np.searchsorted(self.ids, wanted)
        there = found < len(self.ids)
        found, wanted = found[there], wanted[there]
        known: np.ndarray = found[self.ids[found] == wanted]
        return known

    def visible(self, scope: Scope, filters: Filters) -> np.ndarray:
        """Per document: may this question see it."""
        seen = np.ones(len(self), bool)
        wanted = conditions(scope, replace(filters, path_prefix=""), lambda _: ())
        if wanted is None:
            return np.zeros(len(self), bool)
        for each in wanted:
            seen &= self._holds(each)
        return seen & self._under(filters.path_prefix) if filters.path_prefix else seen

    def _holds(self, wanted: Condition) -> np.ndarray:
        if isinstance(wanted, Above):
            return self.updated_at > wanted.value
        numbers = [number for number, value in enumerate(self.values[wanted.field]) if value in wanted.values]
        return np.isin(self.keywords[wanted.field], numbers)

    def _under(self, prefix: str) -> np.ndarray:
        start, paths, wanted = 0, self.paths.tobytes(), prefix.encode()
        seen = np.zeros(len(self), bool)
        for place, end in enumerate(self.path_ends.tolist()):
            seen[place] = paths.startswith(wanted, start, end)
            start = end
        return seen
