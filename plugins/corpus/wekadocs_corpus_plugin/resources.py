"""A resource a document, and one a section: what is indexed of them, as long as an answer may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wekadocs_kit import DocumentPart, corpus_errors, document_uri, in_scope, part_from
from wekadocs_mcp import NO_SUCH_RESOURCE, Resource, ToolError

if TYPE_CHECKING:
    from wekadocs_corpus import Corpus, DocumentRow
    from wekadocs_mcp import Call

_MOST_BYTES = 32_768
_MOST_SUGGESTED = 100
_RANGE = "dev.wekadocs/range"


async def read_document(
    call: Call[Corpus], path: str, start: str | None, document: str | None
) -> list[Mapping[str, Any]]:
    """From `start` on."""
    begin = _number(start)
    found = await _found(call, path, document)
    if begin > len(found.text):
        raise _none()
    return _contents(found, part_from(found, begin, _MOST_BYTES), start is not None, document)


async def read_section(call: Call[Corpus], path: str, section: str) -> list[Mapping[str, Any]]:
    """With the sections below it."""
    found = await _found(call, path, None)
    with corpus_errors():
        sections = await call.state.in_thread(call.state.truth.sections_of, found.id)
    at = next((index for index, each in enumerate(sections) if section and each.anchor == section), None)
    if at is None:
        raise _none()
    behind = (each.start for each in sections[at + 1 :] if each.level <= sections[at].level)
    part = part_from(found, sections[at].start, _MOST_BYTES, next(behind, len(found.text)))
    return _contents(found, part, True, None)


async def _found(call: Call[Corpus], path: str, document: str | None) -> DocumentRow:
    """What is out of scope is as unknown as what never was."""
    corpus = call.state
    with corpus_errors():
        ids = await corpus.in_thread(corpus.truth.documents_at, call.scope, path)
        wanted = [each for each in ids if document in (None, each)]
        if len(wanted) > 1:
            addresses = ", ".join(document_uri(path, document=each) for each in wanted)
            raise ToolError("INVALID_ARGUMENT", f"Several documents have this path: {addresses}")
        row = await corpus.document(wanted[0]) if wanted else None
    if row is None or not in_scope(row, call.scope):
        raise _none()
    return row


def _contents(found: DocumentRow, part: DocumentPart, is_part: bool, document: str | None) -> list[Mapping[str, Any]]:
    """The text as it is; of a long document also where it goes on."""
    whole = {"start": part.start, "end": part.end, "total": len(found.text)}
    text: dict[str, Any] = {"mimeType": "text/markdown", "text": part.text, "_meta": {_RANGE: whole}}
    if not part.goes_on:
        return [text]
    rest = document_uri(found.path, start=part.end, document=document)
    told = f"[Characters {part.start} to {part.end} of {len(found.text)}. Goes on at {rest}]"
    here = {"uri": document_uri(found.path, start=part.start, document=document)} if is_part else {}
    return [{**here, **text}, {"uri": rest, "mimeType": "text/plain", "text": told}]


def _number(start: str | None) -> int:
    if start is None:
        return 0
    if not (start.isascii() and start.isdecimal() and len(start) < 10):
        raise _none()
    return int(start)


def _none() -> ToolError:
    return ToolError("INVALID_ARGUMENT", NO_SUCH_RESOURCE)


async def complete(call: Call[Corpus], argument: str, value: str, chosen: Mapping[str, str]) -> Sequence[str]:
    """Paths that begin so; of the document that was chosen, anchors."""
    corpus = call.state
    with corpus_errors():
        if argument == "path":
            return await corpus.in_thread(corpus.truth.paths, call.scope, value, _MOST_SUGGESTED + 1)
        if argument != "section" or not chosen.get("path"):
            return []
        ids = await corpus.in_thread(corpus.truth.documents_at, call.scope, chosen["path"])
        found = [each for one in ids[:1] for each in await corpus.in_thread(corpus.truth.sections_of, one)]
    return [each.anchor for each in found if each.anchor and each.anchor.startswith(value)]


_SECTION = Resource(
    "wekadocs://doc/{+path}#{section}",
    "section",
    read_section,
    "A section of a document",
    "A section as Markdown with those below it: the document's path and the heading's anchor, as citations have them.",
    "text/markdown",
    complete=complete,
)
_DOCUMENT = Resource(
    "wekadocs://doc/{+path}{?start,document}",
    "document",
    read_document,
    "A document",
    "A document as Markdown by its path; a long one comes in parts, `start` is the character to begin at.",
    "text/markdown",
    complete=complete,
)
RESOURCES = (_SECTION, _DOCUMENT)  # in this order: the second fits an address with a section too
