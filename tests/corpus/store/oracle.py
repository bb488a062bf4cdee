"""Random corpora and what every index must answer on them, by plain arithmetic over all chunks."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from made_documents import DIMENSION, MODEL, prepared, vector

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters, Leg, Prepared, Scope
from wekadocs_corpus.store.ranking import ranked

PROFILE = Profile(MODEL, DIMENSION)
PROJECTS, ENVIRONMENTS, TAGS, REPOSITORIES = ("p", "q"), ("prod", "dev"), ("a", "b", "c"), ("", "r1", "r2")
PATHS = ("docs/install.md", "docs/index.md", "do.md", "other/docs.md", "ünïcode/ß.md", "docs/install/linux.md")
TERMS = 30


@dataclass(frozen=True)
class Row:
    """A chunk as arithmetic sees it."""

    chunk: str
    document: Prepared
    terms: dict[int, float]
    vector: np.ndarray


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
            )
        )
    return list({each.document.id: each for each in made}.values())


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
    return area, Filters(some(TAGS), prefix, after), words, asked.tolist(), dice.choice((1, 3, 10, 50))


def rows(documents: list[Prepared]) -> list[Row]:
    found = []
    for each in documents:
        for chunk, packed, name in zip(each.document.parsed.chunks, each.terms, each.embedded_hashes, strict=True):
            half = len(packed) // 2
            ids, weights = np.frombuffer(packed[:half], "<u4").tolist(), np.frombuffer(packed[half:], "<f4").tolist()
            dense = np.frombuffer(each.vectors[name], "<f2").astype(np.float32)
            found.append(Row(chunk.id, each, dict(zip(ids, weights, strict=True)), dense))
    return found


def visible(each: Prepared, scope: Scope, filters: Filters) -> bool:
    document, place = each.document, each.document.place
    tags = {document.doc_tag, *document.other_tags}
    return (
        (place.project_id, place.environment) == (scope.project_id, scope.environment)
        and (not scope.doc_tags or not tags.isdisjoint(scope.doc_tags))
        and (not filters.doc_tags or not tags.isdisjoint(filters.doc_tags))
        and (not scope.repositories or place.repository in scope.repositories)
        and place.path.startswith(filters.path_prefix)
        and (filters.updated_after is None or document.updated_at > filters.updated_after)
    )


def best_words(
    documents: list[Prepared], query: dict[int, float], scope: Scope, filters: Filters, limit: int
) -> list[Leg]:
    project = [
        row for row in rows(documents) if row.document.document.place.project_id == scope.project_id and row.terms
    ]
    legs = []
    for row in project:
        if visible(row.document, scope, filters) and set(query) & set(row.terms):
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
    seen = [row for row in rows(documents) if visible(row.document, scope, filters)]
    return ranked((Leg(row.chunk, row.document.document.id, float(row.vector @ asked)) for row in seen), limit)
