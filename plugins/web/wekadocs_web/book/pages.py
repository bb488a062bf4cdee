"""The pages that were taken in. A page has one URL, by which its document is known, and any number of names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wekadocs_fetch import FetchFailed, document_url

from .schema import MIGRATIONS

if TYPE_CHECKING:
    from wekadocs_corpus import TableChanges, Truth

_FIELDS = "url, document_id, title, media_type, fetched_at, chunks, tokens"


@dataclass(frozen=True)
class PageRow:
    """One page, as it was last taken in."""

    url: str  # normalised; `naming.document_name` tells which
    document_id: str
    title: str
    media_type: str
    fetched_at: float  # seconds since 1970
    chunks: int
    tokens: int


@dataclass(frozen=True)
class Totals:
    documents: int
    chunks: int
    tokens: int


class Book:
    """In the truth; its methods read and write a few rows, and may wait for other writers: call them in a thread."""

    def __init__(self, truth: Truth) -> None:
        self.tables = truth.tables("web", MIGRATIONS)

    def find(self, url: str) -> PageRow | None:
        """By any of its names, however they are written."""
        try:
            name = document_url(url)
        except FetchFailed:
            return None
        with self.tables.reading() as rows:
            found = rows.query(
                f"SELECT {_FIELDS} FROM web_pages WHERE url = ? "
                f"OR url = (SELECT url FROM web_names WHERE name = ?) ORDER BY url = ? DESC LIMIT 1",
                (name, name, name),
            )
        return _page(found[0]) if found else None

    def record(self, page: PageRow, names: Iterable[str]) -> list[str]:
        """Taken in, or found unchanged. `names`: every URL that led to it; a name leads to one page only.

        Returned: documents that were pages before and are now only names of this one; they are to be deleted.
        """
        values = (page.url, page.document_id, page.title, page.media_type, page.fetched_at, page.chunks, page.tokens)
        with self.tables.writing() as rows:
            rows.execute("DELETE FROM web_pages WHERE url = ?", (page.url,))
            rows.execute(f"INSERT INTO web_pages ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            others = [name for name in dict.fromkeys(names) if name != page.url]
            rows.execute_many("DELETE FROM web_names WHERE name = ?", [(name,) for name in [page.url, *others]])
            rows.execute_many("INSERT INTO web_names (name, url) VALUES (?, ?)", [(name, page.url) for name in others])
            return [document for name in others for document in _swallowed(rows, name, page)]

    def forget(self, url: str) -> None:
        """Its document is the caller's to delete."""
        with self.tables.writing() as rows:
            for table in ("web_pages", "web_names", "web_members"):
                rows.execute(f"DELETE FROM {table} WHERE url = ?", (url,))

    def pages(self, after: str = "", most: int = 1000, corpus: str | None = None) -> list[PageRow]:
        """In the order of their URLs, from the one after `after` on."""
        within = "AND url IN (SELECT url FROM web_members WHERE corpus = ?)" if corpus is not None else ""
        values: tuple[str | int, ...] = (after, *([corpus] if corpus is not None else []), most)
        with self.tables.reading() as rows:
            found = rows.query(f"SELECT {_FIELDS} FROM web_pages WHERE url > ? {within} ORDER BY url LIMIT ?", values)
        return [_page(row) for row in found]

    def oldest(self, most: int, corpus: str | None = None) -> list[PageRow]:
        """Those that were had longest ago first."""
        within = "WHERE url IN (SELECT url FROM web_members WHERE corpus = ?)" if corpus is not None else ""
        values: tuple[str | int, ...] = (*([corpus] if corpus is not None else []), most)
        with self.tables.reading() as rows:
            found = rows.query(f"SELECT {_FIELDS} FROM web_pages {within} ORDER BY fetched_at, url LIMIT ?", values)
        return [_page(row) for row in found]

    def totals(self, corpus: str | None = None) -> Totals:
        within = "WHERE url IN (SELECT url FROM web_members WHERE corpus = ?)" if corpus is not None else ""
        values = (corpus,) if corpus is not None else ()
        counted = f"SELECT count(*), coalesce(sum(chunks), 0), coalesce(sum(tokens), 0) FROM web_pages {within}"
        with self.tables.reading() as rows:
            documents, chunks, tokens = rows.query(counted, values)[0]
        return Totals(int(documents or 0), int(chunks or 0), int(tokens or 0))

    def names(self, url: str) -> list[str]:
        """What else leads to this page."""
        with self.tables.reading() as rows:
            return [str(row[0]) for row in rows.query("SELECT name FROM web_names WHERE url = ? ORDER BY name", (url,))]


def _swallowed(rows: TableChanges, name: str, page: PageRow) -> list[str]:
    """What was a page of its own until its site made it another name of this one."""
    found = [str(row[0]) for row in rows.query("SELECT document_id FROM web_pages WHERE url = ?", (name,))]
    if found:
        rows.execute("DELETE FROM web_pages WHERE url = ?", (name,))
        rows.execute("UPDATE web_names SET url = ? WHERE url = ?", (page.url, name))
        taken = "SELECT corpus FROM web_members WHERE url = ?"
        rows.execute(f"DELETE FROM web_members WHERE url = ? AND corpus IN ({taken})", (name, page.url))
        rows.execute("UPDATE web_members SET url = ? WHERE url = ?", (page.url, name))
    return [each for each in found if each != page.document_id]


def _page(row: Sequence[object]) -> PageRow:
    url, document_id, title, media_type, fetched_at, chunks, tokens = row
    return PageRow(
        str(url),
        str(document_id),
        str(title),
        str(media_type),
        float(str(fetched_at)),
        int(str(chunks)),
        int(str(tokens)),
    )
