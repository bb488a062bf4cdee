"""One tool runs another: schema, scope, read-only, deadline and place hold there as well."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .outcomes import CEILING, NESTED, SCOPED, SHOW_SCOPE, error

INVOKER = """
    @tool("demo.outer")
    async def outer(call, name, arguments, **scope):
        return {"got": await call.invoke(name, arguments)}
"""

INVOKER_INPUT = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "arguments": {"type": "object"},
        "scope": {"$ref": "wekadocs:shared/scope"},
    },
}


def invoke(workshop: Any, settings: Any, name: str, arguments: Any = None, scope: Any = None, **options: Any) -> Any:
    workshop.tool(INVOKER, "demo.outer", input=INVOKER_INPUT)
    sent = {"name": name, "arguments": arguments or {}, **({"scope": scope} if scope else {})}
    return workshop.call(workshop.app(settings, **options), "demo.outer", sent)


def test_invoke_runs_another_tool_through_schema_and_defaults(workshop: Any) -> None:
    workshop.echo(input=NESTED)
    assert invoke(workshop, None, "demo.echo", {"query": "x"}).data["got"]["got"]["options"]["mode"] == "fast"
    assert error(invoke(workshop, None, "demo.echo", {"query": 1}))["code"] == "INVALID_ARGUMENT"
    assert "Did you mean demo.echo?" in error(invoke(workshop, None, "demo.ecko"))["message"]


def test_a_tool_within_a_tool_fails_with_the_codes_of_its_own_contract(workshop: Any) -> None:
    workshop.echo(input=NESTED, error_codes={"INVALID_ARGUMENT": "INVALID_PARAMS"})
    assert error(invoke(workshop, None, "demo.echo", {"query": 1}))["code"] == "INVALID_PARAMS"


def test_a_tool_that_invokes_itself_for_ever_is_our_fault(workshop: Any, caplog: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return await call.invoke('demo.echo', {})\n")
    assert error(workshop.call(workshop.app(), "demo.echo"))["code"] == "INTERNAL_ERROR"
    assert "tool=demo.echo RecursionError" in caplog.text


def test_invoke_leaves_the_callers_arguments_alone(workshop: Any) -> None:
    code = """
    SENT = {"options": {}}
    @tool("demo.outer")
    async def outer(call):
        await call.invoke("demo.echo", SENT)
        return {"got": SENT}
    """
    workshop.echo(input=NESTED)
    workshop.tool(code, "demo.outer", input={"type": "object"})
    assert workshop.call(workshop.app(), "demo.outer").data == {"got": {"options": {}}}


def test_invoke_inherits_the_narrowed_scope(workshop: Any) -> None:
    workshop.tool(SHOW_SCOPE, input=SCOPED)
    settings = {"scope": CEILING}
    assert invoke(workshop, settings, "demo.echo", scope={"doc_tags": ["b"]}).data["got"]["got"][2] == ["b"]
    wider = invoke(workshop, settings, "demo.echo", {"scope": {"doc_tags": ["a"]}}, scope={"doc_tags": ["b"]})
    assert error(wider)["code"] == "SCOPE_VIOLATION"


def test_invoke_enforces_read_only(workshop: Any) -> None:
    annotations = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    workshop.echo(annotations=annotations)
    assert invoke(workshop, {}, "demo.echo").code == "OK"
    refused = error(invoke(workshop, {"server": {"read_only": True}}, "demo.echo"))
    assert refused["code"] == "INVALID_ARGUMENT"
    assert refused["details"]["reason"] == "disabled"


def test_invoke_ignores_flags_toolsets_and_exclusion(workshop: Any) -> None:
    workshop.echo(flag="DEMO_ON")
    settings = {"flags": {"DEMO_ON": False}, "server": {"exclude": ["demo.echo"]}, "toolsets": {"some": ["demo.outer"]}}
    assert invoke(workshop, settings, "demo.echo", toolsets=("some",)).code == "OK"


def test_invoke_has_the_callers_deadline_and_place(workshop: Any) -> None:
    code = """
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": [call.deadline.seconds, call.principal]}
    """
    workshop.tool(code, budgets={"timeout_seconds": 99, "max_concurrency": 1})
    workshop.tool(INVOKER, "demo.outer", input=INVOKER_INPUT, budgets={"timeout_seconds": 7})
    app = workshop.app()
    outcome = workshop.call(app, "demo.outer", {"name": "demo.echo", "arguments": {}}, principal="ada")
    assert outcome.data == {"got": {"got": [7, "ada"]}}


def test_invoke_raises_tool_errors_that_the_caller_can_catch(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    raise ToolError('GONE', 'So.', {'x': 1})\n")
    code = """
    @tool("demo.outer")
    async def outer(call):
        try:
            await call.invoke("demo.echo")
        except ToolError as error:
            return {"got": [error.code, error.message, error.details]}
    """
    workshop.tool(code, "demo.outer", input={"type": "object"})
    assert workshop.call(workshop.app(), "demo.outer").data == {"got": ["GONE", "So.", {"x": 1}]}


def test_invoke_gives_the_answer_also_without_structured_output(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_STRUCTURED_OUTPUT_ENABLED", "false")
    workshop.echo()
    outcome = invoke(workshop, {}, "demo.echo", {"text": "x"})
    assert json.loads(outcome.content[0]["text"]) == {"got": {"got": {"text": "x"}}}
