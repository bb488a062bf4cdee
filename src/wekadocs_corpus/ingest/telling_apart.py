"""Two folders with an index.md each: what stands before the paths of the second, so that a path names one document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .sources.scan import Root

if TYPE_CHECKING:
    from wekadocs_corpus.store.truth.interface import Truth

    from .sources.origin import Origin
    from .sources.source import Source

_PARTS = re.compile(r"[\w.@+-]+")


@dataclass
class TellingApart:
    """Of one look at the sources; `roots` are the folders and files that were ingested before."""

    truth: Truth
    project: str
    environment: str
    roots: Iterable[str]
    _taken: dict[str, set[str]] = field(default_factory=dict)  # by the sources of this look

    def prefix(self, source: Source, origins: Sequence[Origin], known: Mapping[str, str]) -> str:
        """Empty unless another folder has one of these paths; what a folder was called by before stays while it does.

        `known` are the stored paths of these documents, by their places in a checkout or on the disk.
        """
        if not isinstance(source, Root):
            return ""
        paths = {origin.path for origin in origins}
        said = next((each for each in self._names(source, origins, known) if not self._alike(source, each, paths)), "")
        self._taken.setdefault(source.name, set()).update(said + path for path in paths)
        return said

    def _names(self, source: Root, origins: Sequence[Origin], known: Mapping[str, str]) -> Iterator[str]:
        """What it was called by, then ever more of the folder's end: `b/` beside `a`, `two/docs/` beside `one/docs`."""
        before = self._before(origins, known)
        yield before or ""
        paths = {origin.path for origin in origins}
        yield from _tails(source.base.as_posix(), self._alike(source, before or "", paths))

    def _alike(self, source: Root, before: str, paths: Iterable[str]) -> list[str]:
        own = {before + path for path in paths}
        return [other for other in self._others(source) if not own.isdisjoint(self._paths(other))]

    @staticmethod
    def _before(origins: Sequence[Origin], known: Mapping[str, str]) -> str | None:
        stored = ((known[origin.locator], origin.path) for origin in origins if origin.locator in known)
        return next((path.removesuffix(own) for path, own in stored if path.endswith(own)), None)

    def _others(self, source: Root) -> list[str]:
        return [each for each in dict.fromkeys([*self.roots, *self._taken]) if each != source.name]

    def _paths(self, root: str) -> set[str]:
        if root not in self._taken:
            where = Path(root)
            uri = where.as_uri() if where.is_absolute() else root
            files = self.truth.known_files(self.project, self.environment, uri).values()
            self._taken[root] = {file.path for file in files if file.root == root}
        return self._taken[root]


def own_paths(root: str, version: str, path: str) -> set[str]:
    """What a stored path may be below its folder: without a version, without what tells the folder from others."""
    parts = _parts(root)
    before = [version] if version else ["/".join(parts[place:]) for place in range(len(parts))]
    return {*([] if version else [path]), *(path.removeprefix(f"{each}/") for each in before)}


def _tails(folder: str, others: Sequence[str]) -> Iterator[str]:
    """As much of a folder's end as none of the others ends with, and more."""
    own, those = _parts(folder), [_parts(other) for other in others]
    least = next((n for n in range(1, len(own)) if not any(each[-n:] == own[-n:] for each in those)), len(own))
    yield from ("/".join(own[-length:]) + "/" for length in range(least, len(own) + 1))


def _parts(name: str) -> list[str]:
    return _PARTS.findall(name) or ["other"]
