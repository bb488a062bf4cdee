"""AsciiDoc becomes Markdown: what a reader of the rendered page sees, with a way back to the file's lines."""
# ruff: noqa: E501  # the samples are what they are

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.documents import read_document
from wekadocs_corpus.line_map import source_lines


class Files:
    above = 0

    def __init__(self, files):
        self.files, self.asked = files, []

    def neighbour(self, path):
        self.asked.append(path)
        text = self.files.get(path)
        return None if text is None else text.encode()


def parse(text, files=None, name="modules/ROOT/pages/a.adoc"):
    return read_document(name, text.encode(), "document", Files(files or {}))


def shown(text, files=None):
    return parse(text, files).text.strip("\n")


PAGE = """= The Product
Ada Lovelace <ada@example.com>
:toc:
:product: WEKA

Intro to {product} with link:other.adoc[another page], <<limits,the limits>> and https://q.r/s[this].

[[limits]]
== Limits

.Sizes
[cols="1,1"]
|===
| Name | Most

| files
| 9
|===

* one
* two
+
more of two

term:: What it means.

[source,sh]
----
== not a heading

make
----

=== Deeper
Text.
"""


def test_a_page_has_headings_tables_lists_code_and_links():
    parsed = parse(PAGE)
    assert [(section.level, section.title, section.anchor) for section in parsed.sections] == [
        (1, "The Product", "the-product"), (2, "Limits", "limits"), (3, "Deeper", "deeper"),
    ]  # fmt: skip
    assert [link.target for link in parsed.links] == ["other.adoc", "https://q.r/s"]
    assert (
        parsed.text
        == """# The Product

Intro to WEKA with [another page](other.adoc), the limits and [this](https://q.r/s).

## Limits

**Sizes**

| Name | Most |
| --- | --- |
| files | 9 |

- one
- two

  more of two

- term: What it means.

```sh
== not a heading

make
```

### Deeper

Text.
"""
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("NOTE: Mind\nthe gap.", "Note: Mind\nthe gap."),
        ("[WARNING]\n====\nMind it.\n\n* a\n====", "Warning: Mind it.\n\n- a"),
        (".Own title\n[TIP]\n====\nText.\n====", "Own title: Text."),
        ("*bold* _it_ `code` `+a*b+` #mark# x^2^", "**bold** *it* `code` `a*b` mark x2"),
        ("[navy]*Bold* ([.x]_it_) [path]`a/b` arr[i]*2*", "**Bold** (*it*) `a/b` arr[i]**2**"),
        ("= The Title\n\nThe {doctitle} has none.", "# The Title\n\nThe The Title has none."),
        ("xref:ROOT:page.adoc#part[the part] and xref:other.adoc[]", "[the part](ROOT:page.adoc#part) and [other](other.adoc)"),
        ("Press kbd:[Ctrl+C], btn:[OK], menu:File[Save > As].", "Press `Ctrl+C`, **OK**, **File → Save → As**."),
        ("image::a.png[The parts,200]\n\nimage:b.png[] Text.", "The parts\n\n Text."),
        ("// gone\n\n////\ngone\n////\n\nText.((index)) (((gone)))", "Text.index"),
        ("a:: one\nb::\n  two\nc::\n+\n----\ncode\n----", "- a: one\n- b: two\n- c:\n\n  ```\n  code\n  ```"),
        (". one\n.. deep\n. two", "1. one\n   1. deep\n2. two"),
        ("[source,java]\n----\nrun(); // <1>\n----\n<1> It runs.", "```java\nrun(); // <1>\n```\n\n1. It runs."),
        ("[tabs]\n====\nJava::\n+\n[source,java]\n----\na();\n----\n\nXML::\n+\nText.\n====", "**Java**\n\n```java\na();\n```\n\n**XML**\n\nText."),
        ("  indented\n  code", "```\nindented\ncode\n```"),
        ("[%header,format=csv]\n|===\na,b\n1,\"2,3\"\n|===", "| a | b |\n| --- | --- |\n| 1 | 2,3 |"),
        ("[cols=\"1,2a\",options=\"header\"]\n|===\n|A |B\n\n|x\n|* one\n* two\n|===", "| A | B |\n| --- | --- |\n| x | - one - two |"),
        ("ifdef::env-github[]\nNo.\nendif::[]\nifndef::env-github[]\nYes.\nendif::[]\nifdef::x[Inline.]", "Yes.\nInline."),
        ("Text with an open *star and `tick.\n\n----\nnever closed", "Text with an open *star and `tick.\n\n```\nnever closed\n```"),
    ],
)  # fmt: skip
def test_blocks_and_macros_read_as_they_are_shown(written, read):
    assert shown(written).strip() == read.strip()


