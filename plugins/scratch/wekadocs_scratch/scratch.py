"""What tools use: passages handed out and found again, with texts read anew when they were dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from wekadocs_mcp import ToolError

from .store import Kept, Owner, ScratchStore

# One sentence for unknown, foreign, expired and tampered alike: an answer must not tell which.
GONE = "This handle is not known here: it has expired, or belongs to another session. Search again and use the new ids."


def owner_of(call: Any) -> Owner:
    return Owner(call.principal, call.session, call.scope.project_id)


def gone(what: str) -> ToolError:
    return ToolError("INVALID_ARGUMENT", GONE, {"argument": what})


@dataclass(frozen=True)
class Scratch:
    """The store with the corpus behind it."""

    store: ScratchStore
    corpus: Any

    def session(self, call: Any, asked: str | None) -> str:
        session_id = self.store.session_for(owner_of(call), asked)
        if session_id is None:
            raise gone("session_id")
        return session_id

    def keep(self, call: Any, session_id: str, found: Sequence[tuple[Any, tuple[int, int]]]) -> list[Kept]:
        """Passages of the corpus, each with the span that won."""
        owner = owner_of(call)
        return self.store.put([_entry(owner, session_id, passage, span) for passage, span in found])

    async def passage(self, call: Any, passage_id: str, session_id: str | None = None) -> Kept:
        """With its text; raises what the caller may be told."""
        entry = self.store.get(passage_id, owner_of(call), session_id)
        if entry is None:
            raise gone("passage_id")
        document = None
        if entry.text is None:
            rows = await self.corpus.passages([entry.section_id])
            document = rows[0] if rows else None
            if document is None or not _visible(document, call.scope):
                raise gone("passage_id")
            return self.store.restore(entry, document.text)
        return entry


def _visible(passage: Any, scope: Any) -> bool:
    return (
        passage.project_id == scope.project_id
        and passage.environment == scope.environment
        and (not scope.doc_tags or passage.doc_tag in scope.doc_tags)
        and (not scope.repositories or passage.repository in scope.repositories)
    )


def _entry(owner: Owner, session_id: str, passage: Any, span: tuple[int, int]) -> Kept:
    return Kept(
        passage_id="",
        session_id=session_id,
        owner=owner,
        section_id=passage.id,
        document_id=passage.document_id,
        doc_tag=passage.doc_tag,
        title=passage.title,
        anchor=passage.anchor or None,
        source_uri=passage.source_uri,
        start=passage.start,
        span=span,
        created_at=0.0,
        expires=0.0,
        size_bytes=len(passage.text.encode("utf-8", "replace")),
        text=passage.text,
    )


def uri_of(entry: Kept) -> str:
    return f"wekadocs://scratch/{entry.session_id}/{entry.passage_id}"


def link_to(entry: Kept) -> dict[str, Any]:
    """A resource link: only links can carry size, audience and priority."""
    return {
        "uri": uri_of(entry),
        "name": entry.title,
        "mimeType": "text/plain",
        "size": entry.size_bytes,
        "annotations": {
            "audience": ["assistant"],
            "priority": 0.1,
            "lastModified": datetime.fromtimestamp(entry.created_at, UTC).isoformat(timespec="seconds"),
        },
    }


async def read_passage(call: Any, session_id: str, passage_id: str) -> str:
    entry = await call.state.passage(call, passage_id, session_id)
    return entry.text or ""


__all__ = ["GONE", "Scratch", "gone", "link_to", "owner_of", "read_passage", "uri_of"]
