"""Where sentences begin and end: spans for quotes, safe with abbreviations, code, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wekadocs_corpus.tuning import TUNING

Span = tuple[int, int]

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_FENCE_LINE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[ \t]*([^\s`]?)[^\n`]*$", re.M)
_ITEM = re.compile(r"[ \t>]*(?:[-*+•‣◦]|\d{1,9}[.)])[ \t]+")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
# A sentence ends at a mark, with closing quotes and brackets, before white space; CJK needs no white space.
_END = re.compile(
    r"[.!?…。\uff01\uff1f｡؟\u06d4।]"  # first, so that only these are looked at
    # A run of marks is tried from its first one only, or a page of dots takes minutes.
    r"(?:(?<=[.!?…])(?<![.!?…]{2})[.!?…]*[\"'\u201d\u2019»)\]*_]*(?=\s)"
    r"|(?<=[。\uff01\uff1f｡])[。\uff01\uff1f｡]*[」』\u201d\u2019\uff09】]*"
    r"|(?<=[؟\u06d4।])[؟\u06d4।]*(?=\s|$))"
)
_BEFORE = re.compile(r"(?:^|[\s(\[\"'“\u2018*_/])([^\s(\[\"'“\u2018*_/]{1,14})\Z")
_NEVER = TUNING.sentences.never_an_end
_SOMETIMES = TUNING.sentences.seldom_an_end
_COMMENTS = (("<!--", "-->"), ("{/*", "*/}"))  # of HTML, of MDX
_LONGEST_COMMENT = 5000  # what opens one and is not closed by then was only a mention
# A line under a heading; markup of reStructuredText that names something and says nothing.
_UNDERLINE = re.compile(r"([=~^-])\1{2,}")
_NAMING = re.compile(r"\.\. (?:_[^\n]*:|[\w:-]+::(?:[ \t]+\S+)?)|:[\w-]+:(?:[ \t]+\S+)?")
_PLAIN_END = re.compile(r"[.?!](?=\s)")


def sentences(text: str, *, all_lines: bool = False) -> list[Span]:
    """Spans of what can be quoted alone: sentences, list items, table rows, whole code fences; never a comment.

    Lines that say nothing alone, as an underlined heading, are none unless all are wanted.
    """
    found: list[Span] = []
    for start, end, whole in _parts(text, all_lines=all_lines):
        found.extend([(start, end)] if whole else _split(text, start, end))
    comments = [span for marks in _COMMENTS if marks[0] in text for span in _comments(text, *marks)]
    return _outside(text, found, comments) if comments else found


def _comments(text: str, opening: str, closing: str) -> Iterator[Span]:
    last, at = text.rfind(closing), 0
    while 0 <= (at := text.find(opening, at)) < last:
        inside = at + len(opening)
        end = text.find(closing, inside, inside + _LONGEST_COMMENT + len(closing))
        if end >= 0:
            yield at, end + len(closing)
        at = inside if end < 0 else end + len(closing)


def _outside(text: str, spans: list[Span], comments: list[Span]) -> list[Span]:
    """The spans without what reaches into or out of a comment; code keeps its comments."""
    left = [span if _FENCE.match(text, span[0]) else _without(text, span, comments) for span in spans]
    return [span for span in left if span[0] < span[1]]


def _without(text: str, span: Span, comments: list[Span]) -> Span:
    start = max([span[0], *(last for first, last in comments if first <= span[0] < last)])
    end = min([span[1], *(first for first, last in comments if span[0] < first < span[1] < last)])
    return stripped(text, start, max(start, end))


def is_heading(text: str, at: int = 0) -> bool:
    """Whether the span that begins there is a heading: no other span begins so."""
    return text.startswith("#", at)


def plain_spans(text: str) -> list[Span]:
    """Splits at blank lines, bullets and `.?!` before white space, with fences whole: seed 000 §4.6.1 to the letter."""
    found: list[Span] = []
    for start, end, fenced in _blocks(text):
        if fenced:
            found.append(stripped(text, start, end))
            continue
        at = start
        for mark in _PLAIN_END.finditer(text, start, end):
            found.append(stripped(text, at, mark.end()))
            at = mark.end()
        found.append(stripped(text, at, end))
    return [span for span in found if span[0] < span[1]]


def stripped(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    return begin, max(begin, start + len(piece.rstrip()))


def _lines(text: str, start: int = 0) -> Iterator[Span]:
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield start, end
        start = end


def _end_of_cut_code(text: str) -> int:
    """Where the code ends that a passage begins in the middle of; 0 when it begins outside."""
    fences = list(_FENCE_LINE.finditer(text)) if "```" in text or "~~~" in text else []
    if not fences or fences[0][2]:  # only what opens says a language
        return 0
    first = fences[0]
    if fences[1:] and fences[1][2]:
        return first.end()
    if len(fences) % 2 == 0:
        return 0
    above, below = text[: first.start()].splitlines()[-1:], text[first.end() :].splitlines()[1:2]
    return first.end() if above and above[0].strip() and not (below and below[0].strip()) else 0


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """Runs of lines between blank lines and bullets; a fence is one, marked true, to its end or the text's."""
    begin, fence = _end_of_cut_code(text), ""
    if begin:
        yield 0, begin, True
    for start, end in _lines(text, begin):
        mark = _FENCE.match(text, start, end)
        if fence:
            if mark and mark[1].startswith(fence) and not text[mark.end() : end].strip():
                yield begin, end, True
                begin, fence = end, ""
        elif mark:
            yield begin, start, False
            begin, fence = start, mark[1]
        elif _ITEM.match(text, start, end) or text[start:end].isspace():
            yield begin, start, False
            begin = start
    yield begin, len(text), bool(fence)


