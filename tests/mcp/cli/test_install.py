"""`wekadocs-mcp install CLIENT`, on configuration files as the clients' documentation shows them.

Where each client keeps its file: test_client_places.py.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.install.clients import CLIENTS
from wekadocs_mcp.cli.main import cli

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
# open-webui/docs@0952e513 docs/features/extensibility/mcp.mdx; jetbrains.com/help/ai-assistant/mcp.html, whose example
# has the form of Claude Desktop's
BY_HAND = ("open-webui", "jetbrains")
PLACED = (
    *("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "APPDATA", "LOCALAPPDATA", "WEKADOCS_DATA"),
    *("CONFIG_PATH", "GEMINI_CLI_HOME", "GOOSE_PATH_ROOT"),
)

# https://modelcontextprotocol.io/docs/develop/connect-local-servers
CLAUDE_DESKTOP = """{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/Users/username/Desktop"
      ]
    }
  }
}
"""
# https://code.claude.com/docs/en/mcp; read by Claude Code 2.1.197 (`claude mcp get`: user config, stdio, connected),
# with what Claude Code itself keeps in ~/.claude.json
CLAUDE_CODE = """{
  "numStartups": 4,
  "projects": {
    "/home/ada/work": {
      "mcpServers": {}
    }
  },
  "mcpServers": {
    "airtable": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "airtable-mcp-server"],
      "env": {}
    }
  }
}"""
# microsoft/vscode-docs@742b9358 docs/agents/reference/mcp-configuration.md (`type` is required),
# with the comments that VS Code allows
VSCODE = """{
\t// kept in the profile
\t"inputs": [
\t\t{ "type": "promptString", "id": "key", "description": "API Key", "password": true }
\t],
\t"servers": {
\t\t"playwright": {
\t\t\t"command": "npx", // from npm
\t\t\t"args": ["-y", "@microsoft/mcp-server-playwright"]
\t\t} /* the only one */
\t}
}
"""
# zed-industries/zed@7eec8920 docs/src/ai/mcp.md; settings_content/src/project.rs: command, args, env
ZED = """// Zed settings
{
  "theme": "One Dark",
  "context_servers": {
    "local-mcp-server": {
      "command": "some-command",
      "args": ["arg-1", "arg-2"],
      "env": {},
    },
    // over HTTP
    "remote-mcp-server": {
      "url": "https://example.com/mcp",
    },
  },
}
"""
# https://docs.windsurf.com/windsurf/cascade/mcp; the same form in Devin Desktop
WINDSURF = """{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": {"GITHUB_PERSONAL_ACCESS_TOKEN": "<YOUR_PERSONAL_ACCESS_TOKEN>"}
    }
  }
}
"""
# google-gemini/gemini-cli@5411f113 docs/tools/mcp-server.md; read by Gemini CLI 0.61.0 (`gemini mcp list`: connected)
GEMINI = """{
  "mcp": {"allowed": ["trusted-server"]},
  "mcpServers": {
    "serverName": {
      "command": "path/to/server",
      "args": ["--arg1", "value1"],
      "env": {"API_KEY": "$MY_API_TOKEN"},
      "cwd": "./server-directory",
      "timeout": 30000,
      "trust": false
    }
  }
}
"""
# openai/codex@343074d4 config/src/mcp_types.rs RawMcpServerConfig; read by Codex 0.169.0 (`codex mcp get`)
CODEX = """model = "gpt-5"  # which one

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

# how it looks
[tui]
notifications = true
"""
# danny-avila/LibreChat@08c9cc3d librechat.example.yaml; packages/data-provider/src/mcp.ts StdioOptionsSchema
LIBRECHAT = """version: 1.2.8
mcpServers:
  everything:
    # type: sse # type can optionally be omitted
    url: http://localhost:3001/sse
  filesystem:
    # type: stdio
    command: npx
    args:
      - -y
      - '@modelcontextprotocol/server-filesystem'
      - /home/user/LibreChat/
    iconPath: /home/user/LibreChat/client/public/assets/logo.svg
# what the models may do
endpoints:
  agents:
    capabilities: [tools]
"""
# aaif-goose/goose@ca26f01d documentation/docs/guides/config-files.md; agents/extension.rs ExtensionConfig::Stdio
GOOSE = """GOOSE_PROVIDER: "anthropic"  # which one
GOOSE_MODEL: "claude-4.5-sonnet"

extensions:
  developer:
    bundled: true
    enabled: true
    name: developer
    timeout: 300
    type: builtin

  memory:
    bundled: true
    enabled: true
    name: memory
    timeout: 300
    type: builtin
