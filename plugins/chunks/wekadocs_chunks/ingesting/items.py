"""A document as it was read to chunks as store_chunks takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .files import File, document_id

if TYPE_CHECKING:
    from wekadocs_corpus import Parsed, ParsedDocument

    from ..references.bibliographies import Bibliography
    from ..references.records import Record


class Reading(NamedTuple):
    """How files are read now."""

    version: str  # of the readers
    seconds: float  # that one file may take


def facts(document: ParsedDocument) -> dict[str, str]:
    """What a document says of itself."""
    told = {"title": document.title, "doi": document.front_matter.get("doi")}
    return {name: value for name, value in told.items() if isinstance(value, str) and value}


def reference(references: Bibliography | None, path: str, told: Mapping[str, Any]) -> Record | None:
    """By citekey, which the file may be called; else by DOI; else by title, which the file may be called as well."""
    if references is None:
        return None
    stem = path.rpartition("/")[2].rpartition(".")[0]
    titles = (told.get("title") or "", stem.replace("_", " ").replace("-", " "))
    found = references.match(stem, told.get("doi") or "", titles[0])
    return found or references.match("", "", titles[1])


def items(file: File, parsed: Parsed, record: Record | None, reading: Reading) -> Iterator[dict[str, Any]]:
    """One for each chunk that has words."""
    document = parsed.document
    told = facts(document)
    known = record.known if record else {"doi": told["doi"]} if "doi" in told else {}
    source: dict[str, Any] = {"path": file.path, **told, "folder": file.folder, "reader": reading.version}
    source |= {"read_within": reading.seconds} if document.unread else {}
    sections = {each.id: each for each in document.sections}
    doc = document_id(parsed.digest)
    number = 0
    for chunk in document.chunks:
        text = document.text[chunk.start : chunk.end]
        if chunk.kind == "front_matter" or not any(map(str.isalnum, text)):
            continue
        start = chunk.start + len(text) - len(text.lstrip())
        place = _place(document, start, start + len(text.strip()))
        path = [title for title in sections[chunk.section_id].headings if title]
        yield {
            "text": text.strip(),
            "metadata": {
                "source": source,
                "zotero": known,
                "doc": {"id": doc, "chunk_idx": number, "section_path": path, **place},
            },
        }
        number += 1


def _place(document: ParsedDocument, start: int, end: int) -> dict[str, Any]:
    """The pages of a chunk, and where in it each begins."""
    from wekadocs_corpus import source_pages

    pages = source_pages(document.source_lines, document.text, start, end)
    if pages is None:
        return {}
    named = {"page_labels": [pages.first_name, pages.last_name]} if pages.are_named else {}
    begins = {"page_starts": _begins(document, start, end)} if pages.first != pages.last else {}
    return {"page_span": [pages.first, pages.last], **named, **begins}


def _begins(document: ParsedDocument, start: int, end: int) -> list[list[int]]:
    """(first character, page) of each run of lines of one page."""
    from wekadocs_corpus import source_pages

    found: list[list[int]] = []
    at = start
    for line in document.text[start:end].splitlines(keepends=True):
        pages = source_pages(document.source_lines, document.text, at, at + len(line)) if line.strip() else None
        if pages is not None and (not found or found[-1][1] != pages.first):
            found.append([at - start, pages.first])
        at += len(line)
    return found
