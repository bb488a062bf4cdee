"""Hostile input: each bad message gets an error, with its id where that can be known, and the server goes on."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

DEEP = b"[" * 100_000
NESTED = b'{"a":' * 50_000


def line(request_id: str, arguments: bytes) -> bytes:
    """A tools/call with raw bytes as its arguments."""
    return (
        b'{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"wire.echo","arguments":{"value":%s}}}'
        % (request_id.encode(), arguments)
    )


# What is sent, the id that can be known (None: none can), and the code.
UNREADABLE = {
    "garbage": (b"garbage", None, -32700),
    "half of an object": (b'{"jsonrpc":"2.0","id":"h","method":', "h", -32700),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
    "an empty batch": (b"[]", None, -32600),
    "a number": (b"7", None, -32600),
    "null": (b"null", None, -32600),
    "a string": (b'"ping"', None, -32600),
    "an empty object": (b"{}", None, -32600),
    "100,000 brackets": (line("d", DEEP), "d", -32700),
    "50,000 objects": (line("n", NESTED), "n", -32700),
    "brackets, id at the end": (b'{"jsonrpc":"2.0","method":"ping","params":{"a":%s},"id":"e"}' % DEEP, "e", -32700),
    "brackets, id in front": (b'{"id":"f","jsonrpc":"2.0","params":{"a":%s}}' % DEEP, "f", -32700),
    "brackets, id behind the method": (b'{"jsonrpc":"2.0","method":"ping","id":"g","params":%s' % DEEP, "g", -32700),
    "an id that is no JSON": (b'{"jsonrpc":"2.0","id":"\\q","method":"ping"}', None, -32700),
    "an id that is no UTF-8": (b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}', None, -32700),
    "invalid UTF-8": (line("u", b'"\xff\xfe"'), "u", -32700),
    "overlong UTF-8": (line("o", b'"\xc0\xaf"'), "o", -32700),
    "an encoded surrogate": (line("s", b'"\xed\xa0\x80"'), "s", -32700),
    "a lone surrogate": (line("l", b'"\\ud800"'), "l", -32700),
    "a lone low surrogate": (line("w", b'"\\udc00x"'), "w", -32700),
    "a NUL byte": (line("z", b'"\x00"'), "z", -32700),
    "NUL bytes only": (b"\x00\x00\x00", None, -32700),
    "a BOM": (b"\xef\xbb\xbf" + line("b", b"1"), "b", -32700),
    "UTF-16": (line("x", b"1").decode().encode("utf-16-le"), "x", -32700),
    "trailing garbage": (line("t", b"1") + b"}", "t", -32700),
    "another version": (b'{"jsonrpc":"1.0","id":"v","method":"ping"}', "v", -32600),
    "no version": (b'{"id":"y","method":"ping"}', "y", -32600),
    "a method of the wrong type": (b'{"jsonrpc":"2.0","id":"m","method":7}', "m", -32600),
    "no method": (b'{"jsonrpc":"2.0","id":"q"}', "q", -32600),
    "params as list": (b'{"jsonrpc":"2.0","id":"p","method":"ping","params":[1]}', "p", -32600),
    "params as text": (b'{"jsonrpc":"2.0","id":"r","method":"ping","params":"x"}', "r", -32600),
    "an id that is an object": (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, -32600),
    "an id that is a list": (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None, -32600),
    "an id that is true": (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
    "an id with a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
    "10 MB of arguments": (line("big", b'"' + b"x" * (10 << 20) + b'"'), "big", -32600),
    "10 MB that end in nothing": (b'{"jsonrpc":"2.0","id":"cut","method":"' + b"x" * (10 << 20), "cut", -32600),
}

# Well-formed JSON-RPC with nonsense inside: method and params by name; all get an error or an isError result.
SENSELESS = {
    "unknown method": ("no/such/method", {}),
    "empty method": ("", {}),
    "a notification's name": ("notifications/initialized", {}),
    "a call without a name": ("tools/call", {}),
    "a name of the wrong type": ("tools/call", {"name": 7}),
    "an unknown tool": ("tools/call", {"name": "wire.ecco", "arguments": {}}),
    "a tool name of 100 kB": ("tools/call", {"name": "x" * 100_000, "arguments": {}}),
    "arguments as list": ("tools/call", {"name": "wire.echo", "arguments": [1]}),
    "arguments as text": ("tools/call", {"name": "wire.echo", "arguments": "x"}),
    "unknown argument": ("tools/call", {"name": "wire.echo", "arguments": {"valeu": 1}}),
    "wrong type": ("tools/call", {"name": "wire.slow", "arguments": {"note": 7}}),
    "meta as text": ("tools/call", {"name": "wire.echo", "arguments": {"value": 1}, "_meta": "x"}),
    "a cursor nobody gave": ("tools/list", {"cursor": "x"}),
    "a cursor of the wrong type": ("tools/list", {"cursor": 7}),
    "no such resource": ("resources/read", {"uri": "shelf://nothing"}),
    "a uri that is none": ("resources/read", {"uri": "::::"}),
    "a uri of the wrong type": ("resources/read", {"uri": {}}),
    "a uri with odd escapes": ("resources/read", {"uri": "shelf://books/%zz/../../etc"}),
    "no such prompt": ("prompts/get", {"name": "revue"}),
    "a prompt without its argument": ("prompts/get", {"name": "review"}),
    "a prompt with another argument": ("prompts/get", {"name": "review", "arguments": {"title": "x", "titel": "y"}}),
    "prompt arguments of the wrong type": ("prompts/get", {"name": "review", "arguments": {"title": 7}}),
    "completion without anything": ("completion/complete", {}),
    "completion of an unknown prompt": (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}},
    ),
    "completion of an odd reference": ("completion/complete", {"ref": {"type": "ref/x"}, "argument": {}}),
}


@pytest.fixture(scope="module")
def older(shared):
    server = shared.stdio()
    server.shake_hands()
    return server


@pytest.fixture(scope="module")
def newer(shared):
    server = shared.stdio()
    assert "result" in server.ask(shared.request(0, "server/discover", modern=True))
    return server


@pytest.fixture(scope="module")
def session(served):
    return served.session()


def still_answers(server, world, *, modern: bool = False) -> bool:
    """The next good request, with an id of its own, gets exactly its answer."""
    server.number = getattr(server, "number", 1000) + 1
    server.write(world.call(server.number, "wire.echo", {"value": "good"}, modern=modern))
    answer = server.read()
    return answer["id"] == server.number and answer["result"]["structuredContent"] == {"value": "good"}


def is_clean(text: str) -> bool:
    """No trace of our insides."""
    return not any(
        word in text for word in ("Traceback", "pydantic", "site-packages", "jsonschema", "validation error")
    )


def test_a_line_that_cannot_be_read_is_refused_and_the_next_one_answered(older, newer, shared):
    for server, modern in ((older, False), (newer, True)):
        for name, (sent, request_id, code) in UNREADABLE.items():
            server.write(sent + b"\n")
            answer = server.read()
            assert (answer["id"], answer["error"]["code"]) == (request_id, code), (name, str(answer)[:300])
            assert is_clean(answer["error"]["message"]) and len(answer["error"]["message"]) < 300, name
            assert still_answers(server, shared, modern=modern), name


def test_many_bad_lines_in_one_write_are_refused_one_by_one(older, shared):
    small = {name: row for name, row in UNREADABLE.items() if len(row[0]) < 1000 and name != "UTF-16"}
    older.write(*(sent + b"\r\n" for sent, _, _ in small.values()))
    answers = [older.read() for _ in small]
    assert [(each["id"], each["error"]["code"]) for each in answers] == [row[1:] for row in small.values()]
    assert still_answers(older, shared)


def test_nonsense_inside_a_good_message_is_an_error_with_its_id(older, newer, shared):
    for server, modern in ((older, False), (newer, True)):
        for name, (method, params) in SENSELESS.items():
            if modern and not isinstance(params.get("_meta", {}), dict):
                continue
            server.write(shared.request(name, method, params, modern=modern))
            answer = server.read()
            assert answer["id"] == name
            check_senseless(name, answer)
        assert still_answers(server, shared, modern=modern)


def check_senseless(name: str, answer: dict) -> None:
    failed = "error" in answer or answer["result"].get("isError") is True
    assert failed, (name, answer)
    assert is_clean(json.dumps(answer)), (name, answer)
    if "error" in answer:
        assert answer["error"]["code"] in (-32600, -32601, -32602, -32002), (name, answer)
        assert answer["error"]["message"] and len(answer["error"]["message"]) < 2000, (name, answer)


def test_odd_numbers_in_arguments_are_refused_or_passed_on_whole(older, newer, shared):
    for server, modern in ((older, False), (newer, True)):
        for value in (b"NaN", b"Infinity", b"-Infinity", b"1e999"):
            meta = b',"_meta":' + json.dumps(shared.META).encode() if modern else b""
            server.write(line("nan", value)[:-2] + meta + b"}}\n")
            answer = server.read()
            assert answer["id"] == "nan"
            assert "error" in answer or answer["result"]["isError"], (value, answer)
            assert is_clean(json.dumps(answer))
        for value in (10**30, -(2**63), 1e-320, 2**53 + 1, -0.0):
            server.write(shared.call("n", "wire.echo", {"value": value}, modern=modern))
            assert server.read()["result"]["structuredContent"] == {"value": value}
        assert still_answers(server, shared, modern=modern)


def test_ids_come_back_as_they_were_sent(older, shared):
    for request_id in (0, -1, 2**53, 10**25, "", "é世🙂", "x" * 5000, "null", "\u0000", "1"):
        older.write(shared.request(request_id, "ping"))
        answer = older.read()
        assert answer["id"] == request_id and type(answer["id"]) is type(request_id)
    older.write({"jsonrpc": "2.0", "id": None, "method": "ping"})
    assert still_answers_eventually(older, shared)


def still_answers_eventually(server, world) -> bool:
    """As still_answers; an error without an id may come first."""
    server.write(world.call("eventually", "wire.echo", {"value": 1}))
    first = server.read()
    answer = first if first["id"] == "eventually" else server.read()
    return answer["id"] == "eventually"


def test_answers_to_questions_nobody_asked_and_odd_notifications_are_ignored(older, shared):
    older.write(
        {"jsonrpc": "2.0", "id": 77, "result": {}},
        {"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "m"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {"a": 1}}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled"},
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "x", "progress": "much"}},
        {"jsonrpc": "2.0", "method": "notifications/unheard/of", "params": {"a": 1}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "wire.echo"}},
        {"jsonrpc": "2.0", "method": ""},
    )
    assert still_answers(older, shared)


def test_what_does_not_belong_to_the_connection_is_refused(shared, older, newer):
    """Before the handshake; the other era's requests; a second handshake."""
    early = shared.stdio()
    answer = early.ask(shared.call(1, "wire.echo", {"value": 1}))
    assert "error" in answer and is_clean(answer["error"]["message"])
    assert early.ask(shared.initialize(2))["result"]["protocolVersion"] == "2025-11-25"
    early.write(shared.INITIALIZED)
    assert still_answers(early, shared)
    enveloped = older.ask(shared.call(3, "wire.echo", {"value": 1}, modern=True))
    assert enveloped["error"]["code"] == -32600
    assert still_answers(older, shared)
    assert "error" in newer.ask(shared.initialize(4))
    assert "error" in newer.ask(shared.request(5, "ping", modern=True))
    assert "error" in newer.ask(shared.call(6, "wire.echo", {"value": 1}))
    assert still_answers(newer, shared, modern=True)
    early.write(b'{"jsonrpc":"2.0","id":"half","method":"pi')
    early.end_of_input()
    answer = early.read()
    assert (answer["id"], answer["error"]["code"]) == ("half", -32700)
    early.gone_within(2)


