"""`ingest --watch`: what happens to a folder reaches the index, however it happens."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wekadocs_corpus.corpus import open_truth
from wekadocs_corpus.store.truth.rows import Binding

Event = dict[str, Any]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    page(tmp_path / "docs" / "first.md")
    return tmp_path / "docs"


def page(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"# {file.stem}\n\nAbout {file.stem}.\n")


@pytest.fixture
def following(docs: Path, tmp_path: Path) -> Iterator[Callable[[], Event]]:
    """The next event that is no progress; the folder is being watched when this begins."""
    command = [Path(sys.executable).parent / "wekadocs-mcp", "ingest", docs, "--watch", "--json"]
    with subprocess.Popen(
        [*command, "--data", tmp_path / "data"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        events = (json.loads(line) for line in process.stdout)
        told = (event for event in events if event["event"] != "progress")
        assert next(told)["added"] == 1
        # Whether it was there before the watching began or came after it, it is seen.
        page(docs / "later.md")
        assert next(told)["added"] == 1
        yield lambda: next(told)
        process.kill()


def test_a_folder_that_is_moved_in_is_seen_and_one_that_is_moved_out(
    following: Callable[[], Event], docs: Path, tmp_path: Path
) -> None:
    for name in ("plain", "v1.2"):
        page(tmp_path / name / "page.md")
        (tmp_path / name).rename(docs / name)
        assert following()["added"] == 1
    for name in ("plain", "v1.2"):
        (docs / name).rename(tmp_path / name)
        assert following()["deleted"] == 1


def test_a_folder_that_was_away_is_followed_again(following: Callable[[], Event], docs: Path) -> None:
    """A checkout of another branch and back does that."""
    shutil.rmtree(docs)
    gone = following()
    while not gone["failed"]:  # the files may go before the folder does
        gone = following()
    assert gone["failed"][0]["reason"] == "the folder cannot be read"
    page(docs / "again.md")
    assert following()["added"] == 1
    page(docs / "new.md")
    assert following()["added"] == 1


def test_a_change_that_cannot_be_taken_in_does_not_end_the_watching(
    following: Callable[[], Event], docs: Path, tmp_path: Path
) -> None:
    truth = open_truth(tmp_path / "data")
    [(project, bound)] = truth.bindings().items()
    truth.bind(project, Binding("another-model", bound.dimension))
    page(docs / "refused.md")
    refused = following()
    assert refused["event"] == "failed"
    assert "another-model" in refused["message"]
    truth.bind(project, bound)
    page(docs / "mended.md")
    assert following()["added"] == 2
    truth.close()
