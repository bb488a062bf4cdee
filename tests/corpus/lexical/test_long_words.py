"""Words longer than anyone writes: every analyser reads them, none remembers half of what it learned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus import lexical, tokens
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.evidence import sentences, spans, units
from wekadocs_corpus.graph.extraction import names, phrases
from wekadocs_corpus.lexical.analyser import LONGEST_WHOLE, analyse, surfaces
from wekadocs_corpus.lexical.vectors import document_vectors, unpack
from wekadocs_corpus.lexical.worth import is_word, worth
from wekadocs_corpus.model import Area
from wekadocs_corpus.retrieval import second_look
from wekadocs_corpus.retrieval.closeness import Closeness
from wekadocs_corpus.retrieval.question import Question
from wekadocs_corpus.retrieval.rewriting import spelled_out
from wekadocs_corpus.tuning import TUNING

_SIGNS = st.sampled_from(
    [*"aAbz19_éß漢かअ", "1-", "a.", "x'", "::", "/", "@", "+", "\u0301", "\u200b", "ﬁ", "İ", "-", "#"]
)
long_words = st.builds(
    lambda unit, size, end: ("".join(unit) * size)[:size] + end,
    st.lists(_SIGNS, min_size=1, max_size=6),
    st.integers(LONGEST_WHOLE - 6, 2500),
    st.sampled_from(["", "a", "'s", "s", "()", "#"]),
)
MODEL = StaticEmbedder()


def read(text: str) -> Question:
    words = lexical.AskedWords(text)
    return Question(words, Area("p", "e"), words.terms)


def look(closeness: Closeness, question: str, texts: list[tuple[str, str]]) -> list[float]:
    words = closeness.asked_words(question)
    return closeness.of(read(question), words, dict.fromkeys(words, 1.0), texts)


def close(word: str) -> Any:
    return look(Closeness(MODEL.embed_words), word, [(word, f"{word} and {word}"), ("A page", "words")])


ANALYSERS: dict[str, Callable[[str], Any]] = {
    "index words": lambda word: [analyse(each) for each in surfaces(word)],
    "a question's terms": lexical.query_terms,
    "its whole names": lambda word: lexical.query_terms(word, split=False),
    "how exact it is": lambda word: read(word).words.exactness,
    "what it names": lambda word: read(word).words.names,
    "whether it tells": lambda word: read(word).words.tells,
    "its language": lambda word: read(word).words.language,
    "a document's vector": lambda word: document_vectors([(word, [word], word)]),
    "an embedding": lambda word: MODEL.embed_passages([f"{word}\n{word}"]),
    "a question's embedding": MODEL.embed_query,
    "closeness": close,
    "worth": lambda word: worth([word, word.upper()]),
    "spelling": is_word,
    "acronyms": lambda word: spelled_out("STO", [f"{word} (STO) {read(word).acronyms}"], TUNING.rewriting),
    "what is defined": lambda word: read(word).entry,
    "how": lambda word: read(word).how,
    "history": lambda word: (
        read(word).history,
        second_look.is_historic(word, TUNING.closeness),
        second_look.is_listing(word, TUNING.closeness),
    ),
    "sentences": lambda word: (sentences.sentences(word), sentences.plain_spans(word)),
    "units": units.units,
    "a quote": lambda word: spans.widened(word, spans.clip(word, (0, len(word)), 5), 5, 5),
    "tokens": lambda word: tokens.truncate(word, tokens.count(word) // 2),
    "a concept": names.concept_key,
    "phrases": lambda word: list(phrases.phrases(f"The {word} of {word}")),
}


@pytest.mark.parametrize("analyser", ANALYSERS)
@given(word=long_words)
@settings(max_examples=40, deadline=None)
def test_every_analyser_reads_a_long_word(analyser: str, word: str) -> None:
    ANALYSERS[analyser](word)


@given(word=long_words)
def test_a_written_word_has_index_words_none_of_them_longer_than_a_whole(word: str) -> None:
    for surface in surfaces(word):
        found = analyse(surface)
        assert found
        assert max(map(len, found)) <= 3 * LONGEST_WHOLE  # a folded letter may be three


@pytest.mark.parametrize("word", ["a1" * 60, "1-" * 60 + "1", "_" * 120, "aB1" * 50])
def test_a_word_without_parts_is_known_by_its_beginning(word: str) -> None:
    terms = unpack(document_vectors([("", [], word)])[0])
    assert terms.keys() == lexical.query_terms(word).keys()
    assert len(terms) == 1


def test_what_was_half_learned_is_forgotten() -> None:
    texts = [("Mount", "mount a filesystem"), ("Other", "about quotas")]
    before = look(Closeness(MODEL.embed_words), "mount filesystem", texts)
    failing = True

    def embed(words: Any) -> np.ndarray:
        if failing:
            raise MemoryError
        return MODEL.embed_words(words)

    closeness = Closeness(embed)
    with pytest.raises(MemoryError):
        look(closeness, "mount filesystem", texts)
    failing = False
    assert look(closeness, "mount filesystem", texts) == before
