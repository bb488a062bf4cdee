"""A call that takes its time is a task for a client that has the Tasks extension, and a call as before for others."""

from __future__ import annotations

from typing import Any

import pytest

from .gate import EXTENSION, GATE, PROPERTIES, TASKS


def asker(world: Any, transport: str, **contract: Any) -> Any:
    """`ask(method, **params)` of a client that has the extension; `extension=False`: that has not."""
    world.tool("demo.gate", GATE, properties=PROPERTIES, **{"task": "optional", **contract})
    server = world.http() if transport == "http" else world.stdio()

    def ask(method: str, extension: bool = True, **params: Any) -> dict[str, Any]:
        message = world.request(7, method, params, modern=True)
        if extension:
            message["params"]["_meta"].update(TASKS)
        if transport == "stdio":
            return server.ask(message)
        named = {"Mcp_Name": params["taskId"]} if "taskId" in params else {}
        return server.post_modern(message, **named).message

    return ask


def begun(ask: Any, file: Any, **arguments: Any) -> dict[str, Any]:
    return ask("tools/call", name="demo.gate", arguments={"file": str(file), **arguments})["result"]


def until_over(world: Any, ask: Any, task: str) -> dict[str, Any]:
    def over() -> dict[str, Any] | None:
        found = ask("tasks/get", taskId=task)["result"]
        return found if found["status"] not in ("working", "input_required") else None

    return world.eventually(over)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_long_call_is_a_task_and_its_answer_is_fetched(world: Any, transport: str, tmp_path: Any) -> None:
    ask = asker(world, transport)
    task = begun(ask, tmp_path / "open")
    assert (task["resultType"], task["status"]) == ("task", "working")
    now = ask("tasks/get", taskId=task["taskId"])["result"]
    assert (now["status"], now["statusMessage"]) == ("working", "waiting at the gate")
    (tmp_path / "open").touch()
    done = until_over(world, ask, task["taskId"])
    assert done["status"] == "completed"
    assert done["result"]["structuredContent"] == {"passed": True}
    assert done["result"]["isError"] is False


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_what_is_answered_at_once_needs_no_task(world: Any, transport: str, tmp_path: Any) -> None:
    ask = asker(world, transport)
    (tmp_path / "open").touch()
    result = begun(ask, tmp_path / "open")
    assert (result["resultType"], result["structuredContent"]) == ("complete", {"passed": True})


def test_a_task_that_fails_has_an_answer_that_says_so(world: Any, tmp_path: Any) -> None:
    ask = asker(world, "http", errors=["SHUT"])
    task = begun(ask, tmp_path / "open", fail=True)["taskId"]
    (tmp_path / "open").touch()
    done = until_over(world, ask, task)
    assert done["status"] == "completed"
    assert done["result"]["isError"] and "The gate is shut." in done["result"]["content"][0]["text"]


def test_a_cancelled_task_gives_its_place_back(world: Any, tmp_path: Any) -> None:
    ask = asker(world, "http", budgets={"max_concurrency": 1, "timeout_seconds": 60})
    first = begun(ask, tmp_path / "never")["taskId"]
    assert ask("tasks/cancel", taskId=first)["result"]["resultType"] == "complete"
    assert until_over(world, ask, first)["status"] == "cancelled"
    (tmp_path / "open").touch()
    assert begun(ask, tmp_path / "open")["structuredContent"] == {"passed": True}


def test_a_task_is_over_when_its_time_is(world: Any, tmp_path: Any) -> None:
    ask = asker(world, "stdio", budgets={"timeout_seconds": 1})
    done = until_over(world, ask, begun(ask, tmp_path / "never")["taskId"])
    assert '"code":"TIMEOUT"' in done["result"]["content"][0]["text"]


def test_without_the_extension_the_client_waits_and_tasks_are_refused(world: Any, tmp_path: Any) -> None:
    ask = asker(world, "stdio", budgets={"timeout_seconds": 1})
    result = ask("tools/call", extension=False, name="demo.gate", arguments={"file": str(tmp_path / "never")})["result"]
    assert result["resultType"] == "complete" and result["isError"]
    for method in ("tasks/get", "tasks/cancel", "tasks/update"):
        error = ask(method, extension=False, taskId="x", inputResponses={})["error"]
        assert error["code"] == -32021


def test_a_task_that_is_not_ones_own_is_unknown(world: Any, tmp_path: Any) -> None:
    ask = asker(world, "http")
    for task in ("nonsense", "", "x" * 5000):
        assert ask("tasks/get", taskId=task)["error"]["code"] in (-32602, -32020)


def test_older_clients_and_servers_without_such_tools_know_of_no_tasks(world: Any) -> None:
    world.tool("demo.gate", GATE, properties=PROPERTIES)
    server = world.stdio()
    server.shake_hands()
    assert server.ask(world.request(3, "tasks/get", {"taskId": "x"}))["error"]["code"] == -32601
    modern = world.stdio()
    found = modern.ask(world.request(4, "server/discover", {}, modern=True))["result"]["capabilities"]
    assert EXTENSION not in found.get("extensions", {})
