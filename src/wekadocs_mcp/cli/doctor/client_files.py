"""A client's configuration file: which MCP servers it names and how it reaches them.

Claude Desktop, Cursor and LibreChat write `mcpServers`, VS Code `servers` (mcp.json) or `mcp.servers` (settings.json),
Codex `mcp_servers`, Zed `context_servers`, Goose `extensions`; JSON, JSON with comments, TOML or YAML.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wekadocs_contracts.problems import Problem, StartError

_PLACES = (
    ("mcpServers",),
    ("servers",),
    ("mcp", "servers"),
    ("mcp", "mcpServers"),
    ("mcp_servers",),
    ("context_servers",),
    ("extensions",),
)
_WITH_BUILT_IN = ("context_servers", "extensions")  # what is built in or brought by an extension stands there too
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')
_MAX_BYTES = 64 << 20  # Claude Code keeps its history in the same file


@dataclass(frozen=True)
class ClientEntry:
    """One server in a client's file."""

    name: str
    form: str  # the key its servers stand under, as the file has it
    data: Mapping[str, Any]

    @property
    def is_started(self) -> bool:
        return bool(self.data.get("command") or self.data.get("cmd"))

    @property
    def command(self) -> list[str]:
        """What is started, word by word; empty for one that is reached by URL."""
        first, rest = self.data.get("command") or self.data.get("cmd"), self.data.get("args")
        words = first if isinstance(first, list) else [first] if first else []
        return [str(each) for each in (*words, *(rest if isinstance(rest, list) else ()))]

    @property
    def url(self) -> str:
        return next((str(self.data[key]) for key in ("url", "serverUrl", "httpUrl", "uri") if self.data.get(key)), "")

    @property
    def transport(self) -> str:
        return str(self.data.get("type") or self.data.get("transport") or "")

    @property
    def environment(self) -> dict[str, str]:
        given = self.data.get("env") or self.data.get("envs")
        return {str(name): str(value) for name, value in given.items()} if isinstance(given, Mapping) else {}

    @property
    def names(self) -> list[str]:
        """Every string in a list of it, but for its arguments: where clients keep the tools they allow."""
        lists = [each for key, each in self.data.items() if key not in ("args", "command") and isinstance(each, list)]
        return list(dict.fromkeys(each for found in lists for each in found if isinstance(each, str)))


def read(path: str) -> list[ClientEntry]:
    """The servers a file names; a StartError tells what it should look like."""
    data = _parsed(path)
    for place in _PLACES:
        found: Any = data
        for key in place:
            found = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping):
            return list(_entries(found, ".".join(place)))
    known = ", ".join(f"`{'.'.join(place)}`" for place in _PLACES)
    raise _unreadable(path, f"it names no MCP servers: there is none of {known} in it")


def _entries(servers: Mapping[str, object], form: str) -> Iterator[ClientEntry]:
    for name, data in servers.items():
        entry = ClientEntry(str(name), form, data if isinstance(data, Mapping) else {})
        if form not in _WITH_BUILT_IN or entry.is_started or entry.url:
            yield entry


def _parsed(path: str) -> Any:
    file = Path(path).expanduser()
    try:
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):
            raise _unreadable(path, "it is no file")
        if found.st_size > _MAX_BYTES:
            raise _unreadable(path, "it is too large to be a configuration file")
        raw = file.read_bytes()
    except OSError as error:
        raise _unreadable(path, f"it cannot be read: {error.strerror}") from None
    text = raw.decode("utf-8-sig", "replace")
    if path.endswith(".toml"):
        return _toml(path, text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass  # of most clients it may have comments
    plain = _COMMENT.sub(lambda match: match[1] or " ", text)
    plain = _TRAILING.sub(lambda match: match[1] or "", plain)
    try:
        return json.loads(plain)
    except (ValueError, RecursionError):
        return _yaml(path, text)


def _toml(path: str, text: str) -> Any:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, f"it is no TOML: {error}") from None


def _yaml(path: str, text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise _unreadable(path, f"it is neither JSON nor YAML: {str(error).splitlines()[0]}") from None


def _unreadable(path: str, message: str) -> StartError:
    hint = (
        "name claude_desktop_config.json, .vscode/mcp.json, .cursor/mcp.json, librechat.yaml, config.toml or the like"
    )
    return StartError([Problem(path, message, hint)])
