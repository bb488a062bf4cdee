"""From bytes to a document: encodings, front matter, what a document says of itself, what is worth indexing."""
# ruff: noqa: RUF001  # the samples are what they are

import json
import random
import zlib

import pytest

from wekadocs_corpus.documents import SUFFIXES, Unreadable, doc_tags, read_document, searchable, updated_at
from wekadocs_corpus.documents.paged_formats import PAGED


def parse(text, name="guide/a.md"):
    return read_document(name, text if isinstance(text, bytes) else text.encode(), "document")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_unicode_encoding_gives_the_same_text(encoding):
    text = "# Größe\r\n\r\nMount the filesystem on every client: it is ready within a few seconds, naïvely.\r\n"
    data = text.encode(encoding)
    assert parse(data).text == text


def test_windows_latin_is_recognised_and_broken_bytes_are_replaced():
    assert parse("Straße, größer, für".encode("cp1252")).text == "Straße, größer, für"
    assert parse("Größe und Übung, ".encode() + b"\xff" + b" Ende").text == "Größe und Übung, � Ende"


def test_an_html_page_is_read_as_it_declares_itself():
    page = '<html><head><meta charset="windows-1251"></head><body><p>Привет, мир</p></body></html>'
    assert parse(page.encode("cp1251"), "a.html").text.strip() == "Привет, мир"


def test_what_is_no_text_is_refused_with_a_reason():
    with pytest.raises(Unreadable, match="binary"):
        parse(bytes(range(32)) * 40)


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + zlib.compress(bytes(range(256))),
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Length 44 >>\nstream\nplain words\nendstream\n",
        b"%PDF-1.4\n1 0 obj\n<< /Length 44 >>\nstream\nplain words\nendstream\n",
        b"\xff\xd8\xff\xe0" + b"JFIF and words " * 40,
        random.Random(1).randbytes(4096),
        random.Random(2).randbytes(100),
        b"\xff\xfe" + random.Random(3).randbytes(4096),
        b"\xef\xbb\xbf" + random.Random(4).randbytes(4096),
        b"Words at first. " * 20 + random.Random(5).randbytes(4096),
    ],
    ids=["png", "pdf", "pdf of ASCII", "jpeg", "random", "few random", "random UTF-16", "random with a mark", "mixed"],
)
def test_bytes_that_only_have_a_texts_name_are_refused(name, data):
    with pytest.raises(Unreadable, match="binary"):
        parse(data, name)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "cp1252", "koi8-r", "shift-jis", "gbk"])
def test_text_of_any_encoding_is_no_program(encoding):
    words = {
        "koi8-r": "Привет, мир. ",
        "shift-jis": "日本語の文章です。",
        "gbk": "这是中文文档。",
        "utf-16": "日本語 😀 ",
    }
    parse((words.get(encoding, "Straße, größer. ") * 50).encode(encoding))


def test_nul_is_replaced_and_line_ends_stay():
    assert parse(b"a\0b\r\nc\rd\n").text == "a�b\r\nc\rd\n"


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: A page\ntags: [x, y]\n---\n# H\n",
        "---\r\ntitle: A page\r\ntags:\r\n  - x\r\n  - y\r\n...\r\n# H\r\n",
        '+++\ntitle = "A page"\ntags = ["x", "y"]\n+++\n# H\n',
        '{\n  "title": "A page",\n  "tags": ["x", "y"]\n}\n\n# H\n',
        "\ufeff---\ntitle: A page\ntags: [x, y]\n---",
    ],
    ids=["yaml", "yaml with CRLF", "toml", "json", "nothing but it"],
)
def test_front_matter_is_read_and_kept_in_the_text(text):
    parsed = parse(text)
    assert parsed.front_matter == {"title": "A page", "tags": ["x", "y"]}
    assert parsed.title == "A page"
    assert parsed.text == text.removeprefix("\ufeff")
    assert parsed.chunks[0].kind == "front_matter"


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nA rule above and below.\n\n---\n",
        "---\nno end",
        "---\n- a\n- b\n---\n",
        "{% hint %}\n",
        "+++\nnot = = toml\n+++\n",
    ],
)
def test_what_only_looks_like_front_matter_is_text(text):
    parsed = parse(text)
    assert parsed.front_matter == {}
    assert "front_matter" not in [chunk.kind for chunk in parsed.chunks]


def test_sloppy_front_matter_is_read_line_by_line():
    assert parse('---\ntitle: Mount: how to\ndescription: "x\n---\n# H\n').title == "Mount: how to"