def test_http_refuses_the_same_and_goes_on(served, session, shared):
    """With the same ids and codes; never a 500, never our insides."""
    for name, (sent, request_id, code) in UNREADABLE.items():
        for headers in (
            session,
            {"MCP_Protocol_Version": shared.MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "wire.echo"},
        ):
            reply = served.post(sent, **headers)
            if len(sent) > 4 << 20:
                assert reply.status == 413, name
                continue
            error = reply.message
            assert (reply.status, error["id"], error["error"]["code"]) == (400, request_id, code), (
                name,
                reply.body[:300],
            )
            assert is_clean(reply.body.decode()), (name, reply.body[:500])
    for name, (method, params) in SENSELESS.items():
        old = served.post(shared.request(1, method, params), **session)
        assert old.status in (200, 400, 404), (name, old.body)
        check_senseless(name, old.message)
        if isinstance(params.get("_meta", {}), dict):
            odd_name = not isinstance(params.get("name", params.get("uri", "")), str) or len(str(params)) > 9999
            extra = {"Mcp_Name": "x"} if odd_name else {}
            new = served.post_modern(shared.request(1, method, params, modern=True), **extra)
            assert new.status in (200, 400, 404), (name, new.body)
            assert "error" in new.message or new.message["result"]["isError"], name
            assert is_clean(new.body.decode()), (name, new.body[:500])
    bad_type = served.post(b"{}", Content_Type="text/plain", **session)
    assert 400 <= bad_type.status < 500
    good = served.post(shared.call(1, "wire.echo", {"value": 1}), **session)
    assert good.message["result"]["structuredContent"] == {"value": 1}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
