"""A zotero.sqlite as Zotero 7 lays it out (userdata 120 and later), with one of everything that is asked for."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

_TABLES = Path(__file__).with_name("zotero.sql")
_TYPES = {"annotation": 1, "attachment": 2, "note": 3, "book": 7, "journalArticle": 22}


class ZoteroLibrary:
    """Written as Zotero writes: every value and tag once, children by their parents' numbers."""

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path)
        self.connection.executescript(_TABLES.read_text())

    def item(self, kind: str, key: str, library: int = 1, modified: str = "2026-01-01 10:00:00", **fields: str) -> int:
        row = (_TYPES[kind], modified, library, key)
        number = self._insert("INSERT INTO items (itemTypeID, dateModified, libraryID, key) VALUES (?, ?, ?, ?)", *row)
        for name, value in fields.items():
            field, kept = self._named("fields", "fieldName", name), self._named("itemDataValues", "value", value)
            self._insert("INSERT INTO itemData VALUES (?, ?, ?)", number, field, kept)
        return number

    def people(self, item: int, *names: tuple[str, str], role: int = 1) -> None:
        for place, (family, given) in enumerate(names):
            insert = "INSERT INTO creators (firstName, lastName, fieldMode) VALUES (?, ?, 0)"
            self._insert(
                "INSERT INTO itemCreators VALUES (?, ?, ?, ?)", item, self._insert(insert, given, family), role, place
            )

    def tag(self, item: int, *names: str) -> None:
        for name in names:
            self._insert("INSERT INTO itemTags VALUES (?, ?, 0)", item, self._named("tags", "name", name))

    def collection(self, name: str, key: str, *items: int, parent: int | None = None) -> int:
        insert = "INSERT INTO collections (collectionName, parentCollectionID, libraryID, key) VALUES (?, ?, 1, ?)"
        number = self._insert(insert, name, parent, key)
        for item in items:
            self._insert("INSERT INTO collectionItems VALUES (?, ?, 0)", number, item)
        return number

    def attachment(self, parent: int | None, key: str, path: str, title: str = "PDF") -> int:
        number = self.item("attachment", key, title=title)
        insert = (
            "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path) VALUES (?, ?, 0, ?, ?)"
        )
        self._insert(insert, number, parent, "application/pdf", path)
        return number

    def annotation(self, attachment: int, key: str, kind: int, text: str | None, page: int, **more: Any) -> int:
        number = self.item("annotation", key)
        given = (text, more.get("comment"), more.get("color", "#ffd400"), more.get("label", str(page)))
        place = (f"{page - 1:05d}|000100|00000", json.dumps({"pageIndex": page - 1, "rects": [[1, 2, 3, 4]]}))
        insert = "INSERT INTO itemAnnotations VALUES (?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, 0)"
        self._insert(insert, number, attachment, kind, *given, *place)
        return number

    def note(self, parent: int | None, key: str, html: str) -> int:
        number = self.item("note", key)
        self._insert("INSERT INTO itemNotes VALUES (?, ?, ?, '')", number, parent, html)
        return number

    def bin(self, item: int) -> None:
        self._insert("INSERT INTO deletedItems (itemID) VALUES (?)", item)

    def _named(self, table: str, column: str, value: str) -> int:
        row = self.connection.execute(f"SELECT rowid FROM {table} WHERE {column} = ?", (value,)).fetchone()
        return row[0] if row else self._insert(f"INSERT INTO {table} ({column}) VALUES (?)", value)

    def _insert(self, statement: str, *values: object) -> int:
        return int(self.connection.execute(statement, values).lastrowid or 0)


def opened(path: Path) -> sqlite3.Connection:
    """To be read."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)


def sample(path: Path) -> ZoteroLibrary:
    made = ZoteroLibrary(path)
    evans = made.item(
        *("book", "EVANS001"),
        **{"title": "Domain-Driven Design", "date": "2003-08-00 August 2003", "DOI": "10.5555/861502"},
        **{"publisher": "Addison-Wesley", "extra": "Citation Key: evans2003\nother: x", "abstractNote": "On models."},
    )
    made.people(evans, ("Evans", "Eric"))
    made.tag(evans, "architecture", "domain")
    martin = made.item(
        *("journalArticle", "MARTIN01"),
        modified="2026-02-01 10:00:00",
        **{"title": "Clean Architecture, revisited", "date": "2017", "citationKey": "martin2017"},
        **{"publicationTitle": "Journal of Façades", "url": "https://example.org/clean"},
    )
    made.people(martin, ("Martin", "Robert C."), ("Müller", "José"))
    made.tag(martin, "architecture")
    gone = made.item("book", "GONE0001", title="In the bin")
    made.bin(gone)
    made.item("book", "GROUP001", library=2, title="Of the group", extra="Citation Key: group1")
    made.item("book", "FEED0001", library=3, title="Of a feed")
    thesis = made.collection("Thesis", "COLL0001", evans)
    made.collection("Chapter 1", "COLL0002", martin, gone, parent=thesis)
    pdf = made.attachment(evans, "PDF00001", "storage:Evans - DDD.pdf")
    made.annotation(
        pdf, "ANN00002", 1, "An object defined primarily by its identity is called an ENTITY.", 91, label="65"
    )
    made.annotation(pdf, "ANN00001", 1, "Value objects", 12, color="#FF6666", comment="<b>Key</b> idea", label="xii")
    note = made.annotation(pdf, "ANN00003", 2, None, 92, comment="Compare with Martin.", color="#2ea8e5")
    made.tag(note, "todo")
    made.bin(made.annotation(pdf, "ANN00004", 1, "Deleted mark", 5))
    made.note(evans, "NOTE0001", "<p>First &amp; second.</p><ul><li>A point</li></ul>")
    made.note(None, "NOTE0002", "<p>On its own.</p>")
    made.connection.commit()
    return made
