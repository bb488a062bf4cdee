"""`doctor --client FILE` starts what the file says, as the client would, and tells what is wrong with it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wekadocs_mcp.cli.doctor import client_start
from wekadocs_mcp.cli.main import cli

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
SERVER = """
import json, os, sys
print(os.environ.get("BEFORE", ""), end="", flush=True)
print(os.environ.get("ERRORS", ""), file=sys.stderr, flush=True)
tools = [{"name": "a"}] * int(os.environ.get("TOOLS", "2"))
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked and not os.environ.get("SILENT"):
        result = {"serverInfo": {"name": "fake\\x1b[2J", "version": "1"}, "tools": tools}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


@pytest.fixture
def doctor(tmp_path: Path) -> Any:
    def run(entry: dict[str, Any], *more: str) -> tuple[int, dict[str, dict[str, Any]]]:
        file = tmp_path / "mcp.json"
        file.write_text(json.dumps({"mcpServers": {"docs": entry}}))
        done = CliRunner().invoke(cli, ["doctor", "--json", "--client", str(file), *more])
        return done.exit_code, {each["what"].removeprefix("mcpServers.docs "): each for each in json.loads(done.stdout)}

    return run


def fake(**environment: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-c", SERVER], "env": environment}


def test_a_server_that_answers_is_named_with_its_tools(doctor: Any, tmp_path: Path) -> None:
    code, found = doctor(fake())
    assert (code, found["start"]["state"]) == (0, "ok")
    assert found["start"]["note"].startswith("fake\\u{001b}[2J 1 answers in ")
    assert found["start"]["note"].endswith(", 2 tools: a, a")
    assert "nothing to change" in found[str(tmp_path / "mcp.json")]["note"]


def test_ours_is_started_too(doctor: Any, tmp_path: Path) -> None:
    code, found = doctor({"command": str(SCRIPT), "args": ["serve"], "env": {"WEKADOCS_DATA": str(tmp_path / "d")}})
    assert code == 0
    assert "13 tools: " in found["start"]["note"]
    assert "kb.retrieve_evidence" in found["start"]["note"]


def test_a_command_that_is_not_there_is_told_with_the_nearest_name(doctor: Any, monkeypatch: Any) -> None:
    entry = {"command": "wekadoc-mcp", "args": ["serv", "--plugin", "/nope"]}
    monkeypatch.setenv("PATH", str(SCRIPT.parent))
    code, found = doctor(entry)
    assert (code, found["start"]["note"]) == (1, "there is no command wekadoc-mcp")
    assert found["start"]["fix"] == 'did you mean "command": "wekadocs-mcp"?'
    monkeypatch.setenv("PATH", "/nowhere")
    assert doctor(entry)[1]["start"]["fix"] == f'did you mean "command": "{SCRIPT}"?'


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serv"], "No such command 'serv'"),
        (["serve", "--plugin", "/nope"], "No such option '--plugin'"),
        (["serve", "--plugins", "/nope"], "/nope: is not a folder"),
        (["serve", "--config", "/nope.yaml"], "/nope.yaml: there is no such tools.yaml"),
    ],
)
def test_wrong_arguments_are_told_in_the_servers_own_words(doctor: Any, arguments: list[str], said: str) -> None:
    code, found = doctor({"command": str(SCRIPT), "args": arguments})
    assert code == 1
    assert found["start"]["note"].startswith("it ended with exit code 2 instead of answering: ")
    assert said in found["start"]["note"]


def test_a_server_that_says_nothing_is_ended(doctor: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(client_start, "_WITHIN", 0.5)
    monkeypatch.setattr(client_start, "_END_WITHIN", 0.2)
    stubborn = f"import os, signal, time\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    stubborn += "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)\n"
    code, found = doctor({"command": sys.executable, "args": ["-c", stubborn]})
    assert code == 1
    assert "did not answer within 0.5 seconds" in found["start"]["note"]
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_noise_and_a_server_without_tools_are_warnings(doctor: Any) -> None:
    code, found = doctor(fake(BEFORE="welcome\n"))
    assert (code, found["start"]["state"]) == (0, "warning")
    assert found["start"]["note"].endswith("it writes to stdout what is no message: welcome")
    code, found = doctor(fake(TOOLS="0", ERRORS="no tool at all"))
    assert (code, found["start"]["state"]) == (0, "warning")
    assert "offers no tool: no tool at all" in found["start"]["note"]


@pytest.mark.parametrize(
    ("entry", "note"),
    [
        ({"command": "x", "args": ["${workspaceFolder}/a"]}, "not tried: only the client knows what"),
        ({"command": sys.executable, "args": ["a\0b"]}, "cannot be started"),
        ({"command": sys.executable, "cwd": "/nope"}, "cannot be started: No such file or directory"),
        ({"command": "true"}, "it ended with exit code 0 instead of answering"),
    ],
)
def test_what_cannot_be_started_is_told(doctor: Any, entry: dict[str, Any], note: str) -> None:
    assert note in doctor(entry)[1]["start"]["note"]


def test_what_only_has_to_be_read_starts_nothing(doctor: Any, tmp_path: Path) -> None:
    touch = {"command": sys.executable, "args": ["-c", f"open({str(tmp_path / 'started')!r}, 'w')"]}
    assert list(doctor(touch, "--no-start")[1]) == [str(tmp_path / "mcp.json")]
    assert "start" not in doctor({**touch, "type": "http"})[1]  # it is to be changed first
    assert not (tmp_path / "started").exists()
