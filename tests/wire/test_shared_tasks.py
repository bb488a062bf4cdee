"""Tasks of several servers on one Valkey: asked for, answered and ended at any of them, whichever runs them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from valkey_server import Server, valkey_server

from .gate import GATE, PROPERTIES, TASKS

ASKING = """
from wekadocs_mcp import InputRequired, tool
import asyncio

@tool("demo.name")
async def name(call):
    await asyncio.sleep(0.3)
    given = call.client.input_responses.get("who")
    if given is None:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        params = {"mode": "form", "message": "Who are you?", "requestedSchema": schema}
        return InputRequired({"who": {"method": "elicitation/create", "params": params}})
    return {"hello": given["content"]["name"]}
"""
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
ADA, BOB = "a-token-of-ada-that-is-long", "a-token-of-bob-that-is-long"


@pytest.fixture(scope="module")
def valkey() -> Iterator[Server]:
    server = valkey_server()
    yield server
    server.close()


@pytest.fixture
def serve(world: Any, valkey: Server) -> Callable[..., Any]:
    world.tool("demo.gate", GATE, properties=PROPERTIES, task="optional", budgets={"timeout_seconds": 60})

    def start(token: str = "") -> Any:
        server = world.http(env={"VALKEY_URL": valkey.url, **({"MCP_AUTH_TOKEN": token} if token else {})})
        server.token = token
        return server

    return start


def ask(world: Any, server: Any, method: str, **params: Any) -> dict[str, Any]:
    message = world.request(7, method, params, modern=True)
    message["params"]["_meta"].update({CAPABILITIES: {**TASKS[CAPABILITIES], "elicitation": {}}})
    named = {"Mcp_Name": params["taskId"]} if "taskId" in params else {}
    if token := getattr(server, "token", ""):
        named["Authorization"] = f"Bearer {token}"
    found: dict[str, Any] = server.post_modern(message, **named).message
    return found


def begun(world: Any, server: Any, file: Path, tool: str = "demo.gate") -> str:
    arguments = {"file": str(file)} if tool == "demo.gate" else {}
    task = ask(world, server, "tools/call", name=tool, arguments=arguments)["result"]
    assert (task["resultType"], task["status"]) == ("task", "working")
    task_id: str = task["taskId"]
    return task_id


def get(world: Any, server: Any, task: str) -> dict[str, Any]:
    found: dict[str, Any] = ask(world, server, "tasks/get", taskId=task)["result"]
    return found


def until(world: Any, server: Any, task: str, *wanted: str) -> dict[str, Any]:
    def reached() -> dict[str, Any] | None:
        found: dict[str, Any] = ask(world, server, "tasks/get", taskId=task).get("result", {})
        return found if found.get("status") in wanted else None

    found: dict[str, Any] = world.eventually(reached)
    return found


def test_a_task_is_asked_for_at_the_other_and_its_answer_is_the_same(world: Any, serve: Any, tmp_path: Path) -> None:
    one, other = serve(), serve()
    task = begun(world, one, tmp_path / "open")
    world.eventually(lambda: get(world, other, task)["statusMessage"] == "waiting at the gate")
    now = get(world, other, task)
    assert (now["status"], now["taskId"]) == ("working", task)
    (tmp_path / "open").touch()
    done = until(world, other, task, "completed")
    assert done["result"]["structuredContent"] == {"passed": True}
    assert done == get(world, one, task)


def test_it_is_cancelled_at_the_other_and_gives_its_place_back(world: Any, serve: Any, tmp_path: Path) -> None:
    budgets = {"timeout_seconds": 60, "max_concurrency": 1}
    world.tool("demo.gate", GATE, properties=PROPERTIES, task="optional", budgets=budgets)
    one, other = serve(), serve()
    task = begun(world, one, tmp_path / "never")
    assert ask(world, other, "tasks/cancel", taskId=task)["result"]["resultType"] == "complete"
    assert get(world, other, task)["status"] == "cancelled"
    assert until(world, one, task, "cancelled") == get(world, other, task)
    (tmp_path / "open").touch()
    again = ask(world, one, "tools/call", name="demo.gate", arguments={"file": str(tmp_path / "open")})["result"]
    assert again["structuredContent"] == {"passed": True}
    assert get(world, one, task)["status"] == "cancelled", "what is over stays as it is"


def test_one_whose_server_was_killed_has_failed_and_says_so(world: Any, serve: Any, tmp_path: Path) -> None:
    one, other = serve(), serve()
    kept, lost = begun(world, one, tmp_path / "open"), begun(world, one, tmp_path / "never")
    (tmp_path / "open").touch()
    until(world, other, kept, "completed")
    one.process.send_signal(signal.SIGKILL)
    one.process.wait(30)
    failed = until(world, other, lost, "failed")
    assert "server that ran this has stopped" in failed["error"]["message"]
    assert failed["error"]["code"] == -32603
    assert get(world, serve(), lost) == failed
    assert get(world, other, kept)["result"]["structuredContent"] == {"passed": True}


def test_what_the_user_says_at_the_other_reaches_it(world: Any, serve: Any, tmp_path: Path) -> None:
    world.tool("demo.name", ASKING, properties={}, task="optional")
    one, other = serve(), serve()
    task = begun(world, one, tmp_path, "demo.name")
    asked = until(world, other, task, "input_required")
    assert asked["inputRequests"]["who"]["params"]["message"] == "Who are you?"
    given = {"who": {"action": "accept", "content": {"name": "Ada"}}}
    assert ask(world, other, "tasks/update", taskId=task, inputResponses=given)["result"]["resultType"] == "complete"
    assert until(world, other, task, "completed")["result"]["structuredContent"] == {"hello": "Ada"}


def test_another_principal_does_not_see_it_at_any_server(world: Any, serve: Any, tmp_path: Path) -> None:
    one, other, stranger = serve(ADA), serve(ADA), serve(BOB)
    task = begun(world, one, tmp_path / "never")
    assert get(world, other, task)["status"] == "working"
    for method in ("tasks/get", "tasks/cancel"):
        assert ask(world, stranger, method, taskId=task)["error"]["code"] == -32602
    assert get(world, one, task)["status"] == "working"


def test_while_the_store_is_down_a_call_waits_for_its_answer_and_others_are_told(world: Any, tmp_path: Path) -> None:
    world.tool("demo.gate", GATE, properties=PROPERTIES, task="optional", budgets={"timeout_seconds": 60})
    brief = {"properties": PROPERTIES, "task": "optional", "budgets": {"timeout_seconds": 1}}
    world.tool("demo.brief", GATE.replace("demo.gate", "demo.brief"), **brief)
    valkey = valkey_server()
    one, other = (world.http(env={"VALKEY_URL": valkey.url}) for _ in range(2))
    task = begun(world, one, tmp_path / "open")
    valkey.stop()
    error = ask(world, other, "tasks/get", taskId=task)["error"]
    assert (error["code"], error["data"]) == (-32603, {"retryable": True})
    assert get(world, one, task)["status"] == "working"
    late = ask(world, one, "tools/call", name="demo.brief", arguments={"file": str(tmp_path / "never")})["result"]
    assert (late["resultType"], late["isError"]) == ("complete", True)
    (tmp_path / "open").touch()
    until(world, one, task, "completed")
    valkey.start()
    done = until(world, other, task, "completed")
    assert done["result"]["structuredContent"] == {"passed": True}, "it came to its end meanwhile"
    valkey.close()


def test_the_store_holds_neither_ids_nor_owners(world: Any, serve: Any, valkey: Server, tmp_path: Path) -> None:
    from valkey import Valkey

    task = begun(world, serve(ADA), tmp_path / "never")
    client = Valkey.from_url(valkey.url)
    names = list(client.scan_iter("*:k:*"))
    assert names
    assert all(task.encode() not in name for name in names)
    assert all(0 < client.pttl(name) <= 3_600_000 for name in names)
    client.close()
