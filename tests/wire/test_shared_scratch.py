"""Several servers on one Valkey: whatever one handed out can be used at another, whichever dies."""

import json
import signal

import pytest
from valkey_server import valkey_server

MOUNT = {"query": "How do I mount a filesystem?", "page_size": 2}
TOKENS = {"ada": "a-token-of-ada-that-is-long", "bob": "a-token-of-bob-that-is-long"}


@pytest.fixture(scope="module")
def valkey():
    server = valkey_server()
    yield server
    server.close()


@pytest.fixture(scope="module")
def serve(documented, valkey):
    def start(who="", **env):
        token = {"MCP_AUTH_TOKEN": TOKENS[who]} if who else {}
        return documented.http(plugins=documented.SAMPLE, env={"VALKEY_URL": valkey.url, **token, **env})

    return start


@pytest.fixture(scope="module")
def two(serve):
    return serve(), serve()


def modern(world, server, tool, arguments, **headers):
    reply = server.post_modern(world.call(1, tool, arguments, modern=True), **headers)
    return reply.message["result"]


def older(world, server, session, tool, arguments, number=1):
    return server.post(world.call(number, tool, arguments), **session).message["result"]


def code(result):
    return result["structuredContent"]["error"]["code"] if "structuredContent" in result else told(result)["code"]


def told(result):
    return json.loads(result["content"][0]["text"])["error"]


def test_a_passage_found_at_one_is_read_at_the_other(documented, two):
    one, other = two
    found = modern(documented, one, "kb.search", MOUNT)["structuredContent"]
    row = found["results"][0]
    asked = {"passage_id": row["passage_id"], "session_id": found["session_id"]}
    here, there = (modern(documented, each, "kb.read_excerpt", asked) for each in two)
    assert here["structuredContent"] == there["structuredContent"]
    read = documented.request(2, "resources/read", {"uri": row["scratch_uri"]}, modern=True)
    assert other.post_modern(read).message["result"]["contents"][0]["text"]


def test_pages_go_on_at_the_other(documented, two):
    one, other = two
    cursor = modern(documented, one, "kb.search", MOUNT)["structuredContent"]["next_cursor"]
    behind = [modern(documented, each, "kb.search", {**MOUNT, "cursor": cursor}) for each in (other, one)]
    assert behind[0]["structuredContent"]["results"] == behind[1]["structuredContent"]["results"]
    assert behind[0]["structuredContent"]["results"][0]["rank"] == 3
    assert behind[0]["structuredContent"]["next_cursor"] == behind[1]["structuredContent"]["next_cursor"]


def test_a_session_of_the_older_era_is_known_at_the_other(documented, two):
    one, other = two
    session = one.session()
    found = older(documented, one, session, "kb.search", MOUNT)["structuredContent"]
    passage = {"passage_id": found["results"][0]["passage_id"]}
    there = older(documented, other, session, "kb.read_excerpt", passage)["structuredContent"]
    assert there["excerpt"]
    again = older(documented, other, session, "kb.search", MOUNT)["structuredContent"]
    assert again["session_id"] == found["session_id"]
    listed = other.post(documented.request(3, "tools/list"), **session).message["result"]["tools"]
    assert listed


def test_what_was_sent_at_one_is_not_sent_again_by_the_other(documented, two):
    one, other = two
    session = one.session()
    node = older(documented, one, session, "kb.search", MOUNT)["structuredContent"]["results"][0]["section_id"]
    asked = {"node_ids": [node]}
    first = older(documented, one, session, "expand_neighbors", asked)["structuredContent"]
    second = older(documented, other, session, "expand_neighbors", asked)["structuredContent"]
    assert first["nodes"]
    assert (second["nodes"], second["edges"]) == ([], [])
    assert first["session_id"] == second["session_id"]


def test_an_ended_session_is_over_at_every_server(documented, two):
    one, other = two
    session = one.session()
    names = {name.replace("_", "-"): value for name, value in session.items()}
    assert one.send("DELETE", "/_mcp", None, names).status == 200
    assert other.post(documented.request(1, "tools/list"), **session).status == 404
    assert one.post(documented.request(1, "tools/list"), **session).status == 404


