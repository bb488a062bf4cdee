"""PDF files to what their readers see, with the page of everything."""

from __future__ import annotations

import pytest
from made_pdf import BOLD, Page, Words, lines, pdf

from wekadocs_corpus.documents import Unreadable, read_document
from wekadocs_corpus.documents.paged_formats import missing_library
from wekadocs_corpus.line_map import part_of, source_lines, source_pages
from wekadocs_corpus.model import ParsedDocument


def read(data: bytes, name: str = "paper.pdf") -> ParsedDocument:
    return read_document(name, data, "id")


def pages_of(parsed: ParsedDocument, words: str) -> tuple[int, int]:
    start = parsed.text.index(words)
    found = source_pages(parsed.source_lines, parsed.text, start, start + len(words))
    assert found is not None
    return found.first, found.last


def test_words_broken_at_a_lines_end_and_ligatures_are_whole() -> None:
    parsed = read(
        pdf(lines("A \ufb01rst line that is inter-", "national in its \ufb02avour, as well-", "known words are."))
    )
    assert "A first line that is international in its flavour, as well-known words are." in parsed.text


def test_a_word_that_a_page_ends_in_stands_on_that_page() -> None:
    parsed = read(pdf(lines("It is said in com-"), lines("pany of others. The end.")))
    assert "It is said in company\nof others. The end." in parsed.text
    assert pages_of(parsed, "company") == (1, 1)
    assert pages_of(parsed, "of others") == (2, 2)
    assert pages_of(parsed, "company\nof others") == (1, 2)


def test_running_heads_and_page_numbers_are_no_text() -> None:
    made = [
        lines(f"Journal of Things {n}", top=770)
        + lines(f"The text of page {n} is this.")
        + lines(str(n), x=300, top=40)
        for n in (11, 12, 13)
    ]
    parsed = read(pdf(*made))
    assert parsed.text.split("\n\n")[:3] == [f"The text of page {n} is this." for n in (11, 12, 13)]


def test_dots_that_lead_to_a_page_are_no_text_and_each_entry_is_a_line() -> None:
    parsed = read(
        pdf(lines("Calibration of the sensor . . . . . . . . . . . 2", "Disposal of it.................. iv"))
    )
    assert "Calibration of the sensor … 2\n\nDisposal of it … iv\n" in parsed.text


def test_rows_of_figures_at_the_foot_of_pages_are_text() -> None:
    made = [lines("Words.") + [(72 + 60 * k, 60, 11, str(n * k)) for k in range(1, 5)] for n in (3, 7)]
    parsed = read(pdf(*made))
    assert "12" in parsed.text and "28" in parsed.text


@pytest.mark.parametrize("by_line", [True, False])
def test_two_columns_are_read_one_after_the_other(by_line: bool) -> None:
    left = lines(*[f"left column number {k} has words" for k in range(6)], x=72)
    right = lines(*[f"right column number {k} has words" for k in range(6)], x=330)
    words = [each for pair in zip(left, right, strict=True) for each in pair] if by_line else [*left, *right]
    parsed = read(pdf([(72, 750, 18, "A title across both of the columns"), *words]))
    order = [parsed.text.index(f"{side} column number {k}") for side in ("left", "right") for k in range(6)]
    assert order == sorted(order)
    assert parsed.text.index("A title") < order[0]


def test_a_title_that_ends_within_the_gutter_makes_no_table_of_two_columns() -> None:
    left = lines(*[f"left column number {k} has words" for k in range(8)], x=72)
    right = lines(*[f"right column number {k} has words" for k in range(8)], x=320)
    title = [(72, 750, 20, "Salt Prices in Winter Harbours")]  # up to 318
    parsed = read(pdf([*title, *(each for pair in zip(left, right, strict=True) for each in pair)]))
    assert "|" not in parsed.text
    assert parsed.text.index("left column number 7") < parsed.text.index("right column number 0")


def test_a_sentence_goes_on_in_the_next_column_past_a_note_at_the_foot_of_the_first() -> None:
    left = lines(*[f"left column number {k} has words" for k in range(7)], "and then the mer-", x=72)
    right = lines("chants keep it for the spring.", *[f"right column number {k} has words" for k in range(7)], x=330)
    note = [(72, 80, 7, "1 See the ledger of 1743, folio 12.")]
    text = read(pdf([*left, *note, *right])).text
    assert "and then the merchants keep it for the spring." in text and "1 See the ledger of 1743" in text


