"""One file in, one parsed document out: whatever its format, it becomes clean Markdown and is read as such."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import PurePosixPath

from wekadocs_corpus.documents.asciidoc import convert_asciidoc
from wekadocs_corpus.documents.conversion.alignment import aligned
from wekadocs_corpus.documents.conversion.lines import Converted
from wekadocs_corpus.documents.conversion.neighbours import Neighbours, Origin
from wekadocs_corpus.documents.flavours import convert_markdown
from wekadocs_corpus.documents.formats.delimited import convert_delimited
from wekadocs_corpus.documents.formats.given_page import SUFFIX as GIVEN_PAGE
from wekadocs_corpus.documents.formats.given_page import read_given_page
from wekadocs_corpus.documents.formats.markdown import read_markdown
from wekadocs_corpus.documents.formats.notebook import convert_notebook
from wekadocs_corpus.documents.formats.plain import has_text_pages, is_restructured, read_plain
from wekadocs_corpus.documents.openapi import API_SUFFIXES, convert_openapi, is_openapi
from wekadocs_corpus.documents.restructured import convert_restructured
from wekadocs_corpus.labels import label
from wekadocs_corpus.line_map import encode_lines, encode_pages
from wekadocs_corpus.model import ParsedDocument

from .anchors import GITHUB, Naming, anchors_of
from .blocks import Heading, Outline, split_lines
from .chunking import make_chunks
from .decoding import decode
from .docstrings import CODE_SUFFIXES, convert_docstrings
from .facts import document_language, document_title
from .html import read_html
from .paged import Allowance, Paged, UnreadPage
from .paged_formats import PAGED, reader_of
from .sections import make_sections

PARSER_VERSION = "16"  # to be raised whenever the same file would give other sections, chunks or words to find them by

Reader = Callable[[str], Outline]
Converter = Callable[[str, Neighbours], Converted]
_READERS: dict[str, Reader] = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    **dict.fromkeys((".txt", ".text"), read_plain),
}
_CONVERTERS: dict[str, Converter] = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".qmd", ".rmd"), convert_markdown),
    ".mdx": partial(convert_markdown, mdx=True),
    **dict.fromkeys((".rst", ".rest"), convert_restructured),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), convert_asciidoc),
    ".ipynb": convert_notebook,
    **dict.fromkeys((".csv", ".tsv"), convert_delimited),
}
SUFFIXES = frozenset(_READERS) | frozenset(_CONVERTERS) | frozenset(PAGED)
WATCHED_SUFFIXES = SUFFIXES | API_SUFFIXES | CODE_SUFFIXES  # some of whose files are documents


@dataclass(frozen=True)
class _Read:
    """How the text is built, the map to the lines or pages of the file, and what could not be read of it."""

    outline: Outline
    lines: str | None
    pages: int = 0
    unread: tuple[UnreadPage, ...] = ()


def read_document(
    name: str,
    data: bytes,
    document_id: str,
    origin: Origin | None = None,
    naming: Naming = GITHUB,
    allowance: Allowance | None = None,
) -> ParsedDocument:
    """The document in a file's bytes; its name (a path, posix) tells how to read it. Unknown endings are plain text.

    Without an origin nothing of other files is included; an allowance bounds how many pages of a file are read.
    """
    read = _read(name, data, origin, allowance)
    outline = read.outline
    headings = [_labelled(heading) for heading in outline.headings]
    anchors = anchors_of(naming, name, headings)
    sections = make_sections(document_id, outline.text, headings, anchors, _body(outline))
    return ParsedDocument(
        text=outline.text,
        title=label(document_title(outline, name)),
        sections=tuple(sections),
        chunks=tuple(make_chunks(document_id, outline.text, outline.blocks, sections)),
        links=tuple(outline.links),
        front_matter=outline.front_matter,
        language=document_language(outline),
        source_lines=read.lines,
        pages=read.pages,
        unread=read.unread,
    )


def _read(name: str, data: bytes, origin: Origin | None, allowance: Allowance | None) -> _Read:
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == GIVEN_PAGE:
        return _Read(read_given_page(data), None)
    if suffix not in PAGED:
        return _Read(*_outline(name, suffix, data, origin))
    page: Paged = reader_of(suffix)(data, allowance)
    lines = None if page.numbers is None else encode_pages(page.numbers, page.labels)
    return _Read(page.outline, lines, page.pages, page.unread)


def _outline(name: str, suffix: str, data: bytes, origin: Origin | None) -> tuple[Outline, str | None]:
    text = decode(data, html=_READERS.get(suffix) is read_html)
    convert = _CONVERTERS.get(suffix)
    neighbours = Neighbours(name, origin)
    if convert is None and suffix in (".txt", ".text") and _is_restructured(text, neighbours):
        convert = convert_restructured
    if suffix in API_SUFFIXES and is_openapi(text):
        convert = convert_openapi
    if suffix in CODE_SUFFIXES:
        convert = convert_docstrings
    if convert is None:
        outline = _READERS.get(suffix, read_plain)(text)
        same = outline.text == text
        return outline, "" if same else encode_lines(aligned(outline.text.split("\n"), text.split("\n")))
    page = convert(text, neighbours)
    outline = read_markdown(page.text)
    return _anchored(outline, page.anchors), "" if page.numbers is None else encode_lines(page.numbers)


def _is_restructured(text: str, neighbours: Neighbours) -> bool:
    """By its signs, or because the conf.py above it says so."""
    if is_restructured(text):
        return True
    conf = neighbours.above("conf.py")
    return conf is not None and has_text_pages(conf[1])


def _anchored(outline: Outline, anchors: dict[int, str]) -> Outline:
    """Headings called as their author did: by the line they stand in."""
    if anchors:
        starts = list(accumulate(map(len, split_lines(outline.text)), initial=0))
        for place, heading in enumerate(outline.headings):
            anchor = anchors.get(bisect_right(starts, heading.start) - 1, "")
            outline.headings[place] = heading._replace(anchor=anchor or heading.anchor)
    return outline


def _labelled(heading: Heading) -> Heading:
    return heading._replace(title=label(heading.title), anchor=label(heading.anchor))


def _body(outline: Outline) -> int:
    """Where front matter ends."""
    first = outline.blocks[0] if outline.blocks else None
    return first.end if first and first.kind == "front_matter" else 0
