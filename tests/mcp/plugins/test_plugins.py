"""Plugins: found, imported only when enabled, asked once; what is refused at start and what only takes itself down."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.cli import examples
from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.plugins import importing


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a package with contract, code and entry point where installed packages are."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def put(name: str, code: str, schema: Any = None, contracts: dict[str, str] | None = None) -> Path:
        package = site / f"installed_{name}"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text("from wekadocs_mcp import ToolError, hookimpl, tool\n" + code)
        if schema is not None:
            (package / "settings.schema.json").write_text(json.dumps(schema))
        for file, text in (contracts or {}).items():
            (package / "contracts").mkdir(exist_ok=True)
            (package / "contracts" / file).write_text(text)
        info = site / f"installed_{name}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: installed-{name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[wekadocs_mcp]\n{name} = installed_{name}\n")
        monkeypatch.delitem(sys.modules, f"installed_{name}", raising=False)
        return package

    yield put
    for name in [name for name in sys.modules if name.startswith("installed_")]:
        del sys.modules[name]


def contract(workshop: Any, name: str, **changes: Any) -> dict[str, str]:
    return {f"{name.rsplit('.', 1)[-1]}.v1.yaml": json.dumps(workshop.contract(name, **changes))}


ECHO = "@tool('acme.echo')\nasync def echo(call, text):\n    return {'got': call.state}\n"
LIFESPAN = """
import contextlib
@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    yield {"settings": context.settings, "data_dir": str(context.data_dir), "log": context.log.name}
"""


# --- finding and importing ---


def test_an_installed_plugin_serves_the_contracts_of_its_package(workshop: Any, install: Any) -> None:
    install("acme", ECHO, contracts=contract(workshop, "acme.echo"))
    app = workshop.app({"plugins": {"acme": {}}})
    assert [tool["name"] for tool in app.tools_list()["tools"]] == ["acme.echo"]
    assert workshop.call(app, "acme.echo").data == {"got": None}


def test_only_enabled_plugins_are_imported(workshop: Any, install: Any) -> None:
    for name in ("on", "off", "unnamed"):
        install(name, "", contracts=None)
    workshop.app({"plugins": {"on": {}, "off": {"enabled": False}}})
    assert "installed_on" in sys.modules
    assert "installed_off" not in sys.modules
    assert "installed_unnamed" not in sys.modules
    workshop.app({"plugins": {"on": {}, "off": {"enabled": False}}}, enable=("off", "unnamed"))
    assert "installed_off" in sys.modules
    assert "installed_unnamed" in sys.modules


def test_an_unknown_plugin_is_refused_at_its_line_with_the_nearest_name(workshop: Any, install: Any) -> None:
    install("acme", "")
    said = workshop.refusal("plugins:\n  acmee: {}\n")
    assert "tools.yaml:2:3" in said
    assert "did you mean `acme`?" in said
    said = workshop.refusal({}, enable=("acmme",))
    assert "--enable acmme: no plugin is called `acmme` — did you mean `acme`?" in said
    assert "fix: installed: acme, conformance" in said
    assert "fix: installed: acme, conformance" in workshop.refusal({}, enable=("nope",))


def test_a_drop_in_can_be_switched_off_and_on_again(workshop: Any) -> None:
    workshop.echo()
    off = {"plugins": {"echo": {"enabled": False}}}
    assert workshop.app(off).tools_list()["tools"] == []
    assert len(workshop.app(off, enable=("echo",)).tools_list()["tools"]) == 1


def test_a_drop_in_folder_may_be_named_twice(workshop: Any) -> None:
    workshop.echo()
    app = workshop.app({"plugin_paths": ["tools"]}, plugin_paths=(str(workshop.tools), f"{workshop.tools}/../tools"))
    assert len(app.tools_list()["tools"]) == 1


def test_a_folder_of_drop_in_folders_serves_them_all(workshop: Any) -> None:
    workshop.echo("demo.one", "tools/first")
    workshop.echo("demo.two", "tools/second")
    workshop.echo("other.one", "tools/third")
    workshop.write("tools/first/helper.py", "raise SystemExit('never imported')")
    workshop.write("tools/.hidden/x.v1.yaml", "not: a contract")
    names = [tool["name"] for tool in workshop.app().tools_list()["tools"]]
    assert names == ["demo.one", "demo.two", "other.one"]


def test_a_drop_in_called_like_an_installed_plugin_stands_beside_it(workshop: Any, install: Any) -> None:
    install("echo", ECHO, contracts=contract(workshop, "acme.echo"))
    workshop.echo()
    names = [tool["name"] for tool in workshop.app({"plugins": {"echo": {}}}).tools_list()["tools"]]
    assert names == ["acme.echo", "demo.echo"]


def test_relative_drop_in_folders_start_at_the_file_that_names_them(
    workshop: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    workshop.echo(folder="mine")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert len(workshop.app({"plugin_paths": ["mine"]}, plugin_paths=()).tools_list()["tools"]) == 1


@pytest.mark.parametrize(("folder", "what"), [("empty", "has no contract"), ("missing", "is not a folder")])
def test_a_drop_in_folder_without_tools_is_refused(workshop: Any, folder: str, what: str) -> None:
    (workshop.folder / "empty").mkdir()
    said = workshop.refusal(plugin_paths=(str(workshop.folder / folder),))
    assert what in said
    assert "contracts new" in said


def test_an_edited_drop_in_runs_its_new_code_at_once(workshop: Any) -> None:
    for number in (1, 2):
        workshop.tool(f"@tool('demo.echo')\nasync def echo(call, text):\n    return {{'n': {number}}}\n")
        assert workshop.call(workshop.app(), "demo.echo").data == {"n": number}


# --- settings ---

SETTINGS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "ttl": {"type": "integer", "minimum": 1, "default": 60},
        "url": {"type": "string", "pattern": "^https://"},
        "store": {"type": "object", "properties": {"kind": {"enum": ["a", "b"], "default": "a"}}},
    },
}


def test_settings_reach_the_lifespan_with_their_defaults(workshop: Any, install: Any) -> None:
    install("acme", ECHO + LIFESPAN, SETTINGS, contract(workshop, "acme.echo"))
    app = workshop.app({"plugins": {"acme": {"ttl": 5, "enabled": True}}})
    state = workshop.call(app, "acme.echo").data["got"]
    assert state["settings"] == {"ttl": 5, "store": {"kind": "a"}}
    assert state["data_dir"] == str(app.config.data_dir)
    assert state["log"] == "wekadocs.plugin.acme"


def test_settings_are_checked_against_the_packages_schema_at_their_line(workshop: Any, install: Any) -> None:
    install("acme", "", SETTINGS)
    said = workshop.refusal("plugins:\n  acme:\n    ttl: 0\n    tll: 5\n    store: {kind: c}\n")
    assert "tools.yaml:3:10" in said
    assert "0 is below the minimum of 1" in said
    assert "tools.yaml:4:5" in said
    assert "did you mean `ttl`?" in said
    assert "tools.yaml:5:19" in said
    assert "installed_acme" not in sys.modules


def test_settings_from_the_environment_are_read_as_the_schema_wants_them(
    workshop: Any, install: Any, monkeypatch: Any
) -> None:
    install("acme", ECHO + LIFESPAN, SETTINGS, contract(workshop, "acme.echo"))
    monkeypatch.setenv("TTL", "7")
    settings = {"plugins": {"acme": {"ttl": "${TTL}", "url": "${URL:-https://x}"}}}
    found = workshop.call(workshop.app(settings), "acme.echo").data["got"]["settings"]
    assert found == {"ttl": 7, "url": "https://x", "store": {"kind": "a"}}


def test_a_secret_setting_that_does_not_fit_is_not_shown(workshop: Any, install: Any, monkeypatch: Any) -> None:
    install("acme", "", SETTINGS)
    monkeypatch.setenv("STORE_URL", "hunter2://secret")
    said = workshop.refusal("plugins:\n  acme:\n    url: ${STORE_URL}\n    store: ['${STORE_URL}']\n")
    assert "hunter2" not in said
    assert "the value of ${STORE_URL} does not fit (pattern)" in said
    assert "tools.yaml:3:10" in said


def test_a_package_without_a_settings_schema_takes_none(workshop: Any, install: Any) -> None:
    install("acme", "")
    said = workshop.refusal({"plugins": {"acme": {"ttl": 5}}})
    assert "plugin `acme` takes no settings" in said


def test_a_drop_in_gets_its_settings_unchecked(workshop: Any) -> None:
    workshop.tool(LIFESPAN + "@tool('demo.echo')\nasync def echo(call, text):\n    return call.state['settings']\n")
    assert workshop.call(workshop.app({"plugins": {"echo": {"a": 1}}}), "demo.echo").data == {"a": 1}


# --- what is refused at start ---


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


# --- what takes only itself down ---

FAILURES = {
    "import": "raise RuntimeError('no such library')",
    "exit on import": "raise SystemExit('no such library')",
    "syntax": "def broken(:  # no such library",
    "hook": "@hookimpl\ndef register_aliases():\n    raise RuntimeError('no such library')",
    "exit in a hook": "@hookimpl\ndef register_prompts():\n    raise SystemExit('no such library')",
    "start": "@hookimpl\ndef lifespan(context):\n    raise RuntimeError('no such library')",
    "start in the context": (
        "import contextlib\n@hookimpl\n@contextlib.asynccontextmanager\nasync def lifespan(context):\n"
        "    raise RuntimeError('no such library')\n    yield"
    ),
    "no context manager": "@hookimpl\ndef lifespan(context):\n    return 'no such library'",
    "needs a stranger": (
        "import contextlib\n@hookimpl\n@contextlib.asynccontextmanager\nasync def lifespan(context):\n"
        "    yield await context.use('no such library')"
    ),
}


@pytest.mark.parametrize("broken", FAILURES.values(), ids=FAILURES.keys())
@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_plugin_that_fails_takes_only_its_own_tools_down(workshop: Any, broken: str) -> None:
    interceptor = (
        "\n@hookimpl\ndef register_interceptors():\n"
        "    async def around(call, proceed):\n        raise AssertionError\n"
        "    return [around]\n"
        if "hook" in broken and "lifespan" not in broken
        else ""
    )
    code = f"{broken}{interceptor}\n@tool('demo.bad')\nasync def bad(call, text):\n    return {{}}\n"
    workshop.tool(code, "demo.bad")
    workshop.echo("demo.good")
    app = workshop.app()
    assert [tool["name"] for tool in app.tools_list()["tools"]] == ["demo.bad", "demo.good"]
    told, health = workshop.run(app, lambda: _told_and_health(app))
    assert told["code"] == "BACKEND_UNAVAILABLE"
    assert told["retryable"] is True
    assert "`bad`" in told["details"]["reason"] and "doctor" in told["message"]
    assert not re.search("no such library|Error|Exit", json.dumps(told))
    assert ("no such library" in health["bad"].note) == (
        broken not in (FAILURES["syntax"], FAILURES["no context manager"])
    )
    assert health["bad"].told and not re.search("no such library|Error|Exit", health["bad"].told)
    assert workshop.call(app, "demo.good").code == "OK"


async def _told_and_health(app: Any) -> Any:
    outcome = await app.dispatcher.call("demo.bad", {}, Caller())
    return outcome.error["error"], {each.what: each for each in await app.health()}


def test_doctor_says_which_plugin_is_broken(workshop: Any) -> None:
    workshop.tool("raise RuntimeError('no such library')", "demo.bad")
    workshop.tool(FAILURES["start"] + "\n@tool('demo.slow')\nasync def slow(call, text): ...\n", "demo.slow")
    workshop.echo("demo.good")
    result = CliRunner().invoke(cli, ["doctor", "--plugins", str(workshop.tools), "--json"])
    assert result.exit_code == 1
    found = {each["what"]: each for each in json.loads(result.stdout)}
    assert found["plugin bad"]["state"] == "broken"
    assert "no such library" in found["plugin bad"]["note"]
    assert found["plugin slow"]["state"] == "broken"
    assert found["plugin good"]["state"] == "ok"


def test_a_contract_of_a_plugin_that_fails_to_import_may_be_refused_all_the_same(workshop: Any) -> None:
    workshop.tool("raise RuntimeError", "demo.bad", title=5)
    assert "$.title" in workshop.refusal()


def test_a_start_that_failed_is_tried_again_later(workshop: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
    import contextlib
    TRIES = []
    @hookimpl
    @contextlib.asynccontextmanager
    async def lifespan(context):
        TRIES.append(1)
        if len(TRIES) == 1:
            raise OSError("not yet")
        yield "up"
    @tool("demo.echo")
    async def echo(call, text):
        return {"got": call.state}
    """
    workshop.tool(code)
    app = workshop.app()

    async def work() -> list[str]:
        codes = [(await app.dispatcher.call("demo.echo", {}, Caller())).code for _ in range(2)]
        monkeypatch.setattr("wekadocs_mcp.plugins.lifespans._RETRY_AFTER", 0.0)
        return [*codes, (await app.dispatcher.call("demo.echo", {}, Caller())).code]

    assert workshop.run(app, work) == ["BACKEND_UNAVAILABLE", "BACKEND_UNAVAILABLE", "OK"]
    assert len(app.plugins["echo"].module.TRIES) == 2


