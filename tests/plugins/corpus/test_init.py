"""`wekadocs-mcp init`: a documentation repository set up, every step shown first, and taken back exactly."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from wekadocs_mcp.cli.main import cli

SCRIPT = Path(sys.executable).parent / "wekadocs-mcp"
SAMPLE = Path(__file__).parents[3] / "docs" / "sample" / "docs"
CURSOR = '{"mcpServers": {"other": {"command": "y"}}}\n'
GENERATORS = {
    "mkdocs": ("mkdocs.yml", "site_url: https://docs.example.com/\n", "docs"),
    "sphinx": ("docs/conf.py", "extensions = []\nhtml_baseurl = 'https://docs.example.com/'\n", "docs"),
    "hugo": ("hugo.toml", 'baseURL = "https://docs.example.com/"\n', "content"),
    "docusaurus": (
        "website/docusaurus.config.js",
        "module.exports = {url: 'https://docs.example.com', baseUrl: '/'}\n",
        "website",
    ),
    "mdbook": ("book.toml", '[output.html]\nsite-url = "https://docs.example.com/"\n', "src"),
    "antora": ("docs/antora.yml", "name: strata\nversion: ~\n", "docs/modules"),
    "vitepress": (
        "docs/.vitepress/config.js",
        "export default {sitemap: {hostname: 'https://docs.example.com'}}",
        "docs",
    ),
    "": ("README.md", "# Strata\n", "docs"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    cursor = tmp_path / "home" / ".cursor" / "mcp.json"
    cursor.parent.mkdir(parents=True)
    cursor.write_text(CURSOR)
    return tmp_path / "home"


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    return made(tmp_path / "handbook", "mkdocs")


def made(folder: Path, generator: str) -> Path:
    name, text, pages = GENERATORS[generator]
    shutil.copytree(SAMPLE / "filesystems", folder / pages / "filesystems")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WEKADOCS_", "XDG_", "CODEX_"))}
    return {**kept, "HOME": str(home), "APPDATA": str(home), "LOCALAPPDATA": str(home)}


def init(home: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(SCRIPT), "init", str(folder), *words]
    return subprocess.run(command, env=environment(home), capture_output=True, text=True, timeout=120)


def files(*folders: Path) -> dict[Path, bytes]:
    """All there is, but for what is only kept to be faster."""
    found = [file for folder in folders for file in folder.rglob("*") if file.is_file() and ".cache" not in file.parts]
    return {file: file.read_bytes() for file in found}


def test_from_a_repository_to_a_cited_answer_in_a_client_and_back(home: Path, handbook: Path) -> None:
    before = files(home, handbook)
    done = init(home, handbook, "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    shown = done.stdout
    assert shown.startswith("Site generator: MkDocs; pages in docs/; published at https://docs.example.com/.\n")
    assert shown.index("site_url:") < shown.index("tools.yaml is written")
    assert "   Answered: " in shown and "https://docs.example.com/filesystems/" in shown
    entry = json.loads((home / ".cursor" / "mcp.json").read_text())["mcpServers"]["handbook-docs"]
    assert entry["args"] == ["serve", "--config", str(handbook / "tools.yaml")]
    again = init(home, handbook, "--yes")
    assert again.returncode == 0, again.stderr
    assert "which is there already" in again.stdout and "is in" in again.stdout

    undone = init(home, handbook, "--undo")
    assert undone.returncode == 0, undone.stderr
    assert files(home, handbook) == before


def test_what_was_changed_since_stays(home: Path, handbook: Path) -> None:
    assert init(home, handbook, "--yes", "--json").returncode == 0
    (handbook / "tools.yaml").write_text("scope: {project_id: handbook}\n")
    cursor = home / ".cursor" / "mcp.json"
    data = json.loads(cursor.read_text())
    cursor.write_text(json.dumps({**data, "mine": 1}))
    undone = init(home, handbook, "--undo")
    assert "tools.yaml: was changed since, and stays" in undone.stderr
    assert json.loads(cursor.read_text()) == {**json.loads(CURSOR), "mine": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_stopped_in_the_middle_it_leaves_nothing(home: Path, handbook: Path) -> None:
    before = files(home, handbook)
    command = [str(SCRIPT), "init", str(handbook), "--yes", "--json"]
    with subprocess.Popen(command, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if json.loads(line).get("step") == "ingest":
                running.send_signal(signal.SIGINT)
                break
        running.communicate(timeout=60)
    assert running.returncode == 130
    assert files(home, handbook) == before


@pytest.mark.parametrize("generator", GENERATORS)
def test_every_generator_is_found_and_nothing_is_written_to_show_it(home: Path, tmp_path: Path, generator: str) -> None:
    folder = made(tmp_path / "handbook", generator)
    before = files(home, folder)
    words = ["--data", str(home / "data"), "init", str(folder), "--dry-run", "--json", "--no-install"]
    done = CliRunner().invoke(cli, words)
    found = json.loads(done.stdout.splitlines()[0])
    assert (found["generator"], found["pages"]) == (generator, str(folder / GENERATORS[generator][2])), done.stderr
    assert files(home, folder) == before


def test_without_a_person_or_a_word_nothing_is_done(home: Path, handbook: Path) -> None:
    before = files(home, handbook)
    done = init(home, handbook)
    assert done.returncode == 2
    assert "--yes does every step" in done.stderr
    assert files(home, handbook) == before
