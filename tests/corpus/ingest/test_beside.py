"""Taking documents in beside an event loop, as a plugin does it: `await corpus.ingest(…)`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from wekadocs_corpus import BytesOrigin, Corpus, FetchedOrigin, Given, Origin, Stamp, roots
from wekadocs_corpus.model import Area, Filters

SETTINGS: dict[str, Any] = {
    "embedding": {"provider": "static"},
    "ingest": {"max_file_bytes": 1 << 20},
    "search": {"catch_up_ms": 200},
}
AREA = Area("p", "e")
STAMP = Stamp("p", "e")


def with_corpus(folder: Path, work: Callable[[Corpus], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        corpus = await Corpus.open(folder, SETTINGS, AREA)
        try:
            await work(corpus)
        finally:
            await corpus.close()

    asyncio.run(run())


def page(number: int, words: int = 10) -> BytesOrigin:
    text = f"# Page {number}\n\n" + f"The heron of page {number} stands in the water. " * words
    return BytesOrigin(f"memory:/{number:04}.md", f"{number:04}.md", text.encode())


def children() -> list[int]:
    """Processes that this one has started and that still live."""
    return [int(pid) for each in Path("/proc/self/task").glob("*/children") for pid in each.read_text().split()]


def test_documents_are_found_by_the_corpus_that_took_them_in(tmp_path: Path) -> None:
    told: list[tuple[str, int, int, str]] = []

    def progress(stage: str, done: int, total: int, item: str = "") -> None:
        asyncio.get_running_loop()  # raises where none runs
        told.append((stage, done, total, item))

    async def work(corpus: Corpus) -> None:
        done = await corpus.ingest([Given("memory:", [page(1), page(2)])], STAMP, progress=progress)
        assert (done.report.added, done.notes) == (2, ())
        found = await corpus.retrieve("where does the heron stand", AREA, Filters(), 5)
        assert {each.passage.path for each in found.candidates} == {"0001.md", "0002.md"}

    with_corpus(tmp_path, work)
    assert [each for each in told if each[0] == "documents"] == [
        ("documents", 1, 2, "memory:/0001.md"),
        ("documents", 2, 2, "memory:/0002.md"),
    ]


def test_a_folder_is_taken_in_beside_what_else_the_loop_does(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nWords.\n")

    async def work(corpus: Corpus) -> None:
        ingest = asyncio.create_task(corpus.ingest(roots([str(tmp_path / "docs")]), STAMP))
        turns = 0
        while not ingest.done():
            turns += 1
            await asyncio.sleep(0)
        assert (await ingest).report.added == 1
        assert turns > 100, "the loop stood still meanwhile"

    with_corpus(tmp_path / "data", work)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for children")
def test_cancelled_it_keeps_what_is_written_and_leaves_no_process(tmp_path: Path) -> None:
    pages = [page(number, words=300) for number in range(300)]
    before = set(children())  # a server that other tests started may be among them

    async def work(corpus: Corpus) -> None:
        begun = asyncio.Event()
        ingest = asyncio.create_task(corpus.ingest([Given("memory:", pages)], STAMP, progress=lambda *_: begun.set()))
        await begun.wait()
        ingest.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ingest
        assert set(children()) <= before
        assert not corpus.truth.integrity()
        kept = corpus.truth.counts().documents
        assert kept < len(pages)
        again = (await corpus.ingest([Given("memory:", pages)], STAMP)).report
        assert (again.added, again.unchanged) == (len(pages) - kept, kept)

    with_corpus(tmp_path, work)
    assert set(children()) <= before


def test_a_wrong_source_is_told_to_whoever_awaits(tmp_path: Path) -> None:
    async def work(corpus: Corpus) -> None:
        with pytest.raises(Exception, match="does not begin with"):
            await corpus.ingest([Given("elsewhere:", [page(1)])], STAMP)

    with_corpus(tmp_path, work)


def test_what_is_fetched_may_wait_without_holding_up_the_loop(tmp_path: Path) -> None:
    async def work(corpus: Corpus) -> None:
        loop = asyncio.get_running_loop()

        async def answer() -> bytes:
            return b"# Fetched\n\nBy the loop that awaits the ingest.\n"

        def fetch(_most: int) -> bytes:
            return asyncio.run_coroutine_threadsafe(answer(), loop).result(30)

        origin: Origin = FetchedOrigin("https://docs.example/a", "a.md", fetch)
        done = await corpus.ingest([Given("https://docs.example", [origin])], STAMP)
        assert done.report.added == 1

    with_corpus(tmp_path, work)
