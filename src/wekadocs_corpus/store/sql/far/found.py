"""What an index has found, looked up in a database that is far: which of it there is, what its words are worth, and
the documents of the best, all at once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wekadocs_corpus.model import Filters, Scope
from wekadocs_corpus.store.sql.connection import Connection, Question
from wekadocs_corpus.store.sql.reading.documents import TERMS
from wekadocs_corpus.store.sql.reading.filtering import question_of_allowed, question_of_documents
from wekadocs_corpus.store.writing.term_vectors import products

from .pieces import piece, question_of
from .recent import FarRecent

_FIRST, _AHEAD = 12, 28  # chunks whose documents are read with the rest: what is looked at again is among them
_LATER = 10.0  # places: how much less the next one of a list counts


def checked(
    connection: Connection,
    lists: Sequence[Sequence[str]],
    words: Sequence[str],
    weights: Mapping[int, float],
    scope: Scope,
    filters: Filters,
    recent: FarRecent,
) -> tuple[dict[str, str], dict[str, float]]:
    """`lists` are chunks as each search found them, best first; `words` are those that are scored by their words."""
    held, first = recent.held(connection), _best(lists)
    ids = list(dict.fromkeys(each for found in lists for each in found))
    learned = {} if filters.fields else held.document_of  # fields are the chunks' own
    allowed = held.allowed.get((scope, filters)) if learned else None
    scored = [each for each in dict.fromkeys([*words, *first]) if each not in held.terms]
    seen = question_of_allowed(scope, filters) if learned else question_of_documents(ids, scope, filters)
    questions = [
        seen if allowed is None else None,
        (TERMS, (json.dumps(scored),)) if scored else None,
        question_of(new) if (new := held.missing(first)) else None,
    ]
    rows, terms, found = _answers(connection, questions)
    held.take_terms(terms)
    held.take(map(piece, found))
    if learned:
        allowed = held.take_allowed(scope, filters, rows) if allowed is None else allowed
        documents = {each: learned[each] for each in ids if learned.get(each) in allowed}
    else:
        documents = dict(rows)
    return documents, _scores(held.terms, words, weights)


def _answers(connection: Connection, questions: Sequence[Question | None]) -> list[list[Any]]:
    """All in one go; nothing for what need not be asked."""
    answers = iter(connection.ask_all([each for each in questions if each is not None]))
    return [[] if each is None else next(answers).fetchall() for each in questions]


def _scores(
    terms: Mapping[str, tuple[str, str, str, bytes]], words: Sequence[str], weights: Mapping[int, float]
) -> dict[str, float]:
    vectors = {each: terms[each][3] for each in words if each in terms}
    return dict(zip(vectors, products(list(vectors.values()), weights).tolist(), strict=True)) if vectors else {}


def _best(lists: Sequence[Sequence[str]]) -> list[str]:
    """Those that will probably be first when the lists are one, or if one of them counts for nothing."""
    worth: dict[str, float] = {}
    for found in lists:
        for place, each in enumerate(found):
            worth[each] = worth.get(each, 0.0) + 1 / (_LATER + place)
    ordered = sorted(worth, key=lambda each: -worth[each])
    firsts = [each for found in lists for each in found[:_FIRST]]
    if any(len(found) < _FIRST for found in lists):  # behind a short list those come that count for nothing, by id
        firsts += sorted(worth)[: 2 * _FIRST]
        return list(dict.fromkeys(firsts))
    return list(dict.fromkeys([*firsts, *ordered]))[:_AHEAD]
