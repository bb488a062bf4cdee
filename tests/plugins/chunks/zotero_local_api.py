"""Zotero's local API (version 3) on loopback, in the shapes that its source and documentation give, over a library."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import zotero_library

_MARKS = {1: "highlight", 2: "note", 3: "image", 4: "ink", 5: "underline"}
_LIBRARIES = {"users/0": (1, {"type": "user", "id": 0, "name": ""})}
_LIBRARIES["groups/77"] = (2, {"type": "group", "id": 77, "name": "Reading group"})
Answer = tuple[int, str, str]


class LocalZotero:
    """What it was asked stands in `asked`; `enabled` is Zotero's switch."""

    def __init__(self, database: Path) -> None:
        self.database, self.enabled, self.asked = database, True, list[tuple[str, str]]()
        self.url = ""
        self.instead: Answer | None = None  # what it says to everything
        self.held: threading.Event | None = None  # it answers when this is set

    def answer(self, path: str, asked: dict[str, str]) -> Answer:
        if self.held is not None:
            self.held.wait(30)
        if self.instead is not None:
            return self.instead
        if not self.enabled:
            return 403, "text/plain", "Local API is not enabled"
        if asked.get("v", "3") != "3":
            return 501, "text/plain", f"API version not implemented: {asked['v']}"
        found = self._found(path)
        if found is None:
            return 404, "text/plain", "Not found"
        if "sort" in asked:
            found.sort(key=lambda each: each["data"].get(asked["sort"], ""), reverse=asked.get("direction") == "desc")
        start, limit = int(asked.get("start", 0)), int(asked.get("limit", 0))
        found = found[start : start + limit if limit else None]
        if asked.get("format") == "keys":
            return 200, "text/plain", "\n".join(each["key"] for each in found)
        return 200, "application/json", json.dumps(found, indent=4)

    def _found(self, path: str) -> list[dict[str, Any]] | None:
        if path == "users/0/groups":
            about = {"id": 77, "version": 3, "name": "Reading group", "type": "Private", "description": ""}
            return [{"id": 77, "version": 3, "links": {}, "meta": {"numItems": 1}, "data": about}]
        place, _, kind = path.rpartition("/")
        if place not in _LIBRARIES or kind not in ("items", "collections"):
            return None
        number, library = _LIBRARIES[place]
        with closing(zotero_library.opened(self.database)) as connection:
            described = _items if kind == "items" else _collections
            return [{**each, "library": library, "links": {}} for each in described(connection, number)]


def _items(connection: Any, library: int) -> Iterator[dict[str, Any]]:
    keys = dict(connection.execute("SELECT itemID, key FROM items"))
    ask = (
        "SELECT itemID, key, typeName, dateModified FROM items JOIN itemTypes USING (itemTypeID)"
        " WHERE libraryID = ? AND itemID NOT IN (SELECT itemID FROM deletedItems)"
    )
    for number, key, kind, modified in connection.execute(ask, (library,)):
        moment = modified.replace(" ", "T") + "Z"
        data: dict[str, Any] = {"key": key, "version": 5, "itemType": kind, "title": "", "url": "", "relations": {}}
        meta: dict[str, Any] = {"numChildren": 0}
        data |= {"dateAdded": moment, "dateModified": moment, **_fields(connection, number)}
        if "date" in data:
            parsed, _, shown = data["date"].partition(" ")
            meta["parsedDate"], data["date"] = parsed.removesuffix("-00"), shown or parsed
        data["tags"] = [{"tag": name} for name in _tags(connection, number)]
        data |= _hanging(connection, number, kind, keys)
        if kind not in ("attachment", "note", "annotation"):
            data["creators"] = _people(connection, number)
        if "parentItem" not in data:
            data["collections"] = _in_collections(connection, number)
        yield {"key": key, "version": 5, "meta": meta, "data": data}


def _fields(connection: Any, item: int) -> dict[str, str]:
    ask = "SELECT fieldName, value FROM itemData JOIN fields USING (fieldID) JOIN itemDataValues USING (valueID)"
    return dict(connection.execute(f"{ask} WHERE itemID = ?", (item,)))


def _tags(connection: Any, item: int) -> list[str]:
    ask = "SELECT name FROM itemTags JOIN tags USING (tagID) WHERE itemID = ?"
    return [name for (name,) in connection.execute(ask, (item,))]


def _people(connection: Any, item: int) -> list[dict[str, str]]:
    ask = (
        "SELECT creatorType, firstName, lastName FROM itemCreators JOIN creators USING (creatorID)"
        " JOIN creatorTypes USING (creatorTypeID) WHERE itemID = ? ORDER BY orderIndex"
    )
    return [
        {"creatorType": role, "firstName": given, "lastName": family}
        if given
        else {"creatorType": role, "name": family}
        for role, given, family in connection.execute(ask, (item,))
    ]


def _in_collections(connection: Any, item: int) -> list[str]:
    ask = "SELECT key FROM collectionItems JOIN collections USING (collectionID) WHERE itemID = ?"
    return [key for (key,) in connection.execute(ask, (item,))]


def _hanging(connection: Any, item: int, kind: str, keys: dict[int, str]) -> dict[str, Any]:
    if kind == "attachment":
        ask = "SELECT parentItemID, contentType, path FROM itemAttachments WHERE itemID = ?"
        parent, content, path = connection.execute(ask, (item,)).fetchone()
        told = {"linkMode": "imported_file", "contentType": content, "filename": path.removeprefix("storage:")}
    elif kind == "note":
        parent, note = connection.execute(
            "SELECT parentItemID, note FROM itemNotes WHERE itemID = ?", (item,)
        ).fetchone()
        told = {"note": note}
    elif kind == "annotation":
        columns = "parentItemID, type, text, comment, color, pageLabel, sortIndex, position"
        row = connection.execute(f"SELECT {columns} FROM itemAnnotations WHERE itemID = ?", (item,)).fetchone()
        parent, number, text, comment, color, label, order, position = row
        told = {"annotationType": _MARKS[number], "annotationComment": comment or "", "annotationColor": color}
        told |= {"annotationText": text} if number in (1, 5) else {}
        told |= {"annotationPageLabel": label, "annotationSortIndex": order, "annotationPosition": position}
    else:
        return {}
    return told | ({"parentItem": keys[parent]} if parent else {})


def _collections(connection: Any, library: int) -> Iterator[dict[str, Any]]:
    keys = dict(connection.execute("SELECT collectionID, key FROM collections"))
    ask = "SELECT key, collectionName, parentCollectionID FROM collections WHERE libraryID = ?"
    for key, name, parent in connection.execute(ask, (library,)):
        data = {"key": key, "version": 5, "name": name, "parentCollection": keys.get(parent, False), "relations": {}}
        yield {"key": key, "version": 5, "meta": {"numCollections": 0, "numItems": 1}, "data": data}


@contextmanager
def running(database: Path) -> Iterator[LocalZotero]:
    zotero = LocalZotero(database)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            zotero.asked.append((self.command, self.path))
            status, kind, body = zotero.answer(parts.path.removeprefix("/api/"), dict(parse_qsl(parts.query)))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Zotero-API-Version", "3")
            if 300 <= status < 400:
                self.send_header("Location", body)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    zotero.url = f"http://127.0.0.1:{server.server_port}/api"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield zotero
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
