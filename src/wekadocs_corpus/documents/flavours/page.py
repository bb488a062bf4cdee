"""One page: includes, containers, then what stands in lines; a page without any of it stays as it is."""

from __future__ import annotations

import re

from wekadocs_corpus.documents.blocks import split_lines
from wekadocs_corpus.documents.conversion.lines import Converted, Lines
from wekadocs_corpus.documents.conversion.liquid import with_values
from wekadocs_corpus.documents.conversion.neighbours import Neighbours
from wekadocs_corpus.documents.conversion.substitutions import with_substitutions
from wekadocs_corpus.documents.front_matter import read_front_matter

from .finish import finished
from .includes import with_includes
from .markup import Markup
from .myst import dialect_of
from .signs import RESERVED
from .structure import Structure

_FLAVOURED = re.compile(
    r"<[A-Za-z/!]|&#?\w{1,32};|\[!(?:INCLUDE|code)|\]\(#tab/|\]\[\w+\."
    r"|^[ \t]*/{3,}[ \t]|\{[{%:#./+~=>*'`-]|\{ ?[.:#\w-]|\{\{"
    r"|:{3,}|^[ \t]*(?:!!!|\?\?\?|===[+!]?)[ \t]|--8<--|^[ \t>*+-]*\[!\w"
    r"|^(?:import|export)[ \t]|\+\+\w|==\w|^\[\[?_?toc|^\*\[|:(?:material|octicons|fontawesome|simple)-"
    r"|^<<<|^\(.+\)=[ \t]*\r?$|^%|^#{1,6}[ \t][^\n]*\[[\w.:-]+\][ \t]*\r?$"
    r"|^ {0,3}:?-+:?[ \t]*\|[ \t|:-]*\r?$|\{\w[\w:]*\}`|^[ \t>*+-]*+(?:`{3,}+|~{3,}+)(?:[^\n]*[ \t,{]|rust)",
    re.M | re.I,
)


def convert_markdown(text: str, neighbours: Neighbours, *, mdx: bool = False) -> Converted:
    """The page as its reader sees it; the lines that come from another file have the number of what includes it."""
    stated, begin = read_front_matter(text)
    if not _FLAVOURED.search(text, begin):
        return Converted(text)
    head = split_lines(text[:begin])
    body = [(line.rstrip(), number) for number, line in enumerate(_bare(text[begin:]), len(head))]
    body = with_includes(with_substitutions(with_values(body, stated, neighbours), stated, neighbours), neighbours)
    lines = Structure(mdx=mdx, dialect=dialect_of(text, neighbours)).read(body)
    shown, anchors = finished(Markup(text, mdx=mdx).read(lines), mdx=mdx)
    return _page(head, shown, anchors)


def _bare(text: str) -> list[str]:
    """Lines without their ends and without signs that are kept for our own use."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [RESERVED.sub("�", line) for line in lines] if RESERVED.search(text) else lines


def _page(head: list[str], shown: Lines, anchors: dict[int, str]) -> Converted:
    above = [line.rstrip("\r\n") for line in head] + ([""] if head and shown else [])
    numbers = [
        *range(len(head)),
        *([max(0, len(head) - 1)] if head and shown else []),
        *(number for _, number in shown),
    ]
    text = "".join([line + "\n" for line in (*above, *(words for words, _ in shown))])
    return Converted(text, numbers, {line + len(above): anchor for line, anchor in anchors.items()})