# --- lifespans ---


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


# --- the other hooks ---


def test_aliases_are_other_unlisted_names(workshop: Any) -> None:
    workshop.tool(
        "@hookimpl\ndef register_aliases():\n    return {'old.name': 'demo.echo', 'very.old.name': 'demo.echo'}\n"
        "@tool('demo.echo')\nasync def echo(call, text):\n    return {'got': text}\n"
    )
    app = workshop.app()
    assert [tool["name"] for tool in app.tools_list()["tools"]] == ["demo.echo"]
    for name in ("old.name", "old_name", "very_old.name"):
        assert workshop.call(app, name, {"text": "x"}).data == {"got": "x"}


@pytest.mark.parametrize(
    ("aliases", "message"),
    [({"old": "demo.nothing"}, "which is no tool"), ({"demo.two": "demo.echo"}, "already a tool's name")],
)
def test_an_alias_must_lead_to_a_tool_and_be_free(workshop: Any, aliases: dict[str, str], message: str) -> None:
    workshop.tool(
        f"@hookimpl\ndef register_aliases():\n    return {aliases!r}\n"
        "@tool('demo.echo')\nasync def echo(call, text): ...\n"
    )
    workshop.echo("demo.two")
    assert message in workshop.refusal()


def test_a_plugin_may_bring_contracts_from_elsewhere(workshop: Any, install: Any) -> None:
    folder = workshop.write("far/echo.v1.yaml", json.dumps(workshop.contract("acme.echo"))).parent
    install("acme", f"{ECHO}@hookimpl\ndef register_contracts():\n    return [{str(folder)!r}]\n")
    assert len(workshop.app({"plugins": {"acme": {}}}).tools_list()["tools"]) == 1


