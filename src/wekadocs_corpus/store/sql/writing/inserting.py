"""Documents into every table, many at a time: what must be known is asked for before, then nothing but rows go in."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import NamedTuple

from wekadocs_corpus.fields import Unfit
from wekadocs_corpus.graph.extraction.names import CONCEPT
from wekadocs_corpus.model import Place
from wekadocs_corpus.store.sql.connection import Connection
from wekadocs_corpus.store.writing.names import unpacked
from wekadocs_corpus.store.writing.nodes import DOCUMENT, ENTITY, SECTION, node
from wekadocs_corpus.store.writing.rows import Rows

from . import fields, names, vectors
from .spellings import Spellings

_SECTION = 'number, digest, document, ordinal, level, title, anchor, headings, "start", "end", parent'
_CHUNK = (
    'number, digest, document, section, ordinal, "start", "end", tokens, kind, continues, embedded_hash, name, '
    "own_text, terms"
)
_ENTITY = "number, digest, area, label, key, name"
_TABLES = ("documents", "sections", "chunks", "entities")


class Unwritten(Exception):
    """This document cannot be stored; without a reason: vectors it counts on have been tidied away meanwhile."""

    def __init__(self, document_id: str, reason: str = "") -> None:
        super().__init__(reason)
        self.document_id = document_id
        self.reason = reason


class SomeUnwritten(Exception):
    """One of several documents cannot be stored: where rows go together, the database does not say which."""


class Numbered(NamedTuple):
    """A document with the numbers that its rows get: of its sections and chunks the first."""

    document: Rows
    number: int
    section: int
    chunk: int

    @property
    def sections(self) -> list[tuple[int, str]]:
        """Number and id of each."""
        return [(self.section + place, row[0].hex()) for place, row in enumerate(self.document.sections)]


@contextmanager
def blaming(connection: Connection, documents: Sequence[Rows]) -> Iterator[None]:
    """Whatever cannot be stored now is of these documents."""
    try:
        yield
    except Unfit as problem:
        raise _unwritten(documents, str(problem)) from problem
    except (UnicodeEncodeError, OverflowError) as problem:
        raise _unwritten(documents, type(problem).__name__) from problem
    except connection.unfit as problem:
        raise _unwritten(documents, type(problem).__name__) from problem


def _unwritten(documents: Sequence[Rows], reason: str) -> Exception:
    return Unwritten(documents[0].document_id, reason) if len(documents) == 1 else SomeUnwritten(reason)


class Inserting:
    """Documents that are not there, into one transaction."""

    def __init__(self, connection: Connection, documents: Sequence[Rows]) -> None:
        self._connection = connection
        asked = connection.ask_all([(f"SELECT coalesce(max(number), 0) FROM {table}", ()) for table in _TABLES])
        document, section, chunk, self._entity = (1 + int(rows.fetchone()[0]) for rows in asked)
        self.documents: list[Numbered] = []
        for each in documents:
            self.documents.append(Numbered(each, document, section, chunk))
            document, section, chunk = document + 1, section + len(each.sections), chunk + len(each.chunks)

    def texts(self, projects: dict[str, int]) -> None:
        """Documents with sections and chunks; `projects`: their numbers."""
        declared = fields.Declared(self._connection, projects)
        with_words = Counter[int]()
        for each in self.documents:
            with blaming(self._connection, [each.document]):
                self._insert_document(each)
                self._insert_sections(each)
                project = projects[each.document.place.project_id]
                with_words[project] += self._insert_chunks(each, project, declared)
        for project, more in with_words.items():
            count(self._connection, project, more)

    def vectors(self) -> None:
        models = dict.fromkeys(each.document.model for each in self.documents)
        for model in models:
            documents = [each.document for each in self.documents if each.document.model == model]
            given = {name: vector for each in documents for name, vector in each.vectors.items()}
            vectors.insert(self._connection, model, given)
            wanted = {name for each in documents for name in each.hashes if name not in given}
            gone = vectors.missing(self._connection, model, wanted)
            for each in documents if gone else ():
                if not gone.isdisjoint(each.hashes):
                    raise Unwritten(each.document_id)

    def graph(self) -> dict[str, int]:
        """Which concepts are new, each with its number."""
        named = [list(unpacked(each.document.names)) for each in self.documents]
        wanted = {row[0] for each in self.documents for row in each.document.entities}
        wanted |= {name.concept for some in named for name in some}
        stored = self._stored(sorted(wanted))
        known = {each: number for each, number, _ in stored}
        new, concepts = self._insert_entities(known)
        entities = known | new
        self._spell(entities, Spellings((number, name) for _, number, name in stored))
        for each, own in zip(self.documents, named, strict=True):
            with blaming(self._connection, [each.document]):
                self._insert_edges(each, entities)
                names.put(self._connection, each.number, each.document.names, own)
                names.connect(self._connection, each.number, own, known, each.sections)
        return concepts

    def _insert_document(self, each: Numbered) -> None:
        where_and_what, file = each.document.document[:12], each.document.document[12:]
        row = (each.number, *where_and_what, time.time(), *file)
        self._connection.put(f"INSERT INTO documents VALUES ({_marks(24)})", [row])
        tags = [(each.number, tag) for tag in each.document.tags]
        self._connection.put("INSERT INTO other_tags VALUES (?, ?)", tags)

    def _insert_sections(self, each: Numbered) -> None:
        rows = [
            (number, row[0], each.number, *row[1:-1], None if row[-1] is None else each.section + row[-1])
            for number, row in enumerate(each.document.sections, each.section)
        ]
        self._connection.put(f"INSERT INTO sections ({_SECTION}) VALUES ({_marks(11)})", rows)

    def _insert_chunks(self, each: Numbered, project: int, declared: fields.Declared) -> int:
        """How many of them have words."""
        rows = [
            (number, row[0], each.number, each.section + row[1], *row[2:])
            for number, row in enumerate(each.document.chunks, each.chunk)
        ]
        self._connection.put(f"INSERT INTO chunks ({_CHUNK}) VALUES ({_marks(14)})", rows)
        declared.put(each.document.place.project_id, each.chunk, each.document.fields)
        worded = [(row[0], row[-1]) for row in rows if row[-1]]
        self._connection.words.put(self._connection, project, worded)
        return len(worded)

    def _insert_edges(self, each: Numbered, entities: dict[str, int]) -> None:
        document, number = each.document, each.number

        def end(of: int | str) -> int:
            if isinstance(of, str):
                return node(ENTITY, entities[of])
            return node(SECTION, each.section + of) if of >= 0 else node(DOCUMENT, number)

        edges = [(end(row[0]), row[1], end(row[2]), number, *row[3:]) for row in document.edges]
        edges.sort(key=itemgetter(0, 1, 2))  # of two alike the first counts
        self._connection.put(f"INSERT OR IGNORE INTO edges VALUES ({_marks(7)})", edges)
        rows = [(number, ordinal, each.section + row[0], *row[1:]) for ordinal, row in enumerate(document.links)]
        self._connection.put(f"INSERT INTO links VALUES ({_marks(8)})", rows)

    def _insert_entities(self, known: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
        """The numbers of those that were not there, and of the concepts among them."""
        numbers, concepts, areas = dict[str, int](), dict[str, int](), dict[tuple[str, str], int]()
        for each in self.documents:
            rows = [row for row in each.document.entities if row[0] not in known and row[0] not in numbers]
            for number, row in enumerate(rows, self._entity + len(numbers)):
                numbers[row[0]] = number
                if row[1] == CONCEPT:
                    concepts[row[0]] = number
            area = self._area(each.document.place, areas) if rows else 0
            made = [(numbers[row[0]], bytes.fromhex(row[0]), area, *row[1:]) for row in rows]
            with blaming(self._connection, [each.document]):
                self._connection.put(f"INSERT INTO entities ({_ENTITY}) VALUES ({_marks(6)})", made)
        return numbers, concepts

    def _stored(self, entities: list[str]) -> list[tuple[str, int, str]]:
        """Id, number and name of those that are there."""
        ask = "SELECT id, number, name FROM entities WHERE digest IN (SELECT id_key(value) FROM json_each(?))"
        return self._connection.execute(ask, (json.dumps(entities),)).fetchall()

    def _spell(self, entities: dict[str, int], spellings: Spellings) -> None:
        for each in self.documents:
            for row in each.document.entities:
                spellings.add(entities[row[0]], row)
        with blaming(self._connection, [each.document for each in self.documents]):
            spellings.put(self._connection)

    def _area(self, place: Place, areas: dict[tuple[str, str], int]) -> int:
        where = (place.project_id, place.environment)
        if where not in areas:
            self._connection.execute("INSERT OR IGNORE INTO areas (project, environment) VALUES (?, ?)", where)
            ask = "SELECT number FROM areas WHERE project = ? AND environment = ?"
            areas[where] = int(self._connection.execute(ask, where).fetchone()[0])
        return areas[where]


def count(connection: Connection, project: int, more: int) -> None:
    """So many more chunks of the project have words."""
    if more:
        connection.execute("UPDATE projects SET chunks = chunks + ? WHERE number = ?", (more, project))


def _marks(count: int) -> str:
    return ", ".join("?" * count)
