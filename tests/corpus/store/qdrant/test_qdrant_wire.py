"""What comes over the wire from a Qdrant server that is slow, strict, broken or gone; on a fake of our own."""

import socket
from typing import Any

import pytest
from made_documents import DIMENSION, MODEL, prepared
from qdrant_asking import ANY, SCOPE, SECRET, Work, asked, fill, finds, write_two
from qdrant_fake import FakeQdrant, cut, half, hang_up, lost, other, running, slow, status

from wekadocs_corpus.embedding.interface import Profile
from wekadocs_corpus.model import Area, Filters
from wekadocs_corpus.store.interface import IndexUnavailable
from wekadocs_corpus.store.qdrant import standing_in
from wekadocs_corpus.store.qdrant.index import QdrantIndex
from wekadocs_corpus.store.sqlite.truth import SqliteTruth


def on_wire(truth: SqliteTruth, fake: FakeQdrant, work: Work, **settings: Any) -> list[float]:
    """Runs against the fake; the pauses it made."""
    return asked(truth, work, {"url": fake.url} | settings)


@pytest.fixture
def fake():
    with running() as made:
        yield made


@pytest.fixture
def filled(truth, fake):
    write_two(truth)
    on_wire(truth, fake, fill)
    fake.seen.clear()
    fake.bodies.clear()
    return fake


def refusal(truth: SqliteTruth, fake: FakeQdrant, **settings: Any) -> str:
    """The reason a search gives when it cannot be answered."""

    async def fails(index: QdrantIndex) -> None:
        with pytest.raises(IndexUnavailable) as caught:
            await index.search_words({1: 1.0}, SCOPE, ANY, 5)
        reasons.append(caught.value.reason)

    reasons: list[str] = []
    on_wire(truth, fake, fails, **settings)
    return reasons[0]


def test_everything_works_over_http(truth, fake):
    truth.write_many([prepared(f"page{number}.md", (f"text {number}\n",), [{number: 1.0}]) for number in range(100)])

    async def work(index: QdrantIndex) -> None:
        assert (await index.catch_up(60)).behind == 0
        assert len(await index.search_words({7: 1.0}, SCOPE, ANY, 5)) == 1
        assert len(await index.search_vectors([0.5] * DIMENSION, SCOPE, Filters(path_prefix="page1"), 50)) == 11
        assert await index.check() == []

    on_wire(truth, fake, work)
    assert any(request.endswith("/index") for request in fake.seen)


def test_every_search_carries_its_scope_and_asks_for_exactness(truth, filled):
    scope = Area("p", "prod", ("guide", "api"), ("", "r"))

    async def work(index: QdrantIndex) -> None:
        await index.search_vectors([0.5] * DIMENSION, scope, Filters(updated_after=3.0), 50)
        await finds(index)

    on_wire(truth, filled, work)
    dense, words = [body for body in filled.bodies if isinstance(body, dict) and "query" in body]
    fields = {each["key"]: each.get("match", each.get("range")) for each in dense["filter"]["must"]}
    assert fields == {
        "environment": {"any": ["prod"]},
        "doc_tag": {"any": ["api", "guide"]},
        "repository": {"any": ["", "r"]},
        "updated_at": {"gt": 3.0},
    }
    assert dense["params"]["exact"] is words["params"]["exact"] is True
    assert words["filter"]["must"][0]["key"] == "environment"


def test_hnsw_is_used_where_it_is_asked_for_and_quantised_vectors_are_scored_by_themselves(truth, filled):
    async def work(index: QdrantIndex) -> None:
        await index.search_vectors([0.5] * DIMENSION, SCOPE, ANY, 5)
        await finds(index)

    on_wire(truth, filled, work, exact=False)
    dense, words = [body for body in filled.bodies if isinstance(body, dict) and "query" in body]
    assert dense["params"] == {"quantization": {"rescore": True}}
    assert "params" not in words


def test_a_strict_server_that_allows_no_exact_search_can_be_used_without(truth, fake):
    fake.engine.strict.search_allow_exact = False
    truth.write(prepared("a.md", ("one\n", "two\n"), [{1: 2.0}, {2: 1.0}]))

    async def work(index: QdrantIndex) -> None:
        assert (await index.catch_up(60)).behind == 0
        await finds(index)

    on_wire(truth, fake, work, exact=False)
    assert "strict mode" in refusal(truth, fake)


