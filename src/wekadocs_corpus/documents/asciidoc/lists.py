"""Lists of AsciiDoc: items of every depth, definitions, and what is attached to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wekadocs_corpus.documents.conversion.lines import Lines, definition, gap, item

from .marks import BULLET, attached, ends_item, is_ordered, next_item, term, trimmed
from .titles import heading_at

if TYPE_CHECKING:
    from .blocks import Blocks

_CHECKED = re.compile(r"\[[ x*]\][ \t]+", re.I)


def read_list(blocks: Blocks, lines: Lines, at: int, out: Lines) -> int:
    """Items of every depth; each holds what is attached to it."""
    markers: list[str] = []
    counts: list[int] = []
    if not (out and out[-1][0].lstrip().startswith("- ")):
        gap(out, lines[at][1])
    while at < len(lines) and (found := BULLET.match(lines[at][0])):
        kind = re.sub(r"\d+|(?<=<)\.", "1", found[1])
        if kind in markers:
            del markers[markers.index(kind) + 1 :], counts[markers.index(kind) + 1 :]
        else:
            markers.append(kind)
            counts.append(0)
        counts[-1] += 1
        margin = "".join("   " if is_ordered(each) else "  " for each in markers[:-1])
        body, after = _item(lines, at, found[2])
        marker = f"{counts[-1]}. " if is_ordered(kind) else "- "
        out += [
            (margin + words if words else "", number) for words, number in item(marker, blocks.read(body), lines[at][1])
        ]
        at = next_item(lines, after)
    gap(out, lines[at - 1][1])
    return at


def _item(lines: Lines, at: int, words: str) -> tuple[Lines, int]:
    """Its own lines, and what `+` attaches to it."""
    body: Lines = [(_CHECKED.sub("", words), lines[at][1])]
    at += 1
    while at < len(lines):
        line, number = lines[at]
        if line == "+":
            body.append(("", number))
            end = attached(lines, at + 1)
            body += lines[at + 1 : end]
            at = end
        elif not line.strip() or BULLET.match(line) or ends_item(line):
            break
        else:
            body.append((line.strip(), number))
            at += 1
    return body, at


def read_terms(blocks: Blocks, lines: Lines, at: int, out: Lines) -> int:
    """A list of definitions; 0 where this line begins none."""
    first = at
    while at < len(lines) and (found := term(lines[at][0])):
        terms, number = [found[1]], lines[at][1]
        words = found[3] or ""
        while not words and at + 1 < len(lines) and (again := term(lines[at + 1][0])):
            at += 1
            terms.append(again[1])
            words = again[3] or ""
        body, after = _meaning(lines, at, words)
        if at == first:
            gap(out, number)
        out += definition(", ".join(blocks.text(term) for term in terms), trimmed(blocks.read(body)), number)
        at = next_item(lines, after, terms=True)
    if at > first:
        gap(out, lines[at - 1][1])
    return at if at > first else 0


def _meaning(lines: Lines, at: int, words: str) -> tuple[Lines, int]:
    body, after = _item(lines, at, words)
    if words or len(body) > 1:
        return body, after
    at = after
    while at < len(lines) and not lines[at][0].strip():
        at += 1
    if at < len(lines) and BULLET.match(lines[at][0]):
        end = at
        while end < len(lines) and (lines[end][0].strip() and not term(lines[end][0])):
            end += 1
        return lines[at:end], end
    if at < len(lines) and not (ends_item(lines[at][0]) or term(lines[at][0]) or heading_at(lines, at)):
        return _item(lines, at, lines[at][0].strip())
    return [], after
