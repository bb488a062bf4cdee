"""A plugin whose types are said: all of it passes `mypy --strict`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Protocol, runtime_checkable

from wekadocs_mcp import Answer, Call, Context, Resource, hookimpl, tool


class Shelf:
    def first(self, words: str, most: int) -> list[str]:
        return [words] * most


@runtime_checkable
class Till(Protocol):
    """What another plugin yields, without importing that plugin."""

    def price(self, goods: str) -> int: ...


class Shop:
    def __init__(self, shelf: Shelf, till: Till) -> None:
        self.shelf = shelf
        self.till = till


@hookimpl
@asynccontextmanager
async def lifespan(context: Context) -> AsyncIterator[Shop]:
    yield Shop(await context.use("shelf", Shelf), await context.use("till", Till))


@tool("shop.find")
async def find(call: Call[Shop], words: str, top_k: int) -> dict[str, object]:
    return {"found": call.state.shelf.first(words, top_k)}


@tool("shop.price")
def price(call: Call[Shop], goods: str) -> Answer:
    return Answer({"price": call.state.till.price(goods), "near": _near(call)})


@tool("shop.hours")
async def hours(call: Call) -> Mapping[str, object]:
    return {"open": call.scope.environment, "state": call.state}


async def read(call: Call[Shop], goods: str) -> str:
    return ", ".join(call.state.shelf.first(goods, 1))


@hookimpl
def register_resources() -> Sequence[Resource]:
    return [Resource("shop://{goods}", "goods", read)]


def _near(call: Call[object]) -> str:
    """Fine with a call of any plugin: it asks nothing of its state."""
    return call.served_name("shop.find")
