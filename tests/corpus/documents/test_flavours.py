"""Markdown as site generators write it: what a reader of the rendered page sees, with a way back to the file's lines."""
# ruff: noqa: E501  # the samples are what they are

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wekadocs_corpus.documents import read_document, searchable
from wekadocs_corpus.line_map import source_lines


class Files:
    above = 0

    def __init__(self, files):
        self.files, self.asked = files, []

    def neighbour(self, path):
        self.asked.append(path)
        text = self.files.get(path)
        return None if text is None else text.encode()


def parse(text, name="guide/a.md", files=None):
    return read_document(name, text.encode(), "document", Files(files or {}))


def shown(text, name="guide/a.md", files=None):
    return parse(text, name, files).text.strip("\n")


def test_plain_markdown_stays_as_it_is():
    text = "# T\r\n\r\nWords [a](b.md), *c*, `d`.\r\n\r\n\r\n- e\r\n\r\n    code\r\n"
    parsed = parse(text)
    assert parsed.text == text
    assert parsed.source_lines == ""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('!!! warning "Mind the gap"\n    It is wide.\n\n    - a\n\nAfter.', "Mind the gap: It is wide.\n\n- a\n\nAfter."),
        ("!!! note\n\n    Text.\n", "Note: Text."),
        ('!!! note "On the "odd" one"\n    Text.\n', 'On the "odd" one: Text.'),
        ('??? tip ""\n    Text.\n', "Text."),
        ('=== "Linux"\n\n    ``` sh\n    make\n    ```\n\n=== "It\'s a Mac"\n\n    Other.', "**Linux**\n\n``` sh\nmake\n```\n\n**It's a Mac**\n\nOther."),
        ("See [x](y.md){ .md-button target=_blank } now.", "See [x](y.md) now."),
        ("Press ++ctrl+c++ or :material-check: go.", "Press `Ctrl+C` or  go."),
        ("{++new++} {--old--} {~~a~>b~~} ==kept==", "new  b kept"),
        ("*[HTML]: Hyper Text\n", "- HTML: Hyper Text"),
        ("1. One\n\n    !!! note\n        In it.\n\n2. Two", "1. One\n\n    Note: In it.\n\n2. Two"),
    ],
)  # fmt: skip
def test_mkdocs(written, read):
    assert shown(written).replace("``` sh", "```sh") == read.replace("``` sh", "```sh")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{{< warning >}}\nMind the gap.\n{{< /warning >}}\n\nAfter.", "Warning: Mind the gap.\n\nAfter."),
        ("{{< tip >}}Short.{{< /tip >}}", "Tip: Short."),
        ('{{% alert title="Own" color="info" %}}\nText.\n{{% /alert %}}', "Own: Text."),
        ("1.  One:\n\n    {{< text bash >}}\n    $ a <b>\n    {{< /text >}}\n", "1.  One:\n\n    ```bash\n    $ a <b>\n    ```"),
        ('{{< tabset >}}\n{{< tab name="CLI" category="x" >}}\nText.\n{{< /tab >}}\n{{< /tabset >}}', "**CLI**\n\nText."),
        ('See [x]({{< ref "page.md#y" >}}).', "See [x](page.md#y)."),
        ('{{< glossary_tooltip text="Pod" term_id="pod" >}}s run.', "Pods run."),
        ("{{< unknown a=b >}}\nKept.\n{{< /unknown >}}\n{{< gone >}}", "Kept."),
        ('{{< image link="x.svg"\n  caption="How it works" >}}', "How it works"),
        ("`{{< kept >}}` and\n\n```\n{{< kept >}}\n```", "`{{< kept >}}` and\n\n```\n{{< kept >}}\n```"),
    ],
)  # fmt: skip
def test_hugo(written, read):
    assert shown(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("import Tabs from '@theme/Tabs';\n\n# T\n\nText.", "# T\n\nText."),
        ("export const A = () => {\n  return <b>x</b>;\n};\n\nText.", "Text."),
        (":::warning[Mind the gap]\n\nIt is `{#wide}`.\n\n:::\n\nAfter.", "Mind the gap: It is `{#wide}`.\n\nAfter."),
        (":::tip Own title\nText.\n:::", "Own title: Text."),
        ('<Tabs>\n  <TabItem value="a" label="npm">\n\n    ```sh\n    npm i\n    ```\n\n  </TabItem>\n</Tabs>\n', "**npm**\n\n```sh\nnpm i\n```"),
        ("<details>\n<summary>More <b>of it</b></summary>\n\nText.\n\n</details>", "**More of it**\n\nText."),
        ('<APITable>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n</APITable>', "| a | b |\n| - | - |\n| 1 | 2 |"),
        ("Text {/* a\nsecret */} goes <br/> on.", "Text\ngoes   on."),
        ("```js title=\"a.config.js\" {1,3}\nx\n```", "**a.config.js**\n\n```js\nx\n```"),
        ("```mdx-code-block\nimport X from 'y';\n\n<X>\n```\n\nText.\n\n```mdx-code-block\n</X>\n```", "Text."),
        ('<Callout type="warning">\nText.\n</Callout>', "Warning: Text."),
    ],
)  # fmt: skip
def test_docusaurus(written, read):
    assert shown(written, "a.mdx") == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{% hint style="danger" %}\nText.\n{% endhint %}', "Danger: Text."),
        ('{% tabs %}\n{% tab title="CLI" %}\nText.\n{% endtab %}\n{% endtabs %}', "**CLI**\n\nText."),
        ('{% content-ref url="x.md" %}\n[x](x.md)\n{% endcontent-ref %}', "[x](x.md)"),
        ("> [!NOTE]\n> Mind\n> the gap.\n\nAfter.", "Note: Mind\nthe gap.\n\nAfter."),
        ("::: details More\nText.\n:::", "**More**\n\nText."),
        ("[[toc]]\n\nText <Badge text=\"beta\" />.", "Text beta."),
        ("<script setup>\nconst a = '<b>'\n</script>\n\nText.", "Text."),
        ("```{note}\n:class: x\nText.\n```", "Note: Text."),
        (":::{warning}\nText with {ref}`a title <x>` and {class}`~a.B`.\n:::", "Warning: Text with a title and `B`."),
        ("(label)=\n# T\n\nText.", "# T\n\nText."),
        ("```rust,editable\n# use std::fs;\nfn main() {}\n```", "```rust\nfn main() {}\n```"),
        ("<p align=\"center\">\n<a id=\"x\">Text</a> and <kbd>Esc</kbd>, <img alt=\"a logo\" src=\"b\">.\n</p>", "Text and `Esc`, a logo."),
        ("Fill in <name> and <cluster-id>, or a < b and c > d.", "Fill in <name> and <cluster-id>, or a < b and c > d."),
        ("Before.\n\n<!-- a\nsecret -->\n\nAfter.", "Before.\n\nAfter."),
        ("An open <!-- comment\n\nand **words**.", "An open <!-- comment\n\nand **words**."),
        ("{% hint %}\nNever closed.\n\n# Next\n\nText.", "Note: Never closed.\n\n# Next\n\nText."),
    ],
)  # fmt: skip
def test_the_others(written, read):
    assert "\n".join(line.rstrip() for line in shown(written).split("\n")) == read


