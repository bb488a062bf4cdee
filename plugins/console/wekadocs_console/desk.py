"""What the console has at hand: the corpus, if there is one, and the ingest that is under way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_kit import in_scope
from wekadocs_mcp import ToolError

from .ingesting import Ingesting

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, DocumentRow, Within
    from wekadocs_mcp import Context

_HEADINGS = 3000  # that questions are looked for among
_SUGGESTED = 3
_OF_ALL = ("stored_bytes", "data_dir", "model")  # of the data directory, whoever's documents are in it
_SHOWN = 30_000  # characters of a page before and after a quote


class Desk:
    """One per process."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._ingesting = Ingesting()

    async def close(self) -> None:
        await self._ingesting.stop()

    async def _corpus(self) -> Corpus:
        from wekadocs_corpus import Corpus

        try:
            return await self._context.use("corpus", Corpus)
        except LookupError:
            message = "This server has no documents: its plugin `corpus` is off. Name it under plugins in tools.yaml."
            raise ToolError("BACKEND_UNAVAILABLE", message) from None

    async def page(self, section_id: str, start: int, end: int, among: Sequence[str]) -> dict[str, Any]:
        """The document of what an answer calls a section_id, around a place in it; offsets are the whole document's.

        `together` are those among others that stand in the same document.
        """
        corpus = await self._corpus()
        found = await corpus.passages([section_id, *among])
        owner = next((each.document_id for each in found if each.id == section_id), None)
        document = await corpus.document(owner) if owner else None
        if document is None or not in_scope(document, self._context.scope):
            message = "There is no such document here any more. Ask again, and open one of the new quotes."
            raise ToolError("INVALID_ARGUMENT", message)
        return {**_shown(document, start, end), "together": [each.id for each in found if each.document_id == owner]}

    async def status(self) -> dict[str, Any]:
        """What is indexed for this server's scope, what may be ingested, and how far that is."""
        from wekadocs_corpus import read_status, suggested_questions

        corpus = await self._corpus()
        figures = await corpus.in_thread(read_status, self._context.data_dir, corpus.settings)
        within = await corpus.in_thread(corpus.truth.within, self._context.scope)
        headings = await corpus.in_thread(corpus.truth.headings, self._context.scope, _HEADINGS)
        return {
            "figures": {name: figures.get(name) for name in _OF_ALL} | _shown_figures(within),
            "questions": suggested_questions(headings)[:_SUGGESTED],
            "folders": self._folders(corpus),
            "read_only": self._context.read_only,
            "ingest": self._ingesting.state(),
        }

    async def ingest(self, folder: str) -> dict[str, Any]:
        corpus = await self._corpus()
        if self._context.read_only:
            raise ToolError("INVALID_ARGUMENT", "This server is read-only: nothing is ingested here.")
        if folder not in self._folders(corpus):
            message = "Only folders that plugins.console.folders in tools.yaml or --docs names can be ingested here."
            raise ToolError("INVALID_ARGUMENT", message)
        self._ingesting.start(corpus, folder, self._context.log)
        return self._ingesting.state()

    async def stop_ingest(self) -> dict[str, Any]:
        await self._ingesting.stop()
        return self._ingesting.state()

    def _folders(self, corpus: Corpus) -> list[str]:
        named = [*self._context.settings["folders"], *filter(None, [corpus.settings.get("docs")])]
        return list(dict.fromkeys(str(Path(each).resolve()) for each in named))


def _shown_figures(within: Within) -> dict[str, Any]:
    last = within.last_ingest
    return {
        "documents": within.documents,
        "chunks": within.chunks,
        "tokens": within.tokens,
        "last_ingest": datetime.fromtimestamp(last, UTC).isoformat(timespec="seconds") if last else None,
        "doc_tags": {tag: {"documents": of, "chunks": chunks} for tag, (of, chunks) in within.doc_tags.items()},
    }


def _shown(document: DocumentRow, start: int, end: int) -> dict[str, Any]:
    """So much of a document that a browser can show it, and where that begins."""
    size = len(document.text)
    start, end = min(max(start, 0), size), min(max(end, 0), size)
    first, last = max(0, start - _SHOWN), min(size, max(start, end) + _SHOWN)
    return {
        "document_id": document.id,
        "title": document.title,
        "path": document.path,
        "doc_tag": document.doc_tag,
        "url": document.url,
        "tokens": document.tokens,
        "characters": size,
        "from": first,
        "text": document.text[first:last],
        "whole": first == 0 and last == size,
    }
