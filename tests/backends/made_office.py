"""Word, PowerPoint and EPUB files made by hand, for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'


def archive(members: Mapping[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return out.getvalue()


def _links(*links: tuple[str, str, str]) -> str:
    made = "".join(
        f'<Relationship Id="{id}" Type="{_KIND}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if kind == 'hyperlink' else ''}/>"
        for id, kind, target in links
    )
    return f"<Relationships {_RELATIONS}>{made}</Relationships>"


def paragraph(text: str, style: str = "", more: str = "") -> str:
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{styled}{more}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def item(text: str, numbered: bool = False, depth: int = 0) -> str:
    number = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{2 if numbered else 1}"/></w:numPr>'
    return paragraph(text, more=number)


def table(*rows: tuple[str, ...]) -> str:
    made = "".join("<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>" for row in rows)
    return f"<w:tbl>{made}</w:tbl>"


def word(*blocks: str, more: Mapping[str, str | bytes] = {}) -> bytes:
    styles = "".join(f'<w:style w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>' for n in range(1, 4))
    levels = "".join(
        f'<w:abstractNum w:abstractNumId="{n}"><w:lvl w:ilvl="0"><w:numFmt w:val="{form}"/></w:lvl></w:abstractNum>'
        for n, form in ((1, "bullet"), (2, "decimal"))
    )
    numbers = "".join(f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n in (1, 2))
    return archive(
        {
            "_rels/.rels": _links(("rId1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {_W} {_R}><w:body>{''.join(blocks)}</w:body></w:document>",
            "word/_rels/document.xml.rels": _links(("rId9", "hyperlink", "https://example.org/")),
            "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
            "word/numbering.xml": f"<w:numbering {_W}>{levels}{numbers}</w:numbering>",
            **more,
        }
    )


def slides(*shown: tuple[str, list[str], str]) -> bytes:
    """Of (title, lines, notes) each."""
    members: dict[str, str | bytes] = {}
    listed, links = "", []
    for n, (title, lines, notes) in enumerate(shown, 1):
        listed += f'<p:sldId id="{255 + n}" r:id="rId{n}"/>'
        links.append((f"rId{n}", "slide", f"slides/slide{n}.xml"))
        body = _shape("title", [title]) + _shape("body", lines) + _shape("sldNum", [str(n)])
        members[f"ppt/slides/slide{n}.xml"] = f"<p:sld {_P} {_A}><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>"
        if notes:
            members[f"ppt/slides/_rels/slide{n}.xml.rels"] = _links(
                ("rId1", "notesSlide", f"../notesSlides/notesSlide{n}.xml")
            )
            members[f"ppt/notesSlides/notesSlide{n}.xml"] = (
                f"<p:notes {_P} {_A}><p:cSld><p:spTree>{_shape('body', [notes])}</p:spTree></p:cSld></p:notes>"
            )
    members["ppt/presentation.xml"] = f"<p:presentation {_P} {_R}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
    members["ppt/_rels/presentation.xml.rels"] = _links(*links)
    return archive(members)


def _shape(kind: str, lines: list[str]) -> str:
    words = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
    return f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr><p:txBody>{words}</p:txBody></p:sp>'


def epub(*chapters: str, title: str = "A book", more: Mapping[str, str | bytes] = {}) -> bytes:
    """Bodies of XHTML pages."""
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    return archive(
        {
            "META-INF/container.xml": '<container><rootfile full-path="OEBPS/book.opf"/></container>',
            "OEBPS/book.opf": f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>{title}</dc:title>'
            f"<dc:language>en</dc:language></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
            **{
                f"OEBPS/c{n}.xhtml": f"<html><head><title>x</title></head><body>{body}</body></html>"
                for n, body in enumerate(chapters)
            },
            **more,
        }
    )
