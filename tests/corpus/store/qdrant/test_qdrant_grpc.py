"""What comes over gRPC from a Qdrant server that is slow, strict, broken or gone; on a server of our own."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from made_documents import prepared
from qdrant_asking import ANY, SCOPE, SECRET, Work, asked, fill, finds, write_two
from qdrant_fake import FakeQdrant
from qdrant_grpc import code, lost, running, slow

from wekadocs_corpus.store.interface import IndexUnavailable
from wekadocs_corpus.store.qdrant.index import QdrantIndex
from wekadocs_corpus.store.sqlite.truth import SqliteTruth


def over_grpc(truth: SqliteTruth, port: int, work: Work, scheme: str = "http", **settings: Any) -> list[float]:
    """Runs against the server on that port; the pauses it made."""
    return asked(truth, work, {"url": f"{scheme}://localhost:9", "grpc": True, "grpc_port": port, **settings})


@pytest.fixture
def fake() -> FakeQdrant:
    return FakeQdrant()


@pytest.fixture
def port(fake: FakeQdrant) -> Iterator[int]:
    with running(fake) as used:
        yield used


@pytest.fixture
def filled(truth: SqliteTruth, fake: FakeQdrant, port: int) -> FakeQdrant:
    write_two(truth)
    over_grpc(truth, port, fill)
    fake.seen.clear()
    return fake


def refusal(truth: SqliteTruth, port: int, **settings: Any) -> str:
    """The reason a search gives when it cannot be answered."""

    async def fails(index: QdrantIndex) -> None:
        with pytest.raises(IndexUnavailable) as caught:
            await index.search_words({1: 1.0}, SCOPE, ANY, 5)
        reasons.append(caught.value.reason)

    reasons: list[str] = []
    over_grpc(truth, port, fails, **settings)
    return reasons[0]


PASSING = ["UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED", "INTERNAL", "FAILED_PRECONDITION", "CANCELLED", "UNKNOWN"]


@pytest.mark.parametrize("name", PASSING)
def test_a_failure_that_passes_is_tried_again(truth, filled, port, name):
    filled.fail = [("Points/Query", code(name))]
    assert len(over_grpc(truth, port, finds)) == 1


@pytest.mark.parametrize("name", PASSING)
def test_a_server_that_stays_broken_is_reported_after_two_tries(truth, filled, port, name):
    filled.fail = [("Points/Query", code(name))] * 9
    reason = refusal(truth, port)
    assert reason.startswith(f"localhost:{port}: ") and "document_id" not in reason
    assert filled.seen.count("/qdrant.Points/Query") == 2


def test_the_time_to_come_back_is_kept_while_syncing_and_too_long_for_a_question(truth, filled, port):
    truth.write(prepared("b.md"))
    filled.fail = [("Points/Upsert", code("RESOURCE_EXHAUSTED", retry_after="7"))]
    assert over_grpc(truth, port, fill) == [7.0]
    filled.fail = [("Points/Query", code("RESOURCE_EXHAUSTED", retry_after="7"))]
    assert refusal(truth, port) == f"localhost:{port}: too many requests"


def test_a_slow_server_is_not_waited_for_longer_than_configured(truth, filled, port):
    filled.fail = [("Points/Query", slow(1.5))] * 2
    assert "timeout_seconds" in refusal(truth, port, timeout_seconds=1)


@pytest.mark.parametrize("name", ["INVALID_ARGUMENT", "PERMISSION_DENIED", "UNIMPLEMENTED"])
def test_a_refusal_is_not_repeated_and_holds_no_words_of_the_server(truth, filled, port, name):
    filled.fail = [("Points/Query", code(name))] * 2
    reason = refusal(truth, port)
    assert name in reason and "document_id" not in reason
    assert len(filled.fail) == 1


@pytest.mark.parametrize(("sent", "name"), [("", "UNAUTHENTICATED"), (SECRET, "PERMISSION_DENIED")])
def test_a_refused_key_is_told_at_once_and_never_shown(truth, filled, port, sent, name):
    filled.key = "another"
    reason = refusal(truth, port, api_key=sent)
    assert f"gRPC {name}" in reason and "qdrant.api_key" in reason and SECRET not in reason
    assert len(filled.seen) == 1


def test_the_key_is_sent(truth, filled, port, capfd):
    filled.key = SECRET

    async def work(index: QdrantIndex) -> None:
        await finds(index)
        assert await index.check() == await index.advice() == []

    over_grpc(truth, port, work, api_key=SECRET)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("grpc", [False, True])
@pytest.mark.parametrize("key", [SECRET + "\n", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_told(truth, filled, port, key, grpc):
    assert "qdrant.api_key" in refusal(truth, port, api_key=key, grpc=grpc)


@pytest.mark.parametrize("lose", ["Collections/Create", "CreateFieldIndex", "Upsert", "Points/Delete"])
def test_work_whose_answer_was_lost_is_done_again_without_harm(truth, fake, port, lose):
    truth.write(prepared("a.md"))
    fake.fail = [(lose, lost)]

    async def work(index: QdrantIndex) -> None:
        await fill(index)
        assert await index.check() == []

    over_grpc(truth, port, work)
    assert fake.fail == []


def test_a_collection_lost_under_a_running_process_is_made_and_filled_again(truth, filled, port):
    async def work(index: QdrantIndex) -> None:
        await fill(index)
        await finds(index)
        filled.engine.drop(index._collection.name)
        with pytest.raises(IndexUnavailable, match="missing"):
            await finds(index)
        await fill(index)
        await finds(index)

    over_grpc(truth, port, work)


def test_a_server_may_restart_between_two_questions(truth, filled):
    async def work(index: QdrantIndex) -> None:
        await finds(index)
        first.__exit__(None, None, None)
        with pytest.raises(IndexUnavailable, match=r"cannot be reached.*grpc_port"):
            await finds(index)
        with running(filled, port):
            await soon(index)

    first = running(filled)
    port = first.__enter__()
    over_grpc(truth, port, work)


async def soon(index: QdrantIndex) -> None:
    """A channel connects again when it pleases."""
    for _ in range(100):
        try:
            return await finds(index)
        except IndexUnavailable:
            await asyncio.sleep(0.1)
    raise AssertionError("the server is back, and nobody asks it")


def test_nobody_listening_is_reported_with_the_port_that_was_asked(truth):
    truth.write(prepared(terms=[{1: 1.0}, {1: 1.0}]))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        assert refusal(truth, port, timeout_seconds=1).startswith(f"localhost:{port}: cannot be reached")

        async def work(index: QdrantIndex) -> None:
            (finding,) = await index.check()
            assert "cannot be reached" in finding.what and "tools.yaml" in finding.cure

        over_grpc(truth, port, work)


def test_https_is_tls_with_a_private_authority(truth, filled, port, tmp_path):
    """The certificate is made here; without `ca_file` nobody trusts it."""
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    make = f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -keyout {key} -out {certificate} -subj /CN=localhost"
    subprocess.run([*make.split(), "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    with running(filled, credentials=credentials) as secure:
        over_grpc(truth, secure, finds, scheme="https", ca_file=str(certificate))
        assert "cannot be reached" in refusal(truth, secure, scheme="https", timeout_seconds=1)
        assert "cannot be reached" in refusal(truth, secure, timeout_seconds=1)  # plain text to a TLS port
