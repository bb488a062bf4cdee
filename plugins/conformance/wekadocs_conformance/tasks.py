"""Tools that take their time, so that a client with the Tasks extension gets a task."""

from __future__ import annotations

import asyncio

from wekadocs_mcp import Answer, Call, InputRequired, ProtocolError, ToolError, tool

from .blocks import says
from .questions import elicitation, entered, input_required, response_to

_A_WHILE = 1.0  # longer than an answer that is there at once
_CONFIRM = elicitation("Really delete it?", {"confirm": {"type": "boolean"}})
_NAME = elicitation("What is your name?", {"name": {"type": "string"}})


@tool("greet")
async def greet(_: Call, name: str) -> Answer:
    return says(f"Hello, {name}!")


@tool("slow_compute")
async def slow_compute(_: Call, seconds: float, label: str) -> Answer:
    await asyncio.sleep(seconds)
    return says(f"{label} took {seconds:g} s")


@tool("failing_job")
async def failing_job(_: Call) -> Answer:
    await asyncio.sleep(_A_WHILE)
    raise ToolError("FAILED", "This job always fails; nothing can be done about it.")


@tool("protocol_error_job")
async def protocol_error_job(_: Call) -> Answer:
    await asyncio.sleep(_A_WHILE)
    raise ProtocolError(-32603, "This job always breaks.")


@tool("confirm_delete")
async def confirm_delete(call: Call, filename: str) -> Answer | InputRequired:
    response = response_to(call, "confirm")
    await asyncio.sleep(_A_WHILE / 2)
    if response is None:
        return input_required(call, {"confirm": _CONFIRM})
    return says(f"{filename} would be deleted" if entered(response, "confirm") else f"{filename} stays")


@tool("multi_input")
async def multi_input(call: Call) -> Answer | InputRequired:
    first, second = response_to(call, "name"), response_to(call, "confirm")
    await asyncio.sleep(_A_WHILE / 2)
    if first is None or second is None:
        return input_required(call, {"name": _NAME, "confirm": _CONFIRM})
    return says(f"{entered(first, 'name')}: {entered(second, 'confirm')}")


@tool("test_tool_with_task")
async def ask_then_work(call: Call) -> Answer | InputRequired:
    response = response_to(call, "user_name")
    if response is None:
        return input_required(call, {"user_name": _NAME})
    await asyncio.sleep(_A_WHILE)
    return says(f"Hello, {entered(response, 'name')}!")


TOOLS = (greet, slow_compute, failing_job, protocol_error_job, confirm_delete, multi_input, ask_then_work)
