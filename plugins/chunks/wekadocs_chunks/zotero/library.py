"""A Zotero library as it is now: read again when something was written, and kept until then."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from ..references.matching import References
from ..references.records import record
from . import database, reading
from .csl import csl_of
from .items import Collection, Item


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


class Libraries:
    """Used from threads: of several that want the same one, one reads."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], tuple[database.Stamp, Library]] = {}
        self._turn = threading.Lock()

    def library(self, setting: str, library: str, collection: str) -> Library:
        """Raises `Unreadable`."""
        path, which = database.found_at(setting), (setting, library, collection)
        beside = path.with_name("better-bibtex.sqlite")
        with self._turn:
            now = (*database.stamp(path), *database.stamp(beside))
            if which not in self._kept or self._kept[which][0] != now:
                self._kept[which] = (now, _loaded(path, beside).of(library, collection))
            return self._kept[which][1]


def _loaded(path: Path, beside: Path) -> Library:
    items, collections = database.read(path, reading.load)
    keys = reading.better_bibtex(beside) if beside.is_file() else {}
    for item in items:
        item.citekey = item.citekey or keys.get(item.key, "")
    return Library(items, collections, References([record(csl_of(each)) for each in items]))
