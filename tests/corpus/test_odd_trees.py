"""Folders as they are in the wild, through the command line: one odd thing in a tree keeps nothing else out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli import cli

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
