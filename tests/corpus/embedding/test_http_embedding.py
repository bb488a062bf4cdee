"""Embeddings from an OpenAI-compatible service."""

import base64
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import numpy as np
import pytest

from wekadocs_corpus.embedding.http import HttpEmbedder, load
from wekadocs_corpus.embedding.interface import EmbeddingUnavailable
from wekadocs_corpus.remote import LONGEST_PAUSE, pause

KEY = "sk-very-secret"
TEXT = "a confidential sentence"


def vector(text: str) -> list[float]:
    return [float(len(text)), float(text.count("a")), 2.0]


class Service:
    """Answers like the real thing, after what it was told to answer first."""

    def __init__(self, *first: httpx.Response | Exception) -> None:
        self.first = list(first)
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.first:
            thing = self.first.pop(0)
            if isinstance(thing, Exception):
                raise thing
            return thing
        texts = json.loads(request.content)["input"]
        rows = [{"index": number, "embedding": vector(text)} for number, text in enumerate(texts)]
        return httpx.Response(200, json={"data": rows[::-1]})

    def embedder(self, **settings: object) -> HttpEmbedder:
        settings = {"model": "small", "base_url": "http://embed.example/v1", "dimension": 3, "api_key": KEY, **settings}
        return HttpEmbedder(settings, httpx.MockTransport(self.answer), self.pauses.append)

    @property
    def bodies(self) -> list[dict[str, object]]:
        return [json.loads(request.content) for request in self.requests]


def test_rows_come_back_in_order_and_normalised():
    rows = Service().embedder().embed_passages(["aa", "bbb"])
    expected = np.array([vector("aa"), vector("bbb")])
    np.testing.assert_allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), rtol=1e-6)
    assert rows.dtype == np.float32


def test_texts_are_sent_in_batches_and_empty_ones_not_at_all():
    service = Service()
    rows = service.embedder(batch_size=2).embed_passages(["one", "", "two", " \n", "three"])
    assert [body["input"] for body in service.bodies] == [["one", "two"], ["three"]]
    assert not rows[1].any() and not rows[3].any() and rows[4].any()


def test_a_batch_is_bounded_by_characters_too():
    service = Service()
    service.embedder(max_characters=150_000).embed_passages(["x" * 150_000] * 3)
    assert [len(body["input"]) for body in service.bodies] == [1, 1, 1]


def test_the_request_carries_model_key_prefix_and_extra_fields():
    service = Service()
    embedder = service.embedder(
        query_prefix="query: ", passage_prefix="passage: ", request={"dimensions": 3}, lower_case=True
    )
    embedder.embed_query("Hello")
    embedder.embed_passages(["World"])
    assert service.bodies[0] == {"model": "small", "input": ["query: hello"], "dimensions": 3}
    assert service.bodies[1]["input"] == ["passage: world"]
    assert service.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert str(service.requests[0].url) == "http://embed.example/v1/embeddings"


def test_the_dimension_is_asked_for_when_it_is_not_configured():
    assert Service().embedder(dimension=None).profile.dimension == 3


def test_base64_rows_are_understood():
    packed = base64.b64encode(np.array([3, 4, 0], "<f4").tobytes()).decode()
    service = Service(httpx.Response(200, json={"data": [{"index": 0, "embedding": packed}]}))
    np.testing.assert_allclose(service.embedder().embed_query("x"), [0.6, 0.8, 0], rtol=1e-6)


def test_another_model_prefix_or_revision_is_another_identity():
    changes = [{}, {"model": "large"}, {"query_prefix": "q: "}, {"revision": "2"}, {"request": {"dimensions": 3}}]
    assert len({Service().embedder(**change).profile.id for change in changes}) == len(changes)
    moved = Service().embedder(base_url="http://elsewhere.example/v1", api_key="other")
    assert moved.profile.id == Service().embedder().profile.id


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_passing_failure_is_tried_again(status):
    service = Service(httpx.Response(status), httpx.ReadTimeout("slow"), httpx.ConnectError("refused"))
    assert service.embedder().embed_passages(["x"]).any()
    assert len(service.requests) == 4
    assert service.pauses == sorted(service.pauses)


def test_retry_after_is_honoured():
    service = Service(httpx.Response(429, headers={"Retry-After": "7"}))
    service.embedder().embed_passages(["x"])
    assert service.pauses == [7.0]


