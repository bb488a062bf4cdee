"""A Zotero database to items, with all that hangs on them; what is in the bin stays there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from .gathering import Loaded, gathered, in_order, kept_at, page_at, path_of
from .items import ITEM_NOTE, Annotation, Attachment, Collection, Item, kind_of, plain


class _Reader:
    """One consistent look."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        ask = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
        self._tables = {name for (name,) in connection.execute(ask)}

    def rows(self, ask: str, *needs: str) -> Iterator[tuple[Any, ...]]:
        """Nothing where an older Zotero does not have the tables."""
        if set(needs) <= self._tables:
            yield from self._connection.execute(ask)

    def libraries(self) -> dict[int, str]:
        """By their numbers: `user`, or a group's name; feeds are none."""
        found = {
            number: "user" for number, kind in self.rows("SELECT libraryID, type FROM libraries") if kind == "user"
        }
        return found | dict(self.rows("SELECT libraryID, name FROM groups", "groups"))

    def items(self, libraries: dict[int, str]) -> dict[int, Item]:
        ask = (
            "SELECT itemID, key, typeName, libraryID, dateModified FROM items JOIN itemTypes USING (itemTypeID)"
            " WHERE itemID NOT IN (SELECT itemID FROM deletedItems) ORDER BY itemID"
        )
        return {
            number: Item(key, kind, libraries[library], modified)
            for number, key, kind, library, modified in self.rows(ask)
            if library in libraries
        }

    def fields(self) -> dict[int, dict[str, str]]:
        ask = (
            "SELECT itemID, fieldName, value FROM itemData JOIN fields USING (fieldID)"
            " JOIN itemDataValues USING (valueID)"
        )
        found: dict[int, dict[str, str]] = {}
        for number, name, value in self.rows(ask):
            found.setdefault(number, {})[name] = str(value)
        return found

    def people(self, items: dict[int, Item]) -> None:
        ask = (
            "SELECT itemID, creatorType, lastName, firstName FROM itemCreators JOIN creators USING (creatorID)"
            " JOIN creatorTypes USING (creatorTypeID) ORDER BY itemID, orderIndex"
        )
        for number, role, family, given in self.rows(ask):
            if number in items:
                items[number].people.append((role, family or "", given or ""))

    def tags(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for number, name in self.rows(
            "SELECT itemID, name FROM itemTags JOIN tags USING (tagID) ORDER BY itemID, name"
        ):
            found.setdefault(number, []).append(name)
        return found

    def collections(self, libraries: dict[int, str], items: dict[int, Item]) -> list[Collection]:
        binned = {
            number for (number,) in self.rows("SELECT collectionID FROM deletedCollections", "deletedCollections")
        }
        ask = "SELECT collectionID, collectionName, parentCollectionID, libraryID, key FROM collections"
        known = {row[0]: row for row in self.rows(ask) if row[3] in libraries and row[0] not in binned}
        names: dict[object, tuple[str, object]] = {number: (row[1], row[2]) for number, row in known.items()}
        paths = {number: path_of(number, names) for number in known}
        counts = dict.fromkeys(known, 0)
        for number, item in self.rows(
            "SELECT collectionID, itemID FROM collectionItems ORDER BY collectionID, orderIndex"
        ):
            if number in known and item in items:
                counts[number] += 1
                items[item].collections.append(paths[number])
        return in_order(Collection(row[4], paths[n], libraries[row[3]], counts[n]) for n, row in known.items())

    def attachments(self, items: dict[int, Item], fields: dict[int, dict[str, str]]) -> dict[int, Item]:
        """Which item each belongs to; one without a parent is an item of its own."""
        owners: dict[int, Item] = {}
        for number, parent, kind, path in self.rows(
            "SELECT itemID, parentItemID, contentType, path FROM itemAttachments"
        ):
            own, owner = items.get(number), items.get(parent if parent is not None else number)
            if own is None or owner is None:
                continue
            title = fields.get(number, {}).get("title", "")
            owner.attachments.append(Attachment(own.key, title, kind or "", _place(own.key, path or "")))
            owners[number] = owner
        return owners

    def annotations(self, items: dict[int, Item], owners: dict[int, Item], tags: dict[int, list[str]]) -> None:
        ask = (
            "SELECT itemID, parentItemID, type, text, comment, color, pageLabel, sortIndex, position"
            " FROM itemAnnotations"
        )
        for number, parent, kind, text, comment, colour, label, order, position in self.rows(ask, "itemAnnotations"):
            own, owner, attachment = items.get(number), owners.get(parent), items.get(parent)
            if own is None or owner is None or attachment is None:
                continue
            owner.annotations.append(
                Annotation(
                    own.key,
                    kind_of(kind),
                    text or "",
                    own.modified,
                    tuple(tags.get(number, ())),
                    comment=plain(comment or ""),
                    colour=colour or "",
                    page_label=label or "",
                    page=page_at(position),
                    attachment=attachment.key,
                    order=str(order or ""),
                )
            )

    def notes(self, items: dict[int, Item], tags: dict[int, list[str]]) -> None:
        for number, parent, note in self.rows("SELECT itemID, parentItemID, note FROM itemNotes"):
            own, owner = items.get(number), items.get(parent if parent is not None else number)
            if own is None or owner is None or own.kind != "note":
                continue
            if text := plain(note or ""):
                told = (own.modified, tuple(tags.get(number, ())))
                owner.annotations.append(Annotation(own.key, ITEM_NOTE, text, *told))


def load(connection: sqlite3.Connection) -> Loaded:
    reader = _Reader(connection)
    libraries = reader.libraries()
    everything, fields, tags = reader.items(libraries), reader.fields(), reader.tags()
    for number, item in everything.items():
        item.fields, item.tags = fields.get(number, {}), tags.get(number, [])
    reader.people(everything)
    collections = reader.collections(libraries, everything)
    owners = reader.attachments(everything, fields)
    reader.annotations(everything, owners, tags)
    reader.notes(everything, tags)
    return gathered(everything.values()), collections


def better_bibtex(path: Path) -> dict[str, str]:
    """Citekeys that the add-on keeps in a file of its own, by the items' keys; nothing where it has none."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            rows = connection.execute("SELECT itemKey, citationKey FROM citationkey").fetchall()
    except sqlite3.DatabaseError:
        return {}
    return {key: citekey for key, citekey in rows if citekey}


def _place(key: str, path: str) -> str:
    """Zotero writes `storage:NAME` for what it keeps itself."""
    return kept_at(key, path.removeprefix("storage:")) if path.startswith("storage:") else path
