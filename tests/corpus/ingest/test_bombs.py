"""Files made to cost too much: each is refused by name, and what lies beside it is taken in."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.ingest.planning import Stamp, plan
from wekadocs_corpus.ingest.reading.limits import Limits
from wekadocs_corpus.ingest.report import Report
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_corpus.ingest.taking_in import Ingest

LARGEST = 1 << 25
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows counts no CPU seconds")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux caps a process's memory")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(5):
        page = folder / f"page{number}.md"
        page.write_text(f"# Page {number}\n\nWords of page {number}.\n")
        os.utime(page, (1e9, 1e9))  # a file as young as the ingest itself is always read again
    return folder


@pytest.fixture
def costly(docs: Path) -> Path:
    """Honest pages in one file, more than the limits of these tests allow."""
    words = random.Random(1)
    lines = (" ".join(f"word{words.randrange(100_000)}" for _ in range(12)) for _ in range(60_000))
    file = docs / "costly.md"
    file.write_text("\n\n".join(lines))
    return file


def ingest(folder: Path, limits: Limits) -> Report:
    truth = open_truth(folder.parent / "data")
    try:
        work = plan(truth, roots([str(folder)]), Stamp("p", "e"), LARGEST)
        return Ingest(truth, StaticEmbedder(), {}, progress=lambda *_: None, workers=2, limits=limits).run(work)
    finally:
        truth.close()


@posix
def test_a_file_that_takes_too_much_cpu_is_refused(costly: Path) -> None:
    report = ingest(costly.parent, Limits(max_file_seconds=1))
    assert report.added == 5
    assert [each.path for each in report.failures] == [str(costly)]
    # On a machine with more to do the clock may come first.
    ways = ("reading it took more than 1 s of CPU (", "reading it took longer than 3 s (")
    assert report.failures[0].reason.startswith(ways)


@posix
def test_a_watcher_pays_for_it_once(costly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(max_file_seconds=1)
    before = ingest(costly.parent, limits).failures
    monkeypatch.setattr(
        "wekadocs_corpus.ingest.reading.readers.Reader.outcomes", lambda *_: pytest.fail("it was read again")
    )
    assert ingest(costly.parent, limits).failures == before


@linux
def test_a_file_that_takes_too_much_memory_is_refused(costly: Path) -> None:
    report = ingest(costly.parent, Limits(max_file_memory_bytes=64 << 20))
    assert report.added == 5
    assert [(each.path, each.reason) for each in report.failures] == [
        (str(costly), "reading it took more than 64 MB of memory (ingest.max_file_memory_bytes)")
    ]


@posix
def test_a_file_that_cannot_be_read_to_its_end_holds_up_nobody(docs: Path) -> None:
    """A share that hangs: here a pipe that took the place of a file after the folder was looked through."""
    truth = open_truth(docs.parent / "data")
    work = plan(truth, roots([str(docs)]), Stamp("p", "e"), LARGEST)
    (docs / "page2.md").unlink()
    os.mkfifo(docs / "page2.md")
    limits = Limits(max_file_seconds=0.5)
    report = Ingest(truth, StaticEmbedder(), {}, progress=lambda *_: None, limits=limits).run(work)
    truth.close()
    assert report.added == 4
    assert [each.reason for each in report.failures] == ["reading it took longer than 1.5 s (ingest.max_file_seconds)"]


BOMBS = {
    "toml.md": "+++\n" + ".".join(["a"] * 30_000) + " = 1\n+++\n# H\n",
    "headings.md": "# a\n" * 200_000,
    "yaml.md": "---\na: " + "[" * 30_000 + "\n---\n",
    "json.md": '{"a":' * 12_000,
}


def test_bombs_are_refused_by_name_under_the_shipped_limits(docs: Path) -> None:
    for name, text in BOMBS.items():
        (docs / name).write_text(text)
    report = ingest(docs, Limits())
    assert report.added == 5
    assert {Path(each.path).name for each in report.failures} == BOMBS.keys()
    assert all("more than 16 deep" in each.reason or "headings" in each.reason for each in report.failures)


ENDLESS = {  # lines that almost say something, over and over
    "shortcode.md": "# A\n\n{{< code " + "file=a.b " * 60_000,
    "tags.md": "x " + "<T/>" * 40_000,
    "names.md": "# A\n\n" + "{{ a " * 60_000 + "\n\n# B " + "[a" * 60_000,
    "macros.adoc": "= A\n\n" + "abc:(x)" * 60_000 + "\n\n" + "abc:x[ a" * 60_000 + "\n\n" + "{a}[ b" * 60_000,
    "roles.rst": "A\n=\n\n" + ":a:`" * 60_000 + "\n\n" + "`a <" * 60_000,
}


def test_lines_without_an_end_are_read_under_the_shipped_limits(docs: Path) -> None:
    for name, text in ENDLESS.items():
        (docs / name).write_text(text)
    report = ingest(docs, Limits())
    assert (report.added, report.failures) == (5 + len(ENDLESS), [])


def test_what_was_refused_is_taken_in_once_it_is_mended(docs: Path) -> None:
    (docs / "toml.md").write_text(BOMBS["toml.md"])
    assert len(ingest(docs, Limits()).failures) == 1
    (docs / "toml.md").write_text("# H\n\nWords.\n")
    report = ingest(docs, Limits())
    assert (report.added, report.failures) == (1, [])
