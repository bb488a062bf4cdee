"""Markdown in its flavours; headings are held against markdown-it-py."""
# ruff: noqa: E501  # the samples are what they are

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wekadocs_corpus.documents import read_document
from wekadocs_corpus.documents.formats.markdown import read_markdown
from wekadocs_corpus.documents.searchable import searchable

COMMONMARK = MarkdownIt("commonmark").enable("table")


def parse(text, name="a.md"):
    return read_document(name, text.encode(), "document")


def headings(text):
    return [(section.level, section.title) for section in parse(text).sections if section.level]


def kinds(text):
    return [block.kind for block in read_markdown(text).blocks]


# Left out on purpose: what is indented in lists and what follows a link's definition, where this scan is more lenient,
# and lone tags that open no block (</pre>, <Tabs>), after which the next line stays Markdown here.
# fmt: off
LINES = st.sampled_from([
    "# One", "## Two ##", "####### seven", "#none", "text here", "more *text*", "===", "---", "***", "- item", "1. first",
    "2. second", "   inside", "    deep", "```", "```js", "~~~", "> quote", "", "", "", "| a | b |", "| - | - |", "<div>",
    "</div>", "<!-- c", "-->", "<pre>", "\tcode", "* * *", "+ plus", "`code`",
])
# fmt: on


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=10))
def test_headings_at_the_top_level_are_those_of_commonmark(lines):
    text = "\n".join(["para", "", *lines])  # so that no line is front matter
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tokens = COMMONMARK.parse(text)
    expected = [
        (int(token.tag[1]), starts[token.map[0]])
        for token in tokens
        if token.type == "heading_open" and not token.level
    ]
    found = [(heading.level, heading.start) for heading in read_markdown(text).headings]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title\n=====\n\nPart\n----\n", [(1, "Title"), (2, "Part")]),
        ("# `code` and [a link](x.md) **bold** <b>tag</b> &amp; \\* ##\n", [(1, "code and a link bold tag & *")]),
        ("```\n# no\n```\n# yes\n", [(1, "yes")]),
        ("    # no\n\n# yes\n", [(1, "yes")]),
        ("- item\n\n  ```\n  # no\n  ```\n\n# yes\n", [(1, "yes")]),
        ("<!--\n# no\n-->\n# yes\n", [(1, "yes")]),
        ("<pre>\n# no\n</pre>\n# yes\n", [(1, "yes")]),
        ("~~~~\n~~~\n# no\n~~~~\n# yes\n", [(1, "yes")]),
        ('<div align="center">\n<h1>Logo</h1>\n</div>\n\n## Two\n', [(1, "Logo"), (2, "Two")]),
        ("<Tabs>\n# In a component\n</Tabs>\n", [(1, "In a component")]),
        ('{% tab title="x" %}\n## In a tab\n{% endtab %}\n', [(2, "In a tab")]),
        (":::note\n### In a note\n:::\n", [(3, "In a note")]),
        ("#\n", [(1, "")]),
        ("```\na\n    ```\nb\n```\n# yes\n", [(1, "yes")]),
        ("1. a\n   ```\nsloppy\n   ```\n\n# yes\n", [(1, "yes")]),
    ],
)
def test_headings_in_every_flavour(text, expected):
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What's new in 4.4?", "whats-new-in-44"),
        ("Größe & Maß", "größe--maß"),
        ("漢字 の 見出し", "漢字-の-見出し"),
        ("Custom {#my-id}", "my-id"),
        ("Custom {: #kramdown .x }", "kramdown"),
        ('GitBook <a href="#gb" id="gb"></a>', "gb"),
        ("!!!", "section"),
    ],
)
def test_anchors_are_those_of_github_unless_given(heading, anchor):
    (section,) = parse(f"# {heading}\n\nText.\n").sections
    assert section.anchor == anchor
    assert "{" not in section.title
    assert "<" not in section.title


def test_anchors_are_unique_even_where_authors_counted_themselves():
    parsed = parse("# Usage\n\n# Usage 1\n\n# Usage\n\n# Usage\n")
    assert [section.anchor for section in parsed.sections] == ["usage", "usage-1", "usage-2", "usage-3"]


