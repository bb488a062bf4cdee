"""Where each client keeps its configuration file; tests/mcp/cli/test_client_places.py names who says so."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def home(*parts: str) -> Path:
    return Path.home().joinpath(*parts)


def application(*parts: str) -> Path:
    """Where desktop applications keep their settings."""
    if sys.platform == "win32":
        return _roaming(*parts)
    return home("Library", "Application Support", *parts) if sys.platform == "darwin" else _dot_config(*parts)


def claude_desktop() -> Path:
    """On Windows it is a package since 2026, and Windows shows such a one a folder of its own in place of %APPDATA%."""
    file = ("Claude", "claude_desktop_config.json")
    local = Path(os.environ.get("LOCALAPPDATA") or home("AppData", "Local"))
    packed = sorted(local.glob("Packages/Claude_*/LocalCache/Roaming")) if sys.platform == "win32" else []
    kept = [each for each in packed if each.joinpath(*file).is_file()]
    return (kept or packed)[0].joinpath(*file) if packed else application(*file)


def claude_code() -> Path:
    return _moved("CLAUDE_CONFIG_DIR", home()) / ".claude.json"


def windsurf() -> Path:
    """It is called Devin Desktop since June 2026; what is older reads only its old file."""
    new = _roaming("devin") if sys.platform == "win32" else home(".config", "devin")
    old = home(".codeium", "windsurf")
    return (old if old.is_dir() and not new.is_dir() else new) / "mcp_config.json"


def librechat() -> Path:
    return Path(os.environ.get("CONFIG_PATH") or "librechat.yaml")


def zed() -> Path:
    if sys.platform == "darwin":
        return home(".config", "zed", "settings.json")  # it does not ask XDG_CONFIG_HOME there
    return _roaming("Zed", "settings.json") if sys.platform == "win32" else _dot_config("zed", "settings.json")


def codex() -> Path:
    return _moved("CODEX_HOME", home(".codex")) / "config.toml"


def gemini_cli() -> Path:
    return _moved("GEMINI_CLI_HOME", home()) / ".gemini" / "settings.json"


def goose() -> Path:
    if os.environ.get("GOOSE_PATH_ROOT"):
        return Path(os.environ["GOOSE_PATH_ROOT"], "config", "config.yaml")
    if sys.platform == "win32":
        return _roaming("Block", "goose", "config", "config.yaml")
    return _dot_config("goose", "config.yaml")


def _moved(variable: str, usual: Path) -> Path:
    return Path(os.environ.get(variable) or usual)


def _roaming(*parts: str) -> Path:
    return _moved("APPDATA", home("AppData", "Roaming")).joinpath(*parts)


def _dot_config(*parts: str) -> Path:
    return _moved("XDG_CONFIG_HOME", home(".config")).joinpath(*parts)
