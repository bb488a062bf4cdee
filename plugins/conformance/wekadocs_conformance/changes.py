"""Announcements to every listening client."""

from __future__ import annotations

from wekadocs_mcp import Answer, Call, tool

from .blocks import says


@tool("test_trigger_tool_change")
async def trigger_tool_change(call: Call) -> Answer:
    await call.client.changed("tools")
    return says("Listening clients were told that the tools changed.")


@tool("test_trigger_prompt_change")
async def trigger_prompt_change(call: Call) -> Answer:
    await call.client.changed("prompts")
    return says("Listening clients were told that the prompts changed.")


TOOLS = (trigger_tool_change, trigger_prompt_change)
