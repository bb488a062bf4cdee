"""Where each page that was taken in leads: for the next page to read, when this one does not answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wekadocs_web.pages import Link

if TYPE_CHECKING:
    from wekadocs_corpus import Tables


class LinkBook:
    """In the truth, beside the pages; call its methods in a thread."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def record(self, url: str, links: Sequence[Link]) -> None:
        rows = [(url, each.target, each.text, each.sentence, place) for place, each in enumerate(links)]
        with self._tables.writing() as changes:
            changes.execute("DELETE FROM web_links WHERE url = ?", (url,))
            changes.execute_many(
                "INSERT INTO web_links (url, target, words, sentence, place) VALUES (?, ?, ?, ?, ?)", rows
            )

    def of(self, url: str) -> list[Link]:
        """In the order of the page."""
        with self._tables.reading() as rows:
            found = rows.query("SELECT target, words, sentence FROM web_links WHERE url = ? ORDER BY place", (url,))
        return [Link(str(target), str(words), str(sentence)) for target, words, sentence in found]

    def titles(self, url: str) -> dict[str, str]:
        """Of those pages it leads to that were taken in."""
        asked = "SELECT target, title FROM web_links JOIN web_pages ON web_pages.url = target WHERE web_links.url = ?"
        with self._tables.reading() as rows:
            return {str(target): str(title) for target, title in rows.query(asked, (url,))}
