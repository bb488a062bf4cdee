"""MyST: directives in fences of backticks or colons."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from wekadocs_corpus.documents.conversion.admonitions import ADMONITIONS, words
from wekadocs_corpus.documents.conversion.lines import Lines, dedented, fenced
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.conversion.rows import table_lines
from wekadocs_corpus.documents.restructured import convert_restructured

from .pieces import Piece
from .signs import ANCHOR, END, bold, label

Read = Callable[[Lines, str], list[Piece]]

NAMED = re.compile(r"\{([A-Za-z][\w:.+-]*)\}[ \t]*(.*)\Z")
COLONS = re.compile(r"([ \t]*)(:{3,})[ \t]*\{([A-Za-z][\w:.+-]*)\}[ \t]*(.*)\Z")
_OPTION = re.compile(r":([\w-]+):(?:[ \t]*([^`\s].*)|[ \t]*)?\Z")
_CODE = words(
    "code code-block code-cell sourcecode ipython ipython3 prompt math mermaid literalinclude doctest testcode"
)
_GONE = words("toctree contents index tableofcontents image:: bibliography autosummary highlight meta iframe")
_TITLED = words("tab-item tab dropdown card grid-item-card topic sidebar rubric admonition details")
_LAYOUT = words("raw grid grid-item tab-set card-carousel container div hlist button-ref button-link")
_CHANGES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}
_OBJECTS = words("function class method attribute envvar option confval data exception")


_LANGUAGES = ("r", "python", "julia", "sql", "bash", "js", "ojs")
_SIGNS = re.compile(
    rf"^[ \t]*(?::{{3,}}|`{{3,}})[ \t]*\{{(?!(?:{'|'.join(_LANGUAGES)})\b)[a-z][\w:+.-]*\}}|\{{[a-z][\w:-]*\}}`[^`\n]"
    r"|^\([\w.:/ -]+\)=[ \t]*$",
    re.M | re.I,
)
_HIDDEN = re.compile(r"%(?:[ \t%:].*)?|\+\+\+[ \t]*(?:\{.*\})?[ \t]*")
_NAMED_HEADING = re.compile(r"(#{1,6}[ \t]+.*?)[ \t]*\[([\w.:-]+)\][ \t]*\Z")
DOCSET = "docset.yml"  # of Elastic's docs-builder


class Dialect(NamedTuple):
    """What else the lines of a page mean, by its directives or by what stands above its folder."""

    myst: bool = False
    names: bool = False  # whether `[name]` behind a heading is what links call it

    def hides(self, written: str) -> bool:
        """A comment, or the end of a cell or a card."""
        return self.myst and _HIDDEN.fullmatch(written) is not None

    def heading(self, written: str) -> str | None:
        found = _NAMED_HEADING.match(written) if self.names else None
        return f"{found[1]}{ANCHOR}{found[2]}{ANCHOR}" if found else None


NO_DIALECT = Dialect()


def dialect_of(text: str, neighbours: Neighbours) -> Dialect:
    elastic = ("%" in text or "[" in text) and neighbours.above(DOCSET) is not None
    return Dialect(elastic or _SIGNS.search(text) is not None, elastic)


def directive(read: Read, name: str, argument: str, body: Lines, number: int, margin: str) -> list[Piece] | None:
    """What it shows; None for a fence whose braces name a language, as R and Pandoc have it."""
    options, body = _options(body)
    short = name.lower().rpartition(":")[2]
    if name in _LANGUAGES:
        return None

    def prose(text: str) -> Piece:
        return Piece(margin + text if text else "", number)

    def code(lines: Lines) -> list[Piece]:
        return [Piece(margin + text if text else "", place, True) for text, place in lines]

    if short in _GONE or (short == "raw" and argument != "html"):
        return []
    if short in _LAYOUT:
        return [prose(""), *read(body, margin), prose("")]
    if short == "eval-rst":
        return code(_restructured(body, number))
    if short in _CODE:
        language = "math" if short == "math" else argument.split(maxsplit=1)[0] if argument else ""
        return [
            *([prose(bold(options["caption"]))] if options.get("caption") else []),
            *code(fenced(body, language, number)),
        ]
    if short in ("image", "figure"):
        return [prose(options.get("alt", "") if not body else ""), *read(body, margin)]
    if short == "list-table":
        return [prose(bold(argument)), *code(table_lines(_rows(body)))]
    if short in _CHANGES:
        return [prose(label(f"{_CHANGES[short]} {argument}")), *read(body, margin), prose(END)]
    if short in ADMONITIONS or short == "admonition":
        named = ADMONITIONS.get(short, argument)
        inside = body if short == "admonition" or not argument else [(argument, number), *body]
        return [prose(label(named)), prose(""), *read(inside, margin), prose(END), prose("")]
    if short in _OBJECTS and argument:
        return [
            prose(""),
            prose(label(f"- `{argument}`")),
            *read([("  " + text if text else "", place) for text, place in body], margin),
            prose(END),
        ]
    head = [prose(bold(argument))] if argument and short in _TITLED else [prose(argument)] if argument else []
    return [*head, prose(""), *read(body, margin), prose("")]


def _restructured(body: Lines, number: int) -> Lines:
    """What is written in the other language of Sphinx, read as such."""
    page = convert_restructured("\n".join(text for text, _ in body), Neighbours("", None))
    places = page.numbers or ()
    return [
        (text, body[place][1] if place < len(body) else number)
        for text, place in zip(page.text.split("\n"), places, strict=False)
    ]


def _options(body: Lines) -> tuple[dict[str, str], Lines]:
    at, found = 0, dict[str, str]()
    if body and body[0][0].strip() == "---":
        end = next((place for place, line in enumerate(body[1:], 1) if line[0].strip() == "---"), 0)
        return {}, dedented(body[end + 1 :])
    while at < len(body) and (option := _OPTION.match(body[at][0])):
        found[option[1]] = option[2] or ""
        at += 1
    return found, dedented(body[at:])


def _rows(body: Lines) -> list[tuple[list[str], int]]:
    rows: list[tuple[list[str], int]] = []
    for text, number in body:
        row = re.match(r"[*-][ \t]+[-*](?:[ \t]+(.*))?\Z", text)
        cell = re.match(r"[ \t]+[-*](?:[ \t]+(.*))?\Z", text)
        if row:
            rows.append(([row[1] or ""], number))
        elif cell and rows:
            rows[-1][0].append(cell[1] or "")
        elif rows and text.strip():
            rows[-1][0][-1] += " " + text.strip()
    return rows
