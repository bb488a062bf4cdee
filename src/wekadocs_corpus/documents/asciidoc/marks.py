"""What a line of AsciiDoc is, and where what it begins ends."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.lines import Lines

ATTRIBUTE = re.compile(r":(!?[\w][\w-]*!?):(?:[ \t]+(.*))?\Z")
BLOCK_ATTRIBUTES = re.compile(r"\[(?!\[)([^\n]*)\]\Z")
ANCHOR = re.compile(r"\[\[([^\[\],]+)[^\[\]]*\]\]\Z")
TITLE = re.compile(r"\.([^\s.].*)\Z")
DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}|[|,:!]={3,})(\w*)\Z")
BULLET = re.compile(r"[ \t]*(\*{1,6}|-{1}|\.{1,6}|\d{1,9}\.|<(?:\d{1,3}|\.)>)[ \t]+(\S.*)\Z")
TERM = re.compile(r"[ \t]*(\S.{0,500}?)(:{2,4}|;;)(?:[ \t]+(.*))?\Z")
ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION|INFO):[ \t]+")
MACRO = re.compile(r"([a-zA-Z][\w-]{0,40})::([^\s\[]*)\[(.*)\]\Z")


def term(words: str) -> re.Match[str] | None:
    found = TERM.match(words) if "::" in words or ";;" in words else None
    return found if found and not MACRO.match(words) and not words.lstrip().startswith("//") else None


def interrupts(words: str) -> bool:
    return bool(DELIMITER.match(words) or (words.startswith("[") and BLOCK_ATTRIBUTES.match(words)) or words == "+")


def ends_item(words: str) -> bool:
    return (
        interrupts(words)
        or bool(term(words))
        or words.startswith(("//", "= ", "== ", "=== "))
        or bool(TITLE.match(words))
    )


def is_ordered(kind: str) -> bool:
    return kind[0] in ".1<"


def next_item(lines: Lines, at: int, *, terms: bool = False) -> int:
    """Over blank lines and comments, if another item follows them."""
    place = at
    while place < len(lines) and (not lines[place][0].strip() or lines[place][0].startswith("//")):
        place += 1
    if place < len(lines) and (term(lines[place][0]) if terms else BULLET.match(lines[place][0])):
        return place
    return at


def attached(lines: Lines, at: int) -> int:
    """The line after the block that `+` attaches, with what is said of it."""
    while at < len(lines) and (
        BLOCK_ATTRIBUTES.match(lines[at][0])
        or TITLE.match(lines[at][0])
        or lines[at][0].startswith("//")
        or ANCHOR.match(lines[at][0])
    ):
        at += 1
    if at < len(lines) and DELIMITER.match(lines[at][0]):
        return after_delimited(lines, at)
    while at < len(lines) and lines[at][0].strip() and lines[at][0] != "+":
        at += 1
    return at


def after_delimited(lines: Lines, at: int) -> int:
    found = DELIMITER.match(lines[at][0])
    if not found:
        return at + 1
    end = next((place for place in range(at + 1, len(lines)) if lines[place][0] == found[1]), at)
    return end + 1


def trimmed(lines: Lines) -> Lines:
    first, last = 0, len(lines)
    while first < last and not lines[first][0].strip():
        first += 1
    while last > first and not lines[last - 1][0].strip():
        last -= 1
    return lines[first:last]
