"""Random corpora and what every index must answer on them, by plain arithmetic over all chunks."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from made_documents import DIMENSION, MODEL, prepared, vector

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.fields import BeginsWith, Between, Field, FieldCondition, OneOf, Values
from wekadocs_corpus.model import Area, Filters, Leg, Prepared, Scope
from wekadocs_corpus.store.ranking import ranked
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

PROFILE = Profile(MODEL, DIMENSION)
PROJECTS, ENVIRONMENTS, TAGS, REPOSITORIES = ("p", "q"), ("prod", "dev"), ("a", "b", "c"), ("", "r1", "r2")
PATHS = ("docs/install.md", "docs/index.md", "do.md", "other/docs.md", "ünïcode/ß.md", "docs/install/linux.md")
TERMS = 30
FIELDS = (Field("tags", "keyword"), Field("year", "integer"), Field("worth", "float"), Field("heading", "prefix"))


@dataclass(frozen=True)
class Row:
    """A chunk as arithmetic sees it."""

    chunk: str
    document: Prepared
    terms: dict[int, float]
    vector: np.ndarray
    fields: Values


def corpus(seed: int, documents: int = 25) -> list[Prepared]:
    """Few distinct terms, weights and vectors, so that equal scores are common."""
    dice = random.Random(seed)
    made = []
    for number in range(documents):
        count = dice.randint(1, 5)
        terms = [
            {dice.randrange(TERMS): dice.choice((0.5, 1.0, 1.75)) for _ in range(dice.randint(0, 6))}
            for _ in range(count)
        ]
        made.append(
            prepared(
                f"{number % 7}-{dice.choice(PATHS)}" if dice.random() < 0.5 else dice.choice(PATHS),
                [f"body {seed} {number} {i}" for i in range(count)],
                terms,
                [vector(dice.randrange(12)) for _ in range(count)],
                project=dice.choice(PROJECTS),
                environment=dice.choice(ENVIRONMENTS),
                doc_tag=dice.choice(TAGS),
                other_tags=tuple(dice.sample((*TAGS, "d"), dice.choice((0, 0, 1, 3)))),
                repository=dice.choice(REPOSITORIES),
                updated_at=dice.choice((1000.0, 1000.25, 2000.5)),
                fields=_values(dice),
                chunk_fields=[_values(dice) for _ in range(count)],
            )
        )
    return list({each.document.id: each for each in made}.values())


def _values(dice: random.Random) -> Values:
    some = [
        *(("tags", tag) for tag in dice.sample(("x", "y", "1", "ü"), dice.randint(0, 2))),
        *(("year", year) for year in dice.sample((1, 1999, 2024, -(2**62)), dice.randint(0, 2))),
        *(("worth", worth) for worth in dice.sample((0.5, 1, 2.25, -1e300), dice.randint(0, 1))),
        *(("heading", each) for each in dice.sample(("In\x1fA", "In\x1fAb", "Über", "I"), dice.randint(0, 1))),
    ]
    return tuple(some) if dice.random() < 0.7 else ()


def _asked_fields(dice: random.Random) -> tuple[FieldCondition, ...]:
    every: tuple[FieldCondition, ...] = (
        *(OneOf("tags", ("x",)), OneOf("tags", ("y", "zz")), OneOf("tags", (1, "ü")), OneOf("tags", ())),
        *(OneOf("year", (2024, 1.0)), OneOf("year", ("1",)), OneOf("worth", (0.5, 1)), OneOf("unknown", ("x",))),
        *(Between("year", 1999), Between("year", None, 2000), Between("worth", 0.5, 1.5), Between("tags", 0)),
        *(
            BeginsWith("heading", "In\x1fA"),
            BeginsWith("heading", "Ü"),
            BeginsWith("heading", ""),
            BeginsWith("year", "1"),
        ),
    )
    return tuple(dice.sample(every, dice.choice((1, 1, 2)))) if dice.random() < 0.4 else ()


def declare(truth: SqliteTruth) -> None:
    for project in PROJECTS:
        truth.declare(project, FIELDS)


def question(dice: random.Random) -> tuple[Area, Filters, dict[int, float], list[float], int]:
    def some(of: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dice.sample(of, dice.choice((1, 2)))) if dice.random() < 0.3 else ()

    prefix = (
        dice.choice(("d", "docs/in", "docs/install.md", "ün", "zz", "docs/install.md/")) if dice.random() < 0.3 else ""
    )
    after = dice.choice((1000.0, 1000.2, 5000.0)) if dice.random() < 0.3 else None
    area = Area(dice.choice(("p", *PROJECTS)), dice.choice(ENVIRONMENTS), some((*TAGS, "d", "zz")), some(REPOSITORIES))
    words = {dice.randrange(TERMS + 5): dice.choice((1.0, 1.5)) for _ in range(dice.randint(1, 5))}
    asked = np.frombuffer(vector(dice.randrange(30)), "<f2").astype(np.float32)
    return (
        area,
        Filters(some(TAGS), prefix, after, _asked_fields(dice)),
        words,
        asked.tolist(),
        dice.choice((1, 3, 10, 50)),
    )


def rows(documents: list[Prepared]) -> list[Row]:
    found = []
    for each in documents:
        for chunk, packed, name in zip(each.document.parsed.chunks, each.terms, each.embedded_hashes, strict=True):
            half = len(packed) // 2
            ids, weights = np.frombuffer(packed[:half], "<u4").tolist(), np.frombuffer(packed[half:], "<f4").tolist()
            dense = np.frombuffer(each.vectors[name], "<f2").astype(np.float32)
            terms = dict(zip(ids, weights, strict=True))
            found.append(Row(chunk.id, each, terms, dense, (*each.document.fields, *chunk.fields)))
    return found


def visible(row: Row, scope: Scope, filters: Filters) -> bool:
    document, place = row.document.document, row.document.document.place
    tags = {document.doc_tag, *document.other_tags}
    return (
        (place.project_id, place.environment) == (scope.project_id, scope.environment)
        and (not scope.doc_tags or not tags.isdisjoint(scope.doc_tags))
        and (not filters.doc_tags or not tags.isdisjoint(filters.doc_tags))
        and (not scope.repositories or place.repository in scope.repositories)
        and place.path.startswith(filters.path_prefix)
        and (filters.updated_after is None or document.updated_at > filters.updated_after)
        and all(any(name == each.field and each.holds(value) for name, value in row.fields) for each in filters.fields)
    )


def best_words(
    documents: list[Prepared], query: dict[int, float], scope: Scope, filters: Filters, limit: int
) -> list[Leg]:
    project = [
        row for row in rows(documents) if row.document.document.place.project_id == scope.project_id and row.terms
    ]
    legs = []
    for row in project:
        if visible(row, scope, filters) and set(query) & set(row.terms):
            score = sum(weight * row.terms.get(term, 0.0) * _idf(project, term) for term, weight in query.items())
            legs.append(Leg(row.chunk, row.document.document.id, score))
    return ranked(legs, limit)


def _idf(project: list[Row], term: int) -> float:
    having = sum(term in row.terms for row in project)
    return math.log(1 + (len(project) - having + 0.5) / (having + 0.5))


def best_vectors(
    documents: list[Prepared], query: list[float], scope: Scope, filters: Filters, limit: int
) -> list[Leg]:
    asked = np.array(query)
    seen = [row for row in rows(documents) if visible(row, scope, filters)]
    return ranked((Leg(row.chunk, row.document.document.id, float(row.vector @ asked)) for row in seen), limit)