@pytest.mark.parametrize(
    "inside",
    [
        "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 7)),
        "a: !!python/object/apply:os.system ['true']",
        "a: " + "9" * 6_000,
    ],
    ids=["aliases", "object", "number"],
)
def test_hostile_front_matter_does_no_harm(inside):
    parsed = parse(f"---\n{inside}\n---\n# H\n\nText.\n")
    assert len(json.dumps(parsed.front_matter)) < 70_000
    assert parsed.sections[-1].title == "H"


@pytest.mark.parametrize(
    ("mark", "inside"),
    [
        ("---", "a: " + "[" * 30_000 + "]" * 30_000),
        ("---", "- " * 20_000),
        ("---", "a: " + "{a: " * 10_000),
        ("+++", ".".join(["a"] * 30_000) + " = 1"),
        ("+++", "[" + ".".join(["a"] * 20_000) + "]"),
        ("+++", "a = " + "[" * 30_000),
        ("+++", "a = " + "[" * 20 + "]" * 20),
        ("", '{"a":' * 10_000),
        ("", '{"a":' * 20 + "1" + "}" * 20),
    ],
)
def test_front_matter_that_is_nested_too_deeply_is_refused(mark, inside):
    with pytest.raises(Unreadable, match="nested more than 16 deep"):
        parse(f"{mark}\n{inside}\n{mark}\n# H\n" if mark else f"{inside}\n\n# H\n")


@pytest.mark.parametrize(
    ("mark", "inside"),
    [
        ("---", "\n".join(f"k{n}: 1" for n in range(6_000))),
        ("+++", "\n".join(f"k{n}=1" for n in range(6_000))),
        ("", "{" + ",".join(f'"k{n}":1' for n in range(6_000)) + "}"),
    ],
)
def test_front_matter_with_too_much_in_it_is_refused(mark, inside):
    with pytest.raises(Unreadable, match="more than 5,000 values"):
        parse(f"{mark}\n{inside}\n{mark}\n# H\n" if mark else f"{inside}\n\n# H\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "# a\n"),
        ("a.md", "a\n-\n"),
        ("a.html", "<h1>a</h1>"),
        ("a.rst", "Heading\n=======\n\n"),
        ("a.adoc", "== a\n\n"),
        ("a.txt", "Heading\n=======\n\n"),
    ],
)
def test_a_file_of_nothing_but_headings_is_refused(name, text):
    with pytest.raises(Unreadable, match="more than 50,000 headings"):
        parse(text * 60_000, name)


def test_front_matter_is_what_json_can_say():
    parsed = parse(
        '---\nday: 2024-05-01\nat: 2024-05-01T10:00:00Z\nnot: .nan\n1: one\nodd: "\\ud800"\nblob: !!binary aGk=\n---\n'
    )
    assert json.loads(json.dumps(parsed.front_matter, allow_nan=False)) == parsed.front_matter
    assert parsed.front_matter["day"] == "2024-05-01"
    json.dumps(parsed.front_matter, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a.md", "---\ntitle: Stated\n---\n# Heading\n", "Stated"),
        ("a.md", "Intro\n\n## Two\n\n# The `first` *one*\n", "The first one"),
        ("docs/mount-a_filesystem.md", "No heading.\n", "Mount a filesystem"),
        ("docs/install/README.md", "No heading.\n", "Install"),
        ("a.html", "<title>From the head</title><p>x", "From the head"),
        ("a.md", "<h1 align='center'>In <b>HTML</b></h1>\n", "In HTML"),
        ("a.rst", "=====\nTitle\n=====\n\nText\n", "Title"),
        ("ch21-01-single.md", "---\nx: 1\n---\n\n## A Web Server\n\nText.\n\n### Below\n", "A Web Server"),
        ("ch21-01-single.md", "## Usage\n\nText.\n\n## Options\n", "Ch21 01 single"),
        ("ch21-01-single.md", "Text.\n\n## Usage\n", "Ch21 01 single"),
        ("ch17-futures-tasks.md", "## Futures and more\n\nText.\n\n## Summary\n", "Futures and more"),
    ],
)
def test_the_title_is_the_best_there_is(name, text, title):
    assert parse(text, name).title == title


