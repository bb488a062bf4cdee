"""evidence: cross_encoder: a model's order of the best spans, and what is said when it cannot be had."""

import math

import pytest
import tiny_models
from rerank_service import rerank_service

QUESTION = "How do I mount a filesystem?"


def settings(url):
    return {"evidence": "cross_encoder", "cross_encoder": {"provider": "http", "base_url": url}}


def failures(answer):
    """Of the model; an index that is being built may be told of too."""
    degraded = answer["diagnostics"].get("degraded", [])
    return [reason for reason in degraded if reason.startswith("cross_encoder_failed: ")]


def quotes(answer):
    return [each["quote"] for each in answer["quotes"]]


def test_the_models_order_decides_over_at_most_24_spans(serve, kb):
    with rerank_service(len) as (url, asked):
        answer = serve(kb=settings(url)).ask("kb.retrieve_evidence", {"question": QUESTION})
    longest = max(asked[0]["documents"], key=len)[:60]
    assert longest in answer["quotes"][0]["quote"]
    assert longest not in kb.ask("kb.retrieve_evidence", {"question": QUESTION})["quotes"][0]["quote"]
    assert not failures(answer)
    assert asked[0]["query"] == QUESTION
    assert 6 < len(asked[0]["documents"]) <= 24


def test_extracting_asks_the_model_too(serve):
    with rerank_service(len) as (url, asked):
        kb = serve(kb=settings(url))
        rows = kb.ask("kb.search", {"query": QUESTION})["results"]
        assert not asked  # previews are chosen by words
        kb.ask("kb.extract_evidence", {"question": QUESTION, "passage_ids": [row["passage_id"] for row in rows]})
    assert len(asked) == 1


def test_the_corpus_reranker_is_used_where_none_is_named(serve):
    with rerank_service(len) as (url, asked):
        kb = serve(kb={"evidence": "cross_encoder"}, corpus={"rerank": {"provider": "http", "base_url": url}})
        kb.ask("kb.retrieve_evidence", {"question": QUESTION})
    assert len(asked) == 2  # passages, then sentences


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_scores_that_are_no_numbers_are_none(serve, kb, score):
    with rerank_service(lambda _: score) as (url, _):
        answer = serve(kb=settings(url)).ask("kb.retrieve_evidence", {"question": QUESTION})
    assert len(failures(answer)) == 1
    assert quotes(answer) == quotes(kb.ask("kb.retrieve_evidence", {"question": QUESTION}))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"evidence": "cross_encoder"}, "plugins.kb.cross_encoder"),
        ({"evidence": "cross_encoder", "cross_encoder": {"provider": "onnx", "path": "/nowhere"}}, "rerank.path"),
        (settings("http://127.0.0.1:9"), "rerank"),
    ],
)
def test_without_a_model_words_choose_and_the_answer_says_so(serve, kb, given, why):
    broken = serve(kb=given)
    answer = broken.ask("kb.retrieve_evidence", {"question": QUESTION, "max_quotes": 3})
    (reason,) = failures(answer)
    assert why in reason
    by_words = kb.ask("kb.retrieve_evidence", {"question": QUESTION, "max_quotes": 3})
    assert [row["quote"] for row in answer["quotes"]] == [row["quote"] for row in by_words["quotes"]]
    passages = [row["passage_id"] for row in answer["quotes"]]
    extracted = broken.ask("kb.extract_evidence", {"question": QUESTION, "passage_ids": passages})
    assert extracted["degraded"] == [reason]


def test_an_onnx_model_from_a_folder_serves(serve, tmp_path):
    pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
    folder = tiny_models.folder(tmp_path, "tiny-cross-1.onnx")
    kb = serve(kb={"evidence": "cross_encoder", "cross_encoder": {"provider": "onnx", "path": str(folder)}})
    answer = kb.ask("kb.retrieve_evidence", {"question": QUESTION})
    assert answer["quotes"]
    assert not failures(answer)
