"""What tools use: passages handed out and found again, with texts read anew when they were dropped."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from wekadocs_mcp import ToolError
from wekadocs_mcp.plugins.resources import NO_SUCH_RESOURCE

from .kept import Kept, Owner
from .store import ScratchStore


def owner_of(call: Any) -> Owner:
    return Owner(call.principal, call.session, call.scope.project_id)


def gone(call: Any, argument: str, again: str = "kb.search") -> ToolError:
    """One sentence for unknown, foreign, expired and tampered alike: an answer must not tell which."""
    what = "This passage_id, session_id or cursor is not known here, or no longer."
    message = f"{what} Call {call.served_name(again)} again and use what it returns."
    return ToolError("INVALID_ARGUMENT", message, {"path": f"/{argument}"})


@dataclass(frozen=True)
class Scratch:
    """The store with the corpus behind it."""

    store: ScratchStore
    corpus: Any

    def session(self, call: Any, asked: str | None = None) -> str:
        session_id = self.store.session_for(owner_of(call), asked)
        if session_id is None:
            raise gone(call, "session_id")
        return session_id

    def keep(self, call: Any, session_id: str, found: Sequence[tuple[Any, tuple[int, int]]]) -> list[Kept]:
        """Passages of the corpus, each with the span that won."""
        owner = owner_of(call)
        return self.store.put([_entry(owner, session_id, passage, span) for passage, span in found])

    async def passage(self, call: Any, passage_id: str, argument: str = "passage_id") -> Kept:
        """With its text; raises what the caller may be told."""
        entry = self.store.get(passage_id, owner_of(call))
        if entry is not None and visible(entry, call.scope):
            if entry.text is not None:
                return entry
            text = await self._read_again(entry, call.scope)
            if text is not None:
                return self.store.restore(entry, text)
        raise gone(call, argument)

    async def _read_again(self, entry: Kept, scope: Any) -> str | None:
        """The text of a passage that was dropped, if it is still what was handed out and may be seen."""
        document = await self.corpus.document(entry.document_id)
        if document is None or not visible(document, scope):
            return None
        text = str(document.text[entry.start : entry.start + entry.length])
        return text if fingerprint(text) == entry.fingerprint else None


def visible(passage: Any, scope: Any) -> bool:
    """Whether a passage or a document is inside the scope."""
    return (
        (passage.project_id, passage.environment) == (scope.project_id, scope.environment)
        and (not scope.doc_tags or passage.doc_tag in scope.doc_tags)
        and (not scope.repositories or passage.repository in scope.repositories)
    )


def fingerprint(text: str) -> str:
    """What a citation carries so that the text can be checked later."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _entry(owner: Owner, session_id: str, passage: Any, span: tuple[int, int]) -> Kept:
    return Kept(
        passage_id="",
        session_id=session_id,
        owner=owner,
        section_id=passage.id,
        document_id=passage.document_id,
        environment=passage.environment,
        repository=passage.repository,
        doc_tag=passage.doc_tag,
        title=passage.title,
        heading=passage.heading,
        path=passage.path,
        anchor=passage.anchor or None,
        source_uri=passage.source_uri,
        start=passage.start,
        span=span,
        fingerprint=fingerprint(passage.text),
        size_bytes=len(passage.text.encode("utf-8", "surrogatepass")),
        text=passage.text,
        length=len(passage.text),
        opening=passage.opening,
        parts=passage.parts,
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
    """The resource; what is malformed, foreign or over is refused as if it had never been."""
    try:
        entry = await call.state.passage(call, passage_id)
    except ToolError:
        entry = None
    if entry is None or entry.session_id != session_id:
        raise ToolError("INVALID_ARGUMENT", NO_SUCH_RESOURCE)
    return str(entry.text)


__all__ = ["Scratch", "fingerprint", "gone", "link_to", "owner_of", "read_passage", "uri_of", "visible"]
