"""A plugin's state: made once, for those who need it first, and undone in the other order."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from wekadocs_mcp.calls.call import Caller


def test_a_lifespan_is_entered_once_for_concurrent_first_calls_and_left_at_the_end(workshop: Any) -> None:
    code = """
    import asyncio, contextlib
    SEEN = []
    @hookimpl
    @contextlib.asynccontextmanager
    async def lifespan(context):
        SEEN.append("enter")
        await asyncio.sleep(0.01)
        yield "state"
        SEEN.append("leave")
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": call.state}
    """
    workshop.tool(code)
    app = workshop.app()
    assert app.plugins["echo"].module.SEEN == []

    async def work() -> list[Any]:
        return await asyncio.gather(*(app.dispatcher.call("demo.echo", {}, Caller()) for _ in range(10)))

    assert all(outcome.data == {"got": "state"} for outcome in workshop.run(app, work))
    assert app.plugins["echo"].module.SEEN == ["enter", "leave"]


def using(name: str, *needed: str) -> str:
    uses = "".join(f"    found.append(await context.use({each!r}))\n" for each in needed)
    return (
        "import contextlib\nORDER = __import__('builtins').__dict__.setdefault('_order_of_lifespans', [])\n@hookimpl\n"
        "@contextlib.asynccontextmanager\nasync def lifespan(context):\n    found = []\n"
        f"{uses}    ORDER.append({name!r})\n    yield [{name!r}, found]\n    ORDER.append('-' + {name!r})\n"
        f"@tool('demo.{name}')\nasync def {name}(call, text):\n    return {{'got': call.state}}\n"
    )


@pytest.fixture
def order() -> Any:
    import builtins

    builtins._order_of_lifespans = []  # type: ignore[attr-defined]
    yield builtins._order_of_lifespans  # type: ignore[attr-defined]
    del builtins._order_of_lifespans  # type: ignore[attr-defined]


def test_a_plugin_that_is_used_starts_first_and_ends_last(workshop: Any, order: list[str]) -> None:
    workshop.tool(using("a", "b", "c"), "demo.a")
    workshop.tool(using("b", "c"), "demo.b")
    workshop.tool(using("c"), "demo.c")
    app = workshop.app()
    assert workshop.call(app, "demo.a").data == {"got": ["a", [["b", [["c", []]]], ["c", []]]]}
    assert order == ["c", "b", "a", "-a", "-b", "-c"]


def test_what_another_plugin_yields_is_of_the_kind_that_was_asked_for(workshop: Any, order: list[str]) -> None:
    code = """
    import contextlib, typing
    @typing.runtime_checkable
    class Till(typing.Protocol):
        def price(self): ...
    @hookimpl
    @contextlib.asynccontextmanager
    async def lifespan(context):
        yield await context.use("b", KIND)
    @tool("demo.NAME")
    async def NAME(call, text):
        return {"got": call.state}
    """
    for name, kind in (("a", "list"), ("c", "dict"), ("d", "Till")):
        workshop.tool(code.replace("NAME", name).replace("KIND", kind), f"demo.{name}")
    workshop.tool(using("b"), "demo.b")
    app = workshop.app()

    async def work() -> list[Any]:
        outcomes = [await app.dispatcher.call(f"demo.{name}", {}, Caller()) for name in "acd"]
        return [outcomes, {each.what: each.note for each in await app.health()}]

    outcomes, notes = workshop.run(app, work)
    assert outcomes[0].data == {"got": ["b", []]}
    assert "plugin `b` yields a list, and plugin `c` needs a dict" in notes["c"]
    assert "plugin `b` yields a list, and plugin `d` needs a Till" in notes["d"]


def test_plugins_that_need_each_other_are_refused_with_the_circle(workshop: Any, order: list[str]) -> None:
    workshop.tool(using("a", "b"), "demo.a")
    workshop.tool(using("b", "a"), "demo.b")
    workshop.tool(using("me", "me"), "demo.me")
    app = workshop.app()

    async def work() -> list[Any]:
        names = ("demo.a", "demo.b", "demo.me")
        outcomes = await asyncio.gather(*(app.dispatcher.call(name, {}, Caller()) for name in names))
        return [outcomes, {each.what: each.note for each in await app.health()}]

    outcomes, notes = workshop.run(app, work)
    assert [each.code for each in outcomes] == ["BACKEND_UNAVAILABLE"] * 3
    assert "circle" in notes["a"] + notes["b"]
    assert "needs itself" in notes["me"]
    assert order == []


def test_a_lifespan_may_use_several_plugins_at_once(workshop: Any, order: list[str]) -> None:
    code = """
    import asyncio, contextlib
    @hookimpl
    @contextlib.asynccontextmanager
    async def lifespan(context):
        yield await asyncio.gather(context.use("b"), context.use("c"))
    @tool("demo.a")
    async def a(call, text):
        return {"got": call.state}
    """
    workshop.tool(code, "demo.a")
    workshop.tool(using("b"), "demo.b")
    workshop.tool(using("c"), "demo.c")
    assert workshop.call(workshop.app(), "demo.a").data == {"got": [["b", []], ["c", []]]}


def test_what_a_lifespan_opens_outlives_the_call_that_started_it(workshop: Any) -> None:
    """Also when it is started from inside a handler, whose deadline ends what that handler opened."""
    code = """
    import contextlib, subprocess
    @hookimpl
    @contextlib.contextmanager
    def lifespan(context):
        child = subprocess.Popen(["sleep", "60"])
        yield child
        child.kill()
        child.wait()
    @tool("demo.echo")
    def echo(call, text):
        try:
            return {"alive": call.state.wait(0.2) == "never"}
        except subprocess.TimeoutExpired:
            return {"alive": True}
    """
    outer = """
    import asyncio
    @tool("demo.outer")
    async def outer(call, text):
        await call.invoke("demo.echo")
        await asyncio.sleep(60)
    """
    workshop.tool(code)
    workshop.tool(outer, "demo.outer", budgets={"timeout_seconds": 0.6})
    app = workshop.app()

    async def work() -> tuple[str, Any]:
        first = await app.dispatcher.call("demo.outer", {}, Caller())
        return first.code, (await app.dispatcher.call("demo.echo", {}, Caller())).data

    assert workshop.run(app, work) == ("TIMEOUT", {"alive": True})