def test_hooks_are_asked_once_and_not_during_calls(workshop: Any) -> None:
    code = """
    ASKED = []
    @hookimpl
    def register_tools():
        ASKED.append("tools")
        return [echo]
    @hookimpl
    def register_interceptors():
        ASKED.append("interceptors")
        return []
    @tool("demo.echo")
    async def echo(call, text):
        return {}
    """
    workshop.tool(code)
    app = workshop.app()
    for _ in range(3):
        workshop.call(app, "demo.echo")
    assert app.plugins["echo"].module.ASKED == ["tools", "interceptors"]


def test_every_hook_has_one_sentence() -> None:
    from wekadocs_mcp.plugins import hookspecs

    assert set(importing.HOOKS) == {
        "register_tools", "lifespan", "register_contracts", "register_aliases", "register_interceptors",
        "register_resources", "register_prompts", "register_http_routes", "register_health_checks", "register_commands",
        "register_client_checks", "register_metrics", "prepare_examples",
    }  # fmt: skip
    for name in importing.HOOKS:
        assert getattr(hookspecs, name).__doc__


PREPARED = """
@hookimpl
def prepare_examples(context):
    (context.data_dir / "prepared").write_text("for the examples")

@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    yield context.data_dir

@tool("demo.echo")
async def echo(call, text):
    note = call.state / "prepared"
    return {"got": note.read_text() if note.exists() else None}
"""


