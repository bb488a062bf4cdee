"""Under which names tools are served and callable, and which major answers to which name."""

from __future__ import annotations

from typing import Any

import pytest

from wekadocs_mcp.errors import ProtocolError


def names(app: Any) -> list[str]:
    return [tool["name"] for tool in app.tools_list()["tools"]]


def versioned(workshop: Any, *majors: int, code: str = "", **statuses: str) -> None:
    """demo.echo in several majors, each answering with its number; status by v1="beta"."""
    for major in majors:
        workshop.tool("", version=f"{major}.2.3", status=statuses.get(f"v{major}", "stable"))
    handlers = "".join(
        f"@tool('demo.echo', version={major})\nasync def v{major}(call, text):\n    return {{'major': {major}}}\n"
        for major in majors
    )
    workshop.write("tools/echo.py", "from wekadocs_mcp import tool\n" + (code or handlers))


def major_of(workshop: Any, app: Any, name: str) -> int:
    return workshop.call(app, name).data["major"]


# --- names ---


@pytest.mark.parametrize("style", ["dotted", "underscore"])
def test_both_spellings_are_always_callable(workshop: Any, style: str) -> None:
    workshop.echo()
    app = workshop.app({"server": {"name_style": style}})
    assert names(app) == ["demo.echo" if style == "dotted" else "demo_echo"]
    for name in ("demo.echo", "demo_echo", "demo.echo.v1", "demo_echo_v1"):
        assert workshop.call(app, name).code == "OK"


def test_a_prefix_stands_before_every_name_and_in_every_text(workshop: Any) -> None:
    routing = {**workshop.contract()["routing"], "follow_up": "Call {{ tool('demo.two') }}."}
    workshop.echo(routing=routing)
    workshop.echo("demo.two")
    server = {"prefix": "acme_", "name_style": "underscore", "instructions": "Start with {{ tool('demo.echo') }}."}
    app = workshop.app({"server": server})
    assert names(app) == ["acme_demo_echo", "acme_demo_two"]
    assert "Call acme_demo_two." in app.tools_list()["tools"][0]["description"]
    assert app.instructions == "Start with acme_demo_echo."
    for name in ("acme_demo_echo", "acme_demo.echo", "demo.echo"):
        assert workshop.call(app, name).code == "OK"


def test_a_name_too_long_for_clients_is_refused(workshop: Any) -> None:
    workshop.echo()
    said = workshop.refusal({"server": {"prefix": "x" * 60}})
    assert "1 to 64" in said
    assert "server.prefix" in said


def test_a_contracts_own_name_is_checked(workshop: Any) -> None:
    workshop.echo("demo.sp ace")
    assert "$.contract" in workshop.refusal()


def test_two_tools_with_one_underscore_form_are_refused(workshop: Any) -> None:
    workshop.echo("demo.one_two", "tools/a")
    workshop.echo("demo_one.two", "tools/b")
    said = workshop.refusal()
    assert "`demo_one_two` would mean both demo.one_two and demo_one.two" in said
    assert "server.exclude" in said


def test_the_way_out_of_one_underscore_form_works(workshop: Any) -> None:
    workshop.echo("demo.one_two", "tools/a")
    workshop.echo("demo_one.two", "tools/b")
    app = workshop.app({"server": {"exclude": ["demo_one.two"]}})
    assert names(app) == ["demo.one_two"]
    assert workshop.call(app, "demo_one_two").code == "OK"
    assert workshop.call(app, "demo_one.two").code == "INVALID_ARGUMENT"


def test_a_toolset_may_strip_the_namespace(workshop: Any) -> None:
    workshop.echo("notes.search")
    workshop.echo("notes.get_node")
    workshop.echo("web.search", "tools/web")
    settings = {"toolsets": {"roux": {"tools": ["notes.*"], "strip_prefix": True}, "plain": ["web.*"]}}
    app = workshop.app(settings, toolsets=("roux",))
    assert names(app) == ["get_node", "search"]
    for name in ("search", "notes.search", "notes_search"):
        assert workshop.call(app, name).code == "OK"
    assert names(workshop.app(settings, toolsets=("roux", "plain"))) == ["get_node", "search", "web.search"]


