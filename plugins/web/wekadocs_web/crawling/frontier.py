"""What is still to be read of a crawl, kept so that a later call, or another process, goes on with it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wekadocs_corpus import Tables


@dataclass(frozen=True)
class Waiting:
    url: str
    depth: int


@dataclass(frozen=True)
class Corpus:
    """A named one, with when it was last crawled."""

    name: str
    crawled_at: float
    pages: int
    waiting: int


class Frontier:
    """Of one crawl: a corpus and where it began. Call its methods in a thread."""

    def __init__(self, tables: Tables, corpus: str, seed: str, most: int) -> None:
        self._tables = tables
        self._key = (corpus, seed)
        self._most = most  # ever known of one crawl

    def begin(self, urls: Iterable[str]) -> None:
        """Anew, forgetting what an earlier crawl had found."""
        with self._tables.writing() as rows:
            rows.execute("DELETE FROM web_frontier WHERE corpus = ? AND seed = ?", self._key)
        self.add([(url, 0) for url in urls])

    def add(self, found: Sequence[tuple[str, int]]) -> None:
        """What is known already stays as it is."""
        known, new = self._known(), []
        for url, depth in found:
            if url not in known and len(known) < self._most:
                known.add(url)
                new.append((*self._key, url, depth, len(known), 0))
        with self._tables.writing() as rows:
            rows.execute_many(
                "INSERT INTO web_frontier (corpus, seed, url, depth, place, done) VALUES (?, ?, ?, ?, ?, ?)", new
            )

    def done(self, urls: Iterable[str]) -> None:
        with self._tables.writing() as rows:
            rows.execute_many(
                "UPDATE web_frontier SET done = 1 WHERE corpus = ? AND seed = ? AND url = ?",
                [(*self._key, url) for url in urls],
            )

    def next(self, most: int) -> list[Waiting]:
        """In the order in which they were found."""
        statement = (
            "SELECT url, depth FROM web_frontier WHERE corpus = ? AND seed = ? AND done = 0 ORDER BY place LIMIT ?"
        )
        with self._tables.reading() as rows:
            return [Waiting(str(url), int(str(depth))) for url, depth in rows.query(statement, (*self._key, most))]

    def waiting(self) -> int:
        statement = "SELECT count(*) FROM web_frontier WHERE corpus = ? AND seed = ? AND done = 0"
        with self._tables.reading() as rows:
            return int(str(rows.query(statement, self._key)[0][0]))

    def join(self, urls: Iterable[str]) -> None:
        """These pages are of the corpus."""
        corpus = self._key[0]
        with self._tables.writing() as rows:
            for url in urls:
                rows.execute("DELETE FROM web_members WHERE corpus = ? AND url = ?", (corpus, url))
                rows.execute("INSERT INTO web_members (corpus, url) VALUES (?, ?)", (corpus, url))
            rows.execute("DELETE FROM web_corpora WHERE name = ?", (corpus,))
            rows.execute("INSERT INTO web_corpora (name, crawled_at) VALUES (?, ?)", (corpus, time.time()))

    def _known(self) -> set[str]:
        with self._tables.reading() as rows:
            found = rows.query("SELECT url FROM web_frontier WHERE corpus = ? AND seed = ?", self._key)
        return {str(row[0]) for row in found}


def corpora(tables: Tables) -> list[Corpus]:
    """All that were ever ingested into, by name."""
    statement = (
        "SELECT name, crawled_at, (SELECT count(*) FROM web_members WHERE corpus = name), "
        "(SELECT count(*) FROM web_frontier WHERE corpus = name AND done = 0) FROM web_corpora ORDER BY name"
    )
    with tables.reading() as rows:
        return [
            Corpus(str(name), float(str(at)), int(str(pages)), int(str(waiting)))
            for name, at, pages, waiting in rows.query(statement)
        ]
