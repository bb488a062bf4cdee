"""HTML that stands in a page as it is: its words are on the page like all others."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.conversion.alignment import aligned
from wekadocs_corpus.documents.conversion.lines import Lines
from wekadocs_corpus.documents.html import read_html, without_deep_tags

_HEADING = re.compile(r"#{1,6} (.+)")
_WORD = re.compile(r">[^<>]*\w")


def raw(content: Lines) -> Lines:
    """As Markdown; a heading in it has no place among those of the page."""
    written = [words for words, _ in content]
    text = "\n".join(written)
    if not _WORD.search(f">{text}"):
        return []
    shown = _HEADING.sub(r"**\1**", read_html(without_deep_tags(text)).text.strip("\n")).split("\n")
    if not any(shown):
        return []
    places = aligned(shown, written)
    return [(words, content[place][1]) for words, place in zip(shown, places, strict=True)]