def test_a_table_of_prose_keeps_its_rows_though_cells_take_several_lines() -> None:
    words = [*lines("Code", x=72), *lines("What it means for you", x=130), *lines("What is to be done about it", x=330)]
    top = 700.0
    for number in range(1, 7):
        words += lines(f"E00{number}", x=72, top=top, size=9)
        words += lines(
            f"The meaning of error {number} is", "told in two lines here.", x=130, top=top, size=9, leading=11
        )
        words += lines(
            f"Take step {number} of the", "remedy, then go on and", "look again.", x=330, top=top, size=9, leading=11
        )
        top -= 42
    text = read(pdf(words)).text
    for number in range(1, 7):
        meaning = f"The meaning of error {number} is told in two lines here."
        assert f"| E00{number} | {meaning} | Take step {number} of the remedy, then go on and look again. |" in text


def test_a_list_in_two_columns_is_no_table() -> None:
    def side(name: str, x: float) -> list[Words]:
        marks = [(x, 700 - 24 * n, 10.0, f"[{n}]") for n in range(1, 8)]
        told = [
            (x + 26, 700 - 24 * n - 11 * k, 10.0, f"{name} work {n} line {k} of it")
            for n in range(1, 8)
            for k in (0, 1)
        ]
        return marks + told

    text = read(pdf(side("left", 72) + side("right", 330))).text
    assert text.index("left work 7 line 1") < text.index("right work 1 line 0")


def test_a_large_number_before_a_line_makes_no_heading_of_it() -> None:
    body = lines(*[f"The words of line {n} are plain ones and go on to its end." for n in range(6)], top=720)
    items = [(72, 600 - 20 * n, 14, str(n)) for n in (1, 2)]
    items += [(90, 600 - 20 * n, 11, f"point {n} about the ledgers of the harbour") for n in (1, 2)]
    parsed = read(pdf([*body, *items]))
    assert "point 1 about the ledgers" in parsed.text and "#" not in parsed.text


def test_a_table_stays_one() -> None:
    rows = [("Name", "Size", "Colour of it"), ("alpha", "1", "red"), ("beta", "22", "blue")]
    cells = [(72 + 120 * x, 600 - 14 * y, 11, cell) for y, row in enumerate(rows) for x, cell in enumerate(row)]
    parsed = read(pdf(lines("Some words before the table, as there are.") + cells))
    assert (
        "| Name | Size | Colour of it |\n| --- | --- | --- |\n| alpha | 1 | red |\n| beta | 22 | blue |" in parsed.text
    )
    assert any(chunk.kind == "table" for chunk in parsed.chunks) or "|" in parsed.text


def test_bookmarks_are_the_section_paths() -> None:
    made = pdf(
        lines("Part One", size=11) + lines("What part one says first.", top=690),
        lines("1.1 Details", size=11) + lines("What the details are.", top=690),
        lines("Nothing here says the name of the part.", top=690),
        outline=[(1, "Part One", 1), (2, "Details", 2), (1, "Closing", 3)],
    )
    parsed = read(made)
    assert [(each.level, each.headings) for each in parsed.sections if each.level] == [
        (1, ("Part One",)),
        (2, ("Part One", "1.1 Details")),
        (1, ("Closing",)),
    ]
    assert pages_of(parsed, "Closing") == (3, 3)


def test_without_bookmarks_larger_and_bold_letters_are_headings() -> None:
    body = lines(*["Plain words of the body that go on for a while, as they do."] * 6, top=650)
    made = pdf(
        lines("The Title of It", size=20, top=740) + lines("1 Beginnings", size=14, top=690) + body,
        lines(BOLD + "Methods of it", top=720) + body,
    )
    parsed = read(made)
    assert parsed.title == "The Title of It"
    assert [each.headings for each in parsed.sections if each.level] == [
        ("The Title of It",),
        ("The Title of It", "1 Beginnings"),
        ("The Title of It", "1 Beginnings", "Methods of it"),
    ]


