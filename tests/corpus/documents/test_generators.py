"""What single generators add to Markdown, as a reader of their sites sees it."""
# ruff: noqa: E501  # the samples are what they are

import pytest

from wekadocs_corpus.documents import read_document


class Files:
    above = 0

    def __init__(self, files):
        self.files = files

    def neighbour(self, path):
        text = self.files.get(path)
        return None if text is None else text.encode()


def shown(text, name="guide/a.md", files=None):
    return read_document(name, text.encode(), "document", Files(files or {})).text.strip("\n")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("It fails &mdash; twice &#40;at most&#41;.", "It fails — twice (at most)."),
        ("- `a&lt;b&gt;`\n- a &lt;b&gt; &lt; 3 &amp; c&#42;d&#42;", "- `a&lt;b&gt;`\n- a \\<b> < 3 & c\\*d\\*"),
        ("| &nbsp;&nbsp;&nbsp;`x` | a&nbsp;b |\n|---|---|\n| &#124; | &nosuch; |", "| `x` | a b |\n|---|---|\n| \\| | &nosuch; |"),
        ("&nbsp;&nbsp;&nbsp;&nbsp;Text.", "Text."),
    ],
)  # fmt: skip
def test_named_characters_are_shown_as_they_are_read(written, read):
    assert shown(written) == read


DOCFX = {
    "includes/note.md": "---\nms.topic: include\n---\nUse **.NET 10**.",
    "samples/a.cs": "class A\n{\n    // <Snippet1>\n    Go();\n    // </Snippet1>\n    #region Start\n    Begin();\n    #endregion\n}\n",
}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Call <xref:System.String.Join%2A?displayProperty=nameWithType> or <xref:A.B`1.C(System.Int32)>.", "Call `System.String.Join` or `A.B.C`."),
        ("- [!INCLUDE [note](../includes/note.md)]\n- b", "- Use **.NET 10**.\n- b"),
        ("[!INCLUDE[note](~/includes/note.md)]\n\nMore.", "Use **.NET 10**.\n\nMore."),
        ("See it: [!INCLUDE [gone](gone.md)]\n", "See it:"),
        ("[!code-csharp[A](../samples/a.cs#1)]", "```cs\n    Go();\n```"),
        (':::code language="csharp" source="../samples/a.cs" id="Start":::', "```cs\n    Begin();\n```"),
        ("# [.NET CLI](#tab/cli)\n\nRun it.\n\n# [Studio](#tab/vs)\n\nClick it.", "**.NET CLI**\n\nRun it.\n\n**Studio**\n\nClick it."),
        ("> [!NOTE]\n> One.\n> [!IMPORTANT]\n> Two.", "Note: One.\n\nImportant: Two."),
    ],
)  # fmt: skip
def test_docfx(written, read):
    files = {f"../{path}": text for path, text in DOCFX.items()}
    assert shown(written, files=files) == read


def test_a_component_over_several_lines_is_layout_where_it_encloses_or_has_a_title():
    written = (
        '<Tabs\n  defaultValue="a"\n  values={[\n    {label: "A", value: "a"},\n    {label: "B", value: "b"},\n  ]}\n>\n'
        '<TabItem value="a">\n\nFirst.\n\n</TabItem>\n</Tabs>\n\n'
        '<Card\n  title="Clearbit"\n  icon={\n    <svg viewBox="0 0">\n      <path d="M0"/>\n    </svg>\n  }\n/>\n'
    )
    assert shown(written, "a.mdx") == "**a**\n\nFirst.\n\n**Clearbit**"


def test_restructured_text_in_myst_is_read_as_such():
    written = "# T\n\n```{eval-rst}\n.. warning:: Mind :ref:`the gap <gap>`.\n\n.. autoclass:: UserDict\n   :members:\n```\n\nAfter.\n"
    assert shown(written) == "# T\n\nWarning: Mind the gap.\n\n- `UserDict`\n\nAfter."


def test_values_of_jekyll_are_shown_but_where_they_are_quoted():
    files = {
        "../_config.yml": "repository: https://github.com/o/r\nlimits:\n  most: 5\n",
        "../_data/versions.yml": "current:\n  number: '4.2'\n",
    }
    written = (
        "---\ntitle: Disks\n---\nSee [#7]({{ site.repository }}/issues/7): {{page.title}} {{ site.limits.most }} "
        "{{ site.data.versions.current.number }}{{ site.nobody | escape }}.\n\n"
        "{% raw %}Write `{{ site.repository }}`.{% endraw %}\n\n```liquid\n{% raw %}\n{{ page.title }}\n{% endraw %}\n```\n"
    )
    assert shown(written, files=files).partition("---\n\n")[2] == (
        "See [#7](https://github.com/o/r/issues/7): Disks 5 4.2.\n\nWrite `{{ site.repository }}`.\n\n"
        "```liquid\n{{ page.title }}\n```"
    )
    assert "{{ site.repository }}" in shown(written)


def test_a_heading_of_react_dev_has_the_anchor_its_comment_names():
    parsed = read_document("a.md", b"## `use(a, b)` {/*use*/}\n\nText.\n", "document")
    assert [(section.title, section.anchor) for section in parsed.sections] == [("use(a, b)", "use")]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("::: pydantic.BaseModel\n    options:\n        members:\n          - a\n\nAfter.", "`pydantic.BaseModel`\n\nAfter."),
        ("/// version-added | v2.13\nIt is new.\n///\n\nAfter.", "Added in version v2.13: It is new.\n\nAfter."),
        ("/// admonition | Mind the gap\n    type: warning\n\nIt is wide.\n///", "Mind the gap: It is wide."),
        ("/// tab | Linux\nmake\n///\n/// details\nMore.\n///", "**Linux**\n\nmake\n\nMore."),
        ("See [`Config`][pydantic.config.ConfigDict], [`a.b`][] and [b][c.d].\n\n[c.d]: https://e.f\n", "See `Config`, `a.b` and [b][c.d].\n\n[c.d]: https://e.f"),
        ("Keep [a][b] and x[0][1.5].", "Keep [a][b] and x[0][1.5]."),
        ('Add it to your {% term "`configuration.yaml`" %} file, {% term zigbee %}.', "Add it to your `configuration.yaml` file, zigbee."),
    ],
)  # fmt: skip
def test_what_extensions_of_mkdocs_and_jekyll_show(written, read):
    assert shown(written) == read
