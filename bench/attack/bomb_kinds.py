"""The bombs themselves, by kind: each a file name and its bytes, of about the size asked for."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator

Bombs = Iterator[tuple[str, bytes]]  # file name, bytes


def repeated(unit: str, size: int, before: str = "", after: str = "") -> bytes:
    return (before + unit * (size // len(unit)) + after).encode()


# fmt: off
def nesting(size: int) -> Bombs:
    for place, unit in enumerate(
        ["> ", "- ", "* ", "1. ", "  - ", ">- ", "[", "![", "(", "**", "_", "`", "~~", "<div>", "<ul><li>"]
    ):
        yield f"nested{place}.md", repeated(unit, size, after="x\n")
    for place, unit in enumerate(
        [
            "<div>", "<table><tr><td>", "<ul><li>", "<blockquote>", "<span>", "<dl><dd>", "<pre><code>",
            "<a href=x>", "<b><i>", "<svg>",
        ]
    ):
        yield f"nested{place}.html", repeated(unit, size, after="x")
    for place, unit in enumerate([".. note::\n\n   ", "* ", "| ", ":a: "]):
        yield f"nested{place}.rst", repeated(unit, size)
    yield "stairs.md", "".join(f"{'  ' * level}- item {level}\n" for level in range(int((size) ** 0.5))).encode()
    yield "stairs.rst", "".join(f"{' ' * level}word {level}\n\n" for level in range(int((size) ** 0.5))).encode()


def lines(size: int) -> Bombs:
    units = [
        "a", "a b ", " ", "\t", "|", "| ", "|-", "=", "-", "a. ", ". ", "...", "?", "! ", ",", "'", '"', "\\",
        "\\\n", "{", "{{", "{%", "$", "%", "&", "@", "a:", "a: ", "::", '="', "\r", "\n", " \n", "\x0b", "\x85",
        "\u2028",
    ]
    for place, unit in enumerate(units):
        yield f"line{place}.md", repeated(unit, size)
    for place, unit in enumerate(units[::3]):
        yield f"line{place}.txt", repeated(unit, size)
        yield f"line{place}.adoc", repeated(unit, size)


def words(size: int) -> Bombs:
    for place, unit in enumerate(
        ["a1", "1-", "a.", "1.", "_", "aB", "a'", "é", "漢", "か", "अ", "\u0660", "a_", "A", "v1.", "a@", "a/", "a+"]
    ):
        yield f"word{place}.md", repeated(unit, size, "# Title ", "\n\nwords\n")
        yield f"wordy{place}.txt", repeated(unit * 60 + " ", size)


def headings(size: int) -> Bombs:
    for place, unit in enumerate(
        ["# a\n", "###### a\n", "a\n=\n", "a\n-\n", "#\n", "# a #\n\nx\n\n", "# [a](b)\n", "# `a`\n", "## a {#b}\n"]
    ):
        yield f"headings{place}.md", repeated(unit, size)
    yield "headings.html", repeated("<h1>a</h1>", size)
    yield "levels.html", repeated("<h1>a<h2>b<h3>c<h4>d<h5>e<h6>f", size)
    yield "headings.rst", repeated("a\n=\n\nb\n-\n\n", size)
    yield "headings.adoc", repeated("== a\n\n", size)
    yield "one.md", repeated("word ", size, "# ")
    yield "twins.md", "".join(f"# usage-{n % 7}\n# usage\n" for n in range(size // 20)).encode()


def tables(size: int) -> Bombs:
    yield (
        "wide.md",
        repeated("a|", size // 3, "|")
        + b"\n"
        + repeated("-|", size // 3, "|")
        + b"\n"
        + repeated("b|", size // 3, "|"),
    )
    yield "long.md", b"|a|b|\n|-|-|\n" + repeated("|c|d|\n", size)
    yield "empty.md", b"|a|b|\n|-|-|\n" + repeated("|\n", size)
    yield "rules.md", repeated("|-|-|\n", size)
    yield "wide.html", repeated("<td>a", size, "<table><tr>")
    yield "rows.html", repeated("<tr><td>a</td></tr>", size, "<table>")
    yield "span.html", repeated("<td colspan=9999 rowspan=9999>a", size, "<table><tr>")
    yield "grid.rst", repeated("+--+--+\n|a |b |\n", size)
    yield "cells.adoc", b"|===\n" + repeated("|a |b\n", size)


def links(size: int) -> Bombs:
    for place, unit in enumerate(
        [
            "[a](b)", "[a][b]", "[a]: b\n", "![a](b)", "<http://a.b>", "http://a.b ", "[a](b 'c')", "[[a](b)", "](",
            "[a](<", "[^1]", "[^1]: a\n", "[a](" + "../" * 50 + ")",
        ]
    ):
        yield f"links{place}.md", repeated(unit, size)
    yield "links.html", repeated("<a href=b>a</a>", size)
    yield "anchors.html", repeated("<a name=b>", size)
    yield "links.rst", repeated("`a <b>`_ ", size)


def html(size: int) -> Bombs:
    for place, unit in enumerate(
        [
            "<", "</", "<!", "<!--", "<!-- -->", "<![CDATA[", "<?", "<a ", "<a b=", "<a b='", "<p>", "<br>", "</p>",
            "<script>", "<style>", "<title>", "<textarea>", "<p a=b c=d>", "<template>", "&", "&amp;", "&#",
            "&#x41;", "&notanentity;", "&NotEqualTilde;",
        ]
    ):
        yield f"html{place}.html", repeated(unit, size)
    for place, unit in enumerate(["<!--", "<p>", "<details><summary>", "<br/>", "&amp;", "&#x41;"]):
        yield f"html{place}.md", repeated(unit, size)
    yield "attributes.html", repeated("a=b ", size, "<p ", ">x")


def front_matter(size: int) -> Bombs:
    size = min(size, 65_000)
    yaml = [
        "a: [", "- ", "a: {", "? ", "!!a ", "&a ", "*a ", "a: |\n ", "a: >\n ", "a:\n ", "'", '"\\x41', "# ",
        "a: 1\n", "1:", "<<: {a: 1}\n", "%YAML 1.1\n", "a: 1_000\n",
    ]
    for place, unit in enumerate(yaml):
        yield f"yaml{place}.md", repeated(unit, size, "---\n", "\n---\n# H\n")
    yield "keys.md", ("---\n" + "".join(f"k{n}: 1\n" for n in range(size // 8)) + "---\n").encode()
    yield (
        "laughs.md",
        (
            "---\na0: &a0 [x,x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1},*a{n - 1}]\n" for n in range(1, 60)) + "---\n"
        ).encode(),
    )
    yield "spaces.md", ("---\na: b" + " " * size + "c: [\n---\n").encode()
    for place, unit in enumerate(
        ["a.", "[a.", "[[a]]\n", "a=[", "a={a=", "a=1\n", "a.a=1\n", '"', "'''", "#", "1=", "[a]\n"]
    ):
        yield f"toml{place}.md", repeated(unit, size, "+++\n", "\n+++\n# H\n")
    yield (
        "dotted.md",
        ("+++\n" + "".join(f"{'.'.join(['a'] * 120)}.k{n} = 1\n" for n in range(size // 250)) + "+++\n").encode(),
    )
    yield "inline.md", ("+++\na = {" + ".".join(["b"] * (size // 2)) + " = 1}\n+++\n").encode()
    for place, unit in enumerate(['{"a":', '{"a":[', '{"a":1,', '{"\\u0041":', "{", '{"a":1e', '{"a":"\\ud800']):
        yield f"json{place}.md", repeated(unit, size)
    yield "digits.md", ('{"a": ' + "9" * size + "}\n# H\n").encode()


def unicode(size: int) -> Bombs:
    for place, unit in enumerate(
        [
            "\u0301", "a\u0301", "\u200b", "\u202e", "\ufeff", "\ufdfa", "ﬀ", "İ", "ß", "😀", "👨\u200d👩\u200d👧",
            "\u0e33", "\uac00", "\U000e0001", "\ufffd", "\u1100\u1161", "\U0001d400", "\u0344",
        ]
    ):
        yield f"unicode{place}.md", repeated(unit, size)
    yield "utf7.md", b"+AGE-" * (size // 5)
    yield "wide.txt", ("a" * (size // 2)).encode("utf-16-le")
    yield "half.txt", b"\xff\xfe" + b"\x00\xd8" * (size // 2)
    yield "overlong.md", b"\xc0\xaf" * (size // 2)


def disguised(size: int) -> Bombs:
    noise = random.Random(7)
    heads = {
        "png": b"\x89PNG\r\n\x1a\n",
        "pdf": b"%PDF-1.7\n",
        "jpeg": b"\xff\xd8\xff\xe0",
        "gif": b"GIF89a",
        "zip": b"PK\x03\x04",
        "gzip": b"\x1f\x8b\x08",
        "elf": b"\x7fELF",
        "bzip": b"BZh9",
        "xz": b"\xfd7zXZ\0",
        "office": b"\xd0\xcf\x11\xe0",
        "sqlite": b"SQLite format 3\0",
        "wasm": b"\0asm",
        "ogg": b"OggS",
        "mp3": b"ID3\x03",
    }
    for name, head in heads.items():
        yield f"{name}.md", head + noise.randbytes(size)
        yield f"{name}.txt", head + zlib.compress(noise.randbytes(1000))
    for suffix in ("md", "txt", "html", "rst", "adoc"):
        yield f"random.{suffix}", noise.randbytes(size)
        yield f"zeros.{suffix}", bytes(size)

# fmt: on

KINDS: dict[str, Callable[[int], Bombs]] = {
    "nesting": nesting,
    "lines": lines,
    "words": words,
    "headings": headings,
    "tables": tables,
    "links": links,
    "HTML": html,
    "front matter": front_matter,
    "Unicode": unicode,
    "binary in disguise": disguised,
}
