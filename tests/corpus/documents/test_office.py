"""Word, PowerPoint and EPUB to what their readers see; hostile archives."""

from __future__ import annotations

import pytest
from made_office import archive, epub, item, paragraph, slides, table, word

from wekadocs_corpus.documents import Unreadable, read_document
from wekadocs_corpus.line_map import source_pages
from wekadocs_corpus.model import ParsedDocument


def read(data: bytes, name: str) -> ParsedDocument:
    return read_document(name, data, "id")


def test_a_word_document_keeps_headings_lists_tables_and_links() -> None:
    link = '<w:p><w:hyperlink r:id="rId9"><w:r><w:t>the site</w:t></w:r></w:hyperlink></w:p>'
    made = word(
        paragraph("Guide", "Heading1"),
        paragraph("Words &amp; more."),
        item("first"),
        item("second"),
        item("one", numbered=True),
        item("two", numbered=True),
        paragraph("Parts", "Heading2"),
        table(("Name", "Size"), ("a", "1")),
        link,
    )
    parsed = read(made, "guide.docx")
    assert [each.headings for each in parsed.sections] == [("Guide",), ("Guide", "Parts")]
    for words in ("Words & more.", "- first", "- second", "1. one", "2. two", "| Name | Size |", "| a | 1 |"):
        assert words in parsed.text
    assert "[the site](https://example.org/)" in parsed.text
    assert parsed.source_lines is None


def test_what_was_deleted_in_a_word_document_is_not_read() -> None:
    gone, new = "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>", "<w:ins><w:r><w:t>new</w:t></w:r></w:ins>"
    changed = f"<w:p><w:r><w:t>kept </w:t></w:r>{gone}{new}</w:p>"
    assert read(word(changed), "a.docx").text.strip() == "kept new"


def test_what_is_hidden_in_a_word_document_is_not_read() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret </w:t></w:r>"
    assert read(word(f"<w:p>{hidden}<w:r><w:t>seen</w:t></w:r></w:p>"), "a.docx").text.strip() == "seen"


def cell(words: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(words)}</w:tc>"


def test_cells_that_were_merged_keep_their_columns() -> None:
    wide, down, rest = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = [
        cell("Both", wide) + cell("Third"),
        cell("Group", down) + cell("b1") + cell("c1"),
        cell("", rest) + cell("b2") + f"<w:tc>{table(('inner one', 'inner two'))}</w:tc>",
    ]
    made = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    text = read(word(paragraph("Before."), made), "a.docx").text
    assert "| Both | | Third |\n| --- | --- | --- |\n| Group | b1 | c1 |\n| Group | b2 | inner one inner two |" in text
    assert text.count("inner one") == 1


def test_the_words_of_a_text_box_are_read_once() -> None:
    box = f"<w:txbxContent>{paragraph('In a box.')}</w:txbxContent>"
    twice = f"<w:AlternateContent><w:Choice><w:drawing>{box}</w:drawing></w:Choice><w:Fallback><w:pict>{box}</w:pict>"
    made = f"<w:p><w:r><w:t>Beside it.</w:t></w:r><w:r>{twice}</w:Fallback></w:AlternateContent></w:r></w:p>"
    old = f"<w:p><w:r><w:pict>{box.replace('In a', 'In an old')}</w:pict></w:r></w:p>"
    text = read(word(made, old), "a.docx").text
    assert text.split("\n\n")[:3] == ["Beside it.", "In a box.", "In an old box."]


def test_numbers_that_are_none_are_no_list() -> None:
    odd = '<w:numPr><w:ilvl w:val="\u00b2"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="\u00b2"/>'
    assert read(word(paragraph("Words.", more=odd)), "a.docx").text.strip() == "- Words."


