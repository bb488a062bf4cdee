"""A tool's, a resource's and a prompt's function run in one pipeline: what holds for one holds for all three."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import MCPError

from wekadocs_mcp.testing import connect

CODE = """
import asyncio, contextlib
from wekadocs_mcp import Prompt, Resource

@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    yield {"answer": "from the state"}

async def work(call):
    BODY

@tool("demo.echo")
async def echo(call, text):
    return {"got": await work(call)}

@hookimpl
def register_resources():
    return [Resource("demo://work", "work", work)]

@hookimpl
def register_prompts():
    return [Prompt("work", "Work.", work)]
"""
LATE = """\
try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return 'swallowed'
"""


async def through_tool(client: Any) -> str:
    result = await client.call_tool("demo.echo", {})
    return str(result.content[0].text)


async def through_resource(client: Any) -> str:
    try:
        return str((await client.read_resource("demo://work")).contents[0].text)
    except MCPError as error:
        return error.message


async def through_prompt(client: Any) -> str:
    try:
        return str((await client.get_prompt("work")).messages[0].content.text)
    except MCPError as error:
        return error.message


@pytest.mark.parametrize("through", [through_tool, through_resource, through_prompt])
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return call.state['answer']", "from the state"),
        (LATE, "The call took longer than its limit of 0.2 s"),
        ("call.deadline.cancelled = True; call.deadline.check()", "The call took longer than its limit of 0.2 s"),
        ("raise ToolError('NO_TEA', 'There is no tea: ask for coffee.')", "There is no tea: ask for coffee."),
        ("1 / 0", "The server made a mistake"),
        ("raise KeyboardInterrupt", "The server made a mistake"),
        ("raise SystemExit(3)", "The server made a mistake"),
        ("raise asyncio.CancelledError", "The server made a mistake"),
    ],
)
def test_an_answer_and_a_failure_are_told_alike(workshop: Any, through: Any, body: str, told: str) -> None:
    workshop.tool(CODE.replace("BODY", body), budgets={"timeout_seconds": 0.2})
    app = workshop.app({"budgets": {"timeout_seconds": 0.2}})

    async def main() -> str:
        async with connect(app) as client:
            return str(await through(client))

    assert told in workshop.run(app, main)


@pytest.mark.parametrize("through", [through_tool, through_resource, through_prompt])
def test_the_log_has_plugin_and_place_of_our_fault(workshop: Any, caplog: Any, through: Any) -> None:
    workshop.tool(CODE.replace("BODY", "1 / 0"))
    app = workshop.app()

    async def main() -> None:
        async with connect(app) as client:
            await through(client)

    workshop.run(app, main)
    (line,) = [each.getMessage() for each in caplog.records if each.name == "wekadocs.dispatch"]
    assert "plugin=echo" in line
    assert "ZeroDivisionError at " in line