def test_a_tie_wider_than_a_strict_server_allows_is_answered_all_the_same(truth, fake):
    fake.engine.strict.max_query_limit = 30
    truth.write_many([prepared(f"page{number}.md", ("same\n",), [{1: 1.0}]) for number in range(60)])

    async def work(index: QdrantIndex) -> None:
        await index.catch_up(60)
        assert len(await index.search_words({1: 1.0}, SCOPE, ANY, 5)) == 5

    on_wire(truth, fake, work)


def test_cluster_options_reach_the_collection(truth, fake):
    async def work(index: QdrantIndex) -> None:
        await index.catch_up(60)

    on_wire(truth, fake, work, shards=3, replicas=2, quantization="scalar", on_disk=True)
    (made,) = [body for body in fake.bodies if isinstance(body, dict) and "sparse_vectors" in body]
    assert (made["shard_number"], made["replication_factor"], made["on_disk_payload"]) == (3, 2, True)
    assert made["quantization_config"]["scalar"]["type"] == "int8"
    assert made["vectors"]["dense"] == {"size": DIMENSION, "distance": "Dot", "on_disk": True}
    assert made["sparse_vectors"]["words"] == {"index": {"on_disk": True}}


def test_an_unknown_quantisation_is_refused_with_the_choices(truth, fake):
    async def work(index: QdrantIndex) -> None:
        with pytest.raises(IndexUnavailable, match="none, scalar or binary"):
            await index.catch_up(60)

    on_wire(truth, fake, work, quantization="magic")


@pytest.mark.parametrize(
    "failure",
    [status(503), status(429, Retry_After="1"), half, cut, other, hang_up],
    ids=["503", "429", "half", "cut", "another form", "hang up"],
)
def test_a_failure_that_passes_is_tried_again(truth, filled, failure):
    filled.fail = [("points/query", failure)]
    pauses = on_wire(truth, filled, finds)
    assert len(pauses) == 1


def test_retry_after_is_kept_while_syncing_and_too_long_for_a_question(truth, filled):
    truth.write(prepared("b.md"))
    filled.fail = [("PUT .*/points$", status(429, Retry_After="7"))]

    async def work(index: QdrantIndex) -> None:
        await index.catch_up(60)

    assert on_wire(truth, filled, work) == [7.0]
    filled.fail = [("points/query", status(429, Retry_After="7"))]
    assert "too many requests" in refusal(truth, filled)


@pytest.mark.parametrize("failure", [status(500), half])
def test_a_server_that_stays_broken_is_reported_after_two_tries(truth, filled, failure):
    filled.fail = [("points/query", failure)] * 9
    reason = refusal(truth, filled)
    assert reason.startswith(filled.url)
    assert len([request for request in filled.seen if request.endswith("query")]) == 2


def test_a_slow_server_is_not_waited_for_longer_than_configured(truth, filled):
    filled.fail = [("points/query", slow(1.6))] * 2
    assert "timeout_seconds" in refusal(truth, filled, timeout_seconds=1)


def test_a_refused_key_is_told_at_once_and_never_shown(truth, filled):
    filled.key = "another"
    reason = refusal(truth, filled, api_key=SECRET)
    assert "api_key" in reason and SECRET not in reason
    assert len(filled.seen) == 1 and filled.keys >= {SECRET}


def test_the_key_is_sent(truth, filled, capfd):
    filled.key = SECRET

    async def work(index: QdrantIndex) -> None:
        await finds(index)
        assert await index.check() == await index.advice() == []

    on_wire(truth, filled, work, api_key=SECRET)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("grpc", [False, True])
@pytest.mark.parametrize(
    ("url", "told"), [("http://qdrant:6333", True), ("https://qdrant:6333", False), ("http://[::1]:6333", False)]
)
def test_a_key_that_leaves_the_machine_unencrypted_is_a_finding(truth, fake, url, told, grpc):
    fake.url = url

    async def work(index: QdrantIndex) -> None:
        found = [finding.what for finding in await index.advice()]
        assert found == ["the API key for Qdrant travels unencrypted"] * told

    on_wire(truth, fake, work, api_key=SECRET, grpc=grpc)


@pytest.mark.parametrize("code", [400, 403])
def test_a_refusal_is_not_repeated_and_holds_no_words_of_the_server(truth, filled, code):
    filled.fail = [("points/query", status(code))] * 2
    assert refusal(truth, filled).startswith(f"{filled.url}: HTTP {code}")
    assert len(filled.fail) == 1


def test_nobody_listening_is_reported_and_doctor_tells_it(truth):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        fake = FakeQdrant()
        fake.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        truth.write(prepared(terms=[{1: 1.0}, {1: 1.0}]))
        assert "cannot be reached" in refusal(truth, fake)

        async def work(index: QdrantIndex) -> None:
            (finding,) = await index.check()
            assert "cannot be reached" in finding.what and "tools.yaml" in finding.cure
            with pytest.raises(IndexUnavailable):
                await index.catch_up(60)

        on_wire(truth, fake, work)


