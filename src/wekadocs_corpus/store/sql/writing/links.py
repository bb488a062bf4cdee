"""Links become edges as soon as both ends are there, whichever comes first."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from wekadocs_corpus.graph.extraction.wiki_names import WIKI
from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.nodes import DOCUMENT, SECTION, TYPE, node, path_key, rank
from wekadocs_corpus.store.writing.packing import pack_spans

from . import page_names
from .inserting import Numbered
from .page_names import Called

_LINKS_TO = TYPE["REFERENCES"]  # the old graph's name for it
_PAGES = (".md", ".mdx", ".html")  # what a link without a suffix, or to a built page, may mean
_ROOT = 5  # its place in a document's row
_FRONT_PAGES = ("index", "README")  # what a link to a folder means
_Known = dict[str, list[tuple[int, str]]]  # path → documents there, each with its root
_LINK = 'l.document, d.root, d.path, l.section, s.id, target_path, target_anchor, l."start", l."end"'


_INSIDE = "CROSS JOIN documents AS d ON d.number = l.document CROSS JOIN sections AS s ON s.number = l.section"


class _Link(NamedTuple):
    document: int
    root: str  # of the document
    from_path: str
    section: int
    section_id: str
    path: str
    anchor: str
    start: int
    end: int


# CROSS JOIN: without statistics SQLite would begin with all documents of the project instead of the few paths.
def connect(connection: Connection, documents: Sequence[Numbered]) -> set[int]:
    """Make the edges of the documents' own links, and of all links that mean one of them.

    The other documents whose links mean another document from now on.
    """
    called = {each.number: page_names.forms(each.document.place.path, each.document.title) for each in documents}
    page_names.enter(connection, called)
    moved = set[int]()
    for beside in _by_place(documents):
        place = beside[0].document.place
        _insert(connection, place, [link for each in beside for link in _own(each)], None)
        forms = {each.number: [*spellings(each.document.place.path), *called[each.number]] for each in beside}
        meant = _meaning(connection, place, [form for some in forms.values() for form in some], forms.keys())
        shared = _shared(connection, place, meant)
        _insert(connection, place, [link for link in meant if link.document not in shared], forms.keys())
        for each in sorted(shared):
            _connect_again(connection, place, each)
        moved |= shared
    return moved


def _by_place(documents: Sequence[Numbered]) -> Iterable[list[Numbered]]:
    """Those that links may mean each other in."""
    found: defaultdict[tuple[str, str, str], list[Numbered]] = defaultdict(list)
    for each in documents:
        place = each.document.place
        found[place.project_id, place.environment, place.repository].append(each)
    return found.values()


def _own(each: Numbered) -> Iterator[_Link]:
    root, path = each.document.document[_ROOT], each.document.place.path
    for place, _, target, anchor, start, end in each.document.links:
        section = each.sections[place]
        yield _Link(each.number, root, path, *section, target, anchor, start, end)


def reconnect(connection: Connection, place: Place, title: str) -> set[int]:
    """After a document is gone: wiki links that meant it may mean another of that name. Whose links they are."""
    moved = _shared(connection, place, _meaning(connection, place, page_names.forms(place.path, title), ()), least=1)
    for each in sorted(moved):
        _connect_again(connection, place, each)
    return moved


def _connect_own(connection: Connection, place: Place, document: int) -> None:
    own = connection.execute(f"SELECT {_LINK} FROM links AS l {_INSIDE} WHERE l.document = ?", (document,))
    _insert(connection, place, [_Link(*row) for row in own], None)


def _connect_again(connection: Connection, place: Place, document: int) -> None:
    connection.execute(f"DELETE FROM edges WHERE type = {_LINKS_TO} AND document = ?", (document,))
    _connect_own(connection, place, document)


def _shared(connection: Connection, place: Place, links: list[_Link], least: int = 2) -> set[int]:
    """The documents with a wiki link whose name several documents, or at least so many, go by."""
    called = page_names.called(connection, place, {link.path for link in links})
    return {link.document for link in links if len(called.get(link.path, ())) >= least}


def _meaning(connection: Connection, place: Place, forms: list[str], but: Collection[int]) -> list[_Link]:
    """Links that are written in one of these forms, but those of some documents."""
    keys, wanted = sorted({*map(path_key, forms)}), {*forms}
    others = connection.execute(
        f"SELECT {_LINK} FROM json_each(?) AS form "
        f"CROSS JOIN links AS l ON target_key = CAST(form.value AS INTEGER) {_INSIDE} "
        "WHERE project = ? AND environment = ? AND repository = ?",
        (json.dumps(keys), place.project_id, place.environment, place.repository),
    )
    links = (_Link(*row) for row in others)
    return [link for link in links if link.path in wanted and link.document not in but]


def disconnect(connection: Connection, document: int) -> None:
    """Take away what other documents' links point at in this one; its own edges go with its row."""
    connection.execute(
        f"DELETE FROM edges WHERE type = {_LINKS_TO} AND document != ?1 AND target IN "
        f"(SELECT ?1 << 2 | {DOCUMENT} UNION ALL SELECT number << 2 | {SECTION} FROM sections WHERE document = ?1)",
        (document,),
    )


