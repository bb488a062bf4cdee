"""Whatever a server sends: the converter never raises, shows no script and no style, and keeps every offset."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wekadocs_corpus import page_bytes
from wekadocs_corpus.documents import read_document
from wekadocs_web.pages import NotAPage, read
from wekadocs_web.pages.html import stripped_of_tags

HERE = "http://e.org/a"
TAGS = (
    "p div span a b code pre table tr td th ul ol li dl dt dd h1 h2 math mfrac mi msup img figure figcaption blockquote"
)
TAGS += " details summary main nav section aside svg script style noscript template br hr input select form body html"
ATTRIBUTES = [
    "",
    ' class="admonition warning"',
    " colspan=9999 rowspan=0",
    " hidden",
    ' href="//[x"',
    ' src="http://["',
]
ATTRIBUTES += [" start=99999999999", ' style="display:none"', ' class="highlight-python"', " alttext='x'", " href=b#c"]
opening = st.tuples(st.sampled_from(TAGS.split()), st.sampled_from(ATTRIBUTES)).map(lambda it: f"<{it[0]}{it[1]}>")
closing = st.sampled_from(TAGS.split()).map("</{}>".format)
words = st.text(max_size=20) | st.sampled_from(
    ["# x", "```", "- a", "| b |", "<!--", "-->", "---", "[SOURCES]", "\0", "&#0;"]
)
pages = st.lists(opening | closing | words, max_size=60).map("".join)


def documented(page):
    data = page_bytes(page.text, title=page.title, language=page.language, form=page.format)
    return read_document("x/text.page", data, "id")


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(pages)
def test_no_page_is_too_odd_and_every_chunk_is_a_piece_of_its_document(html):
    parsed = documented(read(html.encode("utf-8", "replace"), "text/html", "utf-8", HERE))
    assert "".join(parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks) == parsed.text


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(pages, st.sampled_from(["script", "style", "template"]), pages)
def test_what_scripts_and_styles_hold_is_never_shown(before, tag, after):
    bare = after.replace("</", "<")
    assert (
        "zqxjk"
        not in read(f"{before}<{tag}>zqxjk</{tag}>{bare}".encode("utf-8", "replace"), "text/html", "", HERE).text
    )


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from(["text/html", "application/rss+xml", "text/markdown", "text/plain", "x/y"])
)
def test_bytes_that_mean_nothing_are_a_page_or_are_refused_in_words(body, media_type):
    try:
        page = read(body, media_type, "utf-8", HERE)
    except NotAPage as refused:
        assert str(refused)
    else:
        assert page.data or documented(page).text is not None


HUGE = {
    "nested elements": "<div>" * 50_000 + "x",
    "nested tables": "<table><tr><td>" * 3_000 + "x",
    "nested lists": "<ul><li>" * 3_000 + "x",
    "nested quotations": "<blockquote>" * 3_000 + "x",
    "nested emphasis": "<b>" * 20_000 + "x",
    "formulas in formulas": "<math>" + "<msqrt>" * 20_000 + "x",
    "spans": "<table>" + "<tr><td colspan=65000 rowspan=65000>x</td><td>y</td></tr>" * 500 + "</table>",
    "one wide cell": f"<table><tr><td>{'x' * 200_000}</td><td>y</td></tr>{'<tr><td>a</td><td>b</td></tr>' * 2_000}</table>",  # noqa: E501
    "links": "<a href='/x'>y</a> " * 20_000,
    "links in links": "<math><a href='/x'>y" * 10_000,
    "open brackets": f"<p>{'[' * 50_000}</p>",
    "images": f"<p>{'![' * 30_000}</p>",
    "backticks": f"<p><code>{'`' * 50_000}</code></p>",
    "lines of nothing": "<pre>x" + " \n" * 100_000 + "</pre>",
    "sentences": f"<p>{'A. ' * 50_000}<a href=/y>y</a></p>",
}


@pytest.mark.parametrize("case", HUGE)
def test_what_is_built_to_take_long_does_not(case):
    assert read(f"<main>{HUGE[case]}</main>".encode(), "text/html", "utf-8", HERE).text  # the square would take minutes


def test_markdown_that_is_built_to_take_long_does_not():
    assert read(b"a\n" + b"`" * 200_000, "text/markdown", "utf-8", HERE).text
    assert stripped_of_tags("x" + " " * 200_000 + "y") == "x y\n"


@pytest.mark.parametrize(
    "tags", ["<ul>", "<td><font><td><table><ul><i>", "<ol><table><tr><td>", "<dl><dd><blockquote>"]
)
def test_what_is_nested_in_itself_without_end_is_read_as_words(tags, caplog):
    page = read(f"<main><p>first</p>{tags * 4000}last".encode(), "text/html", "utf-8", "https://a.example/")
    assert "first" in page.text and "last" in page.text
    assert caplog.records == []
