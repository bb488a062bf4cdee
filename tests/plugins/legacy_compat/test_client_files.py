"""`doctor --client FILE`: what an old client's configuration should say instead."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
DOCKER = ["exec", "-i", "weka-mcp-server", "python", "-m", "src.mcp_server.stdio_server"]


def doctor(path: Path, text: str) -> tuple[int, dict[str, dict[str, Any]]]:
    path.write_text(text)
    command = [SCRIPT, "doctor", "--json", "--no-start", "--client", path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, {each["what"]: each for each in json.loads(done.stdout)}


def test_claude_desktop_that_starts_the_former_server(tmp_path: Path) -> None:
    entry = {"command": "docker", "args": DOCKER, "env": {"REDIS_HOST": "redis", "NEO4J_URI": "bolt://x", "HOME": "/"}}
    code, found = doctor(tmp_path / "claude_desktop_config.json", json.dumps({"mcpServers": {"weka": entry}}))
    assert code == 0
    assert found["mcpServers.weka command"]["fix"] == '"command": "wekadocs-mcp", "args": ["serve"]'
    assert found["mcpServers.weka env REDIS_HOST"]["fix"] == "remove it"
    assert "the same" in found["mcpServers.weka env NEO4J_URI"]["note"]
    assert len(found) == 3


def test_vs_code_with_comments_and_a_former_url(tmp_path: Path) -> None:
    text = """{
      // a comment with "quotes" and http://slashes
      "servers": {"docs": {"type": "http", "url": "http://127.0.0.1:8000/mcp",},},
    }"""
    code, found = doctor(tmp_path / "mcp.json", text)
    assert code == 0
    assert '"url": "http://127.0.0.1:8765/_mcp"' in found["servers.docs url"]["fix"]


def test_vs_codes_settings_file_is_read_too(tmp_path: Path) -> None:
    settings = {"mcp": {"servers": {"docs": {"command": "python", "args": ["-m", "src.mcp_server.stdio_server"]}}}}
    assert "mcp.servers.docs command" in doctor(tmp_path / "settings.json", json.dumps(settings))[1]


def test_cursor_that_allows_tools_by_old_names(tmp_path: Path) -> None:
    entry = {"command": "wekadocs-mcp", "args": ["serve"], "autoApprove": ["search_sections", "kb.search", "other"]}
    _, found = doctor(tmp_path / "mcp.json", json.dumps({"mcpServers": {"docs": entry}}))
    assert {what: each["fix"] for what, each in found.items()} == {
        "mcpServers.docs search_sections": "name kb.search instead"
    }


def test_librechats_yaml(tmp_path: Path) -> None:
    text = "mcpServers:\n  weka:\n    type: sse\n    url: https://docs.example.com:8000/sse\n    timeout: 5\n"
    fix = doctor(tmp_path / "librechat.yaml", text)[1]["mcpServers.weka url"]["fix"]
    assert '"type": "streamable-http", "url": "https://docs.example.com:8765/_mcp"' in fix


def test_a_file_that_is_right_needs_no_change(tmp_path: Path) -> None:
    servers = {"docs": {"command": "wekadocs-mcp", "args": ["serve"]}, "other": {"url": "http://x:8000/else"}}
    path = tmp_path / "mcp.json"
    code, found = doctor(path, json.dumps({"mcpServers": servers}))
    assert (code, found[str(path)]["state"]) == (0, "ok")


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": 1}', "a: [", '{"mcpServers": 5}', "\x00"])
def test_a_file_that_names_no_servers_is_told_with_the_way_out(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd"
    code, found = doctor(path, text)
    assert code == 1
    assert "claude_desktop_config.json" in found[str(path)]["fix"]


@pytest.mark.parametrize(
    ("entry", "what", "said"),
    [
        ({"args": ["serve"]}, "command", "neither a command nor a url"),
        (5, "command", "neither a command nor a url"),
        ({"command": "wekadocs-mcp", "url": "http://x/_mcp"}, "command", "there is a url too"),
        ({"command": "wekadocs-mcp", "type": "carrier-pigeon"}, "type", "carrier-pigeon"),
        ({"command": "wekadocs-mcp", "type": "http"}, "type", "one for stdio"),
        ({"url": "http://x/_mcp", "type": "stdio"}, "type", "one for http"),
        ({"command": "wekadocs-mcp", "args": "serve"}, "args", "no list"),
        ({"command": "wekadocs-mcp", "env": ["A=b"]}, "env", "no object"),
        ({"url": "127.0.0.1:8765/_mcp"}, "url", "no address"),
    ],
)
def test_an_entry_that_clients_cannot_use_is_told_with_the_way_out(
    tmp_path: Path, entry: Any, what: str, said: str
) -> None:
    _, found = doctor(tmp_path / "mcp.json", json.dumps({"mcpServers": {"docs": entry}}))
    assert list(found) == [f"mcpServers.docs {what}"]
    assert said in found[f"mcpServers.docs {what}"]["note"]
    assert found[f"mcpServers.docs {what}"]["fix"]


def test_odd_entries_do_no_harm(tmp_path: Path) -> None:
    servers = {"a": 5, "b": {"command": 5, "args": "x", "env": [], "url": "http://[::1"}, "c": {"url": ["x"]}}
    assert doctor(tmp_path / "mcp.json", json.dumps({"mcpServers": servers}))[0] == 0


def test_a_file_without_a_server_is_told_what_to_write(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    code, found = doctor(path, '{"mcpServers": {}}')
    assert (code, found[str(path)]["note"]) == (0, "it names no server")
    assert '"command": "wekadocs-mcp"' in found[str(path)]["fix"]
