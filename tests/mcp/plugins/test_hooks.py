"""Aliases, contracts, examples and routes that plugins bring."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from wekadocs_mcp.cli import examples
from wekadocs_mcp.plugins import importing

from .made_plugins import ECHO


def test_aliases_are_other_unlisted_names(workshop: Any) -> None:
    workshop.tool(
        "@hookimpl\ndef register_aliases():\n    return {'old.name': 'demo.echo', 'very.old.name': 'demo.echo'}\n"
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'got': text}\n"
    )
    app = workshop.app()
    assert [tool["name"] for tool in app.tools_list()["tools"]] == ["demo.echo"]
    for name in ("old.name", "old_name", "very_old.name"):
        assert workshop.call(app, name, {"text": "x"}).data == {"got": "x"}


@pytest.mark.parametrize(
    ("aliases", "message"),
    [({"old": "demo.nothing"}, "which is no tool"), ({"demo.two": "demo.echo"}, "already a tool's name")],
)
def test_an_alias_must_lead_to_a_tool_and_be_free(workshop: Any, aliases: dict[str, str], message: str) -> None:
    workshop.tool(
        f"@hookimpl\ndef register_aliases():\n    return {aliases!r}\n"
        "@tool('demo.echo')\nasync def echo(call, text): ...\n"
    )
    workshop.echo("demo.two")
    assert message in workshop.refusal()


def test_a_plugin_may_bring_contracts_from_elsewhere(workshop: Any, install: Any) -> None:
    folder = workshop.write("far/echo.v1.yaml", json.dumps(workshop.contract("acme.echo"))).parent
    install("acme", f"{ECHO}@hookimpl\ndef register_contracts():\n    return [{str(folder)!r}]\n")
    assert len(workshop.app({"plugins": {"acme": {}}}).tools_list()["tools"]) == 1


def test_hooks_are_asked_once_and_not_during_calls(workshop: Any) -> None:
    code = """
    ASKED = []
    @hookimpl
    def register_tools():
        ASKED.append("tools")
        return [echo]
    @hookimpl
    def register_interceptors():
        ASKED.append("interceptors")
        return []
    @tool("demo.echo")
    async def echo(call, text):
        return {}
    """
    workshop.tool(code)
    app = workshop.app()
    for _ in range(3):
        workshop.call(app, "demo.echo")
    assert app.plugins["echo"].module.ASKED == ["tools", "interceptors"]


def test_every_hook_has_one_sentence() -> None:
    from wekadocs_mcp.plugins import hookspecs

    assert set(importing.HOOKS) == {
        "register_tools", "lifespan", "register_contracts", "register_aliases", "register_interceptors",
        "register_resources", "register_prompts", "register_http_routes", "register_health_checks", "register_commands",
        "register_client_checks", "register_metrics", "shared_sessions", "shared_tasks", "prepare_examples",
    }  # fmt: skip
    for name in importing.HOOKS:
        assert getattr(hookspecs, name).__doc__


PREPARED = """
@hookimpl
def prepare_examples(context):
    (context.data_dir / "prepared").write_text("for the examples")

@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    yield context.data_dir

@tool("demo.echo")
async def echo(call, text):
    note = call.state / "prepared"
    return {"got": note.read_text() if note.exists() else None}
"""


def test_examples_find_what_their_plugin_prepared(workshop: Any, tmp_path: Any) -> None:
    example = {"arguments": {"text": "x"}, "expect": {"got": "for the examples"}}
    workshop.tool("import contextlib\n" + PREPARED, examples=[example])
    config = workshop.config({}, plugin_paths=(str(workshop.tools),))
    (result,) = asyncio.run(examples.run(replace(config, data_dir=tmp_path), throw_away=True))
    assert result.ok, result.why


def test_nothing_is_prepared_in_a_data_directory_that_stays(workshop: Any, tmp_path: Any) -> None:
    workshop.tool("import contextlib\n" + PREPARED, examples=[{"arguments": {}, "expect": {"got": None}}])
    config = workshop.config({}, plugin_paths=(str(workshop.tools),))
    (result,) = asyncio.run(examples.run(replace(config, data_dir=tmp_path)))
    assert result.ok, result.why


_ROUTE = """
from wekadocs_mcp import HttpReply, HttpRoute

async def hello(request):
    outcome = await request.call("demo.echo", {"text": request.body["text"]})
    return HttpReply({"said": outcome.data}, 201, {"X-Mine": "yes"})

@hookimpl
def register_http_routes():
    return [HttpRoute("POST", "PATH", hello, "HELLO")]

@tool("demo.echo")
async def echo(call, text):
    return {"text": text, "principal": call.principal, "client": call.client.name}
"""


@pytest.mark.parametrize("path", ["/_mcp", "/healthz", "hello"])
def test_a_route_on_a_taken_or_odd_path_is_refused(workshop: Any, path: str) -> None:
    workshop.tool(_ROUTE.replace("PATH", path))
    assert f"{path}`" in workshop.refusal({"flags": {"HELLO": True}})


def test_a_plugins_route_calls_tools_as_whoever_asks(workshop: Any) -> None:
    from starlette.testclient import TestClient

    from wekadocs_mcp.transports.http import server as http
    from wekadocs_mcp.transports.server import McpServer

    workshop.tool(_ROUTE.replace("PATH", "/hello"))
    server = McpServer(workshop.app({"flags": {"HELLO": True}}))
    with TestClient(http.build(server), base_url="http://127.0.0.1") as client:
        reply = client.post("/hello", json={"text": "hi"}, headers={"user-agent": "curl/8"})
        assert (reply.status_code, reply.headers["x-mine"]) == (201, "yes")
        assert reply.json() == {"said": {"text": "hi", "principal": "anonymous", "client": "rest curl"}}
        broken = client.post("/hello", json={})
        assert (broken.status_code, broken.json()["error"]["code"]) == (500, "INTERNAL_ERROR")