def test_footnotes_stand_at_the_end() -> None:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    notes = f'<w:footnotes {space}><w:footnote w:id="2">{paragraph("As said elsewhere.")}</w:footnote></w:footnotes>'
    body = '<w:p><w:r><w:t>Said here</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    assert read(word(body, more={"word/footnotes.xml": notes}), "a.docx").text.split("\n\n")[:2] == [
        "Said here[1]",
        "[1] As said elsewhere.",
    ]


def test_a_slide_is_a_page_with_its_title_and_notes() -> None:
    parsed = read(slides(("Plan", ["begin", "go on"], "say hello"), ("End", ["thank you"], "")), "talk.pptx")
    assert [each.headings for each in parsed.sections] == [("Plan",), ("End",)]
    assert "- begin\n" in parsed.text and "Notes: say hello" in parsed.text
    start = parsed.text.index("thank you")
    found = source_pages(parsed.source_lines, parsed.text, start, start + 9)
    assert found is not None and (found.first, found.last, parsed.pages) == (2, 2, 2)


def test_a_book_is_its_chapters_in_order() -> None:
    parsed = read(epub("<h1>One</h1><p>First.</p>", "<h1>Two</h1><p>Second.</p>", title="The Book"), "book.epub")
    assert parsed.title == "The Book"
    assert [each.headings for each in parsed.sections] == [("One",), ("Two",)]
    assert parsed.text.index("First.") < parsed.text.index("Second.")


def test_a_broken_chapter_costs_itself_only() -> None:
    whole = epub("<p>First.</p>", "<p>Second.</p>")
    data = "<EncryptionMethod Algorithm='aes'/><CipherReference URI='OEBPS/c0.xhtml'/>"
    locked = f"<encryption><EncryptedData>{data}</EncryptedData></encryption>"
    parsed = read(epub("<p>First.</p>", "<p>Second.</p>", more={"META-INF/encryption.xml": locked}), "book.epub")
    assert parsed.text.strip() == "Second."
    assert "encrypted (DRM)" in parsed.unread[0].reason
    assert "First." in read(whole, "book.epub").text


BOMB = "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><a>&b;</a>"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", archive({"word/document.xml": BOMB}), "declares entities"),
        ("a.pptx", archive({"ppt/presentation.xml": BOMB}), "declares entities"),
        ("a.epub", archive({"META-INF/container.xml": BOMB}), "declares entities"),
        ("a.docx", archive({"word/document.xml": b"<a>" * 100_000}), "nested too deeply"),
        ("a.docx", archive({"word/document.xml": b" " * (200 << 20)}), "unpacked it has more than"),
        ("a.docx", archive({"other.xml": "<a/>"}), "it has no document.xml"),
        ("a.docx", b"PK\x03\x04 nothing", "cannot be unpacked"),
        ("a.docx", word(paragraph("x"))[:-40], "cannot be unpacked"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "opens with a password only"),
        ("a.docx", b"\xd0\xcf\x11\xe0 old", "Office 97"),
        ("a.epub", b"no zip", "it is no EPUB book"),
    ],
)
def test_hostile_archives_are_refused_by_what_is_wrong(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(data, name)


def test_names_that_lead_out_of_an_archive_lead_nowhere(tmp_path) -> None:
    chapter = '<item id="c" href="../../../../etc/passwd" media-type="application/xhtml+xml"/>'
    made = archive(
        {
            "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
            "b.opf": f'<p><manifest>{chapter}</manifest><spine><itemref idref="c"/></spine></p>',
            "../../evil.xhtml": "<p>x</p>",
        }
    )
    with pytest.raises(Unreadable, match="none of its 1 chapters can be read"):
        read(made, "book.epub")
    assert list(tmp_path.iterdir()) == []


def test_a_member_whose_header_lies_about_its_size_is_counted_as_it_is() -> None:
    whole = bytearray(archive({"word/document.xml": b" " * (200 << 20)}))
    place = whole.rindex(b"PK\x01\x02")
    whole[place + 24 : place + 28] = (10).to_bytes(4, "little")
    with pytest.raises(Unreadable):
        read(bytes(whole), "a.docx")
