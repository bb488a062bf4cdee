"""What is taken in need not be a file: bytes in memory and what a caller fetches go the same way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from wekadocs_corpus.configured import open_truth
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.ingest.planning import Stamp, plan
from wekadocs_corpus.ingest.report import Report
from wekadocs_corpus.ingest.sources.files import FileOrigin
from wekadocs_corpus.ingest.sources.given import Given, Misplaced
from wekadocs_corpus.ingest.sources.left_out import LeftOut
from wekadocs_corpus.ingest.sources.origin import BytesOrigin, FetchedOrigin, Origin, Version
from wekadocs_corpus.ingest.sources.scan import roots
from wekadocs_corpus.ingest.sources.source import Source
from wekadocs_corpus.ingest.taking_in import Ingest
from wekadocs_corpus.store.sqlite.truth import SqliteTruth

LARGEST = 10_000


@pytest.fixture
def truth(tmp_path: Path) -> Iterator[SqliteTruth]:
    found = open_truth(tmp_path / "data")
    yield found
    found.close()


@pytest.fixture
def take_in(truth: SqliteTruth) -> Callable[..., Report]:
    def run(*sources: Source) -> Report:
        work = plan(truth, sources, Stamp("p", "e"), LARGEST)
        return Ingest(truth, StaticEmbedder(), {}, progress=lambda *_: None, workers=1).run(work)

    return run


def page(name: str, text: str = "", **more: object) -> BytesOrigin:
    return BytesOrigin(f"memory:/{name}", name, f"# {name}\n\n{text}\n".encode(), **more)  # type: ignore[arg-type]


def given(*origins: Origin, complete: bool = False) -> Given:
    return Given("memory:", origins, complete=complete)


def stored(truth: SqliteTruth) -> dict[str, str]:
    """Path → address."""
    with truth.reading() as connection:
        return dict(connection.execute("SELECT path, source_uri FROM documents ORDER BY path").fetchall())


def test_bytes_in_memory_become_documents(truth: SqliteTruth, take_in: Callable[..., Report]) -> None:
    assert take_in(given(page("a.md"), page("deep/b.html"))).added == 2
    assert stored(truth) == {"a.md": "memory:/a.md", "deep/b.html": "memory:/deep/b.html"}


def test_only_what_changed_is_taken_in_again(take_in: Callable[..., Report]) -> None:
    take_in(given(page("a.md"), page("b.md")))
    again = take_in(given(page("a.md", "New words."), page("b.md"), page("c.md")))
    assert (again.added, again.changed, again.unchanged, again.deleted) == (1, 1, 1, 0)


def test_what_a_complete_source_no_longer_has_is_forgotten(truth: SqliteTruth, take_in: Callable[..., Report]) -> None:
    take_in(given(page("a.md"), page("b.md")))
    assert take_in(given(page("b.md"))).deleted == 0
    assert take_in(given(page("b.md"), complete=True)).deleted == 1
    assert list(stored(truth)) == ["b.md"]


def test_what_is_fetched_is_not_fetched_again_while_its_etag_is_the_same(take_in: Callable[..., Report]) -> None:
    fetched: list[str] = []

    def origin(etag: str) -> FetchedOrigin:
        def fetch(most: int) -> bytes:
            fetched.append(etag)
            return f"# Page\n\nAs of {etag}.\n".encode()[:most]

        return FetchedOrigin("memory:/page", "page.md", fetch, Version.of_etag(etag))

    for etag in ("one", "one", "two", "two"):
        take_in(given(origin(etag)))
    assert fetched == ["one", "two"]


def test_what_cannot_be_fetched_or_is_too_large_is_told_and_the_rest_is_in(take_in: Callable[..., Report]) -> None:
    def fetch(most: int) -> bytes:
        raise ConnectionError("a piece of somebody's text")

    huge = FetchedOrigin("memory:/huge", "huge.md", lambda most: b"x" * (most + 1))
    report = take_in(given(FetchedOrigin("memory:/lost", "lost.md", fetch), huge, page("a.md")))
    assert report.added == 1
    assert [(each.path, each.reason.partition(", the")[0]) for each in report.failures] == [
        ("memory:/lost", "ConnectionError"),
        ("memory:/huge", "it has 10,001 bytes"),
    ]


@pytest.mark.parametrize("path", ["../a.md", "/a.md", "deep/../../a.md"])
def test_a_path_that_leads_out_of_its_root_is_refused(take_in: Callable[..., Report], path: str) -> None:
    (failure,) = take_in(given(BytesOrigin("memory:/x", path, b"# A\n"))).failures
    assert failure.reason == "its path leads out of its root"


def test_an_address_outside_of_its_source_is_refused(take_in: Callable[..., Report]) -> None:
    with pytest.raises(Misplaced, match="memory:/"):
        take_in(given(BytesOrigin("https://example.org/a", "a.md", b"# A\n")))


def test_a_page_finds_what_stands_beside_it_and_nothing_outside_its_root(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "guides").mkdir(parents=True)
    for name in ("guides/a.rst", "guides/part.txt", "top.txt", ".env", "../secret.txt"):
        (docs / name).write_text(name)
    (docs / "guides" / "link.txt").symlink_to(tmp_path / "secret.txt")
    (docs / "guides" / "circle.txt").symlink_to(docs / "guides" / "circle.txt")
    os.mkfifo(docs / "guides" / "pipe.txt")
    (root,) = roots([str(docs)])
    here = next(each for each in root.origins(LeftOut()) if each.path == "guides/a.rst")
    assert isinstance(here, FileOrigin)
    inside = {"part.txt": "guides/part.txt", "../top.txt": "top.txt", "/top.txt": "top.txt"}
    assert {path: here.neighbour(path, 100) for path in inside} == {k: v.encode() for k, v in inside.items()}
    outside = ["../../secret.txt", "/../secret.txt", "link.txt", "circle.txt", "pipe.txt", "../.env", "no.txt", "a\0b"]
    assert [here.neighbour(path, 100) for path in outside] == [None] * len(outside)
    assert here.neighbour("part.txt", 3) is None


def test_bytes_in_memory_have_the_neighbours_they_are_given() -> None:
    here = page("deep/a.rst", neighbours={"deep/part.txt": b"part", "top.txt": b"top"})
    assert [here.neighbour(path, 10) for path in ("part.txt", "/top.txt", "../top.txt", "top.txt", "../../x")] == [
        *(b"part", b"top", b"top"),
        *(None, None),
    ]


def test_the_truth_is_the_same_whichever_process_ends_first(tmp_path: Path) -> None:
    """Documents are numbered in the order of their paths."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(120):
        name = "Quota Ledger" if number % 2 else "QUOTA LEDGER"
        # Long ones first: those behind them are ready before them.
        (docs / f"{number:03}.md").write_text(
            f"# {name}\n\n" + f"Words of page {number} go on. " * (5 * (120 - number))
        )
    names = set()
    for data in ("one", "two"):
        truth = open_truth(tmp_path / data)
        work = plan(truth, roots([str(docs)]), Stamp("p", "e"), 1 << 20)
        Ingest(truth, StaticEmbedder(), {}, progress=lambda *_: None, workers=3).run(work)
        with truth.reading() as connection:
            names |= set(connection.execute("SELECT name FROM entities WHERE key = 'quota ledger'").fetchall())
            order = [row[0] for row in connection.execute("SELECT path FROM documents ORDER BY number")]
        truth.close()
        assert order == sorted(order)
    assert names == {("Quota Ledger",)}