# and the rest
GOOSE_MODE: smart_approve
"""
SHOWN = {
    "claude-desktop": CLAUDE_DESKTOP,
    "claude-code": CLAUDE_CODE,
    "vscode": VSCODE,
    "cursor": CLAUDE_DESKTOP.replace("\n", "\r\n"),  # https://cursor.com/docs/mcp has the same form
    "windsurf": WINDSURF,
    "librechat": LIBRECHAT,
    "zed": ZED,
    "codex": CODEX,
    "gemini-cli": GEMINI,
    "goose": GOOSE,
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in PLACED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def install(*words: str) -> Result:
    return CliRunner().invoke(cli, ["install", *words])


def entry(client: str, text: str) -> Any:
    """Our entry as the client reads it."""
    form, place = CLIENTS[client].form, CLIENTS[client].place
    if form == "json":
        from wekadocs_mcp.cli.install import json_text

        return json_text.parsed(text)[place]["wekadocs"]
    return (tomllib.loads(text) if form == "toml" else yaml.safe_load(text))[place]["wekadocs"]


def written(client: str, home: Path) -> Path:
    made = CLIENTS[client].file
    assert made is not None
    file = home / made()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(SHOWN[client].encode())
    return file


@pytest.mark.parametrize("client", SHOWN)
def test_every_line_that_was_there_stays_and_uninstall_takes_only_ours_out(client: str, home: Path) -> None:
    file = written(client, home)
    (home / "docs").mkdir()
    done = install(client, "--docs", "docs")
    assert done.exit_code == 0, done.output
    text = file.read_bytes().decode()
    ours = entry(client, text)
    assert (ours.get("command") or ours["cmd"], ours["args"]) == (str(SCRIPT), ["serve", "--docs", str(home / "docs")])
    left = iter(text.replace(",", "").split())
    assert all(word in left for word in SHOWN[client].replace(",", "").split()), text
    assert install(client, "--docs", "docs").stdout.endswith("nothing to change.\n")
    assert file.with_name(f"{file.name}.bak").read_bytes().decode() == SHOWN[client]
    assert install(client, "--uninstall").exit_code == 0
    assert file.read_bytes().decode() == SHOWN[client]
    assert "is not in it" in install(client, "--uninstall").stdout


@pytest.mark.parametrize("client", [each for each in SHOWN if each != "librechat"])
def test_a_file_that_is_not_there_is_made(client: str, home: Path) -> None:
    done = install(client)
    assert done.exit_code == 0, done.output
    made = CLIENTS[client].file
    assert made is not None
    assert entry(client, made().read_text())["args"] == ["serve"]


def test_librechats_file_must_be_there_and_may_be_named(home: Path) -> None:
    done = install("librechat")
    assert done.exit_code == 2
    assert "--file names another" in done.stderr
    assert 'command: "' in done.stderr
    (home / "other.yaml").write_text(LIBRECHAT)
    assert install("librechat", "--file", "other.yaml").exit_code == 0
    assert entry("librechat", (home / "other.yaml").read_text())["type"] == "stdio"


@pytest.mark.parametrize("client", CLIENTS)
def test_print_shows_the_snippet_and_changes_nothing(client: str, home: Path) -> None:
    before = sorted(home.rglob("*"))
    done = install(client, "--print", "--name", "team-docs")
    assert done.exit_code == 0, done.output
    assert str(SCRIPT) in done.stdout
    assert "team-docs" in done.stdout or client == "open-webui"
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize(
    ("client", "said"),
    [
        ("open-webui", "Type: MCP (Streamable HTTP)\n  URL:  http://127.0.0.1:8765/_mcp\n  Auth: None"),
        ("jetbrains", '"mcpServers"'),
    ],
)
def test_where_there_is_no_file_it_says_what_to_enter(client: str, said: str, home: Path) -> None:
    assert said in install(client).stdout
    assert "own settings" in install(client, "--uninstall").stdout
    assert list(home.iterdir()) == []


def test_toolsets_go_into_the_clients_command(home: Path) -> None:
    done = install("cursor", "--toolset", "roux", "--toolset", "docs", "--print")
    told = json.loads(done.stdout)["mcpServers"]["wekadocs"]["args"]
    assert told == ["serve", "--toolset", "roux", "--toolset", "docs"]


def test_what_somebody_added_to_our_entry_stays(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"wekadocs": {"command": "old", "env": {"A": "b"}, "args": ["serve"]}}}')
    assert install("cursor").exit_code == 0
    ours = {"command": str(SCRIPT), "env": {"A": "b"}, "args": ["serve"]}
    assert json.loads(file.read_text()) == {"mcpServers": {"wekadocs": ours}}
    codex = home / ".codex" / "config.toml"
    codex.parent.mkdir()
    codex.write_text('[mcp_servers.wekadocs]\ncommand = "old"\nargs = [\n  "x",\n]\nstartup_timeout_sec = 20\n')
    assert install("codex").exit_code == 0
    assert entry("codex", codex.read_text()) == {"command": str(SCRIPT), "args": ["serve"], "startup_timeout_sec": 20}


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("cursor", '{"mcpServers": {'),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", '{"mcpServers": {"wekadocs": {"url": "http://127.0.0.1:8765/_mcp"}}}'),
        ("cursor", '{"a": 1, "a": 2}'),
        ("cursor", "[]"),
        ("cursor", "[" * 100_000),
        ("codex", 'mcp_servers = {a = {command = "x"}}\n'),
        ("codex", '[mcp_servers.wekadocs]\ncommand = "x" # mine\n'),
        ("codex", "= 1"),
        ("goose", "extensions: {a: {type: builtin}}\n"),
        ("goose", "extensions:\n  <<: *nowhere\n"),
        ("goose", "extensions:\n  wekadocs:\n    args:\n      - x # mine\n      - y\n"),
        ("goose", "- a\n"),
        ("goose", "a: 1\n---\nb: 2\n"),
    ],
)
def test_what_cannot_be_changed_safely_is_left_with_the_snippet_to_paste(client: str, text: str, home: Path) -> None:
    file = home / "its-file"
    file.write_text(text)
    done = install(client, "--file", str(file))
    assert (done.exit_code, file.read_text()) == (2, text), done.output
    assert "left as it is" in done.stderr
    assert str(SCRIPT) in done.stderr
    assert list(home.iterdir()) == [file]


def test_what_is_no_text_is_left(home: Path) -> None:
    (home / "its-file").write_bytes(b"\xff\xfe{\x00}\x00")
    assert install("cursor", "--file", "its-file").exit_code == 2
    assert install("cursor", "--file", ".").exit_code == 2
    assert (home / "its-file").read_bytes() == b"\xff\xfe{\x00}\x00"


def test_what_is_no_text_is_taken_out_by_hand(home: Path) -> None:
    (home / "its-file").write_bytes(b"\xff\xfe{\x00}\x00")
    done = install("cursor", "--file", "its-file", "--uninstall")
    assert done.exit_code == 2
    assert "fix: take `wekadocs` out by hand" in done.stderr
    assert "put this" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="modes, links and pipes are of POSIX")
def test_what_is_no_file_to_change_is_left(home: Path) -> None:
    os.mkfifo(home / "pipe")
    (home / "loop").symlink_to(home / "loop")
    (home / "kept").write_text("{}")
    (home / "kept").chmod(0o444)
    for name, why in (("pipe", "it is no file"), ("loop", "it cannot be read"), ("kept", "it is read-only")):
        done = install("cursor", "--file", name)
        assert (done.exit_code, f"{name}: left as it is: {why}" in done.stderr) == (2, True), done.output
    assert (home / "kept").read_text() == "{}"
    done = CliRunner().invoke(cli, ["doctor", "--client", str(home / "pipe")])
    assert (done.exit_code, "it is no file" in done.output) == (1, True)


def test_doctor_reads_a_file_as_large_as_claude_code_makes_it(home: Path) -> None:
    file = home / ".claude.json"
    file.write_text(json.dumps({"projects": {"/home/ada": {"history": ["x" * 2_000_000]}}}))
    assert install("claude-code", "--name", "docs").exit_code == 0
    assert "mcpServers.docs" in CliRunner().invoke(cli, ["doctor", "--client", str(file)]).output


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links are of POSIX")
def test_a_link_stays_a_link_and_a_private_file_private(home: Path) -> None:
    real, link = home / "dotfiles.json", home / ".cursor" / "mcp.json"
    real.write_text("{}")
    real.chmod(0o600)
    link.parent.mkdir()
    link.symlink_to(real)
    assert install("cursor").exit_code == 0
    assert link.is_symlink()
    assert "wekadocs" in real.read_text()
    for file in (real, home / "dotfiles.json.bak"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_backup_goes_over_another(home: Path) -> None:
    file = home / "mcp.json"
    for text in ("{}", '{"a": 1}', '{"b": 2}'):
        file.write_text(text)
        assert install("cursor", "--file", "mcp.json").exit_code == 0
    assert [(home / f"mcp.json.bak{n}").read_text() for n in ("", "2", "3")] == ["{}", '{"a": 1}', '{"b": 2}']


def test_paths_are_whole_and_the_shells_environment_goes_with_them(home: Path, monkeypatch: Any) -> None:
    (home / "tools.yaml").write_text("server: {}\n")
    monkeypatch.setenv("WEKADOCS_DATA", "data")
    shown = json.loads(install("cursor", "--print", "--config", "tools.yaml").stdout)
    arguments = shown["mcpServers"]["wekadocs"]["args"]
    assert arguments == ["serve", "--config", str(home / "tools.yaml"), "--data", str(home / "data")]


@pytest.mark.parametrize(
    "words", [["--docs", "nowhere"], ["--config", "nowhere.yaml"], ["--name", "a b"], ["--name", ""], ["--name", "é"]]
)
def test_what_would_not_start_is_refused(words: list[str], home: Path) -> None:
    assert install("cursor", *words).exit_code == 2
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("client", ["cursor", "codex", "goose", "zed"])
def test_doctor_starts_what_was_installed(client: str, home: Path) -> None:
    file = home / f"its-file.{CLIENTS[client].form}"
    file.write_text(SHOWN["goose"] if client == "goose" else "")
    assert install(client, "--file", str(file), "--data", str(home / "data")).exit_code == 0
    done = CliRunner().invoke(cli, ["doctor", "--json", "--client", str(file)])
    found = [each for each in json.loads(done.stdout) if each["what"].endswith("wekadocs start")]
    assert (done.exit_code, [each["state"] for each in found]) == (0, ["ok"]), done.output
