"""A plugin that fails takes only itself down."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.calls.call import Caller
from wekadocs_mcp.cli.main import cli

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