def test_lists_of_definitions_and_tables_in_html_become_markdown():
    page = '# cargo\n\n<dl>\n\n<dt id="a"><a href="#a"><code>--all</code></a></dt>\n<dd><p>Everything.</p>\n<p>Really.</p>\n</dd>\n\n</dl>\n\n<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td>one</td><td>two</td></tr>\n</table>\n\nAfter.\n'
    parsed = parse(page)
    assert "- `--all`: Everything.\n  Really.\n" in parsed.text
    assert "| A | B |\n| --- | --- |\n| one | two |\n" in parsed.text
    start = parsed.text.index("| one |")
    assert source_lines(parsed.source_lines, parsed.text, start, start + 9) == (14, 14)


@pytest.mark.parametrize(
    ("written", "files"),
    [
        ('--8<-- "shared/x.md"\n', {"../shared/x.md": "Included.\n"}),
        ("--8<--\nx.md\n--8<--\n", {"x.md": "Included.\n"}),
        (
            "{{#include ../x.md:part}}\n",
            {"../x.md": "no\n<!-- ANCHOR: part -->\nIncluded.\n<!-- ANCHOR_END: part -->\nno\n"},
        ),
        (
            '{% include "../.gitbook/includes/x.md" %}\n',
            {"../.gitbook/includes/x.md": "---\ntitle: x\n---\n\nIncluded.\n"},
        ),
        ("{{< boilerplate x >}}\n", {"../boilerplates/x.md": "---\n---\nIncluded.\n"}),
        ("import X from './_x.mdx';\n\n<X />\n", {"_x.mdx": "Included.\n"}),
    ],
)
def test_includes_are_resolved(written, files):
    assert shown(written, files=files) == "Included."


def test_code_may_be_included_in_a_fence():
    assert shown("```rust\n{{#include x.rs:2:3}}\n```\n", files={"x.rs": "a\nb\nc\nd\n"}) == "```rust\nb\nc\n```"


def test_a_file_that_includes_itself_ends_and_no_path_leads_out_of_the_root():
    assert shown('--8<-- "x.md"\n', files={"x.md": 'One.\n--8<-- "x.md"\nTwo.\n'}) == "One.\nTwo."
    origin = Files({})
    page = '--8<-- "../../../etc/passwd"\n{{#include ../../etc/passwd}}\n{{< readfile "/../../etc/passwd" >}}\nAfter.\n'
    read_document("guide/a.md", page.encode(), "d", origin)
    assert [path for path in origin.asked if path.split("/").count("..") > 1] == []


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [("## A title {#own}", "own"), ('## A title <a id="own"></a>', "own"), ('<h2 id="own">A title</h2>', "own")],
)
def test_the_id_of_a_heading_leaves_the_text_and_stays_its_anchor(heading, anchor):
    parsed = parse(f"# T\n\nText.\n\n{heading}\n\nMore.\n")
    assert [section.anchor for section in parsed.sections] == ["t", anchor]
    assert "## A title\n" in parsed.text