def text_of(truth: SqliteTruth, path: str) -> str:
    with truth.reading() as connection:
        (found,) = connection.execute("SELECT id FROM documents WHERE path = ?", (path,)).fetchone()
    document = truth.document(found)
    assert document is not None
    return document.text


def test_a_page_is_read_again_when_what_it_includes_changes_comes_or_goes(
    tmp_path: Path, truth: SqliteTruth, take_in: Callable[..., Report]
) -> None:
    def write(name: str, text: str) -> None:
        (tmp_path / "docs" / name).write_text(text)
        os.utime(tmp_path / "docs" / name, (1e9 + len(text), 1e9 + len(text)))

    (tmp_path / "docs").mkdir()
    write("a.rst", "Title\n=====\n\n.. include:: part.inc\n\nThe end.\n")
    write("b.rst", "Other\n=====\n\nAlone.\n")
    where = roots([str(tmp_path / "docs")])
    assert take_in(*where).added == 2
    write("part.inc", "The heron waits.\n")
    assert (take_in(*where).changed, "The heron waits." in text_of(truth, "a.rst")) == (1, True)
    assert (take_in(*where).changed, plan(truth, where, Stamp("p", "e"), LARGEST).tasks) == (0, [])
    write("part.inc", "The heron has gone.\n")
    assert (take_in(*where).changed, "The heron has gone." in text_of(truth, "a.rst")) == (1, True)
    os.utime(tmp_path / "docs" / "part.inc", (2e9, 2e9))
    again = take_in(*where)
    assert (again.changed, again.unchanged) == (0, 2)
    (tmp_path / "docs" / "part.inc").unlink()
    assert (take_in(*where).changed, "heron" in text_of(truth, "a.rst")) == (1, False)


