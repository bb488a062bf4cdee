"""What doctor and /readyz say of where passages are kept."""

import asyncio
import sys

import pytest
from valkey_server import valkey_server


def said(serve, **valkey):
    kb = serve(scratch={"valkey": valkey})
    kb.run(kb.app.start_plugins)
    return {each.what: each for each in kb.run(kb.app.health)}, kb


def test_alone_it_says_what_that_means_behind_a_balancer(serve):
    found, _ = said(serve)
    assert found["scratch.shared"].state == "ok"
    assert "behind a balancer" in found["scratch.shared"].note
    assert "VALKEY_URL" in found["scratch.shared"].note


def test_a_store_is_named_with_its_version(serve, valkey):
    found, _ = said(serve, url=valkey.url)
    assert found["scratch.shared"].state == "ok"
    assert "shared by all servers" in found["scratch.shared"].note
    assert valkey.password not in str(found)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis://127.0.0.1:1/0", "does not answer: see that it runs at the address in VALKEY_URL"),
        ("redis://:wrong@127.0.0.1:{port}/0", "refuses our password: correct the user and the password in VALKEY_URL"),
        ("redis://127.0.0.1:{port}/0", "refuses our password"),
        ("redis://:{password}@127.0.0.1:{port}/999", "refuses what we ask: see whether it has the database"),
        ("redis://no-such-host.invalid/0", "does not answer"),
    ],
)
def test_a_wrong_address_is_broken_and_says_why(serve, valkey, url, why):
    address = url.format(port=valkey.port, password=valkey.password)
    found, kb = said(serve, url=address, timeout_seconds=1)
    assert found["scratch"].state == "broken" or found["scratch.shared"].state == "broken"
    assert why in str(found)
    assert valkey.password not in str(found)
    refused = kb.refused("kb.search", {"query": "mount"})
    assert (refused["code"], refused["retryable"]) == ("BACKEND_UNAVAILABLE", True)


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:port/0",
        "redis://:hunter2/of/mine@127.0.0.1:6379/0",
        "redis://:12?hunter2@127.0.0.1:6379/0",
        "redis://:12#hunter2@127.0.0.1:6379/0",
        "redis://127.0.0.1:{port}/zero",
    ],
)
def test_an_address_that_cannot_be_read_is_told_the_way_out_and_no_password(serve, valkey, url):
    found, _ = said(serve, url=url.format(port=valkey.port))
    assert found["scratch"].state == "broken"
    assert "plugins.scratch.valkey.url cannot be read; write VALKEY_URL as valkey://" in found["scratch"].note
    assert "hunter2" not in str(found)


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--replicaof", "127.0.0.1", "1"), "may only be read: name the primary"),
        (("--maxmemory", "1"), "is full: raise"),
    ],
)
def test_what_a_store_refuses_to_write_breaks_nothing_in_it(serve, caplog, option, told):
    server = valkey_server(*option)
    try:
        found, _ = said(serve, url=server.url)
        assert told in found["scratch"].note
        assert "begun anew" not in caplog.text
    finally:
        server.close()


def test_a_store_that_may_drop_what_it_likes_is_warned_of(serve):
    server = valkey_server("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru")
    try:
        found, _ = said(serve, url=server.url)
        assert found["scratch.shared"].state == "warning"
        assert "allkeys-lru" in found["scratch.shared"].note
    finally:
        server.close()


def test_without_the_client_the_extra_is_named(serve, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkey.asyncio", None)
    found, _ = said(serve, url="valkey://127.0.0.1:1")
    assert any(each.state == "broken" for each in found.values())
    assert "wekadocs-mcp[valkey]" in str(found)


def test_an_address_of_another_kind_is_refused_at_start(serve):
    from wekadocs_contracts.problems import StartError

    with pytest.raises(StartError, match="valkey"):
        serve(scratch={"valkey": {"url": "http://127.0.0.1:6379"}})


def test_a_store_that_comes_later_is_found(serve, valkey):
    valkey.stop()
    kb = serve(scratch={"valkey": {"url": valkey.url}})
    assert kb.refused("kb.search", {"query": "mount"})["code"] == "BACKEND_UNAVAILABLE"
    valkey.start()

    async def until_it_answers():
        from wekadocs_mcp.calls.call import Caller

        for _ in range(600):
            outcome = await kb.app.dispatcher.call("kb.search", {"query": "mount"}, Caller("ada", "one"))
            if outcome.error is None:
                return outcome.data
            await asyncio.sleep(0.05)
        raise AssertionError(outcome.error)

    assert kb.run(until_it_answers)["results"]