def test_includes_are_resolved_as_asciidoctor_and_antora_name_them():
    files = {
        "../partials/p.adoc": "= Part\n\nText {n}.\n\ninclude::q.adoc[]\n",
        "../partials/q.adoc": "no\n// tag::x[]\nDeep.\n// end::x[]\n",
    }
    page = ":n: 1\n\n== T\n\ninclude::partial$p.adoc[leveloffset=+2]\n\nAfter.\n"
    assert shown(page, files) == "## T\n\n### Part\n\nText 1.\n\nno\nDeep.\n\nAfter."
    assert shown("include::../partials/q.adoc[tag=x]\n", files) == "Deep."


def test_a_manual_of_a_thousand_files_is_read_to_its_end():
    files = {f"samples/{n}.java": f"call({n});" for n in range(1000)} | {"last.adoc": "The last chapter."}
    samples = "".join(f"----\ninclude::samples/{n}.java[]\n----\n\n" for n in range(1000))
    text = shown(f"{samples}include::last.adoc[]\n", files)
    assert "call(999);" in text
    assert text.endswith("The last chapter.")


def test_attributes_of_a_component_are_known():
    assert (
        shown("{product} runs.", {"../../../antora.yml": "name: x\nasciidoc:\n  attributes:\n    product: WEKA\n"})
        == "WEKA runs."
    )


def test_a_file_that_includes_itself_ends_and_no_path_leads_out_of_the_root():
    assert shown("include::a.inc[]\n", {"a.inc": "One.\n\ninclude::a.inc[]\n"}) == "One."
    origin = Files({})
    read_document("a/b.adoc", b"include::../../etc/passwd[]\ninclude::/../../etc/passwd[]\n", "d", origin)
    assert [path for path in origin.asked if path.split("/").count("..") > 1] == []


def test_citations_find_their_lines_in_the_file():
    parsed = parse(PAGE)

    def line(words):
        start = parsed.text.index(words)
        return source_lines(parsed.source_lines, parsed.text, start, start + len(words))

    found = [line(words) for words in ("# The", "Intro", "| files | 9 |", "more of two", "make", "Text.")]
    assert found == [(1, 1), (6, 6), (16, 16), (23, 23), (31, 31), (35, 35)]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from([*PAGE.split("\n"), "....", "|===", "a::", "-", "+", "--", "====", "ifdef::x[]", "endif::[]", "** deep", "[NOTE]", "*a", "`", "include::b[]", "/" * 4, "++++"]), max_size=30))  # fmt: skip
def test_any_lines_give_a_whole_document_with_lines_in_order(lines):
    text = "\n".join(lines)
    parsed = parse(text)
    assert "".join(parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks) == parsed.text
    at = last = 0
    for line in parsed.text.split("\n"):
        if line.strip():
            first = source_lines(parsed.source_lines, parsed.text, at, at + len(line))[0]
            assert last <= first <= max(1, len(lines))
            last = first
        at += len(line) + 1


def test_in_code_too_what_is_passed_on_is_shown_without_its_marks():
    assert "`call(() -> x)` and `a++`" in parse("= T\n\nUse `call(() +++->+++ x)` and `a++`.\n").text


def test_a_title_may_be_underlined_and_what_follows_it_is_no_code():
    parsed = parse(
        "git-config(1)\n=============\n\nNAME\n----\ngit-config - Get and set options\n\nSYNTAX\n~~~~~~\n"
        "See linkgit:git-worktree[1].\n\n----\nfoo\n----\n\nAfter the code.\n"
    )
    assert [(section.level, section.title) for section in parsed.sections if section.title] == [
        (1, "git-config(1)"),
        (2, "NAME"),
        (3, "SYNTAX"),
    ]
    assert "See git-worktree(1)." in parsed.text
    assert "```\nfoo\n```\n\nAfter the code." in parsed.text


def test_named_characters_are_shown_as_they_are_read():
    assert shown("Do this &#8212; e.g.{nbsp}that &mdash; `a &amp; b` and &lt;c&gt;.") == (
        "Do this — e.g. that — `a &amp; b` and \\<c>."
    )


def test_a_cell_ends_at_its_sign_without_a_space_before_it():
    assert shown('[cols="1e,1a"]\n|===\n|Term|Definition\n\n|migration\n|It moves.\n|===') == (
        "| Term | Definition |\n| --- | --- |\n| migration | It moves. |"
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("A javadoc:org.x.Rest[format=annotation], a javadoc:org.x.App#set(java.util.Map)[].", "A `@Rest`, a `App.set(java.util.Map)`."),
        ("javadoc:{url-x}/com.m.Client[] and configprop:spring.a[] in apiref:foo[the API].", "`Client` and `spring.a` in the API."),
        ("See {url-docs}/a.html[the docs] or {url-home}[home] for {version}.", "See the docs or home for {version}."),
        ("Name it `application-\\{profile}`.", "Name it `application-{profile}`."),
        ("Keep this[0], array:x[1] and `map:key[x]`.", "Keep this[0], array:x[1] and `map:key[x]`."),
    ],
)  # fmt: skip
def test_macros_of_extensions_and_addresses_that_nobody_explains(written, read):
    assert shown(written) == read
