"""The optional reranker."""

import asyncio
import json

import httpx
import pytest
import tiny_models

from wekadocs_corpus.retrieval.rerank import RerankerUnavailable, RerankService, load

TEXT = "a confidential sentence"


def service(answer: httpx.Response, asked: list[httpx.Request] | None = None) -> RerankService:
    def respond(request: httpx.Request) -> httpx.Response:
        if asked is not None:
            asked.append(request)
        return answer

    settings = {"base_url": "http://rank.example/v1", "model": "m", "api_key": "k"}
    return RerankService(settings, httpx.MockTransport(respond))


def test_it_is_off_unless_asked_for():
    assert load({}) is None and load(None) is None
    with pytest.raises(RerankerUnavailable, match="onnx or http"):
        load({"provider": "magic"})
    with pytest.raises(RerankerUnavailable, match="base_url"):
        load({"provider": "http"})
    with pytest.raises(RerankerUnavailable, match=r"rerank\.path"):
        load({"provider": "onnx", "path": "/nowhere"})


@pytest.mark.parametrize("key", ["results", "data"])
def test_a_services_scores_come_back_in_the_order_of_the_texts(key):
    rows = [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]
    asked: list[httpx.Request] = []
    scores = asyncio.run(service(httpx.Response(200, json={key: rows}), asked)("question", ["one", "two"]))
    assert scores == [0.1, 0.9]
    body = json.loads(asked[0].content)
    assert (body["query"], body["documents"], body["top_n"], body["model"]) == ("question", ["one", "two"], 2, "m")
    assert asked[0].headers["Authorization"] == "Bearer k" and str(asked[0].url) == "http://rank.example/v1/rerank"


@pytest.mark.parametrize(
    "answer",
    [{"results": []}, {"results": [{"index": 0}]}, [TEXT], {"results": [{"index": 0, "relevance_score": "high"}]}, 7],
)
def test_an_answer_in_another_form_is_refused(answer):
    with pytest.raises(RerankerUnavailable) as caught:
        asyncio.run(service(httpx.Response(200, json=answer))(TEXT, [TEXT]))
    assert TEXT not in str(caught.value)


def test_a_refused_key_is_told():
    with pytest.raises(RerankerUnavailable, match="api_key"):
        asyncio.run(service(httpx.Response(401))(TEXT, [TEXT]))


@pytest.mark.parametrize(("columns", "factor"), [(1, 1.0), (2, 1.5)])
def test_a_cross_encoder_sees_question_and_text_together(tmp_path, columns, factor):
    pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
    score = load({"provider": "onnx", "path": str(tiny_models.folder(tmp_path, f"tiny-cross-{columns}.onnx"))})
    texts = ["a", "b c d e f g", "", "c"]
    scores = asyncio.run(score("z z z", texts))
    expected = [factor * (sum(tiny_models.tokens(text)) - 1) for text in texts]  # without [CLS]
    assert scores == pytest.approx(expected)
    assert asyncio.run(score("z", [])) == []


def test_a_long_text_is_cut_and_the_question_stays(tmp_path):
    pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
    folder = str(tiny_models.folder(tmp_path, "tiny-cross-1.onnx"))
    score = load({"provider": "onnx", "path": folder, "max_tokens": 16})
    assert asyncio.run(score("z z z", ["a " * 3000])) == [(16 - 6) * tiny_models.WORDS.index("a") + 2]
    assert len(asyncio.run(score("z " * 3000, ["a", "a " * 3000]))) == 2
