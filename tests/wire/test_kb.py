"""The documentation over the wire: search, read an excerpt, read the resource, in both eras."""

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "sample" / "docs"
GONE = "There is no such resource, it has expired, or it is not yours to read."


def ok(answer):
    assert "result" in answer, answer
    assert not answer["result"].get("isError"), answer
    return answer["result"]


def round_trip(world, ask, modern):
    found = ok(ask(world.call(1, "kb.search", {"query": "How do I mount a filesystem?"}, modern=modern)))
    row = found["structuredContent"]["results"][0]
    assert row["path"] == "filesystems/mount.md"
    assert [block["type"] for block in found["content"]] == ["text"] + ["resource_link"] * 5
    assert found["content"][1]["uri"] == row["scratch_uri"]
    arguments = {"passage_id": row["passage_id"], "max_tokens": 800}
    excerpt = ok(ask(world.call(2, "kb.read_excerpt", arguments, modern=modern)))["structuredContent"]
    (content,) = ok(ask(world.request(3, "resources/read", {"uri": row["scratch_uri"]}, modern=modern)))["contents"]
    assert content == {"uri": row["scratch_uri"], "mimeType": "text/plain", "text": excerpt["excerpt"]}
    assert len(content["text"].encode()) == row["size_bytes"]
    refused = ask(world.request(4, "resources/read", {"uri": row["scratch_uri"] + "x"}, modern=modern))["error"]
    assert (refused["code"], refused["message"]) == (-32602 if modern else -32002, GONE)
    return row


@pytest.mark.parametrize("modern", [False, True], ids=["older", "modern"])
def test_search_excerpt_and_resource_over_stdio(documented, modern):
    server = documented.stdio()
    if not modern:
        server.shake_hands()
    row = round_trip(documented, server.ask, modern)
    other = documented.stdio()
    if not modern:
        other.shake_hands()
    call = documented.call(5, "kb.read_excerpt", {"passage_id": row["passage_id"]}, modern=modern)
    assert other.ask(call)["result"]["isError"]  # another process knows nothing of it


def test_search_excerpt_and_resource_over_http(documented):
    server = documented.http()
    one, two = server.session(), server.session()
    row = round_trip(documented, lambda message: server.post(message, **one).message, modern=False)
    round_trip(documented, lambda message: server.post_modern(message).message, modern=True)
    call = documented.call(6, "kb.read_excerpt", {"passage_id": row["passage_id"]})
    assert ok(server.post(call, **one).message)
    foreign, unknown = (
        server.post(each, **two).message["result"]
        for each in (call, documented.call(7, "kb.read_excerpt", {"passage_id": "x"}))
    )
    assert foreign == unknown
    assert foreign["isError"]


def test_hostile_handles_over_stdio(documented):
    server = documented.stdio()
    server.shake_hands()
    for number, arguments in enumerate(
        [
            {"query": "mount", "cursor": "\u0000" * 50},
            {"query": "mount", "session_id": "../../etc/passwd"},
            {"query": "x" * 2001},
        ]
    ):
        answer = server.ask(documented.call(number, "kb.search", arguments))["result"]
        assert answer["isError"]
        assert '"INVALID_ARGUMENT"' in answer["content"][0]["text"]
        assert "passwd" not in answer["content"][0]["text"]
    assert ok(server.ask(documented.call(9, "kb.search", {"query": "mount"})))


def test_a_search_leads_into_the_graph_over_both_transports(documented):
    stdio, http = documented.stdio(), documented.http()
    stdio.shake_hands()
    session = http.session()
    answers = []
    for ask in (stdio.ask, lambda message: http.post(message, **session).message):
        row = ok(ask(documented.call(1, "kb.search", {"query": "How do I mount a filesystem?"})))
        section_id = row["structuredContent"]["results"][0]["section_id"]
        found = ok(ask(documented.call(2, "graph_expand", {"node_ids": [section_id]})))
        assert found["content"][0]["text"].count("\n") + 1 == len(found["structuredContent"]["nodes"])
        answers.append(found)
    assert answers[0] == answers[1]