def test_pages_are_called_as_the_document_calls_them() -> None:
    made = pdf(lines("Preface."), lines("Text."), labels="0 << /S /r /St 4 >> 1 << /S /D /St 203 >>")
    parsed = read(made)
    found = source_pages(parsed.source_lines, parsed.text, 0, len(parsed.text))
    assert found is not None
    assert (found.first, found.last, found.first_name, found.last_name, found.are_named) == (1, 2, "iv", "203", True)
    assert source_lines(parsed.source_lines, parsed.text, 0, 1) is None
    second = part_of(parsed.source_lines, 2, 2)
    inside = source_pages(second, "Text.\n", 0, 5)
    assert inside is not None and inside.first_name == "203"
    assert "iv" not in (second or "")


def test_a_scanned_page_is_told_by_its_number_and_the_rest_is_read() -> None:
    parsed = read(pdf(lines("One."), Page(picture=True), Page(), lines("Four.")))
    assert [each.page for each in parsed.unread] == [2]
    assert "picture (a scan)" in parsed.unread[0].reason
    assert pages_of(parsed, "Four.") == (4, 4)
    assert parsed.pages == 4


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf(Page(picture=True), Page(picture=True)), "none of its 2 pages can be read: it has no text layer"),
        (pdf(Page()), "it has no text"),
        (pdf(lines("Secret."), password="x"), "it is encrypted and opens with a password only"),
        (b"%PDF-1.7\nnothing", "it is no PDF, or too damaged to be opened"),
        (b"plain words", "it is no PDF"),
        (b"", "it is no PDF"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(data)


def test_an_empty_password_opens_it() -> None:
    assert "Open words." in read(pdf(lines("Open words."), password="")).text


def test_a_truncated_file_gives_what_is_left_of_it() -> None:
    whole = pdf(*[lines(f"Words of page {n}.") for n in range(1, 9)])
    assert "Words of page 1." in read(whole[: whole.rindex(b"xref\n")]).text


def test_bookmarks_that_go_round_in_a_circle_end() -> None:
    whole = pdf(lines("Words."), outline=[(1, "One", 1), (1, "Two", 1)])
    number = whole.split(b"/First ")[1].split()[0]
    looped = whole.replace(b"/Prev " + number, b"/Next " + number)
    assert "Words." in read(looped).text


def test_text_that_is_turned_is_read_as_it_is_turned() -> None:
    turned = b"BT /F1 10 Tf 0 1 -1 0 %d 100 Tm (%s) Tj ET"
    content = b"\n".join(turned % (100 + 12 * n, b"turned line %d goes up" % n) for n in range(3))
    parsed = read(pdf(Page(raw=content)))
    assert "turned line 0 goes up turned line 1 goes up turned line 2 goes up" in parsed.text


def test_a_stamp_along_the_margin_does_not_cut_the_text_in_two() -> None:
    stamp = b"BT /F1 10 Tf 0 1 -1 0 30 300 Tm (arXiv stamp) Tj ET"
    parsed = read(pdf(Page(lines("One line of the text", "and the other line of it."), raw=stamp)))
    assert "One line of the text and the other line of it." in parsed.text
    assert parsed.text.rstrip().endswith("arXiv stamp")


def test_what_the_file_calls_itself_is_not_believed() -> None:
    made = pdf(
        lines("The True Title of It", size=20) + lines(*["Body words go on here."] * 4, top=600), info="/Title (x.tex)"
    )
    assert read(made).title == "The True Title of It"
    assert read(pdf(lines("Body words."), info="/Title ((anonymous))")).title == "Paper"


def test_a_missing_library_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    missing_library.cache_clear()
    monkeypatch.setattr("wekadocs_corpus.documents.paged_formats.find_spec", lambda name: None)
    try:
        with pytest.raises(Unreadable, match=r"pip install 'wekadocs-mcp\[documents\]'"):
            read(pdf(lines("Words.")))
    finally:
        missing_library.cache_clear()


def test_characters_that_nobody_sees_are_no_text() -> None:
    parsed = read(pdf(lines("What is se\u200ben \u202eis what\U000e0041 it says."), outline=[(1, "Sa\u200bid", 1)]))
    assert "What is seen is what it says." in parsed.text
    assert "\u200b" not in str(parsed)
