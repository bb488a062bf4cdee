"""DOCX: headings, lists, tables, links and notes as Word shows them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from xml.etree.ElementTree import Element

from wekadocs_corpus.documents.html import read_html
from wekadocs_corpus.documents.paged import Allowance, Paged

from .archive import Archive, beside
from .numbering import Numbering
from .styles import Styles
from .xml import parsed

_MAIN = "word/document.xml"
_ALONE = {"tab": " ", "br": "<br>", "cr": "<br>", "noBreakHyphen": "-", "softHyphen": "", "ptab": " "}


def read_word(data: bytes, allowance: Allowance | None = None) -> Paged:  # noqa: ARG001 (what every reader is given)
    """Without page numbers: where pages end is decided by whoever prints it."""
    archive = Archive(data, "Word document (.docx)")
    main = _main(archive)
    document = _Document(archive, main)
    outline = read_html(document.html())
    title = _core(archive).get("title", "").strip()
    outline.title = outline.title or title
    if title:
        outline.front_matter = {"title": title}
    return Paged(outline, None)


def _main(archive: Archive) -> str:
    """What the package says is its document."""
    for target, kind in relations(archive, "").values():
        if kind.endswith("/officeDocument") and target in archive:
            return target
    return _MAIN


def relations(archive: Archive, name: str) -> dict[str, tuple[str, str]]:
    """What a part refers to: id → (name of the part or address, kind)."""
    folder, _, last = name.rpartition("/")
    data = archive.find(f"{folder}/_rels/{last}.rels".lstrip("/"))
    if data is None:
        return {}
    found = {}
    for each in parsed(data):
        target, outside = each.get("Target", ""), each.get("TargetMode") == "External"
        found[each.get("Id", "")] = (target if outside else beside(name, target), each.get("Type", ""))
    return found


def _core(archive: Archive) -> dict[str, str]:
    data = archive.find("docProps/core.xml")
    return {each.tag: each.text or "" for each in parsed(data)} if data else {}


class _Document:
    """One document as HTML."""

    def __init__(self, archive: Archive, main: str) -> None:
        folder = main.rpartition("/")[0]
        self._body = parsed(archive.read(main)).find("body")
        self._links = relations(archive, main)
        self._styles = Styles(archive.find(f"{folder}/styles.xml"))
        self._numbering = Numbering(archive.find(f"{folder}/numbering.xml"))
        self._notes = {kind: _notes(archive.find(f"{folder}/{kind}s.xml"), kind) for kind in ("footnote", "endnote")}
        self._asked: list[tuple[str, str]] = []  # notes in the order they are referred to
        self._boxes: list[Element] = []  # of text, that hang on the paragraph which is read

    def html(self) -> str:
        blocks = [self._block(each) for each in self._body] if self._body is not None else []
        return "<html><body>" + "".join(blocks) + "".join(self._note(each) for each in self._asked) + "</body></html>"

    def _block(self, element: Element) -> str:
        if element.tag == "p":
            return self._paragraph(element)
        if element.tag == "tbl":
            return self._table(element)
        if element.tag in ("sdt", "sdtContent", "customXml", "ins", "smartTag"):
            return "".join([self._block(each) for each in element])
        return ""

    def _paragraph(self, element: Element) -> str:
        words = self._inline(element)
        boxes, self._boxes = self._boxes, []
        shown = self._shown(element, words) if words.strip() else ""
        return shown + "".join([self._block(each) for box in boxes for each in box])

    def _shown(self, element: Element, words: str) -> str:
        properties = element.find("pPr")
        style = _value(properties, "pStyle")
        level = self._styles.heading(style) or _outline(properties)
        if level:
            return f"<h{level}>{words}</h{level}>"
        item = self._numbering.item(properties, self._styles.numbering(style))
        if item is not None:
            depth, ordered = item
            tag = "ol" if ordered else "ul"
            number = f' start="{self._numbering.next(depth)}"' if ordered else ""
            opened, closed = "<ul><li>" * depth, "</li></ul>" * depth
            return f"{opened}<{tag}{number}><li>{words}</li></{tag}>{closed}"
        self._numbering.begin_anew()
        if self._styles.is_code(style):
            return f"<pre>{words.replace('<br>', chr(10))}</pre>"
        return f"<p>{words}</p>"

    def _inline(self, element: Element) -> str:
        return "".join(self._words(element))

    def _words(self, element: Element) -> Iterator[str]:
        """What was deleted in a tracked change, what is hidden, and fields' instructions, are not shown."""
        for each in element:
            tag = each.tag
            if tag == "r" and _is_hidden(each):
                continue
            if tag == "t":
                yield escape(each.text or "", quote=False)
            elif tag in _ALONE:
                yield _ALONE[tag]
            elif tag == "hyperlink":
                yield self._link(each)
            elif tag in ("footnoteReference", "endnoteReference"):
                yield self._reference(tag.removesuffix("Reference"), each.get("id", ""))
            elif tag in ("drawing", "pict"):
                self._boxes += each.iter("txbxContent")
                yield _picture(each)
            elif tag not in ("pPr", "rPr", "del", "moveFrom", "instrText", "delText", "object", "Fallback"):
                yield from self._words(each)

    def _link(self, element: Element) -> str:
        target = self._links.get(element.get("id", ""), ("", ""))[0]
        words = self._inline(element)
        return f'<a href="{escape(target)}">{words}</a>' if target.startswith(("http://", "https://")) else words

    def _reference(self, kind: str, number: str) -> str:
        if number not in self._notes[kind]:
            return ""
        self._asked.append((kind, number))
        return f"[{len(self._asked)}]"

    def _note(self, asked: tuple[str, str]) -> str:
        kind, number = asked
        words = " ".join([self._inline(each) for each in self._notes[kind][number].iter("p")])
        return f"<p>[{self._asked.index(asked) + 1}] {words}</p>"

    def _table(self, element: Element) -> str:
        rows = []
        above: dict[int, str] = {}  # by column, of cells that reach down
        for row in _within(element, "tr"):
            column, cells = 0, list[str]()
            for cell in _within(row, "tc"):
                properties = cell.find("tcPr")
                words = self._cell(cell) or (above.get(column, "") if _reaches_down(properties) else "")
                above[column] = words
                given = _value(properties, "gridSpan")
                wide = int(given) if given.isdecimal() and len(given) < 4 else 1
                cells.append(f'<td colspan="{wide}">{words}</td>')
                column += wide
            rows.append("<tr>" + "".join(cells) + "</tr>")
        return f"<table>{''.join(rows)}</table>"

    def _cell(self, cell: Element) -> str:
        """With what stands in a table, or in a box, within it."""
        words = [self._inline(each) for each in cell.iter("p")]
        self._boxes = []
        return "<br>".join([each for each in words if each.strip()])


def _notes(data: bytes | None, kind: str) -> dict[str, Element]:
    if data is None:
        return {}
    proper = [each for each in parsed(data) if each.tag == kind and each.get("type") in (None, "normal")]
    return {each.get("id", ""): each for each in proper}


def _within(element: Element, tag: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, not those of a table in it."""
    for each in element:
        if each.tag == tag:
            yield each
        elif each.tag in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _within(each, tag)


def _reaches_down(properties: Element | None) -> bool:
    """Whether this cell is the rest of the one above it."""
    merged = properties.find("vMerge") if properties is not None else None
    return merged is not None and merged.get("val") != "restart"


def _is_hidden(run: Element) -> bool:
    vanish = run.find("rPr/vanish")
    return vanish is not None and vanish.get("val") not in ("0", "false", "off")


def _picture(element: Element) -> str:
    for each in element.iter("docPr"):
        return escape(each.get("descr", "") or "", quote=False)
    return ""


def _value(properties: Element | None, name: str) -> str:
    found = properties.find(name) if properties is not None else None
    return found.get("val", "") if found is not None else ""


def _outline(properties: Element | None) -> int:
    level = _value(properties, "outlineLvl")
    return int(level) + 1 if level.isdecimal() and int(level) < 6 else 0