def pages(target: str) -> list[str]:
    """The paths a link's target may mean."""
    if target.startswith(WIKI):
        return []
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


def _documents(connection: Connection, place: Place, paths: Iterable[str]) -> _Known:
    """Which of these paths are documents beside the given one."""
    rows = connection.execute(
        "SELECT d.path, d.number, d.root FROM json_each(?) AS wanted CROSS JOIN documents AS d "
        "INDEXED BY documents_by_path ON project = ? AND d.path = wanted.value "
        "WHERE environment = ? AND repository = ?",
        (json.dumps(sorted(paths)), place.project_id, place.environment, place.repository),
    )
    found: _Known = defaultdict(list)
    for path, document, root in rows:
        found[path].append((document, root))
    return found


def _insert(connection: Connection, place: Place, links: list[_Link], only: Collection[int] | None) -> None:
    """The edges that these links make, all of them or those to some documents."""
    if not links:
        return
    targets = {link.path for link in links}
    known = _documents(connection, place, {path for target in targets for path in pages(target)})
    called = page_names.called(connection, place, targets)
    anchors = _anchors(connection, links, known, called)
    found: defaultdict[tuple[int, int, int, str], list[tuple[int, int]]] = defaultdict(list)
    for link in links:
        meant = _named(called, link) if link.path.startswith(WIKI) else _targets(known, link.path, link.root)
        for target in meant if only is None else meant.intersection(only):
            section = anchors.get((target, link.anchor))
            if section is not None or target != link.document:
                end = node(DOCUMENT, target) if section is None else node(SECTION, section)
                found[link.section, end, link.document, link.section_id].append((link.start, link.end))
    # Not OR REPLACE: for the sake of a foreign key it makes full text write out what it holds; none is there yet.
    connection.put(
        "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (node(SECTION, source), _LINKS_TO, target, document, rank(name), len(spans), pack_spans(spans))
            for (source, target, document, name), spans in found.items()
        ],
    )


def _targets(known: _Known, path: str, root: str) -> set[int]:
    """The documents a path means; one that was ingested with the link's own root is nearer than any other."""
    found = [each for page in pages(path) for each in known.get(page, ())]
    return {document for document, its in found if its == root} or {document for document, _ in found}


def _named(called: Mapping[str, list[Called]], link: _Link) -> set[int]:
    best = page_names.nearest(called.get(link.path, ()), link.root, link.from_path)
    return set() if best is None else {best}


def _anchors(
    connection: Connection, links: list[_Link], known: _Known, called: Mapping[str, list[Called]]
) -> dict[tuple[int, str], int]:
    """The sections that the links name, by document and anchor."""
    wanted = {link.anchor for link in links if link.anchor}
    if not wanted or not (known or called):
        return {}
    paths = {document for each in known.values() for document, _ in each}
    documents = sorted(paths | {each.document for some in called.values() for each in some})
    rows = connection.execute(
        "SELECT document, anchor, number FROM sections "
        "WHERE document IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) "
        "AND anchor IN (SELECT value FROM json_each(?))",
        (json.dumps(documents), json.dumps(sorted(wanted))),
    )
    return {(document, anchor): section for document, anchor, section in rows}