def test_examples_find_what_their_plugin_prepared(workshop: Any, tmp_path: Any) -> None:
    example = {"arguments": {"text": "x"}, "expect": {"got": "for the examples"}}
    workshop.tool("import contextlib\n" + PREPARED, examples=[example])
    config = workshop.config({}, plugin_paths=(str(workshop.tools),))
    (result,) = asyncio.run(examples.run(replace(config, data_dir=tmp_path), throw_away=True))
    assert result.ok, result.why


def test_nothing_is_prepared_in_a_data_directory_that_stays(workshop: Any, tmp_path: Any) -> None:
    workshop.tool("import contextlib\n" + PREPARED, examples=[{"arguments": {}, "expect": {"got": None}}])
    config = workshop.config({}, plugin_paths=(str(workshop.tools),))
    (result,) = asyncio.run(examples.run(replace(config, data_dir=tmp_path)))
    assert result.ok, result.why


_ROUTE = """
from wekadocs_mcp import HttpReply, HttpRoute

async def hello(request):
    outcome = await request.call("demo.echo", {"text": request.body["text"]})
    return HttpReply({"said": outcome.data}, 201, {"X-Mine": "yes"})

@hookimpl
def register_http_routes():
    return [HttpRoute("POST", "PATH", hello, "HELLO")]

@tool("demo.echo")
async def echo(call, text):
    return {"text": text, "principal": call.principal, "client": call.client.name}
"""


