"""The tools that most tests on the wire call."""

from __future__ import annotations

from .servers import World

ECHO = """
from wekadocs_mcp import ToolError, tool

@tool("wire.echo")
async def echo(call, value):
    if value == "refuse":
        raise ToolError("NO_VALUE", "Pass another value.", details={"value": value})
    return {"value": value}
"""

SLOW = """
import asyncio
import pathlib
from wekadocs_mcp import tool

@tool("wire.slow")
async def slow(call, note, seconds):
    note = pathlib.Path(note)
    note.write_text("started")
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        note.write_text("cancelled")
        raise
    note.write_text("done")
    return {"done": True}
"""

STEPS = """
from wekadocs_mcp import tool

@tool("wire.steps")
async def steps(call):
    for step in (1, 2, 3):
        await call.progress(step, 3, f"step {step}")
    await call.log("quiet words", "debug")
    await call.log.warning("loud words")
    return {"done": True}
"""

CHANGE = """
from wekadocs_mcp import tool

@tool("wire.change")
async def change(call):
    await call.client.changed("tools")
    return {"done": True}
"""

SHELF = """
from wekadocs_mcp import Prompt, PromptArgument, Resource, ToolError, hookimpl, tool

@tool("wire.shelf")
async def shelf(call):
    return {"done": True}

async def book(call, title):
    if title == "lost":
        raise ToolError("GONE", "No such book.")
    return f"the text of {title}"

def cover(call):
    return b"\\x00\\xff"

def complete(call, argument, value):
    return [each for each in ("alpha", "beta", "gamma") if each.startswith(value)]

async def review(call, title, tone="dry"):
    return f"Review {title} in a {tone} tone."

@hookimpl
def register_resources():
    return [
        Resource("shelf://cover", "cover", cover, mime_type="image/png"),
        Resource("shelf://books/{title}", "book", book, description="A book.", complete=complete),
    ]

@hookimpl
def register_prompts():
    arguments = [PromptArgument("title", "Which book.", required=True), PromptArgument("tone")]
    return [Prompt("review", "Review a book.", review, arguments, complete=complete)]
"""


def furnish(world: World) -> World:
    """The tools that most tests call."""
    note = {"note": {"type": "string"}, "seconds": {"type": "number", "default": 30}}
    output = {"type": "object", "required": ["value"], "properties": {"value": {}}}
    world.tool("wire.echo", ECHO, {"value": {"description": "Anything."}}, output=output, errors=["NO_VALUE"])
    world.tool("wire.slow", SLOW, note)
    world.tool("wire.steps", STEPS)
    world.tool("wire.change", CHANGE)
    world.tool("wire.shelf", SHELF)
    return world