def test_a_url_that_is_no_qdrant_is_told_so(truth, fake):
    truth.write(prepared(terms=[{1: 1.0}, {1: 1.0}]))
    fake.fail = [("exists", status(404))]
    assert "no Qdrant there" in refusal(truth, fake)
    for url in ("qdrant.example:6333", "http://qdrant.example:port", "http://qdrant.example:99999", "http://[a"):
        fake.url = url
        assert "http://HOST:PORT" in refusal(truth, fake)


def test_a_url_without_a_port_is_told_with_the_one_that_was_asked(truth, fake):
    truth.write(prepared(terms=[{1: 1.0}, {1: 1.0}]))
    fake.url = "http://user:word@nowhere.invalid/base"
    assert refusal(truth, fake).startswith("http://nowhere.invalid:6333/base: cannot be reached")


@pytest.mark.parametrize("lose", ["PUT /collections/[^/]+$", "/index", "PUT .*/points$", "points/delete"])
def test_work_whose_answer_was_lost_is_done_again_without_harm(truth, fake, lose):
    truth.write(prepared("a.md"))
    fake.fail = [(lose, lost)]

    async def work(index: QdrantIndex) -> None:
        assert (await index.catch_up(60)).behind == 0
        assert await index.check() == []

    on_wire(truth, fake, work)
    assert fake.fail == []


def test_a_server_may_restart_between_two_questions(truth, filled):
    async def work(index: QdrantIndex) -> None:
        await finds(index)
        first.__exit__(None, None, None)
        with pytest.raises(IndexUnavailable, match="cannot be reached"):
            await finds(index)
        with running(port, fake):
            await finds(index)

    first = running(0, filled)
    fake = first.__enter__()
    port = int(fake.url.rsplit(":", 1)[1])
    on_wire(truth, fake, work)


def test_a_collection_lost_under_a_running_process_is_made_and_filled_again(truth, filled):
    async def work(index: QdrantIndex) -> None:
        await index.catch_up(60)
        await finds(index)
        filled.memory.delete_collection(index._collection.name)
        with pytest.raises(IndexUnavailable, match="missing"):
            await finds(index)
        assert (await index.catch_up(60)).behind == 0
        await finds(index)

    on_wire(truth, filled, work)


def test_a_sync_that_fails_is_raised_once_and_noted(truth, filled):
    async def work(index: QdrantIndex) -> None:
        await index.catch_up(60)
        truth.write(prepared("b.md"))
        filled.fail = [("PUT .*/points$", status(400))]
        with pytest.raises(IndexUnavailable, match="HTTP 400"):
            await index.catch_up(60)
        state = await index.catch_up(60)
        assert (state.behind, state.note) == (0, "")

    on_wire(truth, filled, work)


def test_of_several_nodes_the_first_that_answers_is_asked_and_stays_the_one(truth, filled):
    gone = closed()

    async def work(index: QdrantIndex) -> None:
        await finds(index)
        await finds(index)
        assert await index.check() == []

    assert on_wire(truth, filled, work, url=[gone, filled.url]) == []  # nobody waited
    assert on_wire(truth, filled, work, url=f"{gone}, {filled.url}") == []


def test_a_node_that_refuses_is_not_passed_over_for_another(truth, filled):
    filled.fail = [("points/query", status(403))]
    assert "HTTP 403" in refusal(truth, filled, url=[filled.url, closed()])


def test_nodes_that_are_all_gone_are_counted(truth, filled):
    assert " and 2 more: cannot be reached" in refusal(truth, filled, url=[closed(), closed(), closed()])


def test_the_server_is_asked_again_once_it_answers(truth, filled, monkeypatch):
    monkeypatch.setattr(standing_in, "_SECONDS", 0.0)
    seen: list[str] = []

    async def work(index: QdrantIndex) -> None:
        answers = standing_in.StandingIn(index, truth.full_text("p", Profile(MODEL, DIMENSION)))
        for _ in range(2):
            found = await answers.search_words({1: 1.0}, SCOPE, ANY, 5)
            seen.append("/".join(leg.document_id for leg in found))
        await answers.close()

    filled.fail = [("", hang_up)] * 2
    on_wire(truth, filled, work)
    assert seen[0] == seen[1] and not filled.fail
    assert [request for request in filled.seen if request.endswith("query")]


def closed() -> str:
    """The address of a port where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"
