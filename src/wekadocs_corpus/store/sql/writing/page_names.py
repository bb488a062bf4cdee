"""What wiki links call documents by: found by name whichever of the two comes first, the nearest of several."""

from __future__ import annotations

import json
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from wekadocs_corpus.graph.extraction.wiki_names import WIKI, wiki_names
from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.nodes import path_key


class Called(NamedTuple):
    """A document that goes by a name."""

    document: int
    root: str
    path: str
    rank: int  # of the name among the document's own


def forms(path: str, title: str) -> list[str]:
    """The targets of wiki links that mean this document."""
    return [WIKI + name for name in wiki_names(path, title)]


def enter(connection: Connection, documents: Mapping[int, list[str]]) -> None:
    """From now on each document goes by its forms."""
    keys = {(path_key(form), document) for document, names in documents.items() for form in names}
    connection.put("INSERT OR IGNORE INTO page_names VALUES (?, ?)", sorted(keys))


def leave(connection: Connection, document: int) -> None:
    row = connection.execute("SELECT path, title FROM documents WHERE number = ?", (document,)).fetchone()
    keys = {(path_key(form), document) for form in forms(*row)} if row else ()
    connection.executemany("DELETE FROM page_names WHERE name_key = ? AND document = ?", sorted(keys))


def called(connection: Connection, place: Place, targets: Iterable[str]) -> dict[str, list[Called]]:
    """Target → the documents of the same place that go by that name."""
    wanted = {path_key(target): target for target in targets if target.startswith(WIKI)}
    found: dict[str, list[Called]] = defaultdict(list)
    if not wanted:
        return found
    rows = connection.execute(
        "SELECT name_key, d.number, d.root, d.path, d.title FROM json_each(?) AS wanted "
        "CROSS JOIN page_names ON name_key = CAST(wanted.value AS INTEGER) "
        "CROSS JOIN documents AS d ON d.number = document "
        "WHERE project = ? AND environment = ? AND repository = ?",
        (json.dumps(sorted(wanted)), place.project_id, place.environment, place.repository),
    )
    for key, document, root, path, title in rows:
        own = forms(path, title)
        if wanted[key] in own:
            found[wanted[key]].append(Called(document, root, path, own.index(wanted[key])))
    return found


def nearest(among: Iterable[Called], root: str, path: str) -> int | None:
    """The one that a page of this root and path means: by its path before its title, then the one nearest to it."""

    def distance(each: Called) -> tuple[object, ...]:
        whole = each.rank == 0
        by_title = each.rank >= each.path.count("/") + 1
        apart = posixpath.dirname(each.path) != posixpath.dirname(path)
        return each.root != root, not whole, by_title, apart, each.path.count("/"), each.path, each.document

    best = min(among, key=distance, default=None)
    return best.document if best else None
