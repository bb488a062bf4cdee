"""`wekadocs-mcp backup`, `restore` and `reset`: the whole corpus in one file, beside servers that answer from it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.main import cli


def run(data: Path, *words: object, **how: Any) -> Result:
    return CliRunner().invoke(cli, ["--data", str(data), *map(str, words)], **how)


def paths(kb: Any, query: str = "animals") -> list[str]:
    """All there are: meaning finds every page of so few."""
    return sorted(each["path"] for each in kb.ask("kb.search", {"query": query})["results"])


ALL = ["foxes.md", "owls.md"]


@pytest.fixture
def pages(ingested: Callable[[dict[str, str]], Path]) -> Path:
    return ingested({"owls.md": "# Owls\n\nOwls hunt at night.\n", "foxes.md": "# Foxes\n\nFoxes dig dens.\n"})


def test_a_backup_comes_back_whole_in_another_place(pages, serve, tmp_path):
    assert run(pages, "backup", tmp_path / "kept.db").stdout.startswith("2 documents, 2 chunks written")
    other = tmp_path / "other"
    assert run(other, "restore", tmp_path / "kept.db").exit_code == 0
    assert paths(serve(other)) == paths(serve(pages)) == ALL
    assert run(other, "doctor").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.db", "other"]


def test_a_server_that_runs_sees_a_restored_corpus_as_a_change(pages, serve, take_in, tmp_path):
    run(pages, "backup", tmp_path / "kept.db")
    more = tmp_path / "more"
    more.mkdir()
    (more / "newts.md").write_text("# Newts\n\nNewts live in ponds.\n")
    kb = serve(pages)
    take_in(pages, more)
    assert paths(kb) == ["foxes.md", "newts.md", "owls.md"]
    done = run(pages, "restore", "--replace", tmp_path / "kept.db", "--json")
    assert done.exit_code == 0, done.output
    assert paths(kb) == paths(serve(pages)) == ALL
    assert run(pages, "restore", "--replace", json.loads(done.stdout)["former"]).exit_code == 0
    assert paths(kb) == paths(serve(pages)) == ["foxes.md", "newts.md", "owls.md"]


def test_nothing_is_overwritten_unasked(pages, tmp_path):
    kept = tmp_path / "kept.db"
    run(pages, "backup", kept)
    before = kept.read_bytes()
    again, back = run(pages, "backup", kept), run(pages, "restore", kept)
    assert (again.exit_code, back.exit_code) == (2, 2)
    assert "nothing is overwritten" in again.stderr and "--replace" in back.stderr
    assert kept.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no database at all", None])
def test_what_is_no_backup_is_refused_and_nothing_is_touched(pages, serve, tmp_path, content):
    wrong = tmp_path / "wrong.db"
    if content is not None:
        wrong.write_bytes(content)
    done = run(pages, "restore", "--replace", wrong)
    assert done.exit_code == 2 and "wrong.db" in done.stderr
    assert paths(serve(pages)) == ALL
    assert [each.name for each in pages.iterdir() if "before" in each.name] == []


def test_a_backup_of_another_layout_or_one_that_is_damaged_says_so(pages, tmp_path):
    kept = tmp_path / "kept.db"
    run(pages, "backup", kept)
    later, broken = shutil.copy(kept, tmp_path / "later.db"), shutil.copy(kept, tmp_path / "broken.db")
    with sqlite3.connect(later) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    with Path(broken).open("r+b") as file:
        file.seek(8192 * 3)
        file.write(b"\xff" * 8192)
    assert "a later release" in run(tmp_path / "new", "restore", later).stderr
    assert "amaged" in run(tmp_path / "new", "restore", broken).stderr
    assert not (tmp_path / "new" / "corpus.db").exists()


def test_a_reset_asks_first_forgets_everything_and_running_servers_notice(pages, serve):
    kb = serve(pages)
    assert paths(kb) == ALL
    assert run(pages, "reset", input="n\n").exit_code == 130
    assert paths(kb) == ALL
    assert run(pages, "reset", "--yes").stdout == "2 documents forgotten.\n"
    assert kb.refused("kb.search", {"query": "owls"})["details"] == {"reason": "nothing_indexed"}
    assert json.loads(run(pages, "status", "--json").stdout)["documents"] == 0
    assert run(pages, "doctor").exit_code == 0


def test_where_nothing_is_kept_there_is_nothing_to_back_up_or_forget(tmp_path):
    done = run(tmp_path / "none", "backup", tmp_path / "kept.db")
    assert done.exit_code == 2 and "nothing is kept there" in done.stderr
    assert run(tmp_path / "none", "reset", "--yes").stdout == "Nothing was there.\n"
