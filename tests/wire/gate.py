"""A tool that waits until it is let through, and a client that has the Tasks extension."""

GATE = """
import asyncio
from pathlib import Path
from wekadocs_mcp import ToolError, tool

@tool("demo.gate")
async def gate(call, file, fail):
    call.progress(1, 2, "waiting at the gate")
    while not Path(file).exists():
        await asyncio.sleep(0.01)
    if fail:
        raise ToolError("SHUT", "The gate is shut.")
    return {"passed": True}
"""
EXTENSION = "io.modelcontextprotocol/tasks"
TASKS = {"io.modelcontextprotocol/clientCapabilities": {"extensions": {EXTENSION: {}}}}
PROPERTIES = {"file": {"type": "string"}, "fail": {"type": "boolean", "default": False}}