@pytest.mark.parametrize(
    ("path", "front_matter", "tags"),
    [
        ("admin/nfs.md", "doc_tag: handbook", ("handbook",)),
        ("admin/weka__mount-options.md", "", ("mount-options",)),
        ("admin/protocols/nfs.md", "", ("admin",)),
        ("nfs.md", "", ("nfs",)),
        ("admin/nfs.md", "doc_tag: [handbook, nfs, handbook]", ("handbook", "nfs")),
        ("admin/nfs.md", "doc_tags: [7, nfs]\ntags: [how-to, nfs]", ("7", "nfs", "how-to")),
        ("admin/nfs.md", "tags: [how-to, admin]", ("admin", "how-to")),
        ("admin/nfs.md", "doc_tag: []\ntags: how-to", ("admin", "how-to")),
        ("admin/nfs.md", "doc_tags: [true, {a: b}, '  ', null, [x]]", ("admin",)),
        ("admin/nfs.md", 'doc_tags: ["a\\nb"]', ("a b",)),
        ("admin/nfs.md", f"tags: {list(range(99))}", ("admin", *map(str, range(31)))),
    ],
)
def test_a_document_is_tagged(path, front_matter, tags):
    assert doc_tags(parse(f"---\n{front_matter}\n---\n# H\n", path), path) == tags


@pytest.mark.parametrize(
    ("line", "moment"),
    [
        ("date: 2024-01-02", 1704153600.0),
        ("date: 2020-01-01\nlastmod: 2024-01-02T00:00:00+00:00", 1704153600.0),
        ("last_update: {date: 2024/01/02}", 1704153600.0),
        ("updated: soon", None),
        ("title: x", None),
    ],
)
def test_the_date_is_the_latest_kind_the_front_matter_states(line, moment):
    assert updated_at(parse(f"---\n{line}\n---\n")) == moment


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("---\nlang: pt-BR\n---\n", "pt"),
        ("---\nlang: no\n---\n", "no"),
        ("The cluster is ready and you can mount it on the client.", "en"),
        ("Der Cluster ist bereit und kann auf dem Client eingehängt werden.", "de"),
        ("要在客户端上挂载文件系统，请运行命令。", "zh"),
        ("クライアントにマウントします。漢字", "ja"),
        ("클라이언트에 파일 시스템을 마운트", "ko"),
        ("Чтобы смонтировать систему", "ru"),
        ("لتحميل نظام الملفات", "ar"),
        ("como para este por", ""),
        ("x = 1", ""),
    ],
)
def test_the_language_is_stated_or_guessed(text, language):
    assert parse(text).language == language


def test_every_announced_suffix_is_read():
    for suffix in SUFFIXES - {".ipynb", *PAGED}:
        assert "words" in parse("Some words.", f"a{suffix.upper()}").text


NOISY = """---
description: How to mount
draft: true
---
import Tabs from '@theme/Tabs'

# Mount {#mount}

{% hint style="warning" %}
See [the guide](https://example.com/very/long#path) and ![a picture](img/x.png) &#x20; <b>now</b>, `<name>` too.
{% endhint %}

<!-- a secret note -->
{% tab title="CLI" %}

| Flag | Meaning |
| ---- | ------- |
| -x   | extra   |

```html
<b>kept</b> <!-- kept -->
```

[ref]: https://example.com/ref
"""


def test_the_index_gets_words_and_no_syntax():
    parsed = parse(NOISY)
    first, *rest = [searchable(parsed, chunk) for chunk in parsed.chunks]
    assert first == "How to mount"
    text = "\n".join(rest)
    for word in ["Mount", "the guide", "a picture", "now", "`<name>`", "CLI", "extra", "<b>kept</b> <!-- kept -->"]:
        assert word in text
    for noise in ["example.com", "img/x", "x20", "hint", "warning", "secret", "@theme", "#mount", "----", "endhint"]:
        assert noise not in text


def test_the_middle_of_a_program_is_indexed_as_it_is():
    parsed = parse("```\n" + "List<String> a = <div>[b](c)</div>;\n" * 300 + "```\n")
    middle = parsed.chunks[1]
    assert middle.continues
    assert searchable(parsed, middle) == parsed.text[middle.start : middle.end]


def test_an_image_in_base64_is_kept_for_quoting_and_not_found() -> None:
    page = (
        "# Logo\n\n![our logo](data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUg" * 5000 + "==)\n\nThe logo is blue.\n"
    )
    parsed = read_document("logo.md", page.encode(), "d")
    found = [searchable(parsed, chunk) for chunk in parsed.chunks]
    assert "".join(parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks) == page
    assert [text for text in found if "iVBORw0" in text] == []
    assert "The logo is blue." in found[-1]
    assert sum(map(bool, found)) <= 3 < len(found)


def test_a_long_hash_is_still_a_word() -> None:
    sha512 = "9b71d224bd62f3785d96d46ad3ea3d73" * 4
    parsed = read_document("sums.md", f"# Sums\n\n`{sha512}`\n".encode(), "d")
    assert sha512 in searchable(parsed, parsed.chunks[-1])