def test_a_major_named_in_a_text_is_named_as_it_is_served(workshop: Any) -> None:
    versioned(workshop, 1, 2)
    text = "{{ tool('demo.echo') }} {{ tool('demo.echo.v2') }} {{ tool('demo.echo.v1') }}"
    settings = {"server": {"instructions": text}, "overlays": {"demo.echo": {"description": text}}}
    settings["toolsets"] = {"bare": {"tools": ["demo.*"], "strip_prefix": True}}
    app = workshop.app(settings, toolsets=("bare",))
    assert app.instructions == "echo echo echo.v1"
    assert app.tools_list()["tools"][0]["description"].startswith("echo echo echo.v1\n")


def test_one_name_from_two_toolsets_is_refused_with_the_way_out(workshop: Any) -> None:
    workshop.echo("notes.search", "tools/a")
    workshop.echo("web.search", "tools/b")
    toolset = {"strip_prefix": True}
    settings = {"toolsets": {"a": {"tools": ["notes.*"], **toolset}, "b": {"tools": ["web.*"], **toolset}}}
    said = workshop.refusal(settings, toolsets=("a", "b"))
    assert "`search` would mean both notes.search and web.search" in said
    assert "one toolset at a time" in said and "they need their prefix, notes.search or web.search" in said
    assert names(workshop.app(settings, toolsets=("b",))) == ["search"]


def test_a_bare_old_name_is_served_as_it_is(workshop: Any) -> None:
    workshop.echo("search_sections")
    assert names(workshop.app()) == ["search_sections"]


def test_any_dot_of_a_name_may_be_an_underscore_and_nothing_else_may(workshop: Any) -> None:
    versioned(workshop, 1, 2)
    workshop.echo("a.b_c.d")
    for style in ("dotted", "underscore"):
        app = workshop.app({"server": {"name_style": style, "prefix": "x."}})
        for name in (
            "demo.echo.v1",
            "demo_echo.v1",
            "demo.echo_v1",
            "demo_echo_v1",
            "x.demo_echo.v1",
            "x_demo.echo.v1",
        ):
            assert major_of(workshop, app, name) == 1
        for name in ("a.b_c_d", "a_b_c.d", "x_a.b_c_d"):
            assert workshop.call(app, name).code == "OK"
        for name in ("a.b.c.d", "a_b.c.d", "demo.echo.v3", "demo.echo..v1"):
            with pytest.raises(ProtocolError):
                workshop.call(app, name)


def test_a_tools_own_name_comes_before_another_ones_mixed_spelling(workshop: Any) -> None:
    workshop.echo("demo.echo_v1", "tools/own")
    workshop.tool("@tool('demo.echo')\nasync def echo(call, text):\n    return {'major': 1}\n")
    app = workshop.app()
    assert workshop.call(app, "demo.echo_v1", {"text": "x"}).data == {"got": {"text": "x"}}
    assert major_of(workshop, app, "demo.echo.v1") == 1


# --- versions ---


def test_the_bare_name_serves_the_highest_stable_major(workshop: Any) -> None:
    versioned(workshop, 1, 2, 3, v3="beta")
    app = workshop.app()
    assert names(app) == ["demo.echo"]
    assert app.tools_list()["tools"][0]["_meta"]["dev.wekadocs/contract"]["version"] == "2.2.3"
    assert major_of(workshop, app, "demo.echo") == 2
    for major in (1, 2, 3):
        for name in (f"demo.echo.v{major}", f"demo_echo_v{major}"):
            assert major_of(workshop, app, name) == major
    with pytest.raises(ProtocolError):
        workshop.call(app, "demo.echo.v4")


def test_ten_is_higher_than_nine(workshop: Any) -> None:
    versioned(workshop, 9, 10)
    assert major_of(workshop, workshop.app(), "demo.echo") == 10


