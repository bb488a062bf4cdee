"""Words: what the analyser keeps, and that the vectors give BM25 in every store."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus import lexical
from wekadocs_corpus.lexical import AskedWords
from wekadocs_corpus.lexical.analyser import analyse, surfaces
from wekadocs_corpus.lexical.bm25 import AVERAGE_LENGTH, K1, B
from wekadocs_corpus.lexical.suggestions import suggested_questions
from wekadocs_corpus.lexical.vectors import document_vectors, unpack
from wekadocs_corpus.tuning import TUNING


def document_terms(title: str, headings: tuple[str, ...], body: str) -> dict[int, float]:
    return unpack(document_vectors([(title, headings, body)])[0])


def exactness(question: str) -> float:
    return AskedWords(question).exactness


def names(question: str) -> list[str]:
    return AskedWords(question).names


def index_words(text: str) -> list[str]:
    return [word for surface in surfaces(text) for word in analyse(surface)]


def score(query: str, *document: str) -> float:
    terms = document_terms("", (), " ".join(document))
    return sum(weight * terms.get(term, 0.0) for term, weight in lexical.query_terms(query).items())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QDRANT__SERVICE__API_KEY", ["qdrant__service__api_key", "qdrant", "servic", "api", "key"]),
        ("--dry-run", ["dry-run", "dri", "run"]),
        ("camelCase", ["camelcas", "camel", "case"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("/etc/fstab", ["etc/fstab", "etc", "fstab"]),
        ("v4.4.1", ["v4.4.1", "4.4.1", "4.4"]),
        ("E1234", ["e1234", "1234"]),
        ("std::vector", ["std::vector", "std", "vector"]),
        ("C++ C#", ["c++", "c#"]),
        ("APIs", ["api"]),
        ("user's don't", ["user", "dont"]),
        ("Café naïve ﬁle", ["cafe", "naiv", "file"]),
        ("日本語", ["日本", "本語"]),
        ("字", ["字"]),
        ("हिन्दी", ["हिन्दी"]),
        ("running Runs RUN", ["run", "run", "run"]),
        ("__init__", ["init"]),
        ("", []),
    ],
)
def test_names_are_kept_whole_and_split_and_words_are_folded_and_stemmed(text: str, expected: list[str]) -> None:
    assert index_words(text) == expected


def test_a_part_of_an_identifier_finds_it_and_the_whole_finds_it_better() -> None:
    document = "set QDRANT__SERVICE__API_KEY first"
    assert score("api key", document) > 0
    assert score("QDRANT__SERVICE__API_KEY", document) > score("QDRANT__SERVICE__API_KEY", "set the api key first") == 0
    assert score("set QDRANT__SERVICE__API_KEY", document) > score("set QDRANT__SERVICE__API_KEY", "set api key") > 0


def test_stop_words_are_dropped_only_when_something_else_is_left() -> None:
    assert lexical.query_terms("what is the quota") == lexical.query_terms("quota")
    assert len(lexical.query_terms("what is the")) == 3
    assert score("to be or not to be", "to be or not to be") > 0


def test_title_and_headings_count_and_a_title_repeated_as_heading_counts_once() -> None:
    quota = lexical.term_id("quota")
    body_only = document_terms("", (), "quota text")
    titled = document_terms("Quota", (), "quota text")
    assert titled[quota] > body_only[quota]
    assert document_terms("Quota", ("Quota",), "text") == document_terms("Quota", (), "text")
    assert lexical.term_id("snapshot") in document_terms("", ("Snapshots",), "text")


def test_a_document_weight_is_the_bm25_term_weight() -> None:
    text = "quota " * 3 + "filler " * 7
    norm = K1 * (1 - B + B * 10 / AVERAGE_LENGTH)
    assert document_terms("", (), text)[lexical.term_id("quota")] == pytest.approx(3 * (K1 + 1) / (3 + norm))


def test_term_ids_never_change() -> None:
    assert [lexical.term_id(word) for word in ("", "a", "日本")] == [0, 3904355907, 3350711756]


def test_exact_names_are_recognised_and_ordinary_compounds_are_not() -> None:
    assert exactness("QDRANT__SERVICE__API_KEY") == 1.0
    assert exactness("camelCase") == 1.0
    assert exactness("4.4.1") == 1.0
    assert exactness("--dry-run") == 1.0
    assert exactness("high-speed flow in 2010") == 0.0
    assert exactness("日本語") == 0.0
    assert 0 < exactness("what does error E1234 mean") < 1
    assert exactness("") == 0.0


def test_words_that_tell_little_anywhere_weigh_less() -> None:
    weights = lexical.query_terms("all ways to configure NFS")
    everything, ways, configure, nfs = (weights[lexical.term_id(word)] for word in ("all", "way", "configur", "nfs"))
    assert everything < ways < 0.9 < configure < 1.1 < nfs
    assert lexical.query_terms("ALL WAYS TO CONFIGURE nfs") == weights


def test_a_word_marked_as_code_is_a_name() -> None:
    assert lexical.query_terms("what does `main` do")[lexical.term_id("main")] == TUNING.words.exact
    assert lexical.query_terms("what does main() do")[lexical.term_id("main")] == TUNING.words.exact
    assert lexical.query_terms("the main thing")[lexical.term_id("main")] < 1


def test_names_are_what_an_entry_can_be_about() -> None:
    assert names("what is --dry-run, STR-2011, max_age or cluster.size") == [
        "dry-run",
        "STR-2011",
        "max_age",
        "cluster.size",
    ]
    assert names("S3 over NFSv4 in version 4.2.1, two-way") == []


def test_what_is_embedded_names_the_place_once() -> None:
    assert lexical.embedding_text("T", ("T", "H"), "body") == "T\nH\nbody"
    assert lexical.embedding_text("T", (), "# T\nbody") == "# T\nbody"


@given(st.lists(st.tuples(st.text(max_size=9), st.lists(st.text(max_size=9), max_size=2), st.text(max_size=50))))
def test_a_passage_has_the_same_vector_alone_and_among_others(passages: list[tuple[str, list[str], str]]) -> None:
    assert document_vectors(passages) == [document_vectors([each])[0] for each in passages]


@given(st.text(max_size=100), st.sampled_from(["", "é", "—", "日本", "a.b.c" * 30]))
def test_terms_and_length_are_those_of_the_written_words(text: str, more: str) -> None:
    body = f"quota {text}{more}"
    words = [analyse(surface) for surface in surfaces(body)]
    counts = Counter(lexical.term_id(word) for each in words for word in each)
    norm = K1 * (1 - B + B * len(words) / AVERAGE_LENGTH)
    expected = {term: count * (K1 + 1) / (count + norm) for term, count in counts.items()}
    assert document_terms("", (), body) == pytest.approx(expected, rel=1e-6)


@given(st.text(max_size=300))
def test_any_text_can_be_indexed_and_finds_itself(text: str) -> None:
    terms = document_terms("", (), text)
    assert all(math.isfinite(weight) and weight > 0 for weight in terms.values())
    assert lexical.query_terms(text).keys() <= terms.keys()
    assert all(0 <= term < 2**32 for term in terms)


def test_hostile_text_takes_linear_time() -> None:
    for text in ("a" * 200_000, "a.b" * 100_000, "-_" * 100_000, "aB" * 100_000, "日" * 100_000):
        document_terms("", (), text)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Wie finde ich heraus, zu welchem Paket eine Datei gehört?", "finde heraus Paket Datei gehort"),
        ("Comment créer un fichier ?", "creer fichier"),
        ("Did the process die in a loop?", "process die loop"),
        ("no such file", "file"),
    ],
)
def test_a_question_does_without_the_stop_words_of_its_own_language(question, left):
    assert set(lexical.query_terms(question)) == set(lexical.query_terms(left))


def test_pairs_that_begin_with_kana_of_grammar_are_not_asked_for():
    assert set(lexical.query_terms("使用量を調べる")) == {
        lexical.term_id(word) for word in ("使用", "用量", "量を", "調べ")
    }
    assert lexical.query_terms("から")


def test_questions_are_made_of_what_is_done_before_what_may_be_a_thing():
    headings = [
        "Change history",
        "Removed options",
        "Test artifacts 4.0.11",
        "Adding users (since 4.2)",
        "Overview of all",
    ]
    assert suggested_questions(headings) == [
        "How do I add users?",
        "What is Removed options?",
        "How do I change history?",
        "How do I test artifacts?",
    ]
    assert suggested_questions(["Enabling and disabling verification"]) == ["How do I enable and disable verification?"]
