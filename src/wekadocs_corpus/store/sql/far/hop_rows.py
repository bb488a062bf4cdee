"""What the one statement of a hop has answered, read: see hop.py."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from wekadocs_corpus.graph.interface import Relation
from wekadocs_corpus.graph.pages import related_rows
from wekadocs_corpus.graph.ties import End, Tie, crossings
from wekadocs_corpus.graph.walk import Step
from wekadocs_corpus.store.sql.reading.coverage import FIRST_CHUNKS, covered
from wekadocs_corpus.store.truth.rows import Coverage, Naming
from wekadocs_corpus.store.writing.names import named, short
from wekadocs_corpus.store.writing.nodes import DOCUMENT, TYPE, TYPES

from .pieces import Piece, piece

SPREAD, _EACH = 20, 50  # as `related_sections` has them
_DEFINES, _MENTIONS = TYPE["DEFINES"], TYPE["MENTIONS"]
Row = tuple[Any, ...]


class Rows:
    """By what they tell: t(ied), e(nds), l(inks), n(amed), s(ections), c(hunks), p(ieces)."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._of: dict[str, list[Row]] = defaultdict(list)
        for what, *row in rows:
            self._of[what].append(tuple(row))
        self._numbers: dict[str, int] = {row[3]: row[1] for what in "el" for row in self._of[what]}

    @property
    def pieces(self) -> Iterable[Piece]:
        for number, last, _, id, head, rows, _, text in self._of["p"]:
            yield piece((id, number, last, head, rows, text))

    def ways(self, seeds: Mapping[int, str]) -> list[tuple[str, str]]:
        """From a seed to what it is tied to or linked with."""
        ends: dict[tuple[int, int], list[End]] = defaultdict(list)
        for entity, _, kind, id, document, _, weight, _ in self._of["e"]:
            ends[entity, kind].append(End(id, document, weight))
        ties = [
            Tie(
                *(seeds[seed], document, id, label, TYPES[kind], weight, tuple(ends[entity, _DEFINES])),
                tuple(ends[entity, _MENTIONS]) if kind == _DEFINES else (),
            )
            for seed, entity, kind, id, document, label, weight, _ in self._of["t"]
        ]
        links = [
            Relation(*((seeds[seed], "REFERENCES", id) if leads else (id, "REFERENCES", seeds[seed])))
            for seed, _, leads, id, *_ in self._of["l"]
        ]
        kept = related_rows(
            dict.fromkeys(seeds.values()), crossings(ties, SPREAD), Step(tuple(dict.fromkeys(links))), _EACH
        )
        return list(dict.fromkeys((each.seed_id, each.other_id) for each in kept))

    def naming(self, concepts: Sequence[str]) -> list[Naming]:
        """Where these concepts are named."""
        sections = {document: json.loads(ids) for document, *_, ids, _, _ in self._of["s"]}
        places: dict[int, list[tuple[int, str, bytes]]] = defaultdict(list)
        for concept, number, _, document, _, _, _, packed in self._of["n"]:
            places[concept].append((number, document, packed))
        found = []
        for concept in concepts:
            for number, document, packed in places[short(concept)]:
                for name in named(packed, concept):
                    id, section = sections[number][name.section]
                    self._numbers[id] = section << 2 | 1
                    found.append(Naming(concept, id, document))
        return found

    def coverage(self, nodes: Iterable[str], terms: Collection[int]) -> list[Coverage]:
        """Of the chunks of these."""
        chunks = self._of["c"]
        in_section: dict[int, list[Row]] = defaultdict(list)
        in_document: dict[int, list[Row]] = defaultdict(list)
        for row in chunks:
            in_section[row[0]].append(row)
            if row[2] < FIRST_CHUNKS:
                in_document[row[1]].append(row)
        rows = []
        for each in nodes:
            number = self._numbers[each]
            found = (in_document if number & 3 == DOCUMENT else in_section)[number >> 2]
            rows += [(each, row[3], row[4], row[7]) for row in found]
        return covered(rows, terms)