def test_a_very_long_retry_after_is_not_waited_for():
    service = Service(httpx.Response(429, headers={"Retry-After": "3600"}))
    with pytest.raises(EmbeddingUnavailable, match="HTTP 429"):
        service.embedder().embed_passages(["x"])
    assert service.pauses == []


def test_retry_after_may_be_a_date_or_nonsense():
    assert pause(0, "Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert 0 < pause(0, "soon") < 1
    assert 0 < pause(0, "nan") < 1
    assert pause(50) < LONGEST_PAUSE


def test_a_query_is_tried_twice_at_most():
    service = Service(*[httpx.Response(503)] * 9)
    with pytest.raises(EmbeddingUnavailable):
        service.embedder().embed_query("x")
    assert len(service.requests) == 2


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "api_key"), (403, "api_key"), (404, "no such model"), (413, "batch_size"), (400, "HTTP 400")],
)
def test_a_refusal_is_not_repeated_and_says_the_way_out(status, words):
    service = Service(httpx.Response(status, json={"error": {"message": f"{KEY} {TEXT}"}}))
    with pytest.raises(EmbeddingUnavailable, match=words) as caught:
        service.embedder().embed_passages([TEXT])
    assert len(service.requests) == 1
    assert KEY not in str(caught.value) and TEXT not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        {"data": []},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": [1, 2]}]},
        {"data": [{"index": 0, "embedding": "***"}]},
        {"data": [{"index": 0}]},
        {"error": TEXT},
        [1],
        {"data": [{"index": 0, "embedding": [1, 2, "x"]}]},
    ],
)
def test_an_answer_in_another_form_is_refused(answer):
    with pytest.raises(EmbeddingUnavailable) as caught:
        Service(httpx.Response(200, json=answer)).embedder().embed_passages([TEXT])
    assert TEXT not in str(caught.value)


def test_numbers_that_are_not_finite_are_refused():
    service = Service(httpx.Response(200, content=b'{"data": [{"index": 0, "embedding": [NaN, 1, 2]}]}'))
    with pytest.raises(EmbeddingUnavailable, match="finite"):
        service.embedder().embed_query("x")


def test_a_missing_model_or_a_bad_url_is_told_at_once():
    with pytest.raises(EmbeddingUnavailable, match=r"embedding\.model"):
        load({})
    with pytest.raises(EmbeddingUnavailable, match="base_url"):
        load({"model": "m", "base_url": "embed.example"})
    with pytest.raises(EmbeddingUnavailable, match="ca_file"):
        load({"model": "m", "ca_file": "/nowhere.pem"})


def test_the_password_of_a_url_stays_out_of_messages():
    with pytest.raises(EmbeddingUnavailable) as caught:
        Service(httpx.Response(401)).embedder(base_url="http://me:hunter2@embed.example/v1?k=hunter3").embed_query("x")
    assert "hunter" not in str(caught.value)


def test_a_text_with_half_a_character_pair_can_be_sent():
    service = Service()
    assert service.embedder().embed_query("x\ud800y").any()


class HalfAnswer(BaseHTTPRequestHandler):
    """Promises more than it sends, then hangs up."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"data": [')

    def log_message(self, *_: object) -> None:
        pass


def test_a_half_answer_and_a_closed_port_are_reported(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with HTTPServer(("127.0.0.1", 0), HalfAnswer) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        settings = {"model": "m", "dimension": 3, "base_url": f"http://127.0.0.1:{server.server_port}", "retries": 0}
        with pytest.raises(EmbeddingUnavailable, match="cannot be reached"):
            load(settings).embed_query(TEXT)
        server.shutdown()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings["base_url"] = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(EmbeddingUnavailable, match="cannot be reached"):
            load(settings).embed_query(TEXT)


def test_a_proxy_of_the_environment_is_used(monkeypatch):
    asked = []

    class Proxy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.path)
            body = json.dumps({"data": [{"index": 0, "embedding": [1, 0, 0]}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with HTTPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.server_port}")
        embedder = load({"model": "m", "dimension": 3, "base_url": "http://embed.example/v1", "retries": 0})
        assert embedder.embed_query("x").tolist() == [1.0, 0.0, 0.0]
        embedder.close()
        server.shutdown()
    assert asked == ["http://embed.example/v1/embeddings"]
