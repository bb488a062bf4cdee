"""HTML becomes Markdown-like text, in linear time whatever it is."""
# ruff: noqa: E501  # the samples are what they are

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.documents import read_document


def parse(text):
    return read_document("a.html", text.encode(), "document")


PAGE = """<!DOCTYPE html><html lang="en-US"><head><title>T &amp; x</title><style>a{}</style></head><body>
<nav><a href="x">menu</a></nav><div role="navigation">more menu</div>
<h1 id=top>Hello <code>World</code><a class="headerlink" href="#top">¶</a></h1>
<p>A <b>bold</b> word with <a href="b.html#c">a link</a>, 1 &lt; 2.<br>Second line</p>
<ul><li>One<ul><li>Nested</li></ul></li><li><p>Two</p><pre>code in
  li</pre></li></ul><ol start=3><li>three</li><li>four</li></ol>
<table><thead><tr><th>A<th>B</tr></thead><tr><td>1 <a href=q.html>q</a></td><td><p>x</p><p>y</p></td></tr></table>
<pre><code class="language-py">def f():
    return "&lt;b&gt;" # ```
</code></pre><section id="sec2"><h2>Two</h2>bare text<script>var x="<p>";</script></section></body></html>"""

TEXT = """# Hello `World`

A bold word with [a link](b.html#c), 1 < 2.
Second line

- One
  - Nested
- Two
  ```
  code in
    li
  ```

3. three
4. four

| A | B |
| --- | --- |
| 1 [q](q.html) | x y |

````py
def f():
    return "<b>" # ```
````

## Two

bare text
"""


def test_a_page_becomes_text():
    parsed = parse(PAGE)
    assert parsed.text.rstrip() == TEXT.rstrip()
    assert parsed.title == "Hello World"
    assert parsed.language == "en"
    assert [(section.level, section.title, section.anchor) for section in parsed.sections] == [
        (1, "Hello World", "top"),
        (2, "Two", "sec2"),
    ]
    assert [parsed.text[link.start : link.end] for link in parsed.links] == ["[a link](b.html#c)", "[q](q.html)"]


def test_text_that_looks_like_markdown_is_none():
    parsed = parse("<h1>A</h1><p># not a heading</p><p>``` no fence</p><h2>B</h2><p>x</p>")
    assert [section.title for section in parsed.sections] == ["A", "B"]


@pytest.mark.parametrize(
    "page",
    [
        '<pre><code class="language-sh hljs">strata mount</code></pre>',
        '<pre class="lang-sh">strata mount</pre>',
        '<div class="highlight-sh notranslate"><div class="highlight"><pre>strata mount</pre></div></div>',
        '<div class="highlight highlight-source-sh"><pre>strata mount</pre></div>',
    ],
)
def test_code_keeps_its_language(page):
    assert parse(f"<h1>A</h1>{page}<pre>x</pre>").text == "# A\n\n```sh\nstrata mount\n```\n\n```\nx\n```\n\n"


def test_a_heading_that_links_to_itself_is_plain_words():
    parsed = parse(
        '<h2 id="quotas"><a class="header" href="#quotas">Quotas</a></h2><p>See <a href="#quotas">above</a></p>'
    )
    assert parsed.text == "## Quotas\n\nSee [above](#quotas)\n\n"


def test_what_precedes_the_main_part_is_left_out_if_that_has_a_title():
    around = '<h1>Site</h1><p>menu</p><div role="main">{}</div>'
    assert parse(around.format("<h1>Page</h1><p>Text <a href=x.html>x</a></p>")).text.startswith("# Page")
    assert parse(around.format("<p>Text</p>")).text.startswith("# Site")


BOOK = """<title>4.1. Memory</title><div class="navheader"><table><tr><td><a href="p.html">Prev</a></td></tr></table></div>
<div class="sect1" id="MEMORY"><h2>4.1. Memory</h2><div class="toc"><dl><dt><a href="#a">A</a></dt></dl></div>
<dl class="variablelist"><dt id="a"><code>work_mem</code> (<code>integer</code>) </dt><dd><p>Sets the memory.</p><p>More.</p></dd>
<dt>-f</dt><dt>--force</dt><dd>Do it.<pre>x</pre></dd><dt>alone</dt></dl>
<div class="note"><h3 class="title">Note</h3><p>Mind it.</p></div>
<div class="tip"><table><tr><td><img alt="[Tip]" src="t.png"></td><th>Tip</th></tr><tr><td><p>Use it.</p></td></tr></table></div>
<p>After.</p></div><div class="navfooter"><a href="n.html">Next</a></div><footer>Copyright</footer>"""


