"""What converters hand over: lines of Markdown, each with the line of the file that it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Line = tuple[str, int]  # words, and their line in the file, counted from 0
Lines = list[Line]
_TICKS = re.compile(r"`{3,}")


@dataclass
class Converted:
    """A file as clean Markdown. `anchors` names headings, by the line they stand in, as their author did."""

    text: str
    numbers: Sequence[int] | None = None  # for each line; None: the lines of the file
    anchors: dict[int, str] = field(default_factory=dict)


def converted(lines: Iterable[Line]) -> Converted:
    """The page of these lines, with at most one blank line in a row outside of code."""
    kept: Lines = []
    fence = ""
    for line in lines:
        words = line[0].strip()
        if not fence and not words and (not kept or not kept[-1][0].strip()):
            continue
        if words[:3] in ("```", "~~~"):
            fence = _fence(words, fence)
        kept.append(line)
    while kept and not kept[-1][0].strip():
        kept.pop()
    return Converted("".join([words + "\n" for words, _ in kept]), [number for _, number in kept])


def _fence(words: str, fence: str) -> str:
    """The fence that is open after this line."""
    signs = words[: len(words) - len(words.lstrip(words[0]))]
    if not fence:
        return signs
    return "" if words == signs and signs.startswith(fence) else fence


def indentation(words: str) -> int:
    return len(words) - len(words.lstrip(" "))


def dedented(lines: Sequence[Line]) -> Lines:
    """Without the indentation that all have, and without blank lines around."""
    first, last = 0, len(lines)
    while first < last and not lines[first][0]:
        first += 1
    while last > first and not lines[last - 1][0]:
        last -= 1
    return unindented(lines[first:last])


def unindented(lines: Sequence[Line]) -> Lines:
    """The same with its blank lines."""
    margin = min((indentation(words) for words, _ in lines if words), default=0)
    return [(words[margin:], number) for words, number in lines]


def fenced(lines: Sequence[Line], language: str, number: int) -> Lines:
    """A block of code."""
    if not lines:
        return []
    longest = max((len(run) for words, _ in lines for run in _TICKS.findall(words)), default=2)
    fence = "`" * (longest + 1)
    return [(fence + language, number), *lines, (fence, lines[-1][1])]


def item(marker: str, lines: Sequence[Line], number: int) -> Lines:
    """A list item: what it holds stands under its first word."""
    margin = " " * len(marker)
    first, *rest = lines or [("", number)]
    return [(marker + first[0], first[1]), *((margin + words if words else "", line) for words, line in rest)]


def definition(term: str, lines: Sequence[Line], number: int) -> Lines:
    """`- term: what it means`, the rest of it below; a term that code or a list follows stands alone."""
    term = term.rstrip(": ")
    if not lines:
        return [(f"- {term}", number)]
    first = lines[0][0]
    if first.startswith(("```", "- ", "|", "#")) or re.match(r"\d+\. ", first):
        return item("- ", [(f"{term}:", number), ("", number), *lines], number)
    return item("- ", [(f"{term}: {first}", number), *lines[1:]], number)


def labelled(label: str, lines: Sequence[Line], number: int) -> Lines:
    """A paragraph that begins with its label: `Warning: …`."""
    label = label.rstrip(": ")
    if not lines:
        return [(label, number)]
    first = lines[0][0]
    if first.startswith(("```", "- ", "|", "#")) or re.match(r"\d+\. ", first):
        return [(f"{label}:", number), ("", number), *lines]
    return [(f"{label}: {first}", lines[0][1]), *lines[1:]]


def gap(out: Lines, number: int) -> None:
    """A blank line between what is there and what comes next, once."""
    if out and out[-1][0]:
        out.append(("", number))
