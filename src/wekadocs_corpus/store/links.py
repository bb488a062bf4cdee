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
_Row = tuple[str, str, str, str, int, int]  # document, section, path, anchor, start, end


# CROSS JOIN: without statistics SQLite would begin with all documents of the project instead of the few paths.
def connect(connection: sqlite3.Connection, place: Place) -> None:
    """Make the edges of the document's own links and of all links that mean it."""
    own = connection.execute(
        'SELECT document_id, section_id, target_path, target_anchor, "start", "end" FROM links WHERE document_id = ?',
        (place.document_id,),
    ).fetchall()
    _insert(connection, place, own, _documents(connection, place, {path for row in own for path in pages(row[2])}))
    others = connection.execute(
        'SELECT l.document_id, section_id, target_path, target_anchor, "start", "end" FROM json_each(?) AS spelling '
        "CROSS JOIN links AS l ON target_path = spelling.value CROSS JOIN documents AS d ON d.id = l.document_id "
        "WHERE project = ? AND environment = ? AND repository = ? AND d.id != ?",
        (json.dumps(spellings(place.path)), place.project_id, place.environment, place.repository, place.document_id),
    ).fetchall()
    _insert(connection, place, others, {place.path: place.document_id})


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


def _documents(connection: sqlite3.Connection, place: Place, paths: Iterable[str]) -> dict[str, str]:
    """Which of these paths are documents beside the given one."""
    rows = connection.execute(
        "SELECT d.path, d.id FROM json_each(?) AS wanted CROSS JOIN documents AS d INDEXED BY documents_by_path "
        "ON project = ? AND d.path = wanted.value WHERE environment = ? AND repository = ?",
        (json.dumps(sorted(paths)), place.project_id, place.environment, place.repository),
    )
    return dict(rows.fetchall())


def _insert(connection: sqlite3.Connection, place: Place, links: list[_Row], known: dict[str, str]) -> None:
    found: defaultdict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
    anchors = _anchors(connection, links, known)
    for document, section, path, anchor, start, end in links:
        for target in {known[page] for page in pages(path) if page in known}:
            place_in_it = anchors.get((target, anchor), target)
            if place_in_it != document:
                found[section, place_in_it, document].append((start, end))
    connection.executemany(
        "INSERT OR REPLACE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (source, LINKS_TO, target, document, place.project_id, place.environment, len(spans), json.dumps(spans))
            for (source, target, document), spans in found.items()
        ],
    )


def _anchors(connection: sqlite3.Connection, links: list[_Row], known: dict[str, str]) -> dict[tuple[str, str], str]:
    """The sections that the links name, by document and anchor."""
    wanted = {row[3] for row in links if row[3]}
    if not wanted or not known:
        return {}
    rows = connection.execute(
        "SELECT document_id, anchor, id FROM sections WHERE document_id IN (SELECT value FROM json_each(?)) "
        "AND anchor IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(set(known.values()))), json.dumps(sorted(wanted))),
    )
    return {(document, anchor): section for document, anchor, section in rows}
