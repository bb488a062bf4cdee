"""Components of MDX and Vue: what a reader of the page sees of them."""
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


def shown(text, name="a.mdx"):
    return read_document(name, text.encode(), "document").text.strip("\n")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('Host it, such as on <Out to="https://a.example" text="A"/> or <Out to="https://b.example" text="B" />, and wait.', "Host it, such as on [A](https://a.example) or [B](https://b.example), and wait."),
        ('- <Out to="https://a.example" text="A"/>\n- Use <Key title="Esc"/>.', "- [A](https://a.example)\n- Use Esc."),
        ('<Out to="/x" text="X"/> comes first.', "[X](/x) comes first."),
        ('## What next <Since title="5.1"/>', "## What next 5.1"),
        ('| a | b |\n|---|---|\n| <Out to="/x" text="X"/> | 1 |', "| a | b |\n|---|---|\n| [X](/x) | 1 |"),
    ],
)  # fmt: skip
def test_a_component_within_a_sentence_is_words_of_it(written, read):
    assert shown(written) == read


def test_a_card_says_its_description_too():
    written = '<Cards>\n  <Card title="Billing" description="Plans and invoices." link="/billing" />\n  <Card title="Users" description="Who may sign in." />\n</Cards>\n'
    assert shown(written) == "**Billing**\n\nPlans and invoices.\n\n**Users**\n\nWho may sign in."


def test_of_a_component_that_is_data_the_words_are_shown():
    written = "It makes this bar:\n\n<Bar\n\tconfig={[\n\t\t{\n\t\t\tlabel: 'Stars',\n\t\t\titems: [\n\t\t\t\t{ label: \"Orion's belt\", link: '/orion' },\n\t\t\t],\n\t\t},\n\t]}\n/>\n\nAfter."
    assert shown(written) == "It makes this bar:\n\n- Stars\n- Orion's belt\n\nAfter."


ELASTIC = {
    "../docset.yml": 'project: \'Logstash\'\ntoc:\n  - toc: reference\nsubs:\n  ls: "Logstash"\n  es: "Elasticsearch"\n'
}


def test_names_and_headings_of_elastic_are_read_by_its_docset():
    written = "---\nnavigation_title: x\nsub:\n  port: 9600\n---\n# Tune {{ls}} [tuning-ls]\n\n% TO DO: say more\n\n{{ ls }} sends to {{es}} on {{port}}; {{unknown}} stays.\n\n```sh\n# a comment [a]\n% b\n```\n"
    page = read_document("reference/a.md", written.encode(), "document", Files(ELASTIC))
    assert (
        page.text.partition("# ")[2]
        == "Tune Logstash\n\nLogstash sends to Elasticsearch on 9600; {{unknown}} stays.\n\n```sh\n# a comment [a]\n% b\n```\n"
    )
    assert page.sections[-1].anchor == "tuning-ls"


def test_without_a_docset_brackets_are_words_and_names_stay():
    page = read_document("a.md", b"# [1.0]\n\n## Changes [breaking]\n\n{{ls}} and <br> 5 %\n\n% of all\n", "document")
    assert [(each.title, each.anchor) for each in page.sections] == [
        ("[1.0]", "10"),
        ("Changes [breaking]", "changes-breaking"),
    ]
    assert page.text.endswith("% of all\n")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Text.\n\n% a remark\n% of two lines\n:::{note}\nMind.\n:::\n", "Text.\n\nNote: Mind."),
        ("::::{grid} 1 2 2 3\n:gutter: 1\n\n:::{grid-item-card} {octicon}`book` Read\n:link: intro\n\nA card.\n\n+++\n[More](intro)\n:::\n::::\n", "**Read**\n\nA card.\n\n[More](intro)"),
        ("```{button-ref} quickstart\n:color: primary\n\nGet Started\n```\n", "Get Started"),
        ("```{raw} html\n<p>Seen <b>by all</b>.</p>\n```\n\n```{raw} latex\n\\x\n```\n", "Seen by all."),
        ("---\nsubstitutions:\n  product: Acme\n---\nUse {{ product }}.\n", "Use Acme."),
    ],
)  # fmt: skip
def test_myst(written, read):
    assert shown(written, "a.md").rpartition("---\n")[2].strip("\n") == read


