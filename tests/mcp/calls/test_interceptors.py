"""What stands around every call: interceptors in their order, telemetry, and logs without arguments."""

from __future__ import annotations

import logging
import os
from typing import Any


def interceptor(name: str) -> str:
    return f"""
    @hookimpl
    def register_interceptors():
        async def around(call, proceed):
            answer = dict(await proceed(call))
            return {{**answer, "order": [{name!r}, *answer.get("order", [])]}}
        return [around]
    @tool("demo.{name}")
    async def {name}(call, text):
        return {{}}
    """


def test_the_first_plugin_of_tools_yaml_is_outermost(workshop: Any) -> None:
    for name in ("a", "b", "c"):
        workshop.tool(interceptor(name), f"demo.{name}")
    assert workshop.call(workshop.app(), "demo.a").data == {"order": ["a", "b", "c"]}
    assert workshop.call(workshop.app({"plugins": {"c": {}, "a": {}}}), "demo.a").data == {"order": ["c", "a", "b"]}


def test_an_interceptor_may_answer_itself_and_its_answer_is_checked(workshop: Any) -> None:
    code = """
    @hookimpl
    def register_interceptors():
        async def around(call, proceed):
            return {"n": "wrong"} if call.tool == "demo.echo" else await proceed(call)
        return [around]
    @tool("demo.echo")
    async def echo(call, text):
        raise AssertionError
    """
    workshop.tool(code, output={"type": "object", "properties": {"n": {"type": "string"}}})
    assert workshop.call(workshop.app(), "demo.echo").data == {"n": "wrong"}
    workshop.tool(code, output={"type": "object", "properties": {"n": {"type": "integer"}}})
    assert workshop.call(workshop.app(), "demo.echo").code == "INTERNAL_ERROR"


def test_telemetry_counts_refusals_too(workshop: Any) -> None:
    workshop.echo()
    app = workshop.app()
    workshop.call(app, "demo.echo", {"text": "x"})
    workshop.call(app, "demo.echo", {"text": 5})
    shown = app.telemetry.prometheus()
    assert 'wekadocs_tool_calls_total{tool="demo.echo",code="OK"} 1' in shown
    assert 'wekadocs_tool_calls_total{tool="demo.echo",code="INVALID_ARGUMENT"} 1' in shown


def test_logs_carry_no_argument(workshop: Any, caplog: Any) -> None:
    caplog.set_level(logging.DEBUG)
    workshop.echo()
    app = workshop.app()
    workshop.call(app, "demo.echo", {"text": "s3cret"})
    workshop.call(app, "demo.echo", {"s3cret": 1})
    workshop.call(app, "demo.echo", {"text": ["s3cret"]})
    assert "tool=demo.echo" in caplog.text
    assert "s3cret" not in caplog.text
    assert os.environ["WEKADOCS_DATA"] not in caplog.text
