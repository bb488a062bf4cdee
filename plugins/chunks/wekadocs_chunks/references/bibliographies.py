"""Where a project's references are: in its file, in its Zotero library, or in both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..zotero.library import Libraries, Library
from .matching import References
from .records import Record, Unreadable
from .shelf import Shelf

if TYPE_CHECKING:
    from ..projects import Project


@dataclass(frozen=True)
class Bibliography:
    """What could be read, the file's first; `unreadable` says in words what could not."""

    references: list[References]
    unreadable: list[str]

    def match(self, citekey: str, doi: str, title: str) -> Record | None:
        return next((found for each in self.references if (found := each.match(citekey, doi, title))), None)

    def by_key(self, citekey: str) -> Record | None:
        return next((found for each in self.references if (found := each.by_key(citekey))), None)


@dataclass
class Bibliographies:
    """Of one process; used from threads."""

    shelf: Shelf = field(default_factory=Shelf)
    libraries: Libraries = field(default_factory=Libraries)

    def of(self, project: Project) -> Bibliography | None:
        """None where the project has none."""
        ways: list[Callable[[], References]] = []
        if project.references:
            ways.append(lambda: self.shelf.references(project.references))
        if project.zotero:
            ways.append(lambda: self.zotero(project).references)
        found, unreadable = list[References](), list[str]()
        for way in ways:
            try:
                found.append(way())
            except Unreadable as error:
                unreadable.append(str(error))
        return Bibliography(found, unreadable) if ways else None

    def zotero(self, project: Project) -> Library:
        """Raises `Unreadable`; for projects that have one."""
        return self.libraries.library(project.zotero or {})
