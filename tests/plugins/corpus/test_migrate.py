"""`wekadocs-mcp migrate`: what is printed, and what is refused; the copying itself is tested with the stores."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wekadocs_mcp.cli.main import cli


def run(data: Path, *words: object, **how: Any) -> Result:
    return CliRunner().invoke(cli, ["--data", str(data), *map(str, words)], **how)


@pytest.fixture
def pages(ingested: Callable[[dict[str, str]], Path]) -> Path:
    return ingested({"owls.md": "# Owls\n\nOwls hunt at night.\n", "foxes.md": "# Foxes\n\nFoxes dig dens.\n"})


def test_a_moved_corpus_answers_as_before(pages: Path, serve: Any, tmp_path: Path) -> None:
    done = run(pages, "migrate", "--to", tmp_path / "other", "--json")
    assert done.exit_code == 0
    last = json.loads(done.stdout.splitlines()[-1])
    assert last == {"event": "done", "documents": 2, "chunks": 2, "collections": 0, "copied": 2, "compared": 2}
    assert _answer(serve(tmp_path / "other")) == _answer(serve(pages))


def _answer(kb: Any) -> list[tuple[str, float]]:
    found = kb.ask("kb.search", {"query": "who hunts at night", "options": {"include_scores": True}})["results"]
    return [(each["section_id"], each["score"]) for each in found]


def test_a_second_copy_has_the_new_times_of_files_that_were_only_touched(
    take_in: Callable[..., None], tmp_path: Path
) -> None:
    docs, data, other = tmp_path / "docs", tmp_path / "data", tmp_path / "other"
    docs.mkdir()
    (docs / "owls.md").write_text("# Owls\n\nOwls hunt at night.\n")
    for then in (1_000_000_000, 1_000_000_060):
        os.utime(docs / "owls.md", (then, then))
        take_in(data, docs)
        done = run(data, "migrate", "--to", other, "--json")
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout.splitlines()[-1])["copied"] == 1


def test_an_empty_data_directory_and_a_foreign_target_are_one_sentence_and_exit_2(pages: Path, tmp_path: Path) -> None:
    for data, to, told in (
        (tmp_path / "none", tmp_path / "x", "nothing is kept there yet"),
        (pages, "mysql://host/x", "begins with postgresql://"),
        (pages, pages, "names the corpus that is to be copied"),
    ):
        done = run(data, "migrate", "--to", to)
        assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
        assert told in done.stderr


@pytest.mark.parametrize("command", [("backup", "kept.db"), ("restore", "kept.db"), ("reset", "--yes")])
def test_copies_of_a_corpus_in_postgres_are_refused_with_the_way(tmp_path: Path, command: tuple[str, ...]) -> None:
    where = {"DATABASE_URL": "postgresql://someone:secret@127.0.0.1:1/docs"}
    done = run(tmp_path / "data", *command, env=where)
    assert done.exit_code == 2
    assert "the corpus is in PostgreSQL" in done.stderr
    assert "secret" not in done.stderr
