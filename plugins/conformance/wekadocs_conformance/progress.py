"""What a tool sends while it works."""

from __future__ import annotations

import asyncio

from wekadocs_mcp import Answer, Call, tool

from .blocks import says

# The suite wants to see messages arrive during the call, not all at its end.
STEP_SECONDS = 0.05


@tool("test_tool_with_logging")
async def tool_with_logging(call: Call) -> Answer:
    await call.log("Tool execution started")
    await asyncio.sleep(STEP_SECONDS)
    await call.log("Tool processing data")
    await asyncio.sleep(STEP_SECONDS)
    await call.log("Tool execution completed")
    return says("Three messages were logged.")


@tool("test_logging_tool")
async def logging_tool(call: Call) -> Answer:
    await call.log("One message")
    return says("One message was logged.")


@tool("test_tool_with_progress")
async def tool_with_progress(call: Call) -> Answer:
    await call.progress(0, 100)
    await asyncio.sleep(STEP_SECONDS)
    await call.progress(50, 100)
    await asyncio.sleep(STEP_SECONDS)
    await call.progress(100, 100)
    return says("Progress was reported three times.")


@tool("test_reconnection")
async def reconnection(_: Call) -> Answer:
    return says("The answer came on the stream of the call.")


TOOLS = (tool_with_logging, logging_tool, tool_with_progress, reconnection)
