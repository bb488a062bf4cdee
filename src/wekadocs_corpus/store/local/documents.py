"""The documents of an index as columns: which of them a question may see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.layout import Above, AnyOf, Condition, conditions

KEYWORDS = ("environment", "repository", "doc_tag")
# id, environment, repository, doc_tag, path, updated_at, other tags
Facts = tuple[str, str, str, str, str, float, tuple[str, ...]]


@dataclass(frozen=True)
class Documents:
    """A row per document, ascending by id."""

    ids: np.ndarray  # ASCII
    keywords: Mapping[str, np.ndarray]  # per field the number of its value
    values: Mapping[str, Sequence[str]]  # and the values
    updated_at: np.ndarray
    paths: np.ndarray  # UTF-8, one after the other
    path_ends: np.ndarray
    other_tags: np.ndarray  # beside doc_tag, a row each: the document's place, the tag's number

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, facts: Iterable[Facts]) -> Documents:
        rows = sorted(facts)
        paths = [row[4].encode() for row in rows]
        keywords, numbers = {}, {field: dict[str, int]() for field in KEYWORDS}
        for place, (field, known) in enumerate(numbers.items(), 1):
            keywords[field] = np.array([known.setdefault(str(row[place]), len(known)) for row in rows], "<i4")
        tags = numbers["doc_tag"]
        others = [(place, tags.setdefault(tag, len(tags))) for place, row in enumerate(rows) for tag in row[6]]
        return cls(
            np.array([row[0].encode() for row in rows], "S32"),
            keywords,
            {field: tuple(known) for field, known in numbers.items()},
            np.array([row[5] for row in rows], "<f8"),
            np.frombuffer(b"".join(paths), "u1"),
            np.cumsum([len(path) for path in paths], dtype="<i8"),
            np.array(others, "<i4").reshape(len(others), 2),
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
        wanted = conditions(scope, replace(filters, path_prefix="", fields=()), lambda _: ())
        if wanted is None:
            return np.zeros(len(self), bool)
        for each in wanted:
            seen &= self._holds(each)
        return seen & self._under(filters.path_prefix) if filters.path_prefix else seen

    def _holds(self, wanted: Condition) -> np.ndarray:
        if isinstance(wanted, Above):
            return self.updated_at > wanted.value
        assert isinstance(wanted, AnyOf)  # what is asked of chunks stands apart
        numbers = [number for number, value in enumerate(self.values[wanted.field]) if value in wanted.values]
        holds: np.ndarray = np.isin(self.keywords[wanted.field], numbers)
        if wanted.field == "doc_tag":
            holds[self.other_tags[np.isin(self.other_tags[:, 1], numbers), 0]] = True
        return holds

    def _under(self, prefix: str) -> np.ndarray:
        start, paths, wanted = 0, self.paths.tobytes(), prefix.encode()
        seen = np.zeros(len(self), bool)
        for place, end in enumerate(self.path_ends.tolist()):
            seen[place] = paths.startswith(wanted, start, end)
            start = end
        return seen
