"""The same with mistakes: mypy tells each line that ends in `# wrong`, and no other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from wekadocs_mcp import Call, Context, Resource, hookimpl, tool


class Shelf:
    def first(self, words: str, most: int) -> list[str]:
        return [words] * most


@hookimpl
@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[Shelf]:
    yield await context.use("shelf", str)  # wrong


@tool("shop.find")
async def find(call: Call[Shelf], words: str) -> dict[str, object]:
    return {"found": call.state.firstt(words, 1)}  # wrong


@tool("shop.few")
async def few(call: Call[Shelf], words: str) -> dict[str, object]:
    return {"found": call.state.first(words, "ten")}  # wrong


@tool("shop.hours")
async def hours(call: Call) -> dict[str, object]:
    return {"open": call.state.first("hours", 1)}  # wrong


@tool("shop.count")  # wrong
async def count(call: Call[Shelf]) -> int:
    return len(call.state.first("all", 10))


def read(call: Call[Shelf]) -> int:
    return len(call.state.first("all", 10))


RESOURCES = [Resource("shop://all", "all", read)]  # wrong
