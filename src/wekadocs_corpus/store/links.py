"""Links become edges as soon as both ends are there, whichever comes first."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from wekadocs_corpus.model import Place

LINKS_TO = "REFERENCES"  # the old graph's name for it
_PAGES = (".md", ".mdx", ".html")  # what a link without a suffix, or to a built page, may mean
_FRONT_PAGES = ("index", "README")  # what a link to a folder means
_Row = tuple[str, str, str, str, str, int, int]  # document, its root, section, path, anchor, start, end
_Known = dict[str, list[tuple[str, str]]]  # path → documents there, each with its root
_LINK = 'd.id, d.root, section_id, target_path, target_anchor, "start", "end"'


# CROSS JOIN: without statistics SQLite would begin with all documents of the project instead of the few paths.
def connect(connection: sqlite3.Connection, place: Place, *, linking: bool = True) -> None:
    """Make the edges of the document's own links, if it has any, and of all links that mean it."""
    document = place.document_id
    if linking:
        ask = f"SELECT {_LINK} FROM links AS l JOIN documents AS d ON d.id = l.document_id WHERE l.document_id = ?"
        _insert(connection, place, connection.execute(ask, (document,)).fetchall(), None)
    others = connection.execute(
        f"SELECT {_LINK} FROM json_each(?) AS spelling CROSS JOIN links AS l ON target_path = spelling.value "
        "CROSS JOIN documents AS d ON d.id = l.document_id "
        "WHERE project = ? AND environment = ? AND repository = ? AND d.id != ?",
        (json.dumps(spellings(place.path)), place.project_id, place.environment, place.repository, document),
    )
    _insert(connection, place, others.fetchall(), document)


def disconnect(connection: sqlite3.Connection, document_id: str) -> None:
    """Take away what other documents' links point at in this one; its own edges go with its row."""
    connection.execute(
        "DELETE FROM edges WHERE type = ? AND document_id != ? AND target IN "
        "(SELECT ? UNION ALL SELECT id FROM sections WHERE document_id = ?)",
        (LINKS_TO, document_id, document_id, document_id),
    )


def pages(target: str) -> list[str]:
    """The paths a link's target may mean."""
    path = target.strip("/")
    bare, suffix = _split(path)
    if suffix and suffix not in (".html", ".htm"):
        return [path]
    fronts = [f"{bare}/{name}{page}".lstrip("/") for name in _FRONT_PAGES for page in _PAGES] if not suffix else []
    return list(dict.fromkeys([path, *(bare + page for page in _PAGES if bare), *fronts]))


def spellings(path: str) -> list[str]:
    """The targets that mean this path: `path in pages(each)` for all of them, with and without a closing slash."""
    bare, suffix = _split(path)
    found = [path]
    if suffix in _PAGES:
        found += [bare, f"{bare}.html", f"{bare}.htm"]
        folder, _, name = bare.rpartition("/")
        found += [folder] if name in _FRONT_PAGES else []
    return list(dict.fromkeys(form for each in found for form in (each, f"{each}/", f"/{each}", f"/{each}/")))


def _split(path: str) -> tuple[str, str]:
    suffix = PurePosixPath(path).suffix
    suffix = suffix if suffix[1:2].isalpha() else ""  # `v1.2` is a name, not a kind of file
    return (path[: -len(suffix)], suffix) if suffix else (path, "")


def _documents(connection: sqlite3.Connection, place: Place, paths: Iterable[str]) -> _Known:
    """Which of these paths are documents beside the given one."""
    rows = connection.execute(
        "SELECT d.path, d.id, d.root FROM json_each(?) AS wanted CROSS JOIN documents AS d "
        "INDEXED BY documents_by_path ON project = ? AND d.path = wanted.value "
        "WHERE environment = ? AND repository = ?",
        (json.dumps(sorted(paths)), place.project_id, place.environment, place.repository),
    )
    found: _Known = defaultdict(list)
    for path, document, root in rows:
        found[path].append((document, root))
    return found


def _insert(connection: sqlite3.Connection, place: Place, links: list[_Row], only: str | None) -> None:
    """The edges that these links make, all of them or those to one document."""
    if not links:
        return
    known = _documents(connection, place, {path for row in links for path in pages(row[3])})
    anchors = _anchors(connection, links, known)
    found: defaultdict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
    for document, root, section, path, anchor, start, end in links:
        for target in _targets(known, path, root) if only is None else _targets(known, path, root) & {only}:
            place_in_it = anchors.get((target, anchor), target)
            if place_in_it != document:
                found[section, place_in_it, document].append((start, end))
    # Not OR REPLACE: for the sake of a foreign key it makes full text write out what it holds; none is there yet.
    connection.executemany(
        "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (source, LINKS_TO, target, document, place.project_id, place.environment, len(spans), json.dumps(spans))
            for (source, target, document), spans in found.items()
        ],
    )


def _targets(known: _Known, path: str, root: str) -> set[str]:
    """The documents a path means; one that was ingested with the link's own root is nearer than any other."""
    found = [each for page in pages(path) for each in known.get(page, ())]
    return {document for document, its in found if its == root} or {document for document, _ in found}


def _anchors(connection: sqlite3.Connection, links: list[_Row], known: _Known) -> dict[tuple[str, str], str]:
    """The sections that the links name, by document and anchor."""
    wanted = {row[4] for row in links if row[4]}
    if not wanted or not known:
        return {}
    documents = sorted({document for each in known.values() for document, _ in each})
    rows = connection.execute(
        "SELECT document_id, anchor, id FROM sections WHERE document_id IN (SELECT value FROM json_each(?)) "
        "AND anchor IN (SELECT value FROM json_each(?))",
        (json.dumps(documents), json.dumps(sorted(wanted))),
    )
    return {(document, anchor): section for document, anchor, section in rows}
