"""The clients: where each keeps its MCP servers, and how one of them is written. A client is one row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import places

Entry = dict[str, object]


@dataclass(frozen=True)
class Client:
    title: str
    file: Callable[[], Path] | None  # None: it is entered by hand
    place: str  # the key its servers stand under
    entry: Callable[[str, str, list[str]], Entry]  # of the server's name, command and arguments
    then: str
    form: str = "json"
    may_be_made: bool = True  # a file with nothing but our entry is one the client can start from


def _plain(_name: str, command: str, arguments: list[str]) -> Entry:
    return {"command": command, "args": arguments}


def _typed(_name: str, command: str, arguments: list[str]) -> Entry:
    return {"type": "stdio", "command": command, "args": arguments}


def _extension(name: str, command: str, arguments: list[str]) -> Entry:
    return {
        "type": "stdio",
        "name": name,
        "description": "Answers from your documentation, with quotes and their pages",
        "enabled": True,
        "cmd": command,
        "args": arguments,
        "timeout": 300,
    }


_SERVERS = "mcpServers"
CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        "Claude Desktop",
        places.claude_desktop,
        _SERVERS,
        _plain,
        "Quit Claude Desktop and start it again.",
    ),
    "claude-code": Client(
        "Claude Code", places.claude_code, _SERVERS, _typed, "Start Claude Code again; `claude mcp list` shows it."
    ),
    "vscode": Client(
        "VS Code",
        lambda: places.application("Code", "User", "mcp.json"),
        "servers",
        _typed,
        "VS Code asks whether you trust it when it starts it.",
    ),
    "cursor": Client("Cursor", lambda: places.home(".cursor", "mcp.json"), _SERVERS, _plain, "Start Cursor again."),
    "windsurf": Client(
        "Windsurf (Devin Desktop)",
        places.windsurf,
        _SERVERS,
        _plain,
        "Press refresh in its list of MCP servers.",
    ),
    "librechat": Client(
        "LibreChat",
        places.librechat,
        _SERVERS,
        _typed,
        "Start LibreChat again. In a container the command must be there too.",
        "yaml",
        may_be_made=False,
    ),
    "open-webui": Client(
        "Open WebUI",
        None,
        "",
        _plain,
        "Open WebUI takes MCP servers over HTTP only, and keeps them in its database. Start one:\n"
        "  {http}\n"
        "then in Open WebUI: Settings, Admin, Integrations (older: Admin Settings, External Tools), + (Add Server)\n"
        "  Type: MCP (Streamable HTTP)\n"
        "  URL:  http://127.0.0.1:8765/_mcp\n"
        "  Auth: None, or Bearer with the token where the server has MCP_AUTH_TOKEN\n"
        "From a container it is host.docker.internal instead, which server.allowed_hosts in tools.yaml must name.",
    ),
    "zed": Client("Zed", places.zed, "context_servers", _plain, "Zed takes it up by itself."),
    "codex": Client("Codex", places.codex, "mcp_servers", _plain, "Start Codex again; `/mcp` shows it.", "toml"),
    "gemini-cli": Client(
        "Gemini CLI",
        places.gemini_cli,
        _SERVERS,
        _plain,
        "Start Gemini CLI again in a folder that it trusts; `/mcp` shows it.",
    ),
    "jetbrains": Client(
        "JetBrains AI Assistant",
        None,
        _SERVERS,
        _plain,
        "JetBrains IDEs keep MCP servers in their own settings. In the IDE: Settings, Tools, AI Assistant,\n"
        "Model Context Protocol (MCP), Add, As JSON; paste this:\n{snippet}",
    ),
    "goose": Client("Goose", places.goose, "extensions", _extension, "Start a new Goose session.", "yaml"),
}