def test_a_client_that_only_asks_for_the_list_learns_that_its_session_ended_elsewhere(documented, two):
    one, other = two
    session = one.session()
    names = {name.replace("_", "-"): value for name, value in session.items()}
    for number in (1, 2):  # the second list is sent from memory
        assert other.post(documented.request(number, "tools/list"), **session).status == 200
    assert one.send("DELETE", "/_mcp", None, names).status == 200
    documented.eventually(lambda: other.post(documented.request(3, "tools/list"), **session).status == 404)


def test_a_made_up_session_is_unknown_everywhere(documented, two):
    for each in two:
        made_up = {"Mcp_Session_Id": "f" * 32, "MCP_Protocol_Version": "2025-11-25"}
        assert each.post(documented.request(1, "tools/list"), **made_up).status == 404


def test_another_principal_is_told_that_it_is_unknown(documented, serve):
    ada, bob = serve("ada"), serve("bob")
    bearer = {name: {"Authorization": f"Bearer {token}"} for name, token in TOKENS.items()}
    session = ada.session(**bearer["ada"])
    found = older(documented, ada, session, "kb.search", MOUNT)["structuredContent"]
    row = found["results"][0]
    theirs = bob.session(**bearer["bob"])
    asked = [
        ("kb.read_excerpt", {"passage_id": row["passage_id"]}),
        ("kb.search", {**MOUNT, "cursor": found["next_cursor"]}),
        ("kb.search", {**MOUNT, "session_id": found["session_id"]}),
        ("kb.read_excerpt", {"passage_id": "x" * 28}),
    ]
    refusals = [told(older(documented, bob, theirs, *each)) for each in asked]
    assert {each["code"] for each in refusals} == {"INVALID_ARGUMENT"}
    assert len({each["message"] for each in refusals}) == 1
    stolen = {**session, "Authorization": bearer["bob"]["Authorization"]}
    assert bob.post(documented.request(1, "tools/list"), **stolen).status == 404


def test_one_server_dies_and_the_other_goes_on(documented, serve):
    one, other = serve(), serve()
    session = one.session()
    passage = older(documented, one, session, "kb.search", MOUNT)["structuredContent"]["results"][0]["passage_id"]
    one.process.send_signal(signal.SIGKILL)
    one.process.wait(10)
    assert older(documented, other, session, "kb.read_excerpt", {"passage_id": passage})["structuredContent"]["excerpt"]


def test_without_the_store_answers_are_refused_at_once_and_come_back_by_themselves(documented, serve, valkey):
    server = serve()
    session = server.session()
    passage = older(documented, server, session, "kb.search", MOUNT)["structuredContent"]["results"][0]["passage_id"]
    valkey.stop()
    for tool, arguments in [("kb.search", MOUNT), ("kb.read_excerpt", {"passage_id": passage})]:
        refused = told(older(documented, server, session, tool, arguments))
        assert (refused["code"], refused["retryable"]) == ("BACKEND_UNAVAILABLE", True)
        assert str(valkey.port) not in json.dumps(refused)
    assert modern(documented, server, "graph.describe", {"node_ids": ["x"]})["structuredContent"]["not_found"] == ["x"]
    valkey.start()
    documented.eventually(lambda: not modern(documented, server, "kb.search", MOUNT).get("isError"))


def test_a_store_that_hangs_hangs_nobody(documented, serve, valkey):
    server = serve()
    modern(documented, server, "kb.search", MOUNT)
    valkey.signal(signal.SIGSTOP)
    try:
        assert told(modern(documented, server, "kb.search", MOUNT))["code"] == "BACKEND_UNAVAILABLE"
    finally:
        valkey.signal(signal.SIGCONT)
    documented.eventually(lambda: not modern(documented, server, "kb.search", MOUNT).get("isError"))
