"""Folders as they are in the wild, through the command line: one odd thing in a tree keeps nothing else out."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.main import cli

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, links and such names are POSIX's")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments], prog_name="wekadocs-mcp")


def last(result: Result) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return event


def planned(folder: Path) -> list[str]:
    return [Path(each).name for each in last(run("ingest", folder, "--dry-run", "--json"))["read"]]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "mount.md").write_text("# Mount\n\nRun `stor mount`.\n")
    return folder


@pytest.fixture
def deep(docs: Path) -> Iterator[Path]:
    """Python cannot remove such a tree, nor pytest."""
    home = Path.cwd()
    os.chdir(docs)
    for _ in range(1200):
        Path("d").mkdir()
        os.chdir("d")
    Path("deep.md").write_text("# Deep\n")
    os.chdir(home)
    yield docs
    subprocess.run(["rm", "-r", docs / "d"], check=True)


def test_a_tree_may_be_deeper_than_calls_may_be_nested(deep: Path) -> None:
    done = last(run("ingest", deep, "--json"))
    assert (done["added"], done["failed"]) == (2, [])


def test_links_in_a_circle_pipes_and_links_to_nothing_are_passed_over(docs: Path) -> None:
    (docs / "circle.md").symlink_to("circle.md")
    (docs / "nothing.md").symlink_to("nowhere.md")
    (docs / "around").symlink_to(".")
    os.mkfifo(docs / "pipe.md")
    (docs / "to-pipe.md").symlink_to("pipe.md")
    assert planned(docs) == ["mount.md"]


@pytest.mark.parametrize("name", ["circle", "nothing", "pipe"])
def test_what_is_neither_file_nor_folder_cannot_be_ingested(docs: Path, name: str) -> None:
    (docs / "circle").symlink_to("circle")
    (docs / "nothing").symlink_to("nowhere")
    os.mkfifo(docs / "pipe")
    result = run("ingest", docs / name)
    assert result.exit_code == 2
    assert "there is no such file or folder" in result.stderr


@pytest.mark.skipif(sys.platform == "darwin", reason="its file systems refuse such names")
def test_a_name_that_is_not_utf8_is_told_and_the_rest_is_in(docs: Path) -> None:
    Path(os.fsdecode(os.fsencode(docs) + b"/caf\xe9.md")).write_text("# Old name\n")
    result = run("ingest", docs, "--json")
    done = last(result)
    assert (result.exit_code, done["added"]) == (1, 1)
    assert [each["reason"] for each in done["failed"]] == ["its path is not valid UTF-8: rename it"]


def test_lines_of_ignore_files_that_make_no_pattern_say_nothing(docs: Path) -> None:
    (docs / "draft.md").write_text("# Draft\n")
    (docs / "old.md").write_text("# Old\n")
    (docs / ".gitignore").write_bytes(b"\xef\xbb\xbfold.md\r\n!\n[b-a].txt\n\\\n/\n[[]\ndraft.md   \r\n")
    result = run("ingest", docs, "--dry-run", "--json")
    assert result.exit_code == 0, result.output
    assert [Path(each).name for each in last(result)["read"]] == ["mount.md"]


def test_an_ignore_file_that_is_a_pipe_is_not_waited_for(docs: Path) -> None:
    os.mkfifo(docs / ".gitignore")
    assert planned(docs) == ["mount.md"]


def test_only_a_line_feed_ends_a_line_of_an_ignore_file(docs: Path) -> None:
    (docs / ".gitignore").write_text("x\u2028mount.md\n", "utf-8")
    assert planned(docs) == ["mount.md"]


def test_a_dry_run_makes_no_data_directory(docs: Path, tmp_path: Path) -> None:
    assert run("ingest", docs, "--dry-run", "--data", tmp_path / "none").exit_code == 0
    assert not (tmp_path / "none").exists()


def test_documents_of_a_folder_that_is_gone_can_be_forgotten(docs: Path) -> None:
    assert run("ingest", docs).exit_code == 0
    (docs / "mount.md").unlink()
    docs.rmdir()
    assert last(run("ingest", docs, "--remove", "--dry-run", "--json"))["remove"] == 1
    assert last(run("ingest", docs, "--remove", "--json"))["deleted"] == 1
    again = run("ingest", docs, "--remove")
    assert again.exit_code == 2
    assert "no document of it is indexed" in again.stderr


@pytest.mark.parametrize("options", [["--remove", "--watch"], ["--remove", "--reembed"], ["--reembed", "--dry-run"]])
def test_options_that_do_not_go_together_are_refused(docs: Path, options: list[str]) -> None:
    assert run("ingest", docs, *options).exit_code == 2


def test_a_page_of_comments_that_never_end_is_read_in_time(docs: Path) -> None:
    """Half a megabyte: when each opening looks for its end by itself, in minutes."""
    (docs / "open.md").write_text("<!-- a " * 70_000)
    assert last(run("ingest", docs, "--json"))["added"] == 2


def without_rights(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """As a user who is held to the rights of files and folders: root without the power to pass them over."""

    def dropped() -> None:
        for power in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, power, 0, 0, 0)

    command = [Path(sys.executable).parent / "wekadocs-mcp", *arguments]
    drop = dropped if os.geteuid() == 0 else None
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=drop, timeout=60)


@pytest.fixture
def closed(docs: Path) -> Iterator[Path]:
    if os.geteuid() == 0 and sys.platform != "linux":
        pytest.skip("root may read everything here")
    docs.chmod(0)
    yield docs
    docs.chmod(0o755)


def test_a_folder_without_permission_is_told_in_a_sentence(closed: Path) -> None:
    done = without_rights("ingest", closed)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[0] == f"{closed}: the folder cannot be read"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["mount.md", "inner", "*.md"])
def test_a_path_below_it_is_told_in_a_sentence(closed: Path, name: str) -> None:
    done = without_rights("ingest", closed / name)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(closed) in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_without_permission_is_not_served(closed: Path) -> None:
    done = without_rights("serve", "--docs", closed)
    assert done.returncode == 2
    assert f"--docs {closed}: may not be read by this user" in done.stderr


@pytest.mark.parametrize("command", [["status"], ["ingest", "."]])
def test_a_data_directory_without_permission_is_told_in_a_sentence(closed: Path, command: list[str]) -> None:
    done = without_rights(*command, "--data", closed)
    assert done.returncode == 2
    assert "owner and rights" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_is_no_document_is_told_by_kind_and_count(docs: Path) -> None:
    for name in ("a.xls", "b.XLS", "logo.png", "LICENSE", "build/page.xls"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_bytes(b"PK")
    (docs / ".gitignore").write_text("build/\n")
    (docs / "out.md").symlink_to("/etc/hostname")
    done = run("ingest", docs, "--json")
    assert done.exit_code == 0
    skipped = {".xls": 2, ".png": 1, "without an ending": 1, "links and pipes": 1}
    assert last(done)["skipped"] == skipped
    assert last(done)["ignored"] == {".gitignore": 1}
    again = run("ingest", docs)
    assert "Not read: 2 .xls, " in again.stderr
    assert all(f"1 {kind}" in again.stderr for kind in skipped if kind != ".xls")


def test_a_folder_without_any_document_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "sheets").mkdir()
    for name in ("a.xls", "b.xls"):
        (tmp_path / "sheets" / name).write_bytes(b"PK")
    done = run("ingest", tmp_path / "sheets")
    assert done.exit_code == 1
    assert "no documents found" in done.stderr
    assert "Not read: 2 .xls." in done.stderr


def test_documents_that_are_all_left_out_are_told_with_what_leaves_them_out(tmp_path: Path) -> None:
    for name in ("docs/draft.md", "docs/old/a.md", "docs/node_modules/b.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# A\n")
    (tmp_path / "docs" / ".wekadocsignore").write_text("draft.md\nold/\n")
    done = run("ingest", tmp_path / "docs")
    assert done.exit_code == 1
    assert "no documents found" in done.stderr
    assert "Not read: 2 ignored by .wekadocsignore, 1 folder node_modules." in done.stderr
    told = run("ingest", tmp_path / "docs", "--json")
    assert told.exit_code == 1
    assert (last(told)["ignored"], last(told)["tool_folders"]) == ({".wekadocsignore": 2}, {"node_modules": 1})


def test_an_empty_folder_is_no_success_and_one_that_became_empty_is_forgotten(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("ingest", tmp_path / "empty").exit_code == 1
    assert run("ingest", docs).exit_code == 0
    for file in docs.rglob("*.md"):
        file.unlink()
    assert run("ingest", docs).exit_code == 0
    assert run("ingest", docs).exit_code == 1


@pytest.mark.parametrize("name", ["image.md", "page.txt"])
def test_a_picture_called_a_text_is_refused(docs: Path, name: str) -> None:
    (docs / name).write_bytes(b"\x89PNG\r\n\x1a\n" + os.urandom(600))
    done = last(run("ingest", docs, "--json"))
    assert done["added"] == 1
    assert done["failed"] == [{"path": str(docs / name), "reason": "it is binary (PNG), not text"}]


NASTY = "a\n::error::owned\x1b[31m\u202e\x9b.md"


def plain(text: str) -> bool:
    """Nothing that moves the cursor, hides or begins a line of its own."""
    return not any(
        unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") for line in text.splitlines() for letter in line
    )


def test_a_name_with_orders_in_it_gives_none(docs: Path) -> None:
    (docs / NASTY).write_text("# Words\n")
    (docs / f"{NASTY}.xls").write_text("x")
    for how in ([], ["--json"], ["--dry-run"], ["--dry-run", "--json"]):
        done = run("ingest", docs, *how)
        told = done.stdout + done.stderr
        assert plain(told)
        assert not any(line.lstrip().startswith("::error") for line in told.splitlines())
    done = last(run("ingest", docs, "--json"))
    assert done["failed"] == [
        {"path": str(docs / NASTY), "reason": "its path has a line end or another control character in it: rename it"}
    ]


def test_titles_tags_and_entities_are_one_plain_line(docs: Path) -> None:
    front = '---\ntitle: "T\\n::error::x\\e[31m\\u202e"\ndoc_tag: "t\\n::warning::y\\e[0m"\n---\n'
    text = f"{front}# Head\x1b[31m\u202eing {{#anchor\x07}}\n\nRun `stor\x1b mount` with **Fancy\x1b[2J Name**.\n"
    (docs / "page.md").write_text(text)
    run("ingest", docs)
    for command in (
        ["status"],
        ["status", "--json"],
        ["graph", "show", "page.md"],
        ["graph", "show", "page.md", "--json"],
    ):
        done = run(*command)
        assert done.exit_code == 0, done.stderr
        assert plain(done.stdout)
        assert not any(line.lstrip().startswith("::") for line in done.stdout.splitlines())
    said = run("call", "kb.search", '{"query": "heading"}', "--text").stdout
    row = next(line for line in said.splitlines() if "page.md" in line)
    assert plain(row)
    assert "T ::error::x [31m, page.md" in row