def test_a_page_takes_in_what_stands_in_its_checkout_and_nothing_that_is_kept_from_it(
    tmp_path: Path, truth: SqliteTruth, take_in: Callable[..., Report]
) -> None:
    """As mdBook, Sphinx, MkDocs and VitePress build it: listings, examples and the changelog beside the pages."""
    written = {
        "elsewhere.rs": "fn outside() {}",
        "repository/listings/a.rs": "fn listed() {}",
        "repository/CHANGES.rst": "Version 2\n---------\n\nQuotas grew.",
        "repository/.env": "fn hidden() {}",
        "repository/build/key.rs": "fn ignored() {}",
        "repository/.gitignore": "build/\n",
        "repository/book/src/a.md": "# A\n\n```rust\n"
        + "".join(
            f"{{{{#include {each}}}}}\n"
            for each in (
                *("../../listings/a.rs", "../../.env", "../../build/key.rs", "../../link.rs"),
                *("../../key.rs", "../../../elsewhere.rs", "../../../../../../etc/passwd"),
            )
        )
        + "```\n\n<<< @/listings/a.rs\n",
        "repository/book/src/b.rst": "B\n=\n\n.. include:: ../../CHANGES.rst\n",
    }
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{text}\n")
        os.utime(tmp_path / name, (1e9, 1e9))
    (tmp_path / "repository" / ".git").mkdir()
    (tmp_path / "repository" / ".git" / "config").write_text("token")
    (tmp_path / "repository" / "key.rs").symlink_to(tmp_path / "repository" / ".git" / "config")
    (tmp_path / "repository" / "link.rs").symlink_to(tmp_path / "elsewhere.rs")
    where = roots([str(tmp_path / "repository" / "book" / "src")])
    assert take_in(*where).added == 2
    listed = "```rust\nfn listed() {}\n```\n\n```rs\nfn listed() {}\n```\n"
    assert text_of(truth, "a.md") == f"# A\n\n{listed}"
    assert "## Version 2\n\nQuotas grew." in text_of(truth, "b.rst")
    assert take_in(*where).unchanged == 2
    (tmp_path / "repository/listings/a.rs").write_text("fn changed() {}\n")
    assert (take_in(*where).changed, "fn changed()" in text_of(truth, "a.md")) == (1, True)


def test_without_a_checkout_a_page_takes_in_nothing_from_outside_of_its_folder(
    tmp_path: Path, truth: SqliteTruth, take_in: Callable[..., Report]
) -> None:
    (tmp_path / "book" / "src").mkdir(parents=True)
    (tmp_path / "book" / "a.rs").write_text("fn outside() {}\n")
    (tmp_path / "book" / "src" / "a.md").write_text("# A\n\n{{#include ../a.rs}}\n\nThe end.\n")
    assert take_in(*roots([str(tmp_path / "book" / "src")])).added == 1
    assert text_of(truth, "a.md") == "# A\n\nThe end.\n"