def test_a_manual_keeps_terms_with_what_they_mean_and_loses_its_navigation():
    parsed = parse(BOOK)
    assert (
        parsed.text.rstrip()
        == """## 4.1. Memory

- `work_mem` (`integer`): Sets the memory.
  More.

- -f, --force: Do it.
  ```
  x
  ```

- alone

Note: Mind it.

Tip: Use it.

After."""
    )
    assert [(section.title, section.anchor) for section in parsed.sections] == [("4.1. Memory", "MEMORY")]


def test_a_page_of_nothing_but_navigation_keeps_it():
    parsed = parse(
        '<h1>Book</h1><div class="toc"><a href="a.html">A</a> <a href="b.html">B</a></div><footer>Us</footer>'
    )
    assert "[A](a.html)" in parsed.text and [link.target for link in parsed.links] == ["a.html", "b.html"]


def test_what_follows_the_main_part_is_left_out():
    page = "<main><h1>T</h1><p>Some words of the page, enough of them that what follows is little beside it, whatever it says.</p></main><div>Made with care.</div>"
    assert "Made" not in parse(page).text
    assert "Made" in parse(page.replace("</main>", "").replace("<p>", "</main><p>")).text  # most of the page


def test_what_stands_above_the_title_is_left_out_if_it_is_a_few_words():
    page = '<p>The Site</p><p><a href="x.html">Docs</a> &gt; <a href="y.html">Guide</a></p><h1>T</h1><p>Text.</p>'
    parsed = parse(page)
    assert parsed.text == "# T\n\nText.\n\n" and parsed.sections[0].start == 0
    assert "nine words" in parse(f"<p>A sentence above of more than eight or nine words stays.</p>{page}").text
    assert parse(f"<h2>Overview</h2><p>Text.</p>{page}").sections[0].title == "Overview"
    lower = parse(page.replace("h1", "h2")).text
    assert lower.startswith("The Site") and "Docs" not in lower  # without a title only links are left out


def test_many_headings_of_the_first_level_leave_the_title_to_the_page():
    assert parse("<title>Pragmas</title><h1>1. Overview</h1>a<h1>2. List</h1>b").title == "Pragmas"
    assert parse("<title>&lt;no title&gt; — Site</title><p>a</p>").title == "A"  # the file's name


@pytest.mark.parametrize(
    "page",
    [
        "<p>text",
        "text",
        "<p>text<script>",
        "<title>text",
        "<p>a < b text",
        "<!-- text",
        "<pre>text",
        "<table><tr><td>text",
        "<h1>text",
    ],
)
def test_broken_html_loses_no_text(page):
    assert "text" in parse(page).text


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<ul>",
                "<li>",
                "</li>",
                "</ul>",
                "<ol>",
                "<table>",
                "<tr>",
                "<td>",
                "</td>",
                "</tr>",
                "</table>",
                "<pre>",
                "</pre>",
                "<code>",
                "</code>",
                "<h1>",
                "</h1>",
                "<h3>",
                "<br>",
                '<a~href="x">',
                "</a>",
                "<nav>",
                "</nav>",
                "<script>",
                "</script>",
                "<main>",
                "</main>",
                "<section~id=s>",
                "<!--",
                "-->",
                "<",
                ">",
                '"',
                "&",
                "word",
                "漢字",
                "&amp;",
                '<img~alt="y">',
                "\n",
            ]
        ),
        max_size=40,
    )
)
def test_any_order_of_tags_gives_a_whole_document(parts):
    parsed = parse(" ".join(parts).replace("~", " "))
    text = parsed.text
    assert "".join(text[chunk.start : chunk.end] for chunk in parsed.chunks) == text
    assert "".join(text[section.start : section.end] for section in parsed.sections) == text
    assert all(0 <= link.start < link.end <= len(text) for link in parsed.links)


@pytest.mark.parametrize(
    "unit", ["<a ", '<a "', "<!--", "<title>", "</", "<!", "<script>", "<div>", "<table><td>", "<b><p>"]
)
def test_tags_that_are_never_closed_end(unit):
    assert parse("<p>before</p>" + unit * 20_000).text.startswith("before")


def test_a_link_that_is_never_closed_names_its_own_heading_only():
    """`<a name="x"/>` opens a link that HTML carries on into everything after it."""
    page = '<h1>T</h1><a name="one"/><h2><a name="two"/>Two</h2><p>x</p><h2><a name="three"/>Three</h2><p>y</p>'
    assert [section.anchor for section in parse(page).sections] == ["t", "two", "three"]
