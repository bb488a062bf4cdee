"""`wekadocs-mcp init`: a documentation repository set up, every step shown first, and taken back exactly."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
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
    elsewhere = [str(SCRIPT), "ask", "How do I mount a filesystem?"]
    asked = subprocess.run(elsewhere, env=environment(home), cwd=home, capture_output=True, text=True, timeout=120)
    assert asked.returncode == 1
    assert "only for project `handbook`" in asked.stderr and "--config THEIR/tools.yaml ask" in asked.stderr
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


def test_a_site_in_a_folder_of_its_own_is_known_by_the_docs_beside_it(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path / "strata-docs", "")
    (folder / "website").mkdir()
    config = "export default {url: 'https://docs.example.com', baseUrl: '/', docs: {path: '../docs'}}"
    (folder / "website" / "docusaurus.config.ts").write_text(config)
    (folder / ".gitbook.yaml").write_text("structure: {readme: README.md}\n")
    told = init(home, folder, "--dry-run").stdout
    assert "Docusaurus; pages in docs/; published at https://docs.example.com/" in told
    assert "Put `strata-docs` into Cursor" in told
    init(home, folder, "--yes")
    command = [SCRIPT, "--config", folder / "tools.yaml", "search", "mount a filesystem"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(home), check=True)
    assert "https://docs.example.com/docs/filesystems/mount\n" in done.stdout


def test_an_address_that_no_file_says_may_be_given(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path / "handbook", "vitepress")
    (folder / "docs" / ".vitepress" / "config.js").write_text("export default {cleanUrls: true}")
    assert "init --site-url" in init(home, folder, "--dry-run").stdout
    assert init(home, folder, "--dry-run", "--site-url", "docs.example.com").returncode == 2
    told = init(home, folder, "--yes", "--site-url", "https://docs.example.com/v").stdout
    assert "https://docs.example.com/v/filesystems/" in told


def test_of_several_sites_the_largest_is_set_up(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    for name in ("doc/proposals", "doc/source"):
        (folder / name).mkdir(parents=True)
        (folder / name / "conf.py").write_text("extensions = []\n")
    shutil.copytree(SAMPLE / "filesystems", folder / "doc" / "source" / "filesystems")
    assert "pages in doc/source/;" in init(home, folder, "--dry-run").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_who_stops_before_anything_was_done_is_told_so(home: Path, handbook: Path) -> None:
    terminal, keyboard = os.openpty()
    streams = {"stdin": keyboard, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([SCRIPT, "init", handbook], env=environment(home), **streams) as running:
        shown = b""
        while not shown.endswith(b"Do it? [Y/n]: "):
            shown += running.stdout.read(1) or pytest.fail(shown.decode())
        while running.poll() is None:  # one that comes just before the answer is read is heard with the next
            running.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                running.wait(timeout=10)
        told = running.stderr.read()
    os.close(terminal)
    os.close(keyboard)
    assert (running.returncode, told) == (130, b"\nStopped; nothing was done.\n")


def test_earlier_versions_of_a_site_are_left_to_the_user(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path / "handbook", "docusaurus")
    for name in ("versioned_docs/version-1.0", "_tests"):
        shutil.copytree(SAMPLE / "filesystems", folder / "website" / name)
    pages = len(list((folder / "website" / "filesystems").rglob("*.md")))
    assert f"{pages} added" in init(home, folder, "--yes").stdout


def test_of_an_antora_component_only_pages_are_taken(home: Path, tmp_path: Path) -> None:
    folder = made(tmp_path / "handbook", "antora")
    module = folder / "docs" / "modules" / "ROOT"
    (module / "pages").mkdir(parents=True)
    (module / "pages" / "a.adoc").write_text("= Quotas\n\nA quota limits how much a directory holds.\n")
    for name in ("highlight/README.md", "examples/b.md"):
        (module / name).parent.mkdir()
        (module / name).write_text("# A library\n")
    assert "1 added" in init(home, folder, "--yes").stdout


def test_a_component_in_a_project_of_java_is_found_with_its_address(home: Path, tmp_path: Path) -> None:
    component = tmp_path / "handbook" / "handbook-docs" / "src" / "main" / "antora"
    (component / "modules" / "ROOT" / "pages").mkdir(parents=True)
    (component / "antora.yml").write_text("name: strata\nversion: true\n")
    extension = "{require: root-component-extension, root_component_name: strata}"
    playbook = f"antora: {{extensions: ['@antora/x', {extension}]}}\nsite: {{url: https://docs.example.com/}}\n"
    (component / "antora-playbook.yml").write_text(playbook)
    (component / "modules" / "ROOT" / "pages" / "quota.adoc").write_text("= Setting a quota\n\nRun `strata quota`.\n")
    shown = init(home, tmp_path / "handbook", "--yes", "--no-install").stdout
    assert "Antora; pages in handbook-docs/src/main/antora/modules/; published at https://docs.example.com/." in shown
    assert "https://docs.example.com/quota.html" in shown


def test_what_a_site_does_not_publish_is_not_taken_in(home: Path, tmp_path: Path) -> None:
    folder, page = tmp_path / "handbook", "# Mounting\n\nRun `strata mount`.\n"
    for name in ("docs/a.md", "src/pages/b.md", "blog/c.md", "README.md", "old/d.md", "src/e.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(page)
    (folder / "docusaurus.config.js").write_text("module.exports = {}\n")
    assert "3 added" in init(home, folder, "--yes", "--no-install").stdout
    guide = tmp_path / "guide"
    shutil.copytree(folder, guide, ignore=shutil.ignore_patterns("*.js", "tools.yaml"))
    (guide / ".vitepress").mkdir()
    (guide / ".vitepress" / "config.ts").write_text("export default {srcExclude: ['README.md', '**/old/*']}\n")
    assert "4 added" in init(home, guide, "--yes", "--no-install").stdout


def test_without_a_person_or_a_word_nothing_is_done(home: Path, handbook: Path) -> None:
    before = files(home, handbook)
    done = init(home, handbook)
    assert done.returncode == 2
    assert "--yes does every step" in done.stderr
    assert files(home, handbook) == before
