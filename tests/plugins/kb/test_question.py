"""A question is read once, whatever is done with it."""

from collections import Counter

import pytest

from wekadocs_corpus.lexical import asked_words
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

QUESTION = "How do I set the quota of a directory tree?"


@pytest.mark.parametrize(
    ("tool", "argument"),
    [("kb.search", "query"), ("kb.retrieve_evidence", "question")],
)
def test_its_words_are_read_and_weighed_once(kb, monkeypatch, tool, argument):
    read, weighed = Counter(), Counter()
    surfaces, weighted = asked_words.surfaces, SqliteTruth.weighted_within

    def counted(text):
        read[text] += 1
        return surfaces(text)

    def counted_weights(truth, scope, query):
        weighed[frozenset(query.items())] += 1
        return weighted(truth, scope, query)

    monkeypatch.setattr(asked_words, "surfaces", counted)
    monkeypatch.setattr(SqliteTruth, "weighted_within", counted_weights)
    assert kb.ask(tool, {argument: QUESTION})
    assert read[QUESTION] == 1
    assert weighed[frozenset(asked_words.query_terms(QUESTION).items())] == 1