@pytest.mark.parametrize(
    ("statuses", "bare"), [({"v1": "deprecated", "v2": "beta"}, 2), ({"v1": "beta", "v2": "disabled"}, 1)]
)
def test_without_a_stable_major_the_highest_usable_one_serves(
    workshop: Any, statuses: dict[str, str], bare: int
) -> None:
    versioned(workshop, 1, 2, **statuses)
    assert major_of(workshop, workshop.app(), "demo.echo") == bare


def test_other_majors_are_listed_if_tools_yaml_says_so(workshop: Any) -> None:
    versioned(workshop, 1, 2)
    assert names(workshop.app({"server": {"list_versions": True}})) == ["demo.echo", "demo.echo.v1"]
    settings = {"server": {"list_versions": True, "name_style": "underscore", "prefix": "x_"}}
    assert names(workshop.app(settings)) == ["x_demo_echo", "x_demo_echo_v1"]


def test_another_major_can_be_invoked(workshop: Any) -> None:
    versioned(workshop, 1, 2)
    code = "@tool('demo.outer')\nasync def outer(call, text):\n    return await call.invoke('demo.echo.v1')\n"
    workshop.tool(code, "demo.outer")
    assert workshop.call(workshop.app(), "demo.outer").data == {"major": 1}


def test_a_handler_without_a_version_serves_the_only_major(workshop: Any) -> None:
    versioned(workshop, 3, code="@tool('demo.echo')\nasync def echo(call, text):\n    return {'major': 3}\n")
    assert major_of(workshop, workshop.app(), "demo.echo") == 3


def test_a_handler_without_a_version_is_ambiguous_among_several_majors(workshop: Any) -> None:
    versioned(workshop, 1, 2, code="@tool('demo.echo')\nasync def echo(call, text):\n    return {}\n")
    said = workshop.refusal()
    assert "`demo.echo` has the majors 1, 2: which one is this?" in said
    assert "@tool('demo.echo', version=2)" in said


def test_a_beta_contract_without_a_handler_is_skipped_with_a_warning(workshop: Any) -> None:
    workshop.tool("", status="beta")
    workshop.echo("demo.other")
    app = workshop.app()
    assert names(app) == ["demo.other"]
    assert app.catalogue.warnings == ["demo.echo v1 is beta and has no handler yet: skipped"]
    with pytest.raises(ProtocolError):
        workshop.call(app, "demo.echo")


def test_a_beta_contract_with_a_handler_is_served(workshop: Any) -> None:
    workshop.echo(status="beta")
    app = workshop.app()
    assert names(app) == ["demo.echo"]
    assert app.catalogue.warnings == []


@pytest.mark.parametrize("status", ["stable", "deprecated", "disabled"])
def test_any_other_contract_without_a_handler_is_refused(workshop: Any, status: str) -> None:
    workshop.tool("", status=status)
    said = workshop.refusal()
    assert "contract `demo.echo` v1 has no tool" in said
    assert "status: beta" in said


def test_majors_may_differ_in_their_arguments(workshop: Any) -> None:
    workshop.tool("", version="1.0.0", input={"type": "object", "properties": {"old": {"type": "string"}}})
    workshop.tool("", version="2.0.0", input={"type": "object", "properties": {"new": {"type": "string"}}})
    code = (
        "from wekadocs_mcp import tool\n@tool('demo.echo', version=1)\ndef one(call, old):\n    return {'major': 1}\n"
        "@tool('demo.echo', version=2)\ndef two(call, new):\n    return {'major': 2}\n"
    )
    workshop.write("tools/echo.py", code)
    app = workshop.app()
    assert workshop.call(app, "demo.echo", {"new": "x"}).data == {"major": 2}
    assert workshop.call(app, "demo.echo.v1", {"old": "x"}).data == {"major": 1}
    assert workshop.call(app, "demo.echo.v1", {"new": "x"}).code == "INVALID_ARGUMENT"
