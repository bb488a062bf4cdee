"""PPTX: a slide is a page; its title is a heading, its speaker's notes stand under it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from xml.etree.ElementTree import Element

from wekadocs_corpus.documents.decoding import Unreadable
from wekadocs_corpus.documents.html import read_html
from wekadocs_corpus.documents.paged import Allowance, Paged, UnreadPage

from .archive import Archive
from .joining import join
from .word import relations
from .xml import parsed

_MAIN = "ppt/presentation.xml"
_ASIDE = frozenset({"dt", "ftr", "sldNum", "hdr", "sldImg"})  # kinds of places for dates, numbers, footers
_DEEPEST = 5


def read_slides(data: bytes, allowance: Allowance | None = None) -> Paged:
    archive = Archive(data, "PowerPoint presentation (.pptx)")
    names, unread, parts = _slides(archive), list[UnreadPage](), []
    for number, name in enumerate(names):
        try:
            (allowance or Allowance()).check()
            parts.append((number, read_html(_slide(archive, name, number + 1))))
        except Unreadable as error:
            unread.append(UnreadPage(number + 1, str(error)))
    if names and len(unread) == len(names):
        raise Unreadable(f"none of its {len(names):,} slides can be read: {unread[0].reason}")
    outline, numbers = join(parts)
    return Paged(outline, numbers, len(names), unread=tuple(unread))


def _slides(archive: Archive) -> list[str]:
    """In the order they are shown."""
    links = relations(archive, _MAIN)
    root = parsed(archive.read(_MAIN))
    listed = root.find("sldIdLst")
    wanted = [links.get(_relation(each), ("", ""))[0] for each in listed] if listed is not None else []
    return [name for name in wanted if name]


def _relation(element: Element) -> str:
    """Its `r:id`; `id` alone is a number."""
    return next((value for value in element.attrib.values() if value.startswith("rId")), element.get("id", ""))


def _slide(archive: Archive, name: str, number: int) -> str:
    root = parsed(archive.read(name))
    shapes = list(_shapes(root))
    title = next((_joined(each) for each in shapes if _place(each) in ("title", "ctrTitle")), "")
    body = [_shown(each) for each in shapes if _place(each) not in ("title", "ctrTitle") and _place(each) not in _ASIDE]
    notes = _notes(archive, name)
    said = f"<p>Notes: {notes}</p>" if notes else ""
    return f"<h2>{title or f'Slide {number}'}</h2>{''.join(body)}{said}"


def _shapes(element: Element) -> Iterator[Element]:
    """Shapes and tables, those in groups too."""
    for each in element:
        if each.tag in ("sp", "graphicFrame"):
            yield each
        else:
            yield from _shapes(each)


def _place(shape: Element) -> str:
    """What the layout means it for: title, body, …"""
    found = next(shape.iter("ph"), None)
    return found.get("type", "body") if found is not None else ""


def _shown(shape: Element) -> str:
    table = next(shape.iter("tbl"), None)
    if table is not None:
        rows = ["".join([f"<td>{_joined(cell)}</td>" for cell in row.iter("tc")]) for row in table.iter("tr")]
        return "<table>" + "".join([f"<tr>{row}</tr>" for row in rows]) + "</table>"
    listed = _place(shape) in ("body", "subTitle", "obj")
    paragraphs = [(each, words) for each in shape.iter("p") if (words := _words(each)).strip()]
    if listed and len(paragraphs) > 1:
        return "".join([_item(each, words) for each, words in paragraphs])
    return "".join([f"<p>{words}</p>" for _, words in paragraphs])


def _item(paragraph: Element, words: str) -> str:
    properties = paragraph.find("pPr")
    level = properties.get("lvl", "0") if properties is not None else "0"
    depth = min(_DEEPEST, int(level)) if level.isdecimal() else 0
    return "<ul>" + "<li><ul>" * depth + f"<li>{words}</li>" + "</ul></li>" * depth + "</ul>"


def _words(paragraph: Element) -> str:
    parts = []
    for each in paragraph.iter():
        if each.tag == "t":
            parts.append(escape(each.text or "", quote=False))
        elif each.tag in ("br", "tab"):
            parts.append(" ")
    return "".join(parts)


def _joined(element: Element) -> str:
    return " ".join([words for each in element.iter("p") if (words := _words(each)).strip()])


def _notes(archive: Archive, slide: str) -> str:
    for target, kind in relations(archive, slide).values():
        data = archive.find(target) if kind.endswith("/notesSlide") else None
        if data is not None:
            shapes = [each for each in _shapes(parsed(data)) if _place(each) == "body"]
            return " ".join([_joined(each) for each in shapes]).strip()
    return ""
