"""What a plugin hands over is looked at once, and a mistake in it ends the start in words."""

from __future__ import annotations

from typing import Any

import pytest


def test_a_misspelt_hook_is_refused_with_the_nearest_hook(workshop: Any) -> None:
    workshop.tool(
        "@hookimpl\ndef register_tool():\n    return []\n@tool('demo.echo')\nasync def echo(call, text): ...\n"
    )
    workshop.tool(
        "@hookimpl\ndef livespan(context): ...\n@tool('demo.two')\nasync def two(call, text): ...\n", "demo.two"
    )
    said = workshop.refusal()
    assert "`register_tool` is no hook — did you mean `register_tools`?" in said
    assert "`livespan` is no hook — did you mean `lifespan`?" in said
    assert "echo.py:2" in said
    assert "two.py:2" in said


def test_a_function_with_a_hooks_name_must_be_marked(workshop: Any) -> None:
    workshop.tool("def register_aliases():\n    return {}\n@tool('demo.echo')\nasync def echo(call, text): ...\n")
    said = workshop.refusal()
    assert "`register_aliases` has a hook's name but is not marked as a hook" in said
    assert "echo.py:2" in said
    assert "@hookimpl" in said


def test_a_hook_with_other_parameters_is_refused(workshop: Any) -> None:
    workshop.tool("@hookimpl\ndef lifespan(nonsense): ...\n@tool('demo.echo')\nasync def echo(call, text): ...\n")
    said = workshop.refusal()
    assert "nonsense" in said
    assert "echo.py" in said


def test_a_hook_may_leave_out_its_parameters(workshop: Any) -> None:
    code = """
    import contextlib
    @hookimpl
    @contextlib.contextmanager
    def lifespan():
        yield "here"
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": call.state}
    """
    workshop.tool(code)
    assert workshop.call(workshop.app(), "demo.echo").data == {"got": "here"}


def test_contracts_without_tools_and_tools_without_contracts_come_in_one_message(workshop: Any) -> None:
    workshop.tool("@tool('demo.ecko')\nasync def echo(call, text): ...\n")
    workshop.tool("@tool('demo.two', version=3)\nasync def two(call, text): ...\n", "demo.two")
    workshop.tool("", "demo.alone")
    said = workshop.refusal()
    assert "tool `demo.ecko` has no contract — did you mean `demo.echo`?" in said
    assert "tool `demo.two` version 3 has no contract" in said
    for name in ("demo.echo", "demo.two", "demo.alone"):
        assert f"contract `{name}` v1 has no tool" in said
    assert said.count("fix: ") == 5


def test_two_owners_of_a_name_are_refused(workshop: Any) -> None:
    workshop.echo()
    workshop.tool(
        "@tool('demo.echo')\nasync def echo(call, text): ...\n@tool('demo.two')\nasync def two(call, text): ...\n",
        "demo.two",
    )
    said = workshop.refusal()
    assert "`demo.echo` v1 has two owners" in said
    assert "echo.py" in said
    assert "two.py" in said


def test_a_function_may_have_two_names_in_its_module(workshop: Any) -> None:
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {}\nother = echo\n")
    assert len(workshop.app().tools_list()["tools"]) == 1


def test_a_registered_function_must_be_a_tool(workshop: Any) -> None:
    workshop.tool("def bare(call): ...\n@hookimpl\ndef register_tools():\n    return [bare]\n")
    assert "registers a function without @tool" in workshop.refusal()


HANDED = {
    "aliases to a number": ("register_aliases", "{'old': 3}", "register_aliases maps str 'old' to int 3"),
    "an interceptor of one": (
        "register_interceptors",
        "[lambda call: None]",
        "called with two arguments, call and proceed",
    ),
    "interceptors as text": ("register_interceptors", "'ab'", "register_interceptors returned a str, not a function"),
    "contracts nowhere": ("register_contracts", "['/no/such/folder']", "/no/such/folder, which does not exist"),
    "a metric with a space": ("register_metrics", "{'a b': ('B.', len)}", "register_metrics: 'a b' is no metric"),
    "a metric without help": ("register_metrics", "{'n': len}", "register_metrics: 'n' is no metric"),
    "a check that is none": ("register_health_checks", "{'db': 1}", "`db` is no function of the plugin's state"),
}


@pytest.mark.parametrize(("hook", "value", "told"), HANDED.values(), ids=HANDED.keys())
def test_what_a_hook_hands_over_is_looked_at_before_it_is_used(workshop: Any, hook: str, value: str, told: str) -> None:
    """An interceptor that does not fit would spoil every call of every plugin."""
    workshop.tool(f"@hookimpl\ndef {hook}():\n    return {value}\n@tool('demo.echo')\ndef echo(call, text): ...\n")
    message = workshop.refusal()
    assert told in message
    assert "fix: " in message
