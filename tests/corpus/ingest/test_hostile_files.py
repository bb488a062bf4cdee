"""PDF files and archives made to cost too much: each costs itself only, and what was not read of it is told by page."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path

from click.testing import CliRunner, Result
from made_office import archive, epub, paragraph, slides, word
from made_pdf import Page, lines, pdf

from wekadocs_corpus.ingest.reading.limits import Limits
from wekadocs_corpus.ingest.report import Unread
from wekadocs_corpus.model import UnreadPage
from wekadocs_mcp.cli.main import cli

sys.path.insert(0, str(Path(__file__).parent))
from test_bombs import docs, ingest, linux, posix  # noqa: F401

KIND = b"/Filter /FlateDecode"


def bomb() -> bytes:
    """A page whose content is small as it is stored and gigabytes as it is read."""
    packed = zlib.compress(zlib.compress(b"BT (a) Tj ET " * (40 << 20)))
    made = pdf(lines("Words."))
    start = made.index(b"stream\n", made.index(b"11 0 obj"))
    head = b"<< /Filter [/FlateDecode /FlateDecode] /Length %d >>\n" % len(packed)
    begin = made.rindex(b"<<", 0, start)
    return made[:begin] + head + b"stream\n" + packed + made[made.index(b"\nendstream", start) :]


@linux
def test_a_bomb_costs_its_own_file_only(docs: Path) -> None:  # noqa: F811
    (docs / "bomb.pdf").write_bytes(bomb())
    (docs / "paper.pdf").write_bytes(pdf(lines("Words of a paper.")))
    report = ingest(docs, Limits(max_file_seconds=5, max_file_memory_bytes=256 << 20))
    assert report.added >= 6
    told = [each.path for each in report.failures] + [each.path for each in report.unread]
    assert told == [str(docs / "bomb.pdf")]


@posix
def test_pages_for_which_there_is_no_time_are_told_and_the_others_are_read(docs: Path) -> None:  # noqa: F811
    words = lines(*[f"Line number {n} of a page with many words on it, all of them plain." for n in range(48)])
    (docs / "long.pdf").write_bytes(pdf(*[words] * 1500))
    report = ingest(docs, Limits(max_file_seconds=3))
    assert report.added >= 5
    if report.failures:  # a slow machine: then the file is refused as a whole
        assert "max_file_seconds" in report.failures[0].reason
    else:
        (unread,) = report.unread
        assert unread.pages[-1].page == 1500
        assert "max_file_seconds" in unread.pages[0].reason


def test_unread_pages_are_told_in_runs() -> None:
    pages = (UnreadPage(2, "a scan"), UnreadPage(3, "a scan"), UnreadPage(7, "a scan"))
    assert Unread("a.pdf", pages).sentence() == "pages 2 to 3 not read: a scan; page 7 not read: a scan"


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_every_kind_of_file_is_taken_in_with_what_is_missing_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("WEKADOCS_DATA", str(tmp_path / "data"))
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(pdf(lines("Words of a paper."), Page(picture=True)))
    (folder / "b.docx").write_bytes(word(paragraph("Words of a letter.")))
    (folder / "c.pptx").write_bytes(slides(("Talk", ["Words of a talk."], "")))
    (folder / "d.epub").write_bytes(epub("<p>Words of a book.</p>"))
    (folder / "scan.pdf").write_bytes(pdf(Page(picture=True)))
    (folder / "locked.pdf").write_bytes(pdf(lines("x"), password="secret"))
    (folder / "bomb.docx").write_bytes(archive({"word/document.xml": b" " * (200 << 20)}))
    done = run("ingest", folder)
    assert done.exit_code == 1
    assert "4 added, 3 failed" in done.stderr
    for told in (
        "a.pdf: page 2 not read",
        "scan.pdf: its only page",
        "locked.pdf: it is encrypted",
        "bomb.docx: unpacked",
    ):
        assert told in done.stderr
    assert "4 unchanged" in run("ingest", folder).stderr
    os.unlink(folder / "a.pdf")
    assert "1 removed" in run("ingest", folder).stderr


def test_without_the_library_pdf_files_are_left_out_and_the_way_is_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("WEKADOCS_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(
        "wekadocs_corpus.ingest.sources.scan.missing_library",
        lambda suffix: "pip install 'wekadocs-mcp[documents]'" if suffix == ".pdf" else "",
    )
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.pdf").write_bytes(pdf(lines("Words.")))
    (folder / "b.md").write_text("# B\n")
    done = run("ingest", folder)
    assert done.exit_code == 0
    assert "Not read: 1 .pdf (pip install 'wekadocs-mcp[documents]' reads them)." in done.stderr
