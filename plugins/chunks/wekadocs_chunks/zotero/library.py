"""A Zotero library as it is now, by its database or by a Zotero that runs: read again when something was written."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Protocol

from wekadocs_corpus import stopping

from ..references.matching import References
from ..references.records import record
from .csl import csl_of
from .database import Database
from .gathering import Loaded
from .items import Collection, Item
from .local_api import LocalApi

_LOOK = 0.1  # seconds between two looks whether anybody still waits


@dataclass(frozen=True)
class Library:
    items: list[Item]
    collections: list[Collection]
    references: References

    def of(self, library: str, collection: str) -> Library:
        """What a project may see of it; nothing narrower is set: all of the user's own and of the groups."""
        items = [
            each
            for each in self.items
            if (not library or each.library == library) and (not collection or within(each, collection))
        ]
        if len(items) == len(self.items):
            return self
        paths = [
            each
            for each in self.collections
            if (not library or each.library == library) and (not collection or below(each.path, collection))
        ]
        return Library(items, paths, References([record(csl_of(each)) for each in items]))


def below(path: str, collection: str) -> bool:
    """The collection itself, or one inside it."""
    return path == collection or path.startswith(f"{collection} / ")


def within(item: Item, collection: str) -> bool:
    return any(below(path, collection) for path in item.collections)


class Source(Protocol):
    """A way to a library; both raise `Unreadable`."""

    name: str

    def stamp(self) -> Hashable: ...

    def load(self) -> Loaded: ...


def source_of(setting: Mapping[str, str]) -> Source:
    if "local_api" in setting:
        return LocalApi(setting["local_api"], setting.get("library", ""))
    return Database(setting["database"])


class Libraries:
    """Used from threads: of several that want the same one, one reads."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], tuple[Hashable, Library]] = {}
        self._turn = threading.Lock()

    def library(self, setting: Mapping[str, str]) -> Library:
        """Raises `Unreadable`."""
        source, library, collection = source_of(setting), setting.get("library", ""), setting.get("collection", "")
        which = (source.name, library, collection)
        while not self._turn.acquire(timeout=_LOOK):
            stopping.check()
        try:
            now = source.stamp()  # before it is read: what is written meanwhile is seen the next time
            if which not in self._kept or self._kept[which][0] != now:
                items, collections = source.load()
                whole = Library(items, collections, References([record(csl_of(each)) for each in items]))
                self._kept[which] = (now, whole.of(library, collection))
            return self._kept[which][1]
        finally:
            self._turn.release()