def test_citations_find_their_lines_in_the_file():
    page = '---\ntitle: x\n---\n\n# T\n\n!!! note "Own"\n    One.\n\n    Two.\n\n--8<-- "x.md"\n\n```js title="a"\ncode\n```\n\nLast.\n'
    parsed = parse(page, files={"x.md": "From\nelsewhere.\n"})

    def line(words):
        start = parsed.text.index(words)
        return source_lines(parsed.source_lines, parsed.text, start, start + len(words))

    assert [line(words) for words in ("# T", "Two.", "From\nelsewhere.", "code", "Last.")] == [
        (5, 5),
        (10, 10),
        (12, 12),
        (15, 15),
        (18, 18),
    ]
    assert line("Own: One.") == (8, 8)


# fmt: off
LINES = st.sampled_from([
    "", "", "", "alpha", "    beta", "  gamma", "- delta", "1. alpha", "# beta", "```", "```{note}", "```js title=\"x\"", "!!! note", "    !!! tip \"t\"",
    '=== "tab"', ":::", ":::note", "::: {.x}", ":::{note}", "{{< tip >}}", "{{< /tip >}}", "{{< text bash >}}", "{{< /text >}}", "{% hint %}", "{% endhint %}",
    "<Tabs>", "</Tabs>", "  <TabItem label=\"z\">", "<div>", "</div>", "<!--", "-->", "<table>", "</table>", "<tr><td>beta", "<dl>", "<dt>gamma", "</dl>", "> [!NOTE]",
    "> delta", "import A from 'b'", "export const a = {", "}", "{#x}", "--8<--", '--8<-- "a.md"', "<a href=", "`", "``", "{/*", "*/}", "<script>", "</script>", "| a | b |", "|---|---|",
])
# fmt: on


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, max_size=25), st.sampled_from(["a.md", "a.mdx"]))
def test_any_lines_give_a_whole_document_with_lines_in_order(lines, name):
    text = "\n".join(["start", "", *lines])
    parsed = read_document(name, text.encode(), "d")
    assert "".join(parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks) == parsed.text
    assert not any("\ufdd0" <= sign <= "\ufdef" for sign in parsed.text)
    at = last = 0
    for line in parsed.text.split("\n"):
        if line.strip():
            first = source_lines(parsed.source_lines, parsed.text, at, at + len(line))[0]
            assert last <= first <= len(lines) + 2
            last = first
        at += len(line) + 1


SHOWN = [
    "alpha beta",
    "- gamma",
    "{{< x >}}delta{{< /x >}}",
    "<X>epsilon</X>",
    ":::x",
    "{% x %}zeta",
    "<p>eta",
    "!!! x",
    "    theta",
    "{iota}",
    "<kappa>",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(SHOWN), max_size=12))
def test_words_in_unknown_markup_are_never_lost(lines):
    text = "\n\n".join(lines)
    read = read_document("a.md", text.encode(), "d").text
    for word in ("alpha", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"):
        assert text.count(word) == read.count(word)


def test_signs_kept_for_our_own_use_do_no_harm():
    assert shown("\ufdd0Warning\ufdd0 <b>x</b>") == "�Warning� x"


def test_the_data_of_a_component_is_still_found():
    data = "{ name: 'delay', description: 'How long to wait.' }"
    parsed = parse(f"# F\n\n<Table\n  content={{[\n    {data},\n    {data},\n  ]}}\n/>\n\nAfter.\n", "a.mdx")
    assert any("How long to wait" in searchable(parsed, chunk) for chunk in parsed.chunks)


@pytest.mark.parametrize(
    "unit", ["<a ", "<A a={", "{{< ", "{% ", "<!-- ", "`", "{", ":::\n", "!!! a\n", "<table>\n", "<pre>\n", "[", "[a ", "[`a", "&a;", "==a", "{{#", "```{a}\n", "> [!A]\n", ":::{a}\n", "{{< text >}}\n", "<h1>", "{/*", "\\", "    \n"]
)  # fmt: skip
def test_hostile_pages_are_read_in_linear_time(unit):
    """Twenty times as much may take some fifty times as long, not four hundred times; counted in work, not in time."""
    import sys

    def work(count):
        calls = 0

        def trace(*_):
            nonlocal calls
            calls += 1

        sys.setprofile(trace)
        try:
            read_document("a.md", (unit * count).encode(), "d")
        finally:
            sys.setprofile(None)
        return calls

    assert work(4000) < 60 * max(work(200), 300)
