"""Where each client keeps its configuration file on each platform; each row says who says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from wekadocs_mcp.cli.install.clients import CLIENTS

MOVERS = (
    *("XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA", "CODEX_HOME", "CLAUDE_CONFIG_DIR"),
    *("CONFIG_PATH", "GEMINI_CLI_HOME", "GOOSE_PATH_ROOT"),
)
PLATFORMS = ("linux", "darwin", "win32")
LIBRARY, ROAMING = "Library/Application Support", "AppData/Roaming"
PLACES = {
    # modelcontextprotocol.io/docs/develop/connect-local-servers; on Linux by Electron's rule, its maker does not say
    "claude-desktop": [f"{base}/Claude/claude_desktop_config.json" for base in (".config", LIBRARY, ROAMING)],
    # code.claude.com/docs/en/mcp; seen with Claude Code 2.1.197 on Linux
    "claude-code": [".claude.json"] * 3,
    # microsoft/vscode-docs@742b9358 docs/agents/reference/mcp-configuration.md and docs/configure/profiles.md
    "vscode": [f"{base}/Code/User/mcp.json" for base in (".config", LIBRARY, ROAMING)],
    # cursor.com/docs/mcp
    "cursor": [".cursor/mcp.json"] * 3,
    # docs.devin.ai (desktop), vaadin.com/docs (devin-desktop), docs.sevalla.com/ai-agents/windsurf
    "windsurf": [f"{base}/devin/mcp_config.json" for base in (".config", ".config", ROAMING)],
    # zed-industries/zed@7eec8920 crates/paths/src/paths.rs config_dir
    "zed": [f"{folder}/settings.json" for folder in (".config/zed", ".config/zed", f"{ROAMING}/Zed")],
    # openai/codex@343074d4 codex-rs/utils/home-dir/src/lib.rs; seen with Codex 0.169.0 on Linux
    "codex": [".codex/config.toml"] * 3,
    # google-gemini/gemini-cli@5411f113 packages/core/src/config/storage.ts; seen with Gemini CLI 0.61.0 on Linux
    "gemini-cli": [".gemini/settings.json"] * 3,
    # aaif-goose/goose@ca26f01d documentation/docs/guides/config-files.md, crates/goose/src/config/paths.rs
    "goose": [f"{base}/config.yaml" for base in (".config/goose", ".config/goose", f"{ROAMING}/Block/goose/config")],
}
PACKED = "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in MOVERS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def place(client: str, platform: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("wekadocs_mcp.cli.install.places.sys.platform", platform)
    made = CLIENTS[client].file
    assert made is not None
    return made()


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("client", PLACES)
def test_each_platform_has_its_place(platform: str, client: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert place(client, platform, monkeypatch) == home / PLACES[client][PLATFORMS.index(platform)]


def test_every_client_with_a_file_of_its_own_has_a_row() -> None:
    assert {name for name, client in CLIENTS.items() if client.file} == {*PLACES, "librechat"}


# anthropics/claude-code#26073 and #57998: as a Windows package Claude Desktop never reads %APPDATA%\\Claude
def test_on_windows_the_packaged_claude_desktop_has_a_folder_of_its_own(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ROAMING / "Claude").mkdir(parents=True)
    (home / PACKED).mkdir(parents=True)
    assert place("claude-desktop", "win32", monkeypatch) == home / PACKED / "Claude" / "claude_desktop_config.json"
    (home / PACKED.replace("pzs8sxrjxfjjc", "another")).mkdir(parents=True)
    kept = home / PACKED / "Claude" / "claude_desktop_config.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    assert place("claude-desktop", "win32", monkeypatch) == kept
    assert place("claude-desktop", "linux", monkeypatch) == home / ".config/Claude/claude_desktop_config.json"


# docs.sevalla.com/ai-agents/windsurf: what is older than the new name reads ~/.codeium/windsurf
def test_a_windsurf_from_before_its_new_name_keeps_its_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".codeium/windsurf").mkdir(parents=True)
    assert place("windsurf", "darwin", monkeypatch) == home / ".codeium/windsurf/mcp_config.json"
    (home / ".config/devin").mkdir(parents=True)
    assert place("windsurf", "darwin", monkeypatch) == home / ".config/devin/mcp_config.json"


@pytest.mark.parametrize(
    ("variable", "client", "platform", "path"),
    [
        ("CODEX_HOME", "codex", "linux", "config.toml"),
        ("CLAUDE_CONFIG_DIR", "claude-code", "linux", ".claude.json"),  # seen with Claude Code 2.1.197
        ("GEMINI_CLI_HOME", "gemini-cli", "linux", ".gemini/settings.json"),  # gemini-cli, core/src/utils/paths.ts
        ("GOOSE_PATH_ROOT", "goose", "win32", "config/config.yaml"),  # goose, crates/goose/src/config/paths.rs
        ("XDG_CONFIG_HOME", "goose", "darwin", "goose/config.yaml"),  # the same: etcetera's choose_app_strategy
        ("XDG_CONFIG_HOME", "zed", "linux", "zed/settings.json"),
        ("CONFIG_PATH", "librechat", "linux", ""),  # LibreChat, api/server/services/Config/loadCustomConfig.js
    ],
)
def test_the_clients_own_environment_moves_its_file(
    variable: str, client: str, platform: str, path: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(home / "moved"))
    assert place(client, platform, monkeypatch) == home / "moved" / path


def test_zed_does_not_ask_xdg_on_a_mac(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "moved"))
    assert place("zed", "darwin", monkeypatch) == home / ".config/zed/settings.json"