def test_sections_form_a_tree():
    parsed = parse("# A\n\n### B\n\n## C\n\n#### D\n\n# E\n")
    titles = {section.id: section.title for section in parsed.sections}
    assert [titles.get(section.parent_id) for section in parsed.sections] == [None, "A", "A", "C", None]
    assert parsed.sections[3].headings == ("A", "C", "D")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("para\n\n- a\n- b\n  more\n\n  still b\n\npara\n", ["prose", "list", "list", "prose"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\npara\n", ["table", "prose"]),
        ("a | b\n--|--\n1 | 2\n", ["table"]),
        ('!!! note "T"\n    Inside.\n\n    ```\n    code\n    ```\n\nOutside\n', ["list", "prose"]),
        ('=== "Tab"\n\n    Inside.\n\n=== "Other"\n\n    Inside.\n', ["list", "list"]),
        ("<table><tr><td>x</td></tr></table>\n\npara\n", ["table", "prose"]),
        ("    code\n\n    more\n\npara\n", ["code", "prose"]),
        ("> quote\n> more\nlazy\n\npara\n", ["prose", "prose"]),
        ("para\n```\ncode\n```\npara\n", ["prose", "code", "prose"]),
        ("1. a\n2. b\n\n   ```\n   code\n   ```\n3. c\n", ["list", "list", "list"]),
    ],
)
def test_blocks_are_what_they_are(text, expected):
    assert kinds(text) == expected


LINKS = """# Links to [x](h.md)

[a](b.md), [c][d], [d], [e](<a b.md> "title"), [f](x(1).md), [![badge](x.png)](y.md#z), <https://q.r/s>, <other.md>,
<a href="z.html#k">text</a>, https://bare.org/x. But ![image](i.png), `[code](no.md)`, ``[`](no.md)``, [undefined].

```
[no](no.md)
```

[d]: dd.md "title"
"""


def test_links_are_found_with_their_places():
    parsed = parse(LINKS)
    targets = [link.target for link in parsed.links]
    assert targets == [
        "h.md", "b.md", "dd.md", "dd.md", "a b.md", "x(1).md", "y.md#z", "https://q.r/s", "other.md", "z.html#k", "https://bare.org/x",
    ]  # fmt: skip
    assert parsed.text[parsed.links[1].start : parsed.links[1].end] == "[a](b.md)"
    assert parsed.links[2].text == "c"


def test_plain_text_has_underlined_headings():
    parsed = parse("Title\n=====\n\nText\n\nPart\n----\n\nText\n", "a.txt")
    assert [(section.level, section.title) for section in parsed.sections] == [(1, "Title"), (2, "Part")]
    assert parsed.title == "Title"


@pytest.mark.parametrize(
    "text", ["# not a heading\n", "Name   Size\n-----------\na  1\n", "text\ntext\n----\n", "a\n-------\n"]
)
def test_other_underlined_lines_of_plain_text_are_none(text):
    assert [section.level for section in parse(text, "a.txt").sections] == [0]


def test_restructured_text_in_a_file_of_plain_text_is_read_as_such():
    parsed = parse("Settings\n========\n\n.. setting:: DEBUG\n\nSee :doc:`other`.\n", "ref/settings.rst.txt")
    assert parsed.title == "Settings" and [link.target for link in parsed.links] == ["other"]


def test_a_page_under_the_heading_of_its_site_is_called_by_its_own():
    assert (
        parse("<h1>Site</h1>\n\n## Content-Type Parser\n\nText\n", "docs/ContentTypeParser.md").title
        == "Content-Type Parser"
    )
    assert parse("# Guide\n\n## Usage\n\nText\n", "docs/intro.md").title == "Guide"


def test_data_that_a_component_shows_is_one_block_and_can_be_found():
    data = "{ name: 'delay', type: 'Array<number>', description: 'How long to wait.' }"
    parsed = parse(
        f"# F\n\n<Table\n  content={{[\n    {data},\n    {data.replace('delay', 'size')},\n  ]}}\n/>\n\nAfter.\n",
        "a.mdx",
    )
    found = [searchable(parsed, chunk) for chunk in parsed.chunks]
    assert any("delay" in text and "How long to wait" in text and "size" in text for text in found)
