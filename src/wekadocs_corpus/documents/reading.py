"""One file in, one parsed document out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from wekadocs_corpus.documents.formats.asciidoc import read_asciidoc
from wekadocs_corpus.documents.formats.markdown import read_markdown
from wekadocs_corpus.documents.formats.plain import read_plain, read_restructured
from wekadocs_corpus.labels import label
from wekadocs_corpus.model import ParsedDocument

from .blocks import Heading, Outline
from .chunking import make_chunks
from .decoding import decode
from .facts import document_language, document_title
from .html import read_html
from .sections import make_sections

PARSER_VERSION = "7"  # to be raised whenever the same file would give other sections, chunks or words to find them by

_READERS: dict[str, Callable[[str], Outline]] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd"), read_markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    **dict.fromkeys((".txt", ".text"), read_plain),
    **dict.fromkeys((".rst", ".rest"), read_restructured),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), read_asciidoc),
}
SUFFIXES = frozenset(_READERS)


def read_document(name: str, data: bytes, document_id: str) -> ParsedDocument:
    """The document in a file's bytes; its name (a path, posix) tells how to read it. Unknown endings are plain text."""
    reader = _READERS.get(PurePosixPath(name).suffix.lower(), read_plain)
    outline = reader(decode(data, html=reader is read_html))
    headings = [_labelled(heading) for heading in outline.headings]
    sections = make_sections(document_id, outline.text, headings, _body(outline))
    return ParsedDocument(
        text=outline.text,
        title=label(document_title(outline, name)),
        sections=tuple(sections),
        chunks=tuple(make_chunks(document_id, outline.text, outline.blocks, sections)),
        links=tuple(outline.links),
        front_matter=outline.front_matter,
        language=document_language(outline),
    )


def _labelled(heading: Heading) -> Heading:
    return heading._replace(title=label(heading.title), anchor=label(heading.anchor))


def _body(outline: Outline) -> int:
    """Where front matter ends."""
    first = outline.blocks[0] if outline.blocks else None
    return first.end if first and first.kind == "front_matter" else 0
