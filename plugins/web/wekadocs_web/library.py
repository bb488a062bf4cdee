"""Fetched pages as documents of the corpus: a project of their own, each under its own tag, so that a question can be
asked of some of them and never of others."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from wekadocs_corpus import Area, BytesOrigin, Given, Place, Stamp, Version, digest, page_bytes
from wekadocs_fetch import FetchFailed

from .book.links import LinkBook
from .book.naming import document_name, every_name
from .book.pages import Book, PageRow
from .pages import NotAPage, Page, read_within

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus
    from wekadocs_fetch import Fetched, Fetcher

_VERSION = "2"  # to be raised whenever the same page would become another text
_ODD = re.compile(r"[^0-9A-Za-z\u00c0-\uffff]+")
_INDEXES = frozenset(("index", "readme", "overview", "default"))
_SCHEMES = ("http:", "https:")
_NEEDS_SCRIPTS = "it shows its text only to a browser that runs its JavaScript"
_NO_WORDS = "there is no text on it"


@dataclass(frozen=True)
class Refused:
    """A page that could not become a document, and why, in words for the caller."""

    url: str
    reason: str


@dataclass(frozen=True)
class _Ready:
    """A page that was read, before it is in."""

    fetched: Fetched
    page: Page
    url: str

    @property
    def origin(self) -> BytesOrigin:
        page = self.page
        data = page.data or page_bytes(page.text, title=page.title, language=page.language, form=page.format)
        path = f"{tag_of(self.url)}/{_file_name(self.url)}{page.suffix or '.page'}"
        version = Version.of_etag(digest(_VERSION, data.hex() if page.data else data.decode()))
        return BytesOrigin(self.url, path, data, self.fetched.fetched_at, version=version)


def _file_name(url: str) -> str:
    """What a page without a title is called after: the last part of its address, else its site."""
    parts = urlsplit(url)
    stem = (
        unquote(parts.path).rstrip("/").rpartition("/")[2].rpartition(".")[0]
        or parts.path.rstrip("/").rpartition("/")[2]
    )
    name = _ODD.sub("-", stem)[:60].strip("-")
    return name if name and name.lower() not in _INDEXES else _ODD.sub("-", parts.hostname or "page")


def tag_of(url: str) -> str:
    return digest(url)[:20]


class Library:
    """One per process."""

    def __init__(self, corpus: Corpus, book: Book, fetcher: Fetcher, read_seconds: float) -> None:
        self.corpus, self.book = corpus, book
        self._renderer = fetcher if fetcher.renders else None
        self._seconds = read_seconds  # of CPU, for one page
        self.links = LinkBook(book.tables)
        self._stamp = Stamp(f"{corpus.home.project_id}.web", corpus.home.environment, "")
        self._one_at_a_time = asyncio.Lock()

    def area(self, urls: Iterable[str]) -> Area:
        """Only these pages; of none at all nothing is seen."""
        tags = tuple(map(tag_of, urls)) or ("",)
        return Area(self._stamp.project_id, self._stamp.environment, doc_tags=tags)

    @property
    def everything(self) -> Area:
        return Area(self._stamp.project_id, self._stamp.environment)

    def document_id(self, url: str) -> str:
        return Place(self._stamp.project_id, self._stamp.environment, "", "", url).document_id

    async def take_in(self, fetched: Sequence[Fetched]) -> list[PageRow | Refused]:
        """Each as a document, in their order; what is known already is only noted as seen again."""
        read_pages = await asyncio.gather(*(self._read(each) for each in fetched))
        ready = [each for each in read_pages if isinstance(each, _Ready)]
        async with self._one_at_a_time:
            failed = await self._ingest(ready)
            rows = await self.corpus.in_thread(self._recorded, ready, failed)
        return [rows[each.url] if isinstance(each, _Ready) else each for each in read_pages]

    async def _read(self, fetched: Fetched) -> _Ready | Refused:
        """By a browser, where there is one and the page needs it."""
        page = await self._page(fetched)
        if self._renderer is None or not isinstance(page, Refused) or page.reason != _NEEDS_SCRIPTS:
            return page
        try:
            return await self._page(await self._renderer.render(fetched))
        except FetchFailed as error:
            return Refused(fetched.url, f"{_NEEDS_SCRIPTS}, and {error.reason}")

    async def _page(self, fetched: Fetched) -> _Ready | Refused:
        kind, charset = fetched.media_type, fetched.charset or ""
        try:
            page = await read_within(self._seconds, fetched.body, kind, charset, fetched.final_url)
        except NotAPage as error:
            return Refused(fetched.url, str(error))
        if page.scripted:
            return Refused(fetched.url, _NEEDS_SCRIPTS)
        if not page.data and not page.text.strip():
            return Refused(fetched.url, _NO_WORDS)
        return _Ready(fetched, page, document_name(fetched, page.canonical or None))

    async def forget(self, urls: Sequence[str]) -> None:
        """Pages that are gone."""
        await self.corpus.in_thread(self.corpus.truth.delete, [self.document_id(url) for url in urls])
        for url in urls:
            await self.corpus.in_thread(self.book.forget, url)
            await self.corpus.in_thread(self.links.record, url, ())

    async def _ingest(self, ready: Sequence[_Ready]) -> dict[str, str]:
        """Why some could not be taken in."""
        origins = list({each.url: each.origin for each in ready}.values())
        sources = [Given(scheme, [each for each in origins if each.uri.startswith(scheme)]) for scheme in _SCHEMES]
        if not origins:
            return {}
        done = await self.corpus.ingest([each for each in sources if each.given], self._stamp)
        return {failure.path: failure.reason for failure in done.report.failures}

    def _recorded(self, ready: Sequence[_Ready], failed: dict[str, str]) -> dict[str, PageRow | Refused]:
        rows: dict[str, PageRow | Refused] = {}
        for each in ready:
            if each.url in failed:
                rows[each.url] = Refused(each.url, failed[each.url])
            elif each.url not in rows or each.fetched.url != each.url:
                rows[each.url] = self._record(each)
        return rows

    def _record(self, ready: _Ready) -> PageRow | Refused:
        truth, document_id = self.corpus.truth, self.document_id(ready.url)
        document = truth.document(document_id)
        if document is None or not document.text.strip():
            return Refused(ready.url, _NO_WORDS)
        chunks, fetched = truth.chunks_of(document_id), ready.fetched
        row = PageRow(
            url=ready.url,
            document_id=document_id,
            title=document.title,
            media_type=fetched.media_type,
            fetched_at=fetched.fetched_at,
            chunks=len(chunks),
            tokens=sum(chunk.tokens for chunk in chunks),
        )
        truth.delete(self.book.record(row, every_name(fetched, ready.page.canonical or None)))
        self.links.record(ready.url, ready.page.links)
        return row
