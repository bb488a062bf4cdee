"""A PDF to an outline, in a straight line: pages, order, paragraphs, headings, text with the page of each line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from wekadocs_corpus.documents.blocks import WITH_NEXT, Block, Heading, Outline
from wekadocs_corpus.documents.conversion.rows import table_lines
from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_corpus.documents.headings import LONGEST
from wekadocs_corpus.documents.paged import Allowance, Paged, UnreadPage

from .columns import in_order
from .headings import body_size, mark_headings
from .hyphens import Hyphens
from .layout import BULLETS, Line, Paragraph, Sheet
from .paragraphs import LEADERS, joined, paragraphs
from .pdfium import Pdf
from .running import without_running

_DOI = re.compile(r"\b10\.\d{4,9}/[-._;()/:a-z0-9<>]+", re.I)
_BULLET = re.compile(rf"[{BULLETS}]\s+")
_PART = re.compile(
    r"(?:\d+\.?\s+)?(?:introduction|abstract|contents|table of contents|summary|preface|keywords)\b", re.I
)
_FILE_NAME = re.compile(
    r"\.(?:docx?|tex|dvi|indd|qxd|pdf|odt|rtf|pages)\Z|^\(?(?:untitled|anonymous|unspecified)\b|^\W*\Z", re.I
)
_WRITTEN_BY = re.compile(r"^Microsoft (?:Word|PowerPoint) - ", re.I)


def read_pdf(data: bytes, allowance: Allowance | None = None) -> Paged:
    """What its reader sees; raises `Unreadable` where that is nothing."""
    pdf = Pdf(data)
    unread: list[UnreadPage] = []
    asides: dict[int, list[Line]] = {}
    sheets = _sheets(pdf, allowance or Allowance(), unread, asides)
    pages = [paragraphs(in_order(lines), number) for number, lines in enumerate(without_running(sheets))]
    if unread and len(unread) == len(pages):
        raise Unreadable(_nothing(unread))
    for number, lines in asides.items():
        pages[number] += [Paragraph(number, [line.settled()]) for line in lines]
    if not any(pages):
        raise Unreadable("it has no text")
    found = joined(pages)
    title = _title(pdf.metadata, found)
    mark_headings(found, list(pdf.bookmarks()))
    outline, numbers = _written(found)
    outline.front_matter = _facts(pdf.metadata, title, outline.text)
    labels = {number: label for number in range(len(pdf)) if (label := pdf.label(number)) not in ("", str(number + 1))}
    return Paged(outline, numbers, len(pdf), labels, tuple(unread))


def _sheets(
    pdf: Pdf, allowance: Allowance, unread: list[UnreadPage], asides: dict[int, list[Line]]
) -> Iterator[Sheet | None]:
    """Page after page; notes what cannot be read, and what is written in another direction."""
    for number in range(len(pdf)):
        sheet = None
        try:
            allowance.check()
            sheet = pdf.sheet(number)
        except Unreadable as error:
            unread.append(UnreadPage(number + 1, str(error)))
        if sheet is not None and sheet.asides:
            asides[number] = sheet.asides
        yield sheet


def _nothing(unread: Sequence[UnreadPage]) -> str:
    reasons = list(dict.fromkeys(each.reason for each in unread))
    pages = "its only page" if len(unread) == 1 else f"none of its {len(unread):,} pages"
    can = "cannot be read" if len(unread) == 1 else "can be read"
    return f"{pages} {can}: {'; '.join(reasons[:3])}"


def _written(found: Sequence[Paragraph]) -> tuple[Outline, list[int]]:
    """The text, how it is built, and for each of its lines the page."""
    outline = Outline("")
    hyphens = Hyphens(line for each in found for line in each.lines)
    written: list[str] = []
    numbers: list[int] = []
    length = 0
    for each in found:
        lines = _lines(each, hyphens)
        if not lines:
            continue
        text = "".join([f"{line}\n" for line, _ in lines]) + "\n"
        if each.level:
            title = lines[0][0].lstrip("# ")
            outline.headings.append(Heading(each.level, title[:LONGEST], "", length))
        kind = "heading" if each.level else each.kind
        outline.blocks.append(Block(kind, length, length + len(text), WITH_NEXT if each.level else 0))
        written.append(text)
        numbers += [*(page for _, page in lines), lines[-1][1]]
        length += len(text)
    outline.text = "".join(written)
    return outline, numbers


def _lines(each: Paragraph, hyphens: Hyphens) -> list[tuple[str, int]]:
    if each.kind == "table":
        return table_lines([(row, each.page) for row in each.rows])
    pages = [each.page, *(page for page, _ in each.goes_on)]
    texts = hyphens.text([each.lines, *(lines for _, lines in each.goes_on)])
    lines = [(LEADERS.sub(" … ", text), page) for text, page in zip(texts, pages, strict=True) if text]
    if each.level:
        return [("#" * each.level + " " + " ".join(texts), each.page)] if texts else []
    if each.kind == "list" and lines:
        lines[0] = (_BULLET.sub("- ", lines[0][0], count=1), lines[0][1])
    return lines


def _title(metadata: dict[str, str], found: Sequence[Paragraph]) -> str:
    """What the file says, if the first pages say it too; else what stands there in the largest letters."""
    said = " ".join(_WRITTEN_BY.sub("", metadata.get("Title", "")).split())
    sane = said if len(said) > 3 and not _FILE_NAME.search(said) else ""
    first = [each for each in found if each.page <= 1 and each.kind == "prose"]
    shown = "".join(filter(str.isalnum, " ".join([line.text for each in first for line in each.lines]).casefold()))
    if sane and "".join(filter(str.isalnum, sane.casefold())) in shown:
        return sane
    on_first = [each for each in first if each.page == 0 and len(each.lines) <= 4 and not _PART.match(each.first.text)]
    largest = max(on_first, key=lambda each: each.size, default=None)
    if largest is not None and largest.size >= 1.15 * body_size(found):
        return " ".join([line.text for line in largest.lines])[:LONGEST]
    return sane


def _facts(metadata: dict[str, str], title: str, text: str) -> dict[str, object]:
    doi = _DOI.search(" ".join(metadata.values())) or _DOI.search(text, 0, 6000)
    told = {"title": title, "author": metadata.get("Author", ""), "doi": doi[0].rstrip(".;,)>") if doi else ""}
    return {name: value for name, value in told.items() if value}
