"""What holds for every document whatsoever: chunks cover it, ids are its own and stay, nothing is lost."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.documents import read_document

WORDS = st.sampled_from(
    [
        "drive",
        "cluster",
        "mount",
        "the",
        "filesystem",
        "of",
        "a",
        "container",
        "漢字かな",
        "مرحبا",
        "שלום",
        "👩\u200d💻🚀",
        "café",
        "e.g.",
        "v4.2",
        "`code`",
        "**bold**",
        "<name>",
        "|",
        "---",
        "[link](other.md)",
        "![img](x.png)",
        "<b>html</b>",
        "{%",
        "hint",
        "%}",
        "&amp;",
        "\\*",
        "\u2028",
        "\x0b",
        "\x0c",
        "\x00",
        "\ufeff",
        "_x_",
        "$x$",
        ":::note",
        "!!!",
    ]
)
LINE = st.lists(WORDS, max_size=14).map(" ".join)
# fmt: off
OPENING = st.sampled_from([
    "", "", "", "# ", "## ", "###### ", "- ", "  * ", "1. ", "    ", "\t", "> ", "```", "~~~", "   ```js ", "| ",
    "|---|", "---", "===", "!!! note ", "    ", ":::note ", "{% tab %}", "<details>", "<!-- ", " -->", "<Tabs>",
    "import a from 'b'", "+++", "{",
])
# fmt: on
ENDS = st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r"])
TEXT = st.lists(st.tuples(OPENING, LINE, ENDS).map("".join), max_size=40).map("".join) | st.text(max_size=300)
NAME = st.sampled_from(["a.md", "b/c.mdx", "d.txt", "e.rst", "f.html", "g"])


def parse(text, name="a.md"):
    return read_document(name, text.encode("utf-8", "surrogatepass"), "document")


def assert_whole(parsed):
    text, chunks, sections = parsed.text, parsed.chunks, parsed.sections
    assert "".join(text[chunk.start : chunk.end] for chunk in chunks) == text
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert all(before.end == after.start for before, after in pairwise(chunks))
    assert "".join(text[section.start : section.end] for section in sections) == text
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert len({section.id for section in sections}) == len({section.anchor for section in sections}) == len(sections)
    assert {chunk.section_id for chunk in chunks} <= {section.id for section in sections}
    if text.strip():
        assert all(text[chunk.start : chunk.end].strip() for chunk in chunks)
    for link in parsed.links:
        assert 0 <= link.start < link.end <= len(text)


@settings(max_examples=80, deadline=None)
@given(TEXT, NAME)
def test_chunks_and_sections_cover_any_text_without_gap_or_overlap(text, name):
    try:
        parsed = parse(text, name)
    except ValueError as refused:  # random text can be as full of control characters as a program
        assert "binary" in str(refused)
        return
    assert_whole(parsed)
    assert parsed == parse(text, name)
    parsed.text.encode("utf-8")


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=300), NAME)
def test_no_bytes_break_a_reader(data, name):
    try:
        assert_whole(read_document(name, data, "document"))
    except ValueError as refused:
        assert "binary" in str(refused)


PARAGRAPH = st.lists(
    st.sampled_from(["weka", "drive", "mount", "cluster", "node", "the", "of", "and", "with"]), min_size=3, max_size=90
).map(" ".join)
BODY = st.lists(PARAGRAPH, min_size=1, max_size=5).map("\n\n".join)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(BODY, min_size=2, max_size=5),
    st.integers(0, 4),
    st.sampled_from(["## New\n\nAnother.\n\n", "", "# Top\n\nText.\n\n"]),
)
def test_ids_stay_under_edits_elsewhere(bodies, edited, change):
    sections = [f"## Part {number}\n\n{body}\n\n" for number, body in enumerate(bodies)]
    kept = [section for number, section in enumerate(sections) if number != edited % len(sections)]
    changed = [*sections]
    changed[edited % len(sections)] = change

    def ids(parsed):
        starts = [(parsed.text.index(section), len(section)) for section in kept]
        inside = [chunk for chunk in parsed.chunks for start, length in starts if start <= chunk.start < start + length]
        return [chunk.id for chunk in inside]

    before = ids(parse("# Title\n\nIntro.\n\n" + "".join(sections)))
    after = ids(parse("# Other title\n\nAnother intro!\n\n" + "".join(changed)))
    assert before == after
    assert len(before) >= len(kept)


def test_a_heading_put_above_leaves_the_ids_of_its_twins_alone():
    below = "## Usage\n\nCall it.\n\n## Usage\n\nCall it again.\n"
    before, after = parse("# T\n\nText.\n\n" + below), parse("# T\n\nText.\n\n## Usage\n\nFirst of all.\n\n" + below)
    assert {chunk.id for chunk in before.chunks} < {chunk.id for chunk in after.chunks}


def words(parsed):
    return [len(parsed.text[chunk.start : chunk.end].split()) for chunk in parsed.chunks]


def test_chunks_come_near_the_wanted_size():
    text = "# T\n\n" + "\n\n".join("Some words that make a paragraph of ten words each. " * 3 for _ in range(60))
    sizes = words(parse(text))
    assert max(sizes) <= 260
    assert min(sizes[:-1]) >= 140


@pytest.mark.parametrize(
    "block", ["```\n{}\n```", "| a | b |\n| - | - |\n{}", "- {}"], ids=["code", "table", "list item"]
)
def test_what_fits_a_chunk_is_not_torn(block):
    lines = [
        f"| line {number} | of six words |" if "|" in block else f"  line {number} of six words" for number in range(30)
    ]
    whole = block.format("\n".join(lines).strip())
    parsed = parse(f"# T\n\n{'Before it. ' * 60}\n\n{whole}\n\n{'After it. ' * 60}\n")
    assert any(whole in parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks)
    assert not any(chunk.continues for chunk in parsed.chunks)


@pytest.mark.parametrize(
    "block", ["```\n{}\n```", "| a | b |\n| - | - |\n{}", "- first\n\n{}"], ids=["code", "table", "list item"]
)
def test_what_does_not_fit_is_cut_between_lines_and_marked(block):
    lines = [f"  | line {number} | of six words |" for number in range(200)]
    parsed = parse("# T\n\nBefore.\n\n" + block.format("\n".join(lines)) + "\n\nAfter.\n")
    inner = [chunk for chunk in parsed.chunks if chunk.continues]
    assert len(inner) >= 3
    assert all(parsed.text[chunk.start - 1] == "\n" for chunk in inner)
    assert max(words(parsed)) <= 260
    assert not parsed.chunks[0].continues


def test_a_long_list_item_is_cut_between_what_it_holds():
    code = "   ```\n" + "   some code line\n" * 40 + "   ```\n"
    parsed = parse("1. Step one\n\n" + "   " + "Words before. " * 70 + "\n\n" + code + "\n   After.\n\n2. Step two\n")
    assert any(code in parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks)


def test_a_heading_without_a_body_goes_with_the_next_section():
    parsed = parse("# Title\n\n## Part\n\n### Detail\n\nText.\n\n## Last\n")
    assert [parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks] == [parsed.text]
    (section,) = [section for section in parsed.sections if section.id == parsed.chunks[0].section_id]
    assert section.headings == ("Title", "Part", "Detail")


def test_a_label_begins_the_chunk_of_what_it_labels():
    text = (
        "# T\n\n"
        + "Some words here. " * 58
        + '\n\n{% hint style="info" %}\n'
        + "Some hint here. " * 40
        + "\n{% endhint %}\n\nAfter.\n"
    )
    parsed = parse(text)
    assert parsed.text.count("Info: Some hint") == 1
    assert [chunk.start for chunk in parsed.chunks] == [0, parsed.text.index("Info: Some hint")]


@pytest.mark.parametrize(
    "unit", ["漢字かなまじり文", "मराठी", "👩‍💻", "word ", "A", "x" * 30 + "\n", "aGVsbG8g"], ids=str
)
def test_one_endless_line_still_gives_small_chunks(unit):
    parsed = parse(unit * (60_000 // len(unit)))
    assert_whole(parsed)
    assert max(chunk.tokens for chunk in parsed.chunks) < 1_000
    assert max(chunk.end - chunk.start for chunk in parsed.chunks) < 2_500


@pytest.mark.parametrize(
    ("text", "number"), [("", 0), ("\n\n", 1), ("Hi", 1), ("---\ntitle: A\n---\n", 1), ("# H\n", 1), ("---\n", 1)]
)
def test_small_documents_are_whole(text, number):
    parsed = parse(text)
    assert_whole(parsed)
    assert len(parsed.chunks) == number
    assert len(parsed.sections) == 1


def test_text_before_the_first_heading_is_a_section_of_its_own():
    parsed = parse("Before.\n\n# Title\n\nAfter.\n")
    assert [(section.level, section.title, section.anchor) for section in parsed.sections] == [
        (0, "", ""),
        (1, "Title", "title"),
    ]
    assert len(parsed.chunks) == 2


def test_front_matter_is_a_chunk_of_its_own_kind():
    parsed = parse("---\ntitle: A\n---\n\n# Title\n\nText.\n")
    assert [chunk.kind for chunk in parsed.chunks] == ["front_matter", "prose"]
    assert re.match(r"# Title", parsed.text[parsed.chunks[1].start :])
    assert [section.title for section in parsed.sections] == ["Front matter", "Title"]
    assert [section.title for section in parse("---\ntitle: A\n---\nText.\n\n# Title\n").sections] == ["", "Title"]


def test_the_kind_is_what_most_of_a_chunk_is():
    parsed = parse(
        "# A\n\nText.\n\n```\n"
        + "some code here\n" * 9
        + "```\n\n# B\n\n- one item\n- two items\n\n# C\n\n| a | b |\n| - | - |\n| 1 | 2 |\n"
    )
    assert [chunk.kind for chunk in parsed.chunks] == ["code", "list", "table"]


@pytest.mark.parametrize(
    ("name", "text"), [("a.md", "\n\n# T\n\nx\n"), ("a.md", "\n\nT\n=\n\nx\n"), ("a.rst", "\n\nTitle\n=====\n\nx\n")]
)
def test_blank_lines_before_the_first_heading_belong_to_its_section(name, text):
    assert [section.start for section in parse(text, name).sections] == [0]
