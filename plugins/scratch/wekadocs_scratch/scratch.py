"""What the plugin yields: passages handed out and found again, with texts read anew when they were dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wekadocs_kit import Kept, Owner, Scratch, in_scope, owner_of, unknown_handle
from wekadocs_mcp import NO_SUCH_RESOURCE, ToolError

from .stores import PassageStore

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, Passage, Scope
    from wekadocs_mcp import Call


@dataclass(frozen=True)
class StoredScratch(Scratch):
    """The store with the corpus behind it."""

    store: PassageStore
    corpus: Corpus

    async def session(self, call: Call[object], asked: str | None = None) -> str:
        session_id = await self.store.session_for(owner_of(call), asked)
        if session_id is None:
            raise unknown_handle(call, "session_id")
        return session_id

    def keep(self, call: Call[object], session_id: str, found: Sequence[tuple[Passage, tuple[int, int]]]) -> list[Kept]:
        owner = owner_of(call)
        return self.store.put([_entry(owner, session_id, passage, span) for passage, span in found])

    async def passage(self, call: Call[object], passage_id: str, argument: str = "passage_id") -> Kept:
        entry = await self.store.get(passage_id, owner_of(call))
        if entry is not None and in_scope(entry, call.scope):
            if entry.text is not None:
                return entry
            text = await self._read_again(entry, call.scope)
            if text is not None:
                return await self.store.restore(entry, text)
        raise unknown_handle(call, argument)

    async def _read_again(self, entry: Kept, scope: Scope) -> str | None:
        """The text of a passage that was dropped, if it is still what was handed out and may be seen."""
        from wekadocs_corpus import fingerprint

        document = await self.corpus.document(entry.document_id)
        if document is None or not in_scope(document, scope):
            return None
        text = document.text[entry.start : entry.start + entry.length]
        return text if fingerprint(text) == entry.fingerprint else None

    def add_page(self, call: Call[object], binding: str, rest: object) -> str:
        return self.store.add_page(owner_of(call), binding, rest)

    async def page(self, call: Call[object], binding: str, cursor: str) -> Any:
        return await self.store.page(cursor, owner_of(call), binding)

    async def sent_before(self, call: Call[object], session_id: str, names: Sequence[str]) -> list[bool]:
        return await self.store.sent_before((call.principal, session_id), names)

    def note_sent(self, call: Call[object], session_id: str, names: Sequence[str]) -> None:
        self.store.note_sent((call.principal, session_id), names)

    def private_name(self, said: str) -> str:
        return self.store.private_name(said)


def _entry(owner: Owner, session_id: str, passage: Passage, span: tuple[int, int]) -> Kept:
    from wekadocs_corpus import fingerprint

    return Kept(
        passage_id="",
        session_id=session_id,
        owner=owner,
        section_id=passage.id,
        document_id=passage.document_id,
        environment=passage.environment,
        repository=passage.repository,
        doc_tag=passage.doc_tag,
        other_tags=passage.other_tags,
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
        source_lines=passage.source_lines,
        url=passage.url,
    )


async def read_passage(call: Call[StoredScratch], session_id: str, passage_id: str) -> str:
    """The resource; what is malformed, foreign or over is refused as if it had never been."""
    try:
        entry = await call.state.passage(call, passage_id)
    except ToolError as error:
        if error.code != "INVALID_ARGUMENT":
            raise
        entry = None
    if entry is None or entry.session_id != session_id:
        raise ToolError("INVALID_ARGUMENT", NO_SUCH_RESOURCE)
    return str(entry.text)