@pytest.mark.parametrize("path", ["/_mcp", "/healthz", "hello"])
def test_a_route_on_a_taken_or_odd_path_is_refused(workshop: Any, path: str) -> None:
    workshop.tool(_ROUTE.replace("PATH", path))
    assert f"{path}`" in workshop.refusal({"flags": {"HELLO": True}})


def test_a_plugins_route_calls_tools_as_whoever_asks(workshop: Any) -> None:
    from starlette.testclient import TestClient

    from wekadocs_mcp.transports.http import server as http
    from wekadocs_mcp.transports.server import McpServer

    workshop.tool(_ROUTE.replace("PATH", "/hello"))
    server = McpServer(workshop.app({"flags": {"HELLO": True}}))
    with TestClient(http.build(server), base_url="http://127.0.0.1") as client:
        reply = client.post("/hello", json={"text": "hi"}, headers={"user-agent": "curl/8"})
        assert (reply.status_code, reply.headers["x-mine"]) == (201, "yes")
        assert reply.json() == {"said": {"text": "hi", "principal": "anonymous", "client": "rest curl"}}
        broken = client.post("/hello", json={})
        assert (broken.status_code, broken.json()["error"]["code"]) == (500, "INTERNAL_ERROR")


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


def test_a_metric_that_cannot_be_read_costs_no_other(workshop: Any, caplog: Any) -> None:
    metrics = "{'broken': ('B.', lambda state: 1 / 0), 'words': ('B\\nad.', lambda state: 'x'), 'rows': ('Rows.', len)}"
    code = f"@hookimpl\ndef register_metrics():\n    return {metrics}\n"
    lifespan = (
        "import contextlib\n@hookimpl\n@contextlib.asynccontextmanager\nasync def lifespan(context):\n    yield 'abc'\n"
    )
    workshop.tool(f"{lifespan}{code}@tool('demo.my-echo')\ndef echo(call, text):\n    return {{}}\n", "demo.my-echo")
    app = workshop.app()

    async def figures() -> str:
        await app.dispatcher.call("demo.my-echo", {}, Caller())
        return app.metrics()

    text = workshop.run(app, figures)
    assert "\nwekadocs_my_echo_rows 3\n" in text
    assert "broken" not in text and "words" not in text
    assert "the metric wekadocs_my-echo_broken cannot be read: ZeroDivisionError" in caplog.text


