"""Anchors as the generators of sites make them: against the generators themselves where they can be had."""

import pytest
from docutils.nodes import make_id
from hypothesis import given
from hypothesis import strategies as st
from markdown import Markdown
from markdown.extensions.toc import slugify

from wekadocs_corpus.documents import read_document
from wekadocs_corpus.documents.anchors import Naming, anchors_of
from wekadocs_corpus.documents.anchors.slugs import docutils, github, python_markdown, vitepress
from wekadocs_corpus.documents.blocks import Heading

GENERATORS = (
    "", "antora", "docusaurus", "gitbook", "gitbook_legacy", "hugo", "jekyll", "kramdown", "mdbook", "mkdocs", "sphinx",
    "vitepress",
)  # fmt: skip
TITLES = st.text(st.sampled_from("abAB12 -_.&/()é語ßΣ🙂`:'\t"), max_size=12) | st.text(max_size=12)


def named(generator, *titles, path="page.md", **options):
    """The anchors of headings of level 2."""
    headings = [Heading(2, title, "", 0) for title in titles]
    return anchors_of(Naming(generator, options), path, headings)


@pytest.mark.parametrize(
    ("generator", "title", "anchor"),
    [
        ("", "What's new in C++?", "whats-new-in-c"),
        ("", "Q & A", "q--a"),
        ("", "snake_case 語 ½", "snake_case-語-"),
        ("docusaurus", "Foo.bar()", "foobar"),
        ("mkdocs", "Q & A", "q-a"),
        ("mkdocs", "Über uns", "uber-uns"),
        ("mkdocs", ":material-rocket: Start", "start"),
        ("sphinx", "2.1 What's new_here?", "what-s-new-here"),
        ("sphinx", "Über uns", "uber-uns"),
        ("hugo", "Q & A", "q--a"),
        ("hugo", "Über uns!", "über-uns"),
        ("mdbook", "The `--flag` option", "the---flag-option"),
        ("mdbook", "ÜBER Uns", "Über-uns"),
        ("vitepress", "1. What's new?", "_1-what-s-new"),
        ("vitepress", "Émigré", "emigre"),
        ("jekyll", "Q & A", "q--a"),
        ("kramdown", "1. Über uns", "ber-uns"),
        ("antora", "What's new: v1.2-rc", "_whats_new_v1_2_rc"),
        ("gitbook", "1. Step & go", "id-1.-step-and-go"),
        ("", "???", "section"),
        ("mkdocs", "日本語", "_1"),
        ("sphinx", "日本語", "id1"),
        ("hugo", "???", "heading"),
    ],
)
def test_a_heading_is_named_as_its_site_names_it(generator, title, anchor):
    assert named(generator, title, path="a.adoc" if generator == "antora" else "a.md") == [anchor]


@pytest.mark.parametrize(
    ("generator", "anchors"),
    [
        ("", ["usage", "usage-1", "usage-1-1", "usage-2"]),
        ("docusaurus", ["usage", "usage-1", "usage-1-1", "usage-2"]),
        ("hugo", ["usage", "usage-1", "usage-1-1", "usage-2"]),
        ("mkdocs", ["usage", "usage_1", "usage-1", "usage_2"]),
        ("sphinx", ["usage", "id1", "usage-1", "id2"]),
        ("antora", ["_usage", "_usage_2", "_usage_1", "_usage_3"]),
    ],
)
def test_a_heading_that_comes_again_is_counted_as_its_site_counts(generator, anchors):
    path = "a.adoc" if generator == "antora" else "a.md"
    assert named(generator, "Usage", "Usage", "Usage-1", "Usage", path=path) == anchors


@given(st.sampled_from(GENERATORS), st.lists(st.tuples(TITLES, TITLES), max_size=12), st.integers(1, 3))
def test_no_anchor_is_there_twice(generator, given_headings, level):
    headings = [Heading(level, title, anchor, 0) for title, anchor in given_headings]
    for path in ("a.md", "a.rst", "a.adoc", "a.html", "a.txt"):
        anchors = anchors_of(Naming(generator), path, headings)
        assert len(anchors) == len(headings)
        assert len(set(anchors)) == len(anchors)
        assert "" not in anchors[1:]


