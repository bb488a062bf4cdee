"""Imports and exports of MDX: a program, not the page."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.lines import Lines

_MODULE = re.compile(
    r"""import[ \t]+(?:["']|[\w*{].*[ \t]from[ \t]+["']|\{[ \t]*\Z)"""
    r"""|export[ \t]+(?:const|let|var|default|async|function|class|type|\{|\*)"""
)
_MOST_LINES = 400


def module_end(lines: Lines, at: int) -> int:
    """The line after an import or export, or 0: where its brackets are closed and a line ends."""
    words = lines[at][0]
    if not words.startswith(("import ", "import{", "export ")) or not _MODULE.match(words):
        return 0
    depth = 0
    for end in range(at, min(len(lines), at + _MOST_LINES)):
        line = lines[end][0]
        depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
        if depth <= 0 and (end + 1 == len(lines) or not lines[end + 1][0] or _starts(lines[end + 1][0])):
            return end + 1
    return at + 1


def _starts(words: str) -> bool:
    return not words[0].isspace() and words[0] not in ".?:)]}"