KUBERNETES = {"../examples/pods/p.yaml": "kind: Pod\n", "../static/x.sh": "ls\n"}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('## {{% heading "whatsnext" %}}\n\n## {{% heading "objectives" %}}', "## What's next\n\n## Objectives"),
        ('Pods of a {{< glossary_tooltip term_id="daemonset" >}} tolerate it.', "Pods of a daemonset tolerate it."),
        ('{{< feature-state for_k8s_version="v1.26" state="stable" >}}', "Feature state: v1.26, stable"),
        ('1. Make it:\n\n   {{% code_sample file="pods/p.yaml" %}}\n', "1. Make it:\n\n   ```yaml\n   kind: Pod\n   ```"),
        ('{{< codenew language="sh" file="/static/x.sh" >}}', "```sh\nls\n```"),
        ('{{< code lang="go" file="x.sh" >}}\nown\n{{< /code >}}', "```go\nown\n```"),
        ('<table><tr><td>A {{< tooltip "pod" >}} b</td></tr></table>', "| A pod b |\n| --- |"),
    ],
)  # fmt: skip
def test_shortcodes_of_sites(written, read):
    assert read_document("docs/a.md", written.encode(), "document", Files(KUBERNETES)).text.strip("\n") == read


def test_a_list_in_the_meaning_of_a_term_stays_a_list_of_one_depth():
    written = "**`--level`**\n:   One of<br>these:\n\n    * `a`: all\n    * `b`: some\n\n    ::::{note}\n    Mind.\n    ::::\n\nAfter.\n"
    assert (
        shown(written, "a.md")
        == "**`--level`**\n:   One of these:\n\n    * `a`: all\n    * `b`: some\n\n    Note: Mind.\n\nAfter."
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Before.\n\n<!-- :::tip\nOld.\n:::\n\n```js\nrun()\n```\n\n-->\n\nAfter.\n", "Before.\n\nAfter."),
        ("Before.\n\n{/*\n```js\nrun()\n```\n*/} After.\n", "Before.\n\nAfter."),
        ("Before.\n\n```html\n<!-- a\n```\n\nBetween.\n\n```html\n-->\n```\n", "Before.\n\n```html\n<!-- a\n```\n\nBetween.\n\n```html\n-->\n```"),
        ("<!-- never closed\n\n```js\nrun()\n```\n", "<!-- never closed\n\n```js\nrun()\n```"),
        ("<details>\n<summary>Why <code>&apos;a&apos;</code> &amp; b?</summary>\n\nSo.\n</details>\n", "**Why 'a' & b?**\n\nSo."),
        ("Write <code>a &amp;lt; &#42;b</code>.", "Write `a &lt; *b`."),
        (":::{note}\n:name:removed\n\nMind.\n:::\n", "Note: Mind."),
    ],
)  # fmt: skip
def test_what_is_commented_out_and_what_is_named(written, read):
    assert shown(written) == read


def test_a_partial_is_read_whatever_props_it_is_given():
    files = {"/x": "", "../snippets/databases.md": "| Database |\n|---|\n| {props.name} |\n"}
    written = 'import Databases from \'/snippets/databases.md\'\n\nThese:\n\n<Databases name="MySQL" components={props.components} />\n\n<Other name="x" />\n'
    page = read_document("docs/a.mdx", written.encode(), "document", Files(files))
    assert page.text.strip() == "These:\n\n| Database |\n|---|\n| MySQL |"


@pytest.mark.parametrize(
    "between", ["\n\n", "\n- ", "\n| a | ", "\n1. ", "\n## "], ids=["paragraph", "item", "row", "step", "heading"]
)
def test_a_sign_of_code_that_never_ends_hides_nothing_of_the_next(between):
    assert "<" not in shown(f'One `a.{between}Two <Out to="/x" text="X"/> and <br/> `b`, `c\nd`.\n')


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Setting | Default\n:--- | :---\n`a.b` | 10m\n`c` \\| x | 5\n\nAfter | all.\n", "| Setting | Default |\n| :--- | :--- |\n| `a.b` | 10m |\n| `c` \\| x | 5 |\n\nAfter | all."),
        ("- Item:\n\n  a | b |\n  --- | --- |\n  1 | 2\n", "- Item:\n\n  | a | b |\n  | --- | --- |\n  | 1 | 2 |"),
        ("```\na | b\n--- | ---\n```\n\n| a | b\n|---|---\n| 1 | 2\n", "```\na | b\n--- | ---\n```\n\n| a | b\n|---|---\n| 1 | 2"),
    ],
)  # fmt: skip
def test_a_table_whose_rows_begin_without_a_sign_is_one(written, read):
    assert shown(written, "a.md") == read