def _parts(text: str, *, all_lines: bool) -> Iterator[tuple[int, int, bool]]:
    """As blocks, with headings, rows of tables and objects of data apart; true means not to be split further."""
    data = "={" in text  # of an MDX component
    for start, end, fenced in _blocks(text):
        if fenced:
            yield *stripped(text, start, end), True
            continue
        begin = start
        for first, last in _lines(text[start:end]):
            at, to = start + first, start + last
            line = text[at:to].strip()
            row = line.startswith("|") and line.count("|") > 1
            silent = not all_lines and _says_nothing(line, data=data)
            if row or silent or _HEADING.match(text, at, to):
                if not (silent and _underlines(line, text[begin:at].strip())):
                    yield *stripped(text, begin, at), False
                if not silent and (not row or line.strip("|:- \t")):
                    yield *stripped(text, at, to), True
                begin = to
        yield *stripped(text, begin, end), False


def _underlines(line: str, above: str) -> bool:
    """Whether it makes a heading of what stands above it, and is not just a line."""
    return bool(_UNDERLINE.fullmatch(line)) and "\n" not in above and len(above) <= len(line) + 3


def _says_nothing(line: str, *, data: bool) -> bool:
    """The line under a heading, markup that names something, the brackets between objects."""
    brackets = data and not line.strip("{}[](),; ")
    return brackets or bool(_UNDERLINE.fullmatch(line) or _NAMING.fullmatch(line))


def _split(text: str, start: int, end: int) -> list[Span]:
    found: list[Span] = []
    if start >= end:
        return found
    marker = _ITEM.match(text, start, end)
    at = marker.end() if marker else start  # the number of a list item ends no sentence
    begin = start
    for mark in _END.finditer(text, at, end):
        if mark.end() < end and _ends(text, begin, mark):
            found.append(stripped(text, begin, mark.end()))
            begin = mark.end()
    found.append(stripped(text, begin, end))
    return [span for span in found if span[0] < span[1]]


def _ends(text: str, begin: int, mark: re.Match[str]) -> bool:
    """Whether this mark really ends the sentence that began at `begin`."""
    follows = text[mark.end() : mark.end() + 40].lstrip()[:1]
    if mark[0][0] == "…" or mark[0].startswith(".."):
        return not follows.islower()
    if mark[0][0] != ".":
        return True
    word = _BEFORE.search(text[max(begin, mark.start() - 20) : mark.start()])
    before = word[1].lower() if word else ""
    if before in _NEVER or (len(before) == 1 and before.isalpha()):
        return False
    if before in _SOMETIMES:
        return follows.isupper()
    return not follows.islower()
