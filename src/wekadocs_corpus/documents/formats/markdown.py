"""Markdown to an outline; the text is stored as it is, front matter included."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.blocks import Block, Outline
from wekadocs_corpus.documents.front_matter import read_front_matter

from .links import markdown_links
from .markdown_scan import Scan

_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*(?:[ \t]*\Z)?")


def read_markdown(text: str) -> Outline:
    """The outline of a Markdown text in any of its flavours."""
    values, begin = read_front_matter(text)
    outline = Outline(text, front_matter=values)
    if begin:
        blank = _BLANK_LINES.match(text, begin)
        begin = blank.end() if blank else begin
        outline.blocks.append(Block("front_matter", 0, begin))
    scan = Scan(text[begin:], begin)
    outline.blocks += scan.blocks()
    outline.headings = scan.headings
    outline.links = markdown_links(text, outline.blocks)
    return outline