PRINTING = """
import contextlib, os, subprocess
def shout():
    print("hello")
    subprocess.run(["echo", "from a child"])
    return {}
shout()
@hookimpl
@contextlib.contextmanager
def lifespan(context):
    yield shout()
@hookimpl
def register_health_checks():
    return {"loud": lambda state: shout() and None}
@tool("demo.echo")
def echo(call, text):
    return shout()
"""


@pytest.mark.parametrize(
    "command", [("tools", "--json"), ("call", "demo.echo"), ("doctor", "--json"), ("contracts", "test", "--json")]
)
def test_what_a_plugin_and_its_children_print_stays_out_of_what_a_command_answers(
    workshop: Any, command: tuple[str, ...]
) -> None:
    workshop.tool(PRINTING, examples=[{"arguments": {}}])
    config = workshop.write("tools.yaml", "{}")
    script = Path(sys.executable).parent / "wekadocs-mcp"
    more = ("--config", config, "--plugins", workshop.tools)
    done = subprocess.run([script, *command, *more], capture_output=True, text=True, timeout=60, check=True)
    json.loads(done.stdout)
    assert "hello\n" in done.stderr and "from a child\n" in done.stderr


def test_a_failed_start_is_logged_with_reason_and_place_but_no_credential(workshop: Any, caplog: Any) -> None:
    body = "raise RuntimeError('no database at postgres://me:s3cret@db')\n    yield"
    lifespan = (
        f"import contextlib\n@hookimpl\n@contextlib.asynccontextmanager\nasync def lifespan(context):\n    {body}\n"
    )
    path = workshop.tool(f"{lifespan}@tool('demo.echo')\ndef echo(call, text):\n    return {{}}\n")
    workshop.call(workshop.app(), "demo.echo")
    assert "plugin `echo` could not start: RuntimeError: no database at postgres://me:…@db" in caplog.text
    assert f"{path.with_name('echo.py')}:6 lifespan" in caplog.text
    assert "s3cret" not in caplog.text


def test_two_packages_that_announce_one_plugin_are_refused(workshop: Any, install: Any) -> None:
    first = install("acme", ECHO, contracts=contract(workshop, "acme.echo"))
    install("twin", ECHO)
    (first.parent / "installed_twin-1.0.dist-info" / "entry_points.txt").write_text(
        "[wekadocs_mcp]\nacme = installed_twin\n"
    )
    message = workshop.refusal({"plugins": {"acme": {}}})
    assert "2 installed packages announce a plugin `acme`: installed_acme, installed_twin" in message
    assert "tools.yaml:2" in message


def test_a_settings_schema_that_is_no_json_is_refused_at_its_file(workshop: Any, install: Any) -> None:
    package = install("acme", ECHO, contracts=contract(workshop, "acme.echo"))
    (package / "settings.schema.json").write_text("{,}")
    assert f"{package / 'settings.schema.json'}: not JSON" in workshop.refusal({"plugins": {"acme": {}}})


COMMANDS = {
    "an exception": ("1 / 0", "ZeroDivisionError"),
    "a text": ("['x']", "register_commands returned a str, not a click.Command"),
    "a command of another's": ("[click.Command('greet')]", "the command `greet` is another plugin's already"),
}


@pytest.mark.parametrize(("broken", "why"), COMMANDS.values(), ids=COMMANDS.keys())
def test_a_plugin_that_cannot_give_its_commands_costs_no_other_its_own(workshop: Any, broken: str, why: str) -> None:
    hook = "import click\n@hookimpl\ndef register_commands():\n    return {}\n@tool({!r})\ndef run(call, text): ...\n"
    greet = "[click.Command('greet', callback=lambda: click.echo('hello'), help='Say hello.')]"
    workshop.tool(hook.format(greet, "demo.greet"), "demo.greet", folder="tools/a")
    workshop.tool(hook.format(broken, "demo.worse"), "demo.worse", folder="tools/b")
    config = str(workshop.write("tools.yaml", f"plugin_paths: [{workshop.tools}]"))
    done = CliRunner().invoke(cli, ["--config", config, "greet"])
    assert done.stdout == "hello\n"
    assert "plugin `worse` adds no more commands: " in done.stderr and why in done.stderr
    assert "Say hello." in CliRunner().invoke(cli, ["--config", config, "--help"]).stdout