def test_many_headings_of_one_name_are_counted_quickly():
    for generator in GENERATORS:
        assert len(set(named(generator, *["Same"] * 20_000))) == 20_000


@given(TITLES)
def test_slugs_are_those_of_python_markdown(title):
    assert python_markdown(title) == slugify(title, "-")


@given(TITLES)
def test_slugs_are_those_of_docutils(title):
    assert docutils(title) == make_id(title)


@given(st.lists(st.sampled_from(["A", "A_1", "B b", "A-1", "a_2", "Über"]), min_size=1, max_size=8))
def test_a_page_has_the_anchors_that_python_markdown_gives_it(titles):
    text = "".join(f"## {title}\n\nText.\n\n" for title in titles)
    reader = Markdown(extensions=["toc"])
    reader.convert(text)
    parsed = read_document("a.md", text.encode(), "d", naming=Naming("mkdocs"))
    assert [section.anchor for section in parsed.sections] == [each["id"] for each in reader.toc_tokens]


# What github-slugger 2 and @mdit-vue/shared make of them.
SLUGGED = {
    "C++ / C#": ("c--c", "c-c"),
    "Ça va — bien": ("ça-va--bien", "ca-va-—-bien"),
    "हिन्दी शीर्षक": ("हिन्दी-शीर्षक", "हिन्दी-शीर्षक"),
    "emoji 🎉 party": ("emoji--party", "emoji-🎉-party"),
    "²³ super": ("-super", "_23-super"),
    "ⅷ roman": ("ⅷ-roman", "viii-roman"),
    "__init__": ("__init__", "init"),
    "x--y": ("x--y", "x-y"),
}


@pytest.mark.parametrize("title", SLUGGED)
def test_letters_of_all_scripts_are_kept_as_the_javascript_ones_keep_them(title):
    assert (github(title), vitepress(title)) == SLUGGED[title]


@pytest.mark.parametrize(
    "written",
    ["Set up {#own}", "Set up { .new #own }", "Set up {: #own}", "Set up {/* #own */}", 'Set up { id="own" }',
     'Set up <a href="#own" id="own"></a>', "Set up [](#own)"],
)  # fmt: skip
def test_what_the_author_calls_a_heading_is_its_anchor(written):
    parsed = read_document("a.md", f"## {written}\n\nText.\n".encode(), "d", naming=Naming("docusaurus"))
    assert [(each.title, each.anchor) for each in parsed.sections] == [("Set up", "own")]


def test_attributes_without_a_name_are_no_words():
    parsed = read_document("a.md", b"## Set up { .new data-toc-label='x' }\n\n## Use {braces}\n", "d")
    assert [(each.title, each.anchor) for each in parsed.sections] == [
        ("Set up", "set-up"),
        ("Use {braces}", "use-braces"),
    ]


@pytest.mark.parametrize("generator", ["docusaurus", "gitbook"])
def test_a_title_that_cannot_be_linked_to_has_no_anchor(generator):
    parsed = read_document("a.md", b"# Title\n\nText.\n\n## Part\n\nText.\n", "d", naming=Naming(generator))
    assert [each.anchor for each in parsed.sections] == ["", "part"]


def test_a_label_leads_to_a_section_whose_title_comes_again():
    headings = [Heading(2, "Usage", "", 0), Heading(2, "Usage", "cli_usage", 0), Heading(2, "Usage", "", 0)]
    assert anchors_of(Naming("sphinx"), "a.rst", headings) == ["usage", "cli-usage", "id1"]


def test_an_asciidoc_site_says_what_its_anchors_look_like():
    options = {"idprefix": "", "idseparator": "-"}
    assert named("antora", "First part", "First part", path="a.adoc", **options) == ["first-part", "first-part-2"]
    assert named("", "First part", path="a.adoc") == ["first-part"]


def test_mkdocs_may_use_other_slugs():
    assert named("mkdocs", "Über uns", "Über uns", slugs="pymdown", case="lower") == ["über-uns", "über-uns_1"]
    assert named("mkdocs", "Set up", separator="_") == ["set_up"]
