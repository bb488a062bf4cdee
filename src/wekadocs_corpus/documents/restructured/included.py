"""Files that a page takes in, whole or in part."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from wekadocs_corpus.documents.conversion.lines import Lines, dedented, fenced
from wekadocs_corpus.documents.conversion.neighbours import DEEPEST

if TYPE_CHECKING:
    from .blocks import Blocks


def lines_of(blocks: Blocks, target: str, number: int) -> Lines | None:
    """The lines of another file, all as if they stood in this line."""
    found = blocks.neighbours.find(target.strip(), blocks.folder)
    return _source(found[1], number) if found else None


def _source(text: str, number: int) -> Lines:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [((line.expandtabs(8) if "\t" in line else line).rstrip(), number) for line in lines]


def include(blocks: Blocks, target: str, options: dict[str, str], number: int, *, top: bool) -> Lines:
    """What an included file shows; nothing where it is missing, outside the root, or includes itself."""
    if "literal" in options or "code" in options:
        return literal(blocks, target, {**options, "language": options.get("code", "")}, number)
    found = blocks.neighbours.find(target.strip("<> "), blocks.folder)
    if not found or found[0] in blocks.including or len(blocks.including) >= DEEPEST:
        return []
    path, text = found
    blocks.names.learn(text)
    before = blocks.folder, blocks.including
    blocks.folder, blocks.including = posixpath.dirname(path), (*blocks.including, path)
    try:
        return blocks.read(part(_source(text, number), options), top=top)
    finally:
        blocks.folder, blocks.including = before


def literal(blocks: Blocks, target: str, options: dict[str, str], number: int) -> Lines:
    """A file, or a part of it, as code."""
    lines = lines_of(blocks, target, number)
    if not lines:
        return []
    chosen = dedented(part(lines, options)) if "dedent" in options else _trimmed(part(lines, options))
    caption = options.get("caption", "")
    head = [(f"**{blocks.text(caption)}**", number), ("", number)] if caption else []
    return [*head, *fenced(chosen, options.get("language", "") or blocks.language, number)]


def part(lines: Lines, options: dict[str, str]) -> Lines:
    """What the options choose."""
    first, last = _number(options.get("start-line")), _number(options.get("end-line"))
    lines = lines[first : last if last is not None else len(lines)]
    if options.get("lines"):
        lines = [line for a, b in _ranges(options["lines"], len(lines)) for line in lines[a - 1 : b]]
    start = next((option for option in ("start-after", "start-at") if options.get(option)), "")
    if start:
        at = next((place for place, line in enumerate(lines) if options[start] in line[0]), -1)
        lines = lines[at + (start == "start-after") :] if at >= 0 else lines
    end = next((option for option in ("end-before", "end-at") if options.get(option)), "")
    if end:
        at = next((place for place, line in enumerate(lines) if options[end] in line[0]), len(lines))
        lines = lines[: at + (end == "end-at")]
    return lines


def _trimmed(lines: Lines) -> Lines:
    first, last = 0, len(lines)
    while first < last and not lines[first][0]:
        first += 1
    while last > first and not lines[last - 1][0]:
        last -= 1
    return lines[first:last]


def _number(words: str | None) -> int | None:
    words = (words or "").strip()
    return int(words) if words.lstrip("-").isdigit() and words.isascii() and len(words) < 9 else None


def _ranges(words: str, most: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for each in words.split(",")[:100]:
        first, between, last = each.strip().partition("-")
        a, b = _number(first) or 1, _number(last)
        found.append((max(1, a), min(most, b or most) if between else a))
    return found
