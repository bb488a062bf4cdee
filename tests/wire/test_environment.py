"""MCP_TRANSPORT, MCP_HOST, MCP_PORT and MCP_LOG_LEVEL: flag over environment over file; the fast door knows of it."""

from __future__ import annotations

from typing import Any

import pytest

from .servers import Http

HELLO = "from wekadocs_mcp import tool\n@tool('demo.hello')\nasync def hello(call):\n    return {'said': 'hello'}\n"


def with_http(world: Any, **environment: str) -> Http:
    server = Http(world.arguments(), {**world.environment, **environment})
    world._started.append(server)
    return server.wait_until_ready()


def test_the_environment_makes_it_an_http_server(world: Any) -> None:
    world.tool("demo.hello", HELLO)
    server = with_http(world, MCP_TRANSPORT="streamable-http", MCP_HOST="127.0.0.1", MCP_PORT="0")
    assert server.send("GET", "/healthz").status == 200
    assert server.port not in (0, 8765)


def test_a_flag_goes_over_the_environment(world: Any) -> None:
    world.tool("demo.hello", HELLO)
    server = world.stdio("--transport", "stdio", env={"MCP_TRANSPORT": "http", "MCP_PORT": "1"})
    server.shake_hands()
    assert server.ask(world.call(1, "demo.hello", {}))["result"]["structuredContent"] == {"said": "hello"}


def test_the_file_says_what_neither_flag_nor_environment_does(world: Any) -> None:
    world.tool("demo.hello", HELLO)
    (world.root / "http.yaml").write_text('server: {transport: http, host: "127.0.0.1", port: 1}')
    config = ("--config", str(world.root / "http.yaml"))
    server = Http([*world.arguments(), *config, "--port", "0"], world.environment)
    world._started.append(server)
    assert server.wait_until_ready().port not in (0, 1, 8765)
    beside = world.stdio(*config, env={"MCP_TRANSPORT": "stdio"})
    assert beside.shake_hands()


def test_a_recorded_greeting_is_not_given_where_http_is_asked_for(world: Any) -> None:
    world.tool("demo.hello", HELLO)
    world.record()
    server = with_http(world, MCP_TRANSPORT="http", MCP_PORT="0")
    assert server.send("GET", "/healthz").status == 200


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"MCP_TRANSPORT": "carrier-pigeon"}, "carrier-pigeon"),
        ({"MCP_TRANSPORT": "http", "MCP_PORT": "many"}, "MCP_PORT"),
        ({"MCP_TRANSPORT": "http", "MCP_PORT": "0", "MCP_HOST": "0.0.0.0"}, "MCP_AUTH_TOKEN"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_its_name(world: Any, environment: dict[str, str], words: str) -> None:
    world.tool("demo.hello", HELLO)
    server = world.stdio(env=environment)
    assert server.gone_within(20) == 2
    world.eventually(lambda: words in server.err.text)


def test_a_level_that_the_log_does_not_have_is_told_of(world: Any) -> None:
    world.tool("demo.hello", HELLO)
    server = world.stdio(env={"MCP_LOG_LEVEL": "loud"})
    server.shake_hands()
    server.ask(world.call(1, "demo.hello", {}))
    world.eventually(lambda: "'loud' is no level" in server.err.text)


def test_the_log_tells_as_much_as_it_is_asked_for(world: Any) -> None:
    world.tool("demo.hello", HELLO)
    quiet, talking = world.stdio(), world.stdio(env={"MCP_LOG_LEVEL": "info"})
    for server in (quiet, talking):
        server.shake_hands()
        server.ask(world.call(1, "demo.hello", {}))
        server.end_of_input()
        server.gone_within(10)
    assert "tool=demo.hello" in talking.err.text
    assert "tool=demo.hello" not in quiet.err.text
    told = [line for line in talking.err.text.splitlines() if " wekadocs.serve " in line]
    assert [line.partition(" wekadocs.serve ")[2] for line in told] == [
        "started transport=stdio",
        "ended transport=stdio",
    ]