METHODS = st.sampled_from(
    [name for name, _ in SENSELESS.values()] + ["ping", "logging/setLevel", "resources/subscribe"]
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | VALUES,
        "id": st.integers() | st.text(max_size=5) | VALUES,
        "method": METHODS | st.text(alphabet=string.printable, max_size=12) | VALUES,
        "params": st.fixed_dictionaries(
            {}, optional={"name": st.just("wire.echo") | VALUES, "arguments": VALUES, "_meta": VALUES}
        )
        | VALUES,
    },
)
LINES = MESSAGES.map(lambda message: json.dumps(message).encode()) | st.binary(max_size=60).map(
    lambda raw: raw.replace(b"\n", b"")
)
BOUNDED = settings(
    max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@BOUNDED
@given(sent=LINES)
def test_whatever_is_sent_the_next_good_request_is_answered(older, shared, sent):
    number = older.number = getattr(older, "number", 1000) + 1
    marker = f"after {number}"
    older.write(sent + b"\n", shared.call(marker, "wire.echo", {"value": number}))
    before = []
    while (message := older.read()).get("id") != marker:
        before.append(message)
    assert message["result"]["structuredContent"] == {"value": number}
    assert len(before) <= 1
    assert all(is_clean(json.dumps(each)) for each in before)


@BOUNDED
@given(value=VALUES)
def test_every_json_value_comes_back_as_it_was(older, newer, shared, value):
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    for server, modern in ((older, False), (newer, True)):
        result = server.ask(shared.call("echo", "wire.echo", {"value": value}, modern=modern))["result"]
        if result["isError"]:
            assert value == "refuse"
        else:
            assert result["structuredContent"] == {"value": value}
